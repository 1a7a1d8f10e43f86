"""The configuration of the co-simulation, and the faults that are planned in it."""

import libfuzzer

TITLE = "the co-simulation's configuration"
MODEL = libfuzzer.ROOT / "model"
COSIM = libfuzzer.ROOT / "cosim" / "src"
PARTS = ("chip_config", "plan", "fault")
SEEDS = libfuzzer.NATIVE / "cosim_config_seeds"
WORDS = libfuzzer.NATIVE / "cosim_config.dict"


def program():
    sources = [
        libfuzzer.NATIVE / "cosim_config.cpp",
        *(COSIM / f"{part}.cpp" for part in PARTS),
        *sorted((MODEL / "src").rglob("*.cpp")),
    ]
    built = libfuzzer.build("cosim_config", sources, [COSIM, MODEL / "include"])
    return (built, f"-dict={WORDS}", "-max_len=8000", str(SEEDS))
