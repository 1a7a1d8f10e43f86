"""The configuration of the co-simulation, and the faults that are planned in it."""

import libfuzzer

TITLE = "the co-simulation's configuration"
MODEL = libfuzzer.ROOT / "model"
COSIM = libfuzzer.ROOT / "cosim" / "src"
PARTS = ("chip_config", "processor_side", "port_chip", "fault")
SEEDS = libfuzzer.NATIVE / "cosim_config_seeds"
WORDS = libfuzzer.NATIVE / "cosim_config.dict"


def needs():
    return libfuzzer.needs("C++")


def command(folder, budget, seed):
    sources = [
        libfuzzer.NATIVE / "cosim_config.cpp",
        *(COSIM / f"{part}.cpp" for part in PARTS),
        *sorted((MODEL / "src").rglob("*.cpp")),
    ]
    program = libfuzzer.build("cosim_config", sources, [COSIM, MODEL / "include"])
    return libfuzzer.command(
        program, folder, budget, seed, f"-dict={WORDS}", "-max_len=8000", str(SEEDS)
    )
