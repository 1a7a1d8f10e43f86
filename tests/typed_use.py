"""A typed use of the package: `make lint` checks it, nothing runs it."""

from typing import assert_type

import axiometer as axm

assert_type(axm.expect("zybo", ports="HP0").total, float)
assert_type(axm.Run.load().id, str)
wrong: str = axm.expect("zybo").total  # type: ignore[assignment]  # a type error
