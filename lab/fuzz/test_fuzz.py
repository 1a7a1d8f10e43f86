"""Every target for a number of inputs, the same on every machine; more with AXIOMETER_FUZZ_S, the
seconds for each. A checker that finds nothing is found by targets that must fail."""

import os
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import attack  # noqa: E402
import libfuzzer  # noqa: E402

from axiometer.base.errors import AxiometerError  # noqa: E402

SECONDS = int(os.environ.get("AXIOMETER_FUZZ_S", "0"))
INPUTS = {"commands": 20, "figures": 40, "store_rows": 60}
USUAL_INPUTS = 400
TARGETS = {target.__name__.partition(".")[2]: target for target in attack.targets()}
NATIVE = [name for name, target in TARGETS.items() if hasattr(target, "program")]


@pytest.mark.timeout(2 * SECONDS + 1200)
@pytest.mark.parametrize("name", [name for name in TARGETS if name not in NATIVE])
def test_python(name):
    begun, number = time.monotonic(), 1
    while number == 1 or time.monotonic() < begun + SECONDS:
        attack.attempt(TARGETS[name], INPUTS.get(name, USUAL_INPUTS), number)
        number += 1


@pytest.mark.timeout(2 * SECONDS + 1200)
@pytest.mark.parametrize("name", NATIVE)
def test_native(name, tmp_path):
    target = TARGETS[name]
    lacking = libfuzzer.needs()
    if lacking:
        pytest.skip(lacking)
    limit = f"-max_total_time={SECONDS}" if SECONDS else f"-runs={USUAL_INPUTS}"
    program, *options = target.program()
    output = libfuzzer.run(program, tmp_path, limit, *options)
    assert "stat::number_of_executed_units: 0" not in output


class _UnreadableError(AxiometerError):
    def __str__(self):
        return self.message


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (KeyError("x"), KeyError),
        (AxiometerError(" "), AssertionError),
        (_UnreadableError("\x1b[31m"), AssertionError),
        (_UnreadableError("x" * 10_000), AssertionError),
        (MemoryError(), MemoryError),
    ],
)
def test_a_finding_is_raised(error, found):
    def one(data):
        if b"never" in data:
            if isinstance(error, MemoryError):
                bytes(2**31)
            raise AxiometerError("fine") if isinstance(error, MemoryError) else error

    target = SimpleNamespace(seeds=lambda: [b"n"], WORDS=[b"never"], one=one)
    with pytest.raises(found):
        attack.attempt(target, 400, 1)


def test_a_native_finding_is_raised(tmp_path):
    lacking = libfuzzer.needs()
    if lacking:
        pytest.skip(lacking)
    source = tmp_path / "crash.c"
    source.write_text(
        "#include <stddef.h>\n#include <stdlib.h>\n"
        "int LLVMFuzzerTestOneInput(const unsigned char *d, size_t n)\n"
        "{ if (n && d[0] == 'x') abort(); return 0; }\n"
    )
    with pytest.raises(AssertionError, match="deadly signal"):
        libfuzzer.run(libfuzzer.build("crash", [source], []), tmp_path, "-runs=100000")
