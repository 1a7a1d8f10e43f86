"""What is known of a board and its chip: its figures with their origins, from TOML files.

`platform.py` is what the other rooms see; `layers.py` lays a chip's and a board's file together;
`limits.py` says what figures and experiment keys may be. Not for: what figures mean to the model.
"""

from axiometer.platform.platform import (
    MAPPINGS,
    MAX_FITTED,
    MAX_FITTED_FABRIC,
    MAX_FITTED_PROCESSOR,
    Platform,
)

__all__ = ["MAPPINGS", "MAX_FITTED", "MAX_FITTED_FABRIC", "MAX_FITTED_PROCESSOR", "Platform"]
