"""The project of Quartus: settings (QSF), timing (SDC), and the script that builds it."""

from __future__ import annotations

from collections.abc import Iterator

from axiometer.bringup.projects.plan import Plan
from axiometer.bringup.projects.quartus import system, top
from axiometer.bringup.projects.quartus.board import boards

OUTPUT = "output_files"


def qpf(plan: Plan) -> str:
    """The project file: it names the revision."""
    return f'# Written by Axiometer; {plan.never_run}.\nPROJECT_REVISION = "axm"\n'


def qsf(plan: Plan) -> str:
    """Part, files, and the pins that no script sets."""
    return "\n".join([*_qsf(plan), ""])


def _qsf(plan: Plan) -> Iterator[str]:
    board = boards()[plan.board]
    yield f"# {plan.title}: {plan.module.name}. Written by Axiometer; {plan.never_run}."
    yield "# Places of the HPS's pins are fixed. build.sh runs the script of Platform Designer that"
    yield "# sets the memory's pins."
    for key, value in (
        ("FAMILY", f'"{plan.system["family"]}"'),
        ("DEVICE", plan.part),
        ("TOP_LEVEL_ENTITY", top.NAME),
        ("PROJECT_OUTPUT_DIRECTORY", OUTPUT),
        ("VERILOG_FILE", f"{top.NAME}.v"),
        ("QIP_FILE", f"{system.NAME}/synthesis/{system.NAME}.qip"),
        ("SDC_FILE", "axm.sdc"),
    ):
        yield f"set_global_assignment -name {key} {value}"
    yield f"set_location_assignment {board.clock.location} -to {board.clock.pin}"
    yield _standard(board.clock.pin, board.clock.standard)
    for pin in board.pins:
        for name in (
            [pin.name] if pin.width == 1 else [f"{pin.name}[{i}]" for i in range(pin.width)]
        ):
            if pin.standard:
                yield _standard(name, pin.standard)


def _standard(pin: str, standard: str) -> str:
    return f'set_instance_assignment -name IO_STANDARD "{standard}" -to {pin}'


def sdc(plan: Plan) -> str:
    """The oscillator's clock; the tool derives the PLL's."""
    pin = boards()[plan.board].clock.pin
    period = 1000 / plan.system["pll"]["reference_mhz"]
    return f"""\
# {plan.title}: {plan.module.name}. Written by Axiometer; {plan.never_run}.
create_clock -name {pin} -period {period:.3f} [get_ports {pin}]
derive_pll_clocks
derive_clock_uncertainty
"""


def build(plan: Plan) -> str:
    """The script, for any POSIX shell."""
    name = system.NAME
    return f"""\
#!/bin/sh
# Builds {plan.module.name} on {plan.title}: sh build.sh
# Written by Axiometer; {plan.never_run}. Same order as the reference designs of Intel's boards.
set -eu
cd "$(dirname "$0")"

stop() {{
  echo "build.sh: $1" >&2
  exit 1
}}

for tool in qsys-script qsys-generate quartus_map quartus_sta quartus_sh quartus_cpf; do
  command -v "$tool" > /dev/null ||
    stop "$tool is missing: add quartus/bin and quartus/sopc_builder/bin to PATH"
done

qsys-script --script={name}.tcl
qsys-generate {name}.qsys --synthesis=VERILOG
pins={name}/synthesis/submodules/hps_sdram_p0_pin_assignments.tcl
[ -e "$pins" ] || stop "qsys-generate did not write $pins"

# The script sets the memory's pins; the design must be synthesised first.
quartus_map axm
quartus_sta -t "$pins" axm
quartus_sh --flow compile axm

summary={OUTPUT}/axm.sta.summary
[ -e "$summary" ] || stop "$summary is missing: the flow did not analyse timing"
if grep -q '^Slack : -' "$summary"; then
  stop "timing is not met: do not measure with this bitstream; see $summary"
fi
quartus_cpf -c -o bitstream_compression=on {OUTPUT}/axm.sof axm.rbf
echo "axiometer: axm.rbf, hps_isw_handoff/"
"""
