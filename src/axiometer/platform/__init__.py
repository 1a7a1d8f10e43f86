"""Figures of a board and its chip with their origins, from TOML files.

`platform.py` is the interface for other rooms; `layers.py` lays a board's file over its chip's;
`limits.py` has the allowed values of figures and experiment keys. Not for: the model's use of them.
"""

from axiometer.platform.platform import (
    MAPPINGS,
    MAX_FITTED,
    MAX_FITTED_FABRIC,
    MAX_FITTED_PROCESSOR,
    Platform,
)

__all__ = ["MAPPINGS", "MAX_FITTED", "MAX_FITTED_FABRIC", "MAX_FITTED_PROCESSOR", "Platform"]
