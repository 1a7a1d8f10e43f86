"""The facts of a design file as rows of `designs.toml`: python lab/corpus/facts.py FILE.

Regular expressions over what is written (.hwh and archives with one, JSON .bd, the Tcl that
write_bd_tcl writes); derives nothing that a tool would. Shares nothing with the product's readers.
Not for: Tcl by hand, automation, .qsys.
"""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ET
import zipfile
from collections import defaultdict
from pathlib import Path

BETWEEN = re.compile(
    r":(axi_interconnect|smartconnect|axi_crossbar|axi_(protocol|dwidth|clock)_converter"
    r"|axi_register_slice|axi_data_fifo|axi_mmu|axi_(protocol_)?firewall|axi_vip|system_cache"
    r"|(system_)?ila|axi_protocol_checker|axi_perf_mon):"
)
PS = re.compile(r":(processing_system7|zynq_ultra_ps_e):")
NAME = r"[\w./$-]+"
HIGH = [f"S_AXI_{name}_FPD" for name in ("HPC0", "HPC1", "HP0", "HP1", "HP2", "HP3")]
HIGH_7 = ("HP0", "HP1", "HP2", "HP3", "GP0", "GP1", "ACP")
PORTS = {
    "processing_system7": [f"S_AXI_{n}" for n in HIGH_7],
    "zynq_ultra_ps_e": [*HIGH, "S_AXI_LPD", "S_AXI_ACP_FPD", "S_AXI_ACE_FPD"],
}
# Core and interface: direction, clock, then parameter and default of width, burst and stream.
CORES = {
    ("axi_dma", "M_AXI_MM2S"): (
        *("read", "m_axi_mm2s_aclk", ("c_m_axi_mm2s_data_width", "32")),
        *(("c_mm2s_burst_size", "16"), ("c_m_axis_mm2s_tdata_width", "32")),
    ),
    ("axi_dma", "M_AXI_S2MM"): (
        *("write", "m_axi_s2mm_aclk", ("c_m_axi_s2mm_data_width", "32")),
        *(("c_s2mm_burst_size", "16"), ("c_s_axis_s2mm_tdata_width", "?")),
    ),
    ("axi_dma", "M_AXI_SG"): ("both", "m_axi_sg_aclk", ("", "32"), ("", "-"), ("", "-")),
    ("axi_vdma", "M_AXI_MM2S"): (
        *("read", "m_axi_mm2s_aclk", ("c_m_axi_mm2s_data_width", "64")),
        *(("c_mm2s_max_burst_length", "8"), ("c_m_axis_mm2s_tdata_width", "32")),
    ),
    ("axi_vdma", "M_AXI_S2MM"): (
        *("write", "m_axi_s2mm_aclk", ("c_m_axi_s2mm_data_width", "64")),
        *(("c_s2mm_max_burst_length", "8"), ("c_s_axis_s2mm_tdata_width", "?")),
    ),
    ("axi_cdma", "M_AXI"): (
        *("both", "m_axi_aclk", ("c_m_axi_data_width", "32")),
        *(("c_m_axi_max_burst_len", "16"), ("", "-")),
    ),
    ("axi_cdma", "M_AXI_SG"): ("both", "m_axi_aclk", ("", "32"), ("", "-"), ("", "-")),
    ("v_frmbuf_wr", "m_axi_mm_video"): (
        *("write", "ap_clk", ("aximm_data_width", "64"), ("", "-"), ("", "-")),
    ),
    ("v_frmbuf_rd", "m_axi_mm_video"): (
        *("read", "ap_clk", ("aximm_data_width", "64"), ("", "-"), ("", "-")),
    ),
}
STREAM_CLOCK = {"M_AXI_MM2S": "m_axis_mm2s_aclk", "M_AXI_S2MM": "s_axis_s2mm_aclk"}
WAYS = {"READ_ONLY": "read", "WRITE_ONLY": "write", "READ_WRITE": "both"}


class Net:
    """Cells with their parameters, groups of interfaces and pins that are joined, and the MHz
    written at pins (None: a clock without a rate)."""

    def __init__(self) -> None:
        self.cells: dict[str, tuple[str, dict]] = {}
        self.up: dict[str, str] = {}
        self.mhz: dict[str, float | None] = {}
        self.tool = "?"

    def find(self, name: str) -> str:
        self.up.setdefault(name, name)
        while self.up[name] != name:
            name = self.up[name]
        return name

    def join(self, names) -> None:
        names = list(names)
        for name in names:
            self.up[self.find(name)] = self.find(names[0])

    def group(self, name: str) -> list[str]:
        root = self.find(name)
        return [other for other in self.up if self.find(other) == root]


def of_hwh(text: str) -> Net:
    net, root = Net(), ET.fromstring(text)
    net.tool = root.get("VIVADOVERSION", "?")
    for module in root.iter("MODULE"):
        if not module.get("VLNV"):
            continue
        path = module.get("FULLNAME", "").lstrip("/") or module.get("INSTANCE")
        facts = {p.get("NAME").lower(): p.get("VALUE") for p in module.iter("PARAMETER")}
        net.cells[path] = (module.get("VLNV"), facts)
        for port in module.iter("PORT"):
            if port.get("SIGIS") == "clk":
                pin = f"{path}/{port.get('NAME')}"
                net.mhz[pin] = float(port.get("CLKFREQUENCY") or 0) / 1e6
                net.join([f"net:{port.get('SIGNAME')}", pin] if port.get("SIGNAME") else [pin])
        for bus in module.iter("BUSINTERFACE"):
            if bus.get("BUSNAME") not in (None, "__NOC__"):
                net.join([f"net:{bus.get('BUSNAME')}", f"{path}/{bus.get('NAME')}"])
            own = {p.get("NAME"): p.get("VALUE") for p in bus.iter("PARAMETER")}
            facts.setdefault("_" + bus.get("NAME"), own)
    return net


def of_bd(text: str) -> Net:
    net, design = Net(), json.loads(text)["design"]
    net.tool = design.get("design_info", {}).get("tool_version", "?")

    def values(table: dict) -> dict:
        return {key: each.get("value") for key, each in table.get("parameters", {}).items()}

    def walk(level: dict, at: str) -> None:
        for name, cell in level.get("components", {}).items():
            reference = cell.get("reference_info", {}).get("ref_name", "")
            facts = {key.lower(): value for key, value in values(cell).items()}
            for port, table in cell.get("interface_ports", {}).items():
                facts["_" + port] = values(table)
            if "vlnv" in cell or reference:
                net.cells[at + name] = (cell.get("vlnv") or f"module:ref:{reference}:", facts)
            walk(cell, f"{at}{name}/")
        for joined in level.get("interface_nets", {}).values():
            net.join(at + pin for pin in joined.get("interface_ports", []))
        for joined in level.get("nets", {}).values():
            net.join(at + pin for pin in joined.get("ports", []))
        for port, table in level.get("ports", {}).items():
            rate = values(table).get("FREQ_HZ")
            net.mhz[at + port] = float(rate) / 1e6 if rate else None

    walk(design, "")
    return net


def of_tcl(text: str) -> Net:
    net, text = Net(), re.sub(r"\\\r?\n", " ", text)
    found = re.search(r"scripts_vivado_version\s+([\d.]+)", text)
    net.tool = found[1] if found else "?"
    bodies, current = defaultdict(list), ""
    for line in text.splitlines():
        procedure = re.match(r"proc\s+(\w+)", line)
        current = procedure[1] if procedure else current
        bodies[current].append(line)
        current = "" if line.startswith("}") else current

    def config(part: str) -> dict:
        pairs = re.findall(r'CONFIG\.([\w.]+)\s+(\{[^{}]*\}|"[^"]*"|[^\s\]]+)', part)
        return {key.lower(): value.strip('{}" ') for key, value in pairs}

    def run(procedure: str, at: str) -> None:
        names: dict[str, str] = {}
        for line in bodies[procedure]:
            for key, value in re.findall(r"set (block_(?:cell_)?name) (\S+)", line):
                names[key] = value
            made = re.search(
                rf"create_bd_cell\s+-type\s+(ip|module)\s+-(?:vlnv|reference)\s+(\S+)\s+({NAME})",
                line,
            )
            if made:
                core, cell = (names.get(each.lstrip("$"), each) for each in made.groups()[1:])
                core = core if made[1] == "ip" else f"module:ref:{core}"
                net.cells[at + cell] = (core + ":", {})
                for variable in re.findall(r"set\s+(\w+)\s+\[", line):
                    names[variable] = cell
            below = re.search(
                r"^\s*(create_hier_cell_\w+)\s+(?:\[current_bd_instance \.\]|\$hier_obj)\s+(\S+)",
                line,
            )
            if below:
                run(below[1], f"{at}{below[2]}/")
            to = re.search(r"set_property\s.*?(?:\$(\w+)|\[get_bd_cells\s+/?(\S+?)\])\s*$", line)
            cell = to and at + (to[2] or names.get(to[1], to[1]))
            if cell in net.cells and "CONFIG." in line:
                net.cells[cell][1].update(config(line))
            if cell in net.mhz and (found := re.search(r"FREQ_HZ\s+\{?(\d+)", line)):
                net.mhz[cell] = int(found[1]) / 1e6
            on = re.search(r"set_property\s.*\[get_bd_intf_pins\s+/?(\S+)/(\w+)\]\s*$", line)
            if on and at + on[1] in net.cells:
                own = net.cells[at + on[1]][1].setdefault("_" + on[2], {})
                own.update({key.upper(): value for key, value in config(line).items()})
            if re.search(r"connect_bd_(intf_)?net", line):
                pins = re.findall(r"get_bd_(?:intf_)?(?:pins|ports)\s+/?(\S+?)\]", line)
                net.join(at + pin for pin in pins)
            port = re.search(r"create_bd_port\s(.*\s)?(\w+)\s*\]?\s*$", line)
            if port:
                rate = re.search(r"-freq_hz\s+(\d+)", line)
                net.mhz[at + port[2]] = int(rate[1]) / 1e6 if rate else None

    count = {name: "".join(lines).count("create_bd_cell") for name, lines in bodies.items()}
    run("create_root_design" if "create_root_design" in bodies else max(count, key=count.get), "")
    return net


def rate(net: Net, pin: str) -> str:
    """MHz of a clock pin; ?: not in the file."""
    pins = net.group(pin) + [pin]
    for each in pins:
        if net.mhz.get(each):
            return f"{net.mhz[each]:g}"
    for each in pins:
        cell, _, own = each.rpartition("/")
        core, facts = net.cells.get(cell, ("", {}))
        keys: list[str] = []
        if number := re.match(r"FCLK_CLK(\d)$", own):
            name = f"fpga{number[1]}_peripheral_freqmhz"
            keys = [f"pcw_act_{name}", f"pcw_{name}"]
        elif number := re.match(r"pl_clk(\d)$", own):
            name = f"psu__crl_apb__pl{number[1]}_ref_ctrl__"
            keys = [name + "act_freqmhz", name + "freqmhz"]
        elif ":clk_wiz:" in core:
            names = {facts.get(f"clk_out{n}_port", f"clk_out{n}"): n for n in range(1, 8)}
            keys = [f"clkout{names.get(own, 0)}_requested_out_freq"]
            facts = {keys[0]: "100", **facts}
        for key in keys:
            if facts.get(key):
                return f"{float(facts[key]):g}"
    return "?"


def master(net: Net, cell: str, interface: str, port: str) -> str:
    """The row of a master."""
    vlnv, facts = net.cells[cell]
    core = (vlnv.split(":") + ["", ""])[2]
    own = facts.get("_" + interface, {})
    if entry := CORES.get((core, interface)):
        does, clock, *figures = entry
        bits, beats, stream = (facts.get(key) or usual for key, usual in figures)
    else:
        does = WAYS.get(own.get("READ_WRITE_MODE", ""), "?")
        bits = facts.get(f"c_{interface.lower()}_data_width") or own.get("DATA_WIDTH", "?")
        beats, stream = own.get("MAX_READ_BURST_LENGTH", "?"), "-"
        clocks = [
            p for p in net.up if p.startswith(cell + "/") and re.search(r"cl(oc)?k$", p, re.I)
        ]
        near = [p for p in clocks if interface.lower().removeprefix("m_axi_") in p.lower()]
        clock = ([*near, *clocks, "/?"])[0].rpartition("/")[2]
    mhz = rate(net, f"{cell}/{clock}")
    if core == "axi_vdma" and (own_mhz := rate(net, f"{cell}/{STREAM_CLOCK[interface]}")) != mhz:
        stream += f"@{own_mhz}"
    return f"{cell}.{interface} {port} {does} {bits} {mhz} {beats} {stream}"


def rows(net: Net) -> tuple[list[str], list[str]]:
    """The rows of the ports in use, and of the masters at them."""
    ports, masters = [], []
    for path, (core, facts) in net.cells.items():
        kind = PS.search(core + ":")
        for number, port in enumerate(PORTS[kind[1]] if kind else ()):
            todo, seen = [f"{path}/{port}"], set()
            if len(net.group(todo[0])) < 2:
                continue
            clock = re.sub(r"s_axi_(\w+)", r"saxi\1_aclk", port.lower())
            width = facts.get(f"psu__saxigp{number}__data_width", "128")
            if kind[1] == "processing_system7":
                clock = f"{port}_ACLK"
                usual = "32" if "_GP" in port else "64"
                width = facts.get(f"pcw_{port.lower()}_data_width", usual)
            ports.append(f"{port} {width} {rate(net, f'{path}/{clock}')}")
            while todo:
                for pin in set(net.group(todo.pop())) - seen:
                    seen.add(pin)
                    cell, _, interface = pin.rpartition("/")
                    core, _ = net.cells.get(cell, ("", {}))
                    if BETWEEN.search(core + ":"):
                        own = [each for each in net.up if each.rpartition("/")[0] == cell]
                        todo += [each for each in own if re.search(r"/S\d*_AXI(_GEN)?$", each)]
                    elif not cell and not pin.startswith("net:"):
                        masters.append(f"{pin} {port} ? ? ? ? -")
                    elif core and not PS.search(core + ":") and "SLOT_" not in interface:
                        masters.append(master(net, cell, interface, port))
    return ports, masters


def read(path: Path) -> Net:
    if path.suffix in (".xsa", ".hdf"):
        with zipfile.ZipFile(path) as archive:
            texts = [archive.read(n).decode() for n in archive.namelist() if n.endswith(".hwh")]
        return of_hwh(
            max(texts, key=lambda text: ("_ps_e" in text or "_system7" in text, len(text)))
        )
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    return {".hwh": of_hwh, ".bd": of_bd}.get(path.suffix, of_tcl)(text)


if __name__ == "__main__":
    for file in sys.argv[1:]:
        net = read(Path(file))
        print(f"# {file}\ntool = Vivado {net.tool}")
        for word, found in zip(("ports", "masters"), rows(net), strict=True):
            print(f"{word} = " + json.dumps(found, indent=2))
