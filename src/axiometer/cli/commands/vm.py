"""`axiometer vm`: a virtual machine whose kernel drives the simulated design."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from axiometer.cli.commands.vm_options import (
    LIES,
    MOST_LATENCY,
    MOST_PACKETS,
    MOST_PORTS,
    OWN,
    USUAL_PACKETS,
    Options,
    add_arguments,
)

if TYPE_CHECKING:
    from axiometer.bringup.vm import trials_driver
    from axiometer.bringup.vm.simulated import OnChip

__all__ = ["HELP", "Options", "add_arguments", "run"]
HELP = "a Debian kernel in QEMU that drives the simulated DMA design"


def run(args: Options) -> int:
    from axiometer.base import children

    with children.tidied():
        return _run(args)


def _run(args: Options) -> int:
    from dataclasses import replace

    from axiometer.base import standard_streams
    from axiometer.base.errors import AxiometerError
    from axiometer.bringup.vm import (
        checks,
        driver_source,
        freertos,
        guest_programs,
        kernels,
        machine,
        packages,
        trials,
    )
    from axiometer.runs.cosim import build

    name = _kernel(args.kernel, packages.kernels())
    if args.freertos and not args.fetch and args.app is None:
        raise AxiometerError(
            "--freertos needs a program", remedy=f"--app NAME, one of {', '.join(freertos.apps())}"
        )
    if args.fetch and args.freertos:
        freertos.fetch(standard_streams.tell)
        return 0
    if args.fetch:
        more = [] if args.engine == OWN else [packages.root("workshop")]
        packages.fetch(checks.needed() if args.check else more, standard_streams.tell)
        if not args.check:
            kernels.fetch(name, standard_streams.tell)
        return 0
    if args.check:
        return _check()
    ports = _number("--ports", args.ports, 1, MOST_PORTS)
    on_chip = _on_chip(args, ports)
    if args.chip is not None and args.bare is None and args.app is None:
        raise AxiometerError(
            "--chip is for programs without Linux", remedy="add --bare N or --app NAME"
        )
    if args.linux is not None:
        return _linux(args, name, on_chip)
    if args.bare is not None or args.app is not None:
        return _bare(args, ports, on_chip)
    if args.engine != OWN or args.dmatest is not None:
        return _engine(args, name)
    chosen = _trials(args, ports)
    interrupt = _interrupt(args)
    latency = _number("--latency", args.latency, 0, MOST_LATENCY)
    limit_s = _number("--time-limit", args.time_limit, 1, 7 * 86400)
    driver_source.tree()
    kernel = kernels.find(name, standard_streams.tell)
    devices = (machine.IOMMU,) if args.iommu else ()
    settings = machine.Settings(kernel, args.bus, limit_s, devices)
    lies = (str(LIES),) if args.lies or args.hostile is not None else ()
    programs = guest_programs.built(kernel, standard_streams.tell)
    status = 0
    for trial in chosen:
        design = machine.design(trial.ports or ports, trial.mode)
        if on_chip is not None:
            design = on_chip.design()
        program = build.server(design, standard_streams.tell, chip=on_chip is not None)
        words = (interrupt, str(latency), *lies, *trial.device)
        server = machine.Server(program, words, chip=on_chip, heard=_heard_of_driver)
        guest = trials.guest(programs, name, args.bus, trial.script, trial.words)
        status = machine.run(replace(settings, nodes=trial.nodes), server, guest) or status
    return status


def _on_chip(args: Options, ports: int) -> OnChip | None:
    """The chip behind the design's ports; None for memory without a chip."""
    from axiometer.base.errors import AxiometerError
    from axiometer.bringup.vm.simulated import USUAL_MHZ, OnChip
    from axiometer.platform import Platform

    if args.board is None:
        if args.pl_port is not None or args.pl_mhz is not None:
            raise AxiometerError("--pl-port and --pl-mhz need a board", remedy="add --board")
        return None
    other = {
        "--engine": args.engine != OWN,
        "--lies": args.lies or args.hostile is not None,
        "--faults": args.faults is not None,
        "--bare": args.bare is not None,
        "--ports": ports != 1,
    }
    if wrong := [option for option, given in other.items() if given]:
        raise AxiometerError(
            f"--board and {wrong[0]} exclude each other",
            remedy="leave one out: a simulated chip has one port with the axm design",
        )
    mhz = USUAL_MHZ if args.pl_mhz is None else _mhz(args.pl_mhz)
    return OnChip.of(Platform.load(args.board), args.pl_port or "", mhz)


def _mhz(text: str) -> int:
    """Whole MHz, with or without the unit."""
    from axiometer.cli.commands import console

    found = console.quantity("--pl-mhz", text, "MHz")
    return _number("--pl-mhz", str(found), 1, 1000)


def _heard(text: str) -> None:
    """Print the output of the server of a design, and the work of its ports."""
    import sys

    from axiometer.bringup.vm import simulated

    sys.stderr.write(text)
    for work in simulated.works(text):
        print(work)


def _heard_of_driver(text: str) -> None:
    from axiometer.bringup.vm import objections

    _heard(text)
    objections.one_setting(text)


def _trials(args: Options, ports: int) -> list[trials_driver.Trial]:
    """The trials, one machine after the other."""
    from axiometer.base.errors import AxiometerError, did_you_mean
    from axiometer.bringup.vm import trials_driver

    if args.count:
        return trials_driver.counts(args.bus)
    if args.faults is None:
        return [trials_driver.Trial(_script(args, ports))]
    if ports != 1:
        raise AxiometerError("--faults is for one port", remedy="leave out --ports")
    known = trials_driver.faults(args.bus)
    if args.faults == "all":
        return list(known.values())
    if args.faults not in known:
        raise AxiometerError(
            f"no trial {args.faults!r}", remedy=did_you_mean(args.faults, ["all", *known])
        )
    return [known[args.faults]]


def _engine(args: Options, name: str) -> int:
    """Mainline's driver on the model of an engine."""
    from axiometer.base import standard_streams
    from axiometer.base.errors import AxiometerError
    from axiometer.bringup.vm import driver_source, kernels, machine, trials_vendor
    from axiometer.runs.cosim import build

    engine = trials_vendor.find(args.engine)
    if args.dmatest is None:
        raise AxiometerError(
            "a vendor's engine does not work with this project's driver",
            remedy="--dmatest N, or --app NAME for a program without an operating system",
        )
    count = _number("--dmatest", args.dmatest, 1, MOST_PACKETS)
    latency = _number("--latency", args.latency, 0, MOST_LATENCY)
    limit_s = _number("--time-limit", args.time_limit, 1, 7 * 86400)
    driver_source.tree()
    kernel = kernels.find(name, standard_streams.tell)
    words = ("intx", str(latency), f"--engine={args.engine}")
    server = machine.Server(build.engine_server(standard_streams.tell), words, engine.allowed)
    bus = "platform" if args.bus == "pci" else args.bus  # there is no other driver of them
    settings = machine.Settings(kernel, bus, limit_s, nodes=trials_vendor.nodes(engine))
    guest = trials_vendor.guest(kernel, engine, count, standard_streams.tell)
    return machine.run(settings, server, guest)


def _linux(args: Options, name: str, on_chip: OnChip | None) -> int:
    """A program of packets in Linux."""
    from axiometer.base import standard_streams
    from axiometer.base.errors import AxiometerError
    from axiometer.bringup.vm import linux_apps

    if args.app not in linux_apps.APPS:
        raise AxiometerError(
            "--linux needs a program that runs there",
            remedy=f"add --app NAME, one of {', '.join(linux_apps.APPS)}",
        )
    return linux_apps.run(
        name,
        args.app,
        args.linux or linux_apps.WAYS[0],
        on_chip or args.engine,
        _packets(args) or USUAL_PACKETS,
        _number("--latency", args.latency, 0, MOST_LATENCY),
        _number("--time-limit", args.time_limit, 1, 7 * 86400),
        _heard,
        standard_streams.tell,
    )


def _packets(args: Options) -> int | None:
    return None if args.number is None else _number("--number", args.number, 1, MOST_PACKETS)


def _check() -> int:
    from axiometer.base import standard_streams
    from axiometer.base.errors import RUN_FAILED
    from axiometer.bringup.vm import checks, packages

    packages.require_all(checks.needed(), "--check")
    found = checks.remarks(standard_streams.tell)
    for remark in found:
        print(remark)
    return RUN_FAILED if found else 0


def _bare(args: Options, ports: int, on_chip: OnChip | None) -> int:
    from axiometer.base import standard_streams
    from axiometer.base.errors import RUN_FAILED, AxiometerError, did_you_mean
    from axiometer.bringup.vm import bare, bare_trials, freertos, trials_vendor
    from axiometer.cli.commands import console
    from axiometer.present.text import Style
    from axiometer.runs.cosim.rtl_design import RtlDesign

    chip = args.chip or bare.chips()[0]
    if chip not in bare.chips():
        raise AxiometerError(
            f"there are no images for the chip {chip!r}", remedy=did_you_mean(chip, bare.chips())
        )
    latency = _number("--latency", args.latency, 0, MOST_LATENCY)
    app = args.app or ""
    rings = (("RINGS", 1),) if app in bare.RINGS else ()
    parameters = (("MODE", bare.MODES.get(app, 0)), ("UNALIGNED", 1), *rings)
    design = RtlDesign("axm_dma_top", ports, 64, axi3=True, parameters=parameters)
    if args.engine != OWN:
        trials_vendor.find(args.engine)
    if args.app is not None:
        known = freertos.apps() if args.freertos else bare.apps()
        if args.app not in known:
            where = "host/apps/ or host/freertos/apps/" if args.freertos else "host/apps/"
            raise AxiometerError(
                f"no program {args.app!r} in {where}", remedy=did_you_mean(args.app, known)
            )
        line = ""
        fabric = on_chip or (design if args.engine == OWN else args.engine)
        packets = _packets(args)
        more = {} if packets is None else {"PACKETS": str(packets)}
        for line in bare.printed(
            args.app, fabric, latency, standard_streams.tell, args.freertos, chip,
            counted=args.app in bare.RINGS, heard=_heard, **more,
        ):  # fmt: skip
            print(line, flush=True)
        if args.app in bare.RINGS:
            print(f"an instruction takes {2**bare.INSTRUCTION_LOG2_NS} ns of these, whatever it is")
        return 0 if line == bare.DONE else RUN_FAILED
    assert args.bare is not None  # or --app is given
    if args.engine != OWN:
        raise AxiometerError(
            "the agent supports only this project's engine", remedy="add --app NAME"
        )
    count = _number("--bare", args.bare, 1, MOST_PACKETS)
    with bare.board(design, latency, standard_streams.tell, chip) as client:
        done = bare_trials.transfers(client, count)
    console.show_lines(
        [
            f"{done.transfers} transfers, {done.bytes} bytes, each checked, by the agent on "
            f"{done.target} (emulated: its times are not figures of a chip)"
        ],
        Style.of_stdout(),
    )
    return 0


def _kernel(asked: str | None, known: list[str]) -> str:
    from axiometer.base.errors import AxiometerError, did_you_mean

    if asked is None:
        return known[0]
    if asked not in known:
        raise AxiometerError(
            f"no packages are listed for Linux {asked!r}", remedy=did_you_mean(asked, known)
        )
    return asked


def _interrupt(args: Options) -> str:
    from axiometer.base.errors import AxiometerError

    usual = "msix" if args.bus == "pci" else "intx"
    if args.interrupt not in (None, usual) and args.bus != "pci":
        raise AxiometerError(
            f"--interrupt {args.interrupt} is for the PCI bus", remedy="leave out --interrupt"
        )
    return args.interrupt or usual


def _number(option: str, text: str, least: int, most: int) -> int:
    from axiometer.base.errors import AxiometerError
    from axiometer.base.units import whole

    found = whole(text)
    if found is None or not math.isfinite(found) or not least <= found <= most:
        raise AxiometerError(
            f"{option} is {text!r}", remedy=f"give a whole number from {least} to {most}"
        )
    return int(found)


def _script(args: Options, ports: int) -> str | None:
    """The script of the guest; None for a shell."""
    from pathlib import Path

    from axiometer.base.errors import AxiometerError
    from axiometer.bringup.vm import trials

    if args.packets is not None:
        return trials.packets(_number("--packets", args.packets, 1, MOST_PACKETS), ports, args.bus)
    if args.rough is not None:
        return trials.rough(_number("--rough", args.rough, 1, 10_000), ports, args.bus)
    if args.hostile is not None:
        return trials.hostile(_number("--hostile", args.hostile, 1, 10_000), ports, args.bus)
    if args.dead is not None:
        return trials.dead(_number("--dead", args.dead, 1, 10_000), ports, args.bus)
    if args.suspend is not None:
        return trials.suspend(_number("--suspend", args.suspend, 1, 10_000), ports, args.bus)
    if args.fuzz is not None:
        seconds = _number("--fuzz", args.fuzz, 1, 7 * 86400)
        seed = _number("--seed", args.seed, 0, 2**32)
        return trials.fuzz(seconds, seed, ports, args.bus, args.lies)
    if args.script is None:
        return None
    try:
        return Path(args.script).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not text in UTF-8"
        raise AxiometerError(
            f"cannot read the script: {why}", file=args.script, remedy="name a shell script"
        ) from error
