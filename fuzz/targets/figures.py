"""Random figures, keys and specifications through the public Python API and the binding.

Cases run in a worker process with a limit of time. A finding is an exception other than
AxiometerError (ValueError of the binding), a signal, a run that lasts longer than it announced, or
a record that breaks a law.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
TITLE = "figures of platforms, keys of experiments, specifications of the model"
# Of one case. What a run announces is less than this takes on any machine.
MOST_S = 60.0
MOST_CLOCKS = 3e8
SLACK_CLOCKS = 1e3


def needs():
    try:
        import axiometer._model  # noqa: F401
    except ImportError:
        return "the package is not installed: make build"
    return None


def command(folder, budget, seed):
    return [sys.executable, __file__, str(folder), str(budget), str(seed)]


def one(case):
    """What is wrong with how a case was taken: a sentence, or None."""
    sys.path[:0] = [p for p in (str(HERE),) if p not in sys.path]
    import random_figures

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


def work(pipe):
    """A worker: cases in, findings (or None) out."""
    while True:
        case = pipe.recv()
        try:
            pipe.send(one(case))
        except Exception:  # noqa: BLE001 - any other is what is looked for
            import traceback

            pipe.send(traceback.format_exc()[-3000:])


def main(folder, budget, seed):
    sys.path.insert(0, str(HERE))
    import random_figures
    from budget import Budget

    rng = random.Random(seed)
    inputs, findings = 0, 0
    worker = pipe = None
    budget = Budget.of(budget)
    while budget.left(inputs):
        if worker is None:
            pipe, other = multiprocessing.Pipe()
            worker = multiprocessing.Process(target=work, args=(other,), daemon=True)
            worker.start()
            other.close()
        case = random_figures.draw(rng)
        pipe.send(case)
        found = "no answer" if not pipe.poll(MOST_S) else None
        if found is None:
            try:
                found = pipe.recv()
            except EOFError:
                worker.join()
                found = f"the process died with status {worker.exitcode}"
        inputs += 1
        if found is None:
            continue
        findings += 1
        text = json.dumps({"case": case, "found": found}, indent=1)
        (Path(folder) / f"case-{seed}-{inputs}.json").write_text(text)
        print(f"{found}\n{case}", flush=True)
        if found == "no answer" or not worker.is_alive():
            worker.kill()
            worker.join()
            worker = None
        if findings >= 20:
            break
    if worker is not None:
        worker.kill()
    print(f"inputs: {inputs}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
