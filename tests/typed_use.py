"""A typed use of the package: `make lint` checks it, nothing runs it."""

from typing import assert_type

import axiometer as axm

assert_type(axm.expect("zybo", ports="HP0").total, float)
assert_type(axm.Run.load().id, str)
wrong: str = axm.expect("zybo").total  # type: ignore[assignment]  # a type error
axm.expect("zybo", ports=["HP0", "HP1"], pl_mhz="150MHz", burst_bytes=128)
axm.expect("zybo", portz="HP0")  # type: ignore[call-arg]  # no key has this name
axm.expect("zybo", repeats="two")  # type: ignore[arg-type]  # a number without a unit
axm.curve("zybo", ports="HP0", mode="read")  # type: ignore[call-arg]  # the ratio says it
axm.advise("zcu102", masters=["in=read", {"name": "out", "direction": "write"}], pl_mhz=[100, 200])
axm.advise("zcu102", portz="HP0")  # type: ignore[call-arg]  # no key has this name
assert_type(axm.check("system.xsa", need={"vin": 373}).passed, bool)
assert_type(axm.measure("ssh:root@zybo", "zybo-hp-bandwidth"), axm.Measured)
