"""The processor's side in experiments, platforms and records; for its accuracy see
test_processor_accuracy.py."""

import pytest

import kit
from axiometer import expect
from axiometer.base.errors import AxiometerError
from axiometer.experiment import vendor
from axiometer.experiment.keys_processor import CHOICES, KINDS
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.published.reference import Reference
from axiometer.runs.backends import model

ZED = Platform.load("zedboard")


def point(**settings):
    usual = {"ports": "GP1", "mode": "ps_to_pl", "master": "memcpy", "transfer_bytes": 4096}
    return single(ZED, usual | settings)


def record(**settings):
    (found,) = model.run_repeats(ZED, point(**settings), 0, 0, 1)
    return found


def test_every_master_has_its_ports():
    later = (kind for kind in vendor.KINDS if kind not in KINDS)
    assert (*KINDS, *later) == CHOICES["master"][1]


def test_too_many_fitted_figures_of_the_processors_side_are_refused():
    text = kit.PLATFORM + "\n[processor]\n"
    text += "".join(f'x{i} = {{ value = 1, fitted = ["t.csv"] }}\n' for i in range(11))
    with pytest.raises(AxiometerError, match="11 figures are fitted") as caught:
        Platform(text, "tiny.toml")
    assert "at most 10" in str(caught.value)


def test_each_port_has_its_own_dma_engine():
    """That of the full-power domain is twice as wide; both wait for their last writes, so that no
    transfer is faster than the wires, and none has longer bursts than 16 of its beats."""
    platform, rates = Platform.load("zcu102"), []
    keys = {"master": "ps_dma", "transfer_bytes": 4096, "pl_mhz": 300, "repeats": 1}
    for port, width in (("HPM0_FPD", 16), ("HPM1_FPD", 16), ("HPM0_LPD", 8)):
        for mode in ("ps_to_pl", "pl_to_ps"):
            own = {**keys, "ports": port, "mode": mode}
            point = single(platform, {**own, "dma_burst_bytes": 16 * width})
            (record,) = model.run_repeats(platform, point, 0, 0, 1)
            rates.append(record["total_MBps"])
            assert rates[-1] < 16 * 300
            usual = single(platform, own)
            assert model.run_repeats(platform, usual, 0, 0, 1) == [record | {"repeat": 0}]
    with pytest.raises(AxiometerError, match="a longer burst than the engine has"):
        single(platform, {**own, "dma_burst_bytes": 256})
    assert rates[:2] == rates[2:4]
    assert min(rates[:2]) > 1.1 * max(rates[4:])


@pytest.mark.parametrize(
    ("name", "port", "width"),
    [
        *(
            ("zcu102", port, width)
            for port in ("HPM0", "HPM1_FPD", "HPM0_LPD")
            for width in (32, 128)
        ),
        *(("k26", "HPM0_FPD", 64), ("ultra96", "HPM0_FPD", 128)),
        *(("de1-soc", "H2F", 64), ("de10-nano", "LWH2F", 32), ("arria5-socdk", "H2F", 128)),
    ],
)
def test_the_processor_reaches_the_fabric_on_every_chip(name, port, width):
    """A copy of uncached words waits for each access there and back; of lines it moves more, and
    no more than the port's wires carry."""
    keys = {"ports": port, "width_bits": width, "pl_mhz": 100, "transfer_bytes": "64KiB"}
    platform, rates = Platform.load(name), {}
    for memory_type in ("device", "cached"):
        point = single(platform, {**keys, "mode": "read", "memory_type": memory_type})
        assert point.values["master"] == "memcpy"
        (record,) = model.run_repeats(platform, point, 0, 0, 1)
        rates[memory_type] = record["total_MBps"]
    assert 20 < rates["device"] < rates["cached"] < width / 8 * 100
    text = expect(name, memory_type="device", mode="write", repeats=1, **keys).text
    assert "ps_dma is fastest" in " ".join(text.split())
    assert " DMA" in text


def test_the_processor_s_clock_is_the_boards():
    """A copy through GP0 waits for the fabric and for the processor's own interconnect."""
    rates = [
        kit.record(name, ports="GP0", mode="read", transfer_bytes=4096)["total_MBps"]
        for name in ("zedboard", "zybo")  # 667 and 650 MHz
    ]
    assert 0.95 * rates[0] < rates[1] < rates[0]


def test_repeats_differ_by_the_phase_of_the_clocks_only():
    whole = model.run_repeats(ZED, point(), 0, 0, 6)
    assert whole[3:] == model.run_repeats(ZED, point(), 0, 3, 3)
    times = [r["elapsed_s"] for r in whole]
    # A copy falls into step with the clocks in one of a few ways: less than a PL cycle an access.
    assert 0 < max(times) - min(times) < 4096 / 8 * 10e-9


def test_beats_are_those_of_the_words():
    beats = record()["processor"]["beats"]
    assert beats["count"] == 1024
    between = beats["between"]
    assert between["min"] <= between["mean"] <= between["max"]
    assert between["typ"] == int(between["mean"])


def test_a_ring_has_no_beats():
    """It is modelled by packets: counts of beats are unknown, and not reported."""
    ring = {"master": "ring", "ports": "HP0", "os": "linux", "mode": "duplex"}
    assert record(**ring)["processor"]["beats"] is None
    assert record()["processor"]["beats"]["count"] > 0


def test_what_must_be_slower_is():
    def rate(**settings):
        return record(transfer_bytes=65536, **settings)["total_MBps"]

    assert rate(cache="off") < rate() < rate(memory_type="cached")
    assert rate(slave="lite") < rate(slave="full")
    assert rate(pl_mhz=50) < rate(pl_mhz=200)
    assert rate() < rate(master="ps_dma")
    ring = {"master": "ring", "ports": "HP0", "os": "linux", "mode": "duplex"}
    assert rate(**ring) < rate(**ring, ring_depth=4) <= 800
    assert rate(**ring, io="copy") < rate(**ring) < rate(**ring, cache_control="none")


def test_the_dataset_is_understood_as_it_is():
    table = Reference(
        "method,bridge,direction,os,cache,fpga_mhz,size_bytes,rate_MBps_1e6\n"
        "memcpy,GP1,WR,baremetal,off,50,256,21.29\n"
        "dmac,GP1,RD,linux(Linaro),on,225,2,0.5\n",
        "z7.csv",
    )
    first, second = table.rows
    assert first.conditions == {
        "ports": ["GP1"], "master": "memcpy", "mode": "ps_to_pl", "os": "bare-metal",
        "cache": "off", "io": "zero_copy", "pl_mhz": 50, "transfer_bytes": 256,
    }  # fmt: skip
    assert (second.conditions["os"], second.conditions["io"]) == ("linux", "copy")
    found = table.match(point(cache="off", pl_mhz=50, transfer_bytes=256).values)
    assert found is first
    assert table.match(point(cache="on", pl_mhz=50, transfer_bytes=256).values) is None
    with pytest.raises(AxiometerError, match="cannot be read"):
        Reference(
            "method,bridge,direction,os,cache,fpga_mhz,size_bytes,rate_MBps_1e6\n"
            "dance,GP1,WR,baremetal,off,50,256,21.29\n",
            "z7.csv",
        )


def test_published_streams_do_not_match_the_processors_side():
    table = Reference("ports,mode,total_MBps\nGP1,read,5\n", "t.csv")
    assert table.match(point().values) is None


def test_commands_show_it(tmp_path, monkeypatch, capsys, cli):
    from axiometer.__main__ import main

    monkeypatch.setenv("AXIOMETER_STORE", str(tmp_path / "runs.db"))
    cli("run zynq-interfaces --repeats 2 --jobs 1 --quiet")
    for command in (["show"], ["compare"], ["explain", "-v"], ["explain", "latest", "3"]):
        assert "GP0" in cli(*command)
    assert main(["explain", "--json", "latest", "12"]) == 0
    import json

    (found,) = json.loads(capsys.readouterr().out)["points"]
    assert found["dram"] is None
    assert sum(found["processor"]["shares"].values()) == pytest.approx(1)
    assert found["bottleneck"] == "setup"
    page = tmp_path / "r.html"
    assert main(["report", "-o", str(page)]) == 0
    assert "whole time of the transfer" in page.read_text()
    cli("explain --svg", tmp_path / "x.svg")
    assert "processor_fabric_s" in cli("export --raw").splitlines()[0]


def test_the_rtl_backend_refuses_the_processors_side():
    from axiometer.runs.backends import rtl

    settings = {"ports": "EMIO", "master": "register"}
    with pytest.raises(AxiometerError, match="cannot run master = 'register'"):
        rtl.design(ZED, point(**settings).values)


@pytest.mark.parametrize("port", ["HP0", "ACP", "SGP0"])
def test_masters_in_the_fabric_have_a_width_of_their_own(port):
    settings = {"master": "full", "ports": port, "mode": "pl_to_ps"}
    assert point(**settings).values["width_bits"] == 32
    with pytest.raises(AxiometerError, match="bit"):
        point(**settings, width_bits=64)


@pytest.mark.parametrize(
    ("board", "port"), [("zc702", "GP0"), ("zcu102", "HPM0_FPD"), ("de10-nano", "H2F"),
                        ("zedboard", "ACP"), ("zedboard", "EMIO")],
)  # fmt: skip
def test_a_master_of_one_direction_has_a_usual_one(board, port):
    """The default mode; a given mode stays, and an impossible one is an error."""
    platform = Platform.load(board)
    usual = single(platform, {"ports": port}).values
    assert usual["mode"] == "ps_to_pl"
    assert usual == single(platform, {"ports": port, "mode": "read"}).values
    assert single(platform, {"ports": port, "mode": "write"}).values["mode"] == "pl_to_ps"
    with pytest.raises(AxiometerError, match="one direction at a time"):
        single(platform, {"ports": port, "mode": "duplex"})
