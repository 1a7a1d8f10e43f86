"""Random figures, keys and specifications through the public Python API and the binding.

A finding is an exception other than AxiometerError (ValueError of the binding), a signal, a run
that lasts longer than it announced, or a record that breaks a law.
"""

from __future__ import annotations

import random
from typing import Any

import random_figures

TITLE = "figures of platforms, keys of experiments, specifications of the model"
# What a run announces takes less than a minute on any machine.
MOST_CLOCKS = 3e8
SLACK_CLOCKS = 1e3


def one(draw: random.Random) -> None:
    """Draw a case, and simulate it."""
    case = random_figures.draw(draw)
    wrong = fault(case)
    assert not wrong, f"{wrong}\n{case}"


def fault(case: dict[str, Any]) -> str | None:
    """What is wrong with how a case was taken: a sentence, or None."""
    from axiometer import _model
    from axiometer.base.errors import AxiometerError
    from axiometer.experiment.keys_processor import AT_MEMORY
    from axiometer.records import laws
    from axiometer.runs.backends import load
    from axiometer.simulate import cost, program
    from axiometer.simulate.scenario import Scenario
    from axiometer.simulate.transfer import Transfer

    try:
        platform, point = random_figures.point_of(case)
        at_memory = point.values["master"] in AT_MEMORY
        simulated = (Scenario if at_memory else Transfer).of(platform, point.values)
        if case["change"]:
            start = simulated.start(0, 0).document() if at_memory else None
            spec = random_figures.changed(simulated.document(), case["change"])
            try:
                if at_memory:
                    _model.Simulator(spec).run(start)
                else:
                    _model.run_processor(spec)
            except (ValueError, RuntimeError) as error:
                return None if str(error) else "an error without a word"
            return None
        bound = cost.announced(simulated) if at_memory else 0
        if bound > MOST_CLOCKS:
            cost.check(simulated)
            return None
        record = load("model").run_repeats(platform, point, 7, 0, 1)[0]
        broken = laws.broken(platform, point, record)
        if broken:
            return "; ".join(broken)
        # The time ends when the processor detects the end, which is not simulated.
        unseen = program.of(platform, point.values).latest * 1e-6
        simulated_s = record["elapsed_s"] - unseen
        clocks = simulated_s * platform.value("clocks.ddr_mhz") * 1e6
        if at_memory and clocks > bound + SLACK_CLOCKS:
            return f"{clocks:.3g} clocks where {bound:.3g} were announced"
    except AxiometerError as error:
        if not error.message or not error.remedy:
            return f"a message without a remedy: {error}"
        if len(str(error)) > 4000:
            return f"a message of {len(str(error))} characters"
    return None
