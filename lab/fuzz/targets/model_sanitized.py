"""The model, built with the address and undefined-behaviour sanitizers, under random figures.

The seeds are specifications of points of all platforms with figures at their limits and beyond;
libFuzzer changes them further. What is looked for is in native/model_sanitized.cpp.
"""

import json
import random

import libfuzzer

TITLE = "the model with sanitizers, figures of all kinds"
MODEL = libfuzzer.ROOT / "model"
COSIM = libfuzzer.ROOT / "cosim" / "src"
SEEDS = 300


def program():
    sources = [
        libfuzzer.NATIVE / "model_sanitized.cpp",
        COSIM / "chip_config.cpp",
        *sorted((MODEL / "src").rglob("*.cpp")),
    ]
    # With the options of `cosim_config`: a compiler cache builds the model once for both.
    built = libfuzzer.build("model_sanitized", sources, [COSIM, MODEL / "include"])
    seeds = built.parent / "seeds"
    seeds.mkdir(exist_ok=True)
    words = write_seeds(seeds, random.Random(1))
    options = (f"-dict={words}", "-max_len=12000", str(seeds))
    return (built, *options)


def write_seeds(folder, rng):
    """Specifications as files in `folder`; the path of a dictionary of their keys and numbers."""
    import random_figures

    from axiometer.base.errors import AxiometerError
    from axiometer.experiment.keys_processor import AT_MEMORY
    from axiometer.runs.cosim.process import flat
    from axiometer.simulate.scenario import Scenario
    from axiometer.simulate.transfer import Transfer

    words = {str(number) for number in random_figures.NUMBERS if abs(number) < 2**64}
    made = 0
    while made < SEEDS:
        case = random_figures.draw(rng)
        try:
            platform, point = random_figures.point_of(case)
            if point.values["master"] in AT_MEMORY:
                scenario = Scenario.of(platform, point.values)
                spec = scenario.document() | {"start": scenario.start(0, 0).document()}
            else:
                spec = Transfer.of(platform, point.values).document() | {"processor": True}
        except AxiometerError:
            continue
        lines = [f"{key} {value}" for key, value in flat(spec) if "\n" not in str(value)]
        words |= {line.split(" ")[0] for line in lines}
        (folder / f"{made:03}").write_text("\n".join(lines) + "\n", encoding="utf-8")
        made += 1
    path = folder.parent / "words.dict"
    path.write_text("".join(f"{json.dumps(word)}\n" for word in sorted(words) if word.isascii()))
    return path
