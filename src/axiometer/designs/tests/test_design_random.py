"""Random designs with known masters behind each port."""

import random

import pytest

import design_kit as kit
from axiometer.designs import design_file, load, masters
from axiometer.designs.checks import check
from axiometer.designs.plan import planned
from axiometer.platform import Platform

DESIGNS = 60
WIDTHS = (32, 64, 128)


def drawn(draw):
    """Modules, and {master: (port, directions, width, beats, names of the blocks between)}."""
    usp = draw.random() < 0.5
    names = [f"S_AXI_HP{n}_FPD" if usp else f"S_AXI_HP{n}" for n in range(4)]
    usual = 128 if usp else 64
    modules, ports, expected = [], [], {}
    for number in draw.sample(range(4), draw.randrange(1, 5)):
        entering = []
        for n in range(draw.randrange(1, 4)):
            instance, net = f"d{number}{n}", f"n{number}_{n}"
            width, beats = draw.choice(WIDTHS), draw.choice((8, 16, 64))
            reads = draw.random() < 0.5
            make = kit.reads if reads else kit.writes
            name, key = ("M_AXI_MM2S", "MM2S") if reads else ("M_AXI_S2MM", "S2MM")
            facts = {f"C_{key}_BURST_SIZE": beats, f"C_M_AXI_{key}_DATA_WIDTH": width}
            modules.append(kit.module(instance, kit.DMA, make(name, net, width), parameters=facts))
            way = []
            for layer in range(draw.randrange(0, 3)):
                block, out = f"s{number}{n}{layer}", f"{net}_{layer}"
                modules.append(kit.interconnect(block, [(net, width)], out, width))
                way.append(block)
                net = out
            entering.append((net, width))
            place = (f"HP{number}", ("read",) if reads else ("write",), width, beats)
            expected[f"{instance}.{name}"] = (*place, [*way, f"ic{number}"])
        modules.append(kit.interconnect(f"ic{number}", entering, f"p{number}", usual))
        ports.append((names[number], f"p{number}"))
    modules.append((kit.usp if usp else kit.zynq)(*ports))
    draw.shuffle(modules)
    return modules, expected, 16 if not usp else 256, usual


@pytest.mark.parametrize("seed", range(DESIGNS))
def test_every_master_is_found_behind_its_port(tmp_path, seed):
    modules, expected, most, port_bits = drawn(random.Random(seed))
    design = load(kit.saved(tmp_path, *modules))
    found = {
        m.name: (
            m.routes[0].port,
            m.directions,
            m.width_bits,
            getattr(m, m.directions[0]).burst_beats,
            [hop.instance for hop in m.routes[0].hops],
        )
        for m in design.masters
    }
    assert found == expected
    for master in design.masters:
        (route,), (direction,) = master.routes, master.directions
        size = master.burst_bytes(direction, route)
        asked = getattr(master, direction).burst_beats * master.width_bits // 8
        # Nothing on the way makes a burst longer, and the port gets no more beats than it takes.
        assert size <= asked
        assert size <= most * port_bits // 8
        assert size == min(asked, most * port_bits // 8, 4096)
        split = any("are split into" in e for hop in route.hops for e in hop.effects)
        assert split == (size < asked)


@pytest.mark.parametrize("seed", range(DESIGNS))
def test_what_follows_from_a_design(tmp_path, seed):
    modules, expected, most, _ = drawn(random.Random(1000 + seed))
    design = load(kit.saved(tmp_path, *modules))
    again = tmp_path / "again.toml"
    again.write_text(design_file.dumps(design))
    assert load(again) == design
    platform = Platform.load("zybo" if most == 16 else "zcu102")
    found = masters.of(platform, planned(design)).point().values["masters"]
    assert len(found) == len(expected)
    for master in found:
        beats, rest = divmod(master["burst_bytes"] * 8, master["width_bits"])
        assert beats <= most and rest == 0
    names = {name for master in expected for name in (master, master.partition(".")[0])}
    places = names | {port.name for port in design.ports} | {c.name for c in design.clocks}
    for finding in check(design):
        assert set(finding.where.replace(", ", "+").split("+")) <= places
        assert finding.says.endswith(".")
        assert finding.change.endswith(".")
