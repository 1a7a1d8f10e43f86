"""Checks a trace of DRAM commands against what DDR4 (JESD79-4) and LPDDR4 (JESD209-4) add to
the rules of `checker.py`: bank groups with longer times within a group, and ranks.

It is written from the standards and shares no code with the model.

What it does not do: LPDDR4's commands of two and four clocks on the command bus (each command is
taken as one clock), its per-bank refresh, write levelling, data strobe drift (tDQSCK) in the
read-to-write gap, DDR4's CRC, parity, gear-down and CAL modes, and fine granularity refresh.

A bank number holds the rank above the bank, and the bank group in the lowest bits of the bank.

The rules beyond those of `checker.py`, by the name that a violation carries:

    tRRD_L         ACT to ACT of another bank in the same bank group       JESD79-4, ACTIVATE
    tCCD_L         RD to RD, WR to WR in the same bank group               JESD79-4, READ, WRITE
    tWTR_L         WR to RD in the same bank group: CWL + BL/2 + tWTR_L    JESD79-4, WRITE
    shared_bus     ranks share command bus and data bus: no two commands in a clock, no two
                   bursts on the data bus at once
"""

from collections.abc import Iterable, Mapping

from checker import Command, Violation, _Device

WITHIN_GROUP = ("tCCD_L", "tRRD_L", "tWTR_L")


def check(
    parameters: Mapping[str, int],
    commands: Iterable[Command],
    *,
    starts: Iterable[int] | None = None,
    end: int | None = None,
) -> list[Violation]:
    """Returns every violation in `commands`.

    `parameters` is that of `checker.check`, with `banks` those of one rank; optional are
    `bank_groups`, `ranks` and the times of WITHIN_GROUP (0 or absent: as between groups).
    `starts` holds for each rank the clock at which no refresh is owed.
    """
    ranks = parameters.get("ranks", 1)
    starts = list(starts) if starts is not None else [0] * ranks
    devices = [_GroupedDevice(parameters, start) for start in starts]
    bus = _SharedBus(parameters)
    for clock, name, bank, row, column in commands:
        rank, local = divmod(bank, parameters["banks"])
        bus.take(clock, name)
        devices[rank].take(clock, name, local, row, column)
    for device in devices:
        device.finish(end)
    return bus.violations + [v for device in devices for v in device.violations]


class _SharedBus:
    """What the ranks have in common."""

    def __init__(self, parameters: Mapping[str, int]) -> None:
        self.violations: list[Violation] = []
        self.latency = {"RD": parameters["CL"], "WR": parameters["CWL"]}
        self.burst = parameters["burst_length"] // 2
        self.clock: int | None = None
        self.data_end = 0

    def take(self, clock: int, name: str) -> None:
        if clock == self.clock:
            self.violations.append(Violation("shared_bus", clock, f"{name} is not alone"))
        self.clock = clock
        if name in self.latency:
            begin = clock + self.latency[name]
            if begin < self.data_end:
                text = f"data of {name} begin at {begin}, the last end at {self.data_end}"
                self.violations.append(Violation("shared_bus", clock, text))
            self.data_end = begin + self.burst


class _GroupedDevice(_Device):
    """One rank, with bank groups."""

    def __init__(self, parameters: Mapping[str, int], start: int) -> None:
        super().__init__(parameters, start)
        self.groups = parameters.get("bank_groups", 1)
        self.latest: dict[tuple[str, int], tuple[int, int]] = {}  # (clock, bank)

    def _within(self, rule: str, clock: int, name: str, bank: int, before: str, extra: int) -> None:
        least = self.p.get(rule, 0)
        last = self.latest.get((before, bank % self.groups))
        if least and last is not None:
            self._gap(rule, clock, name, last[0], f"{before} in the same bank group", extra + least)

    def _note(self, what: str, clock: int, bank: int) -> None:
        self.latest[what, bank % self.groups] = (clock, bank)

    def _activate(self, clock: int, bank: int, row: int) -> None:
        last = self.latest.get(("ACT", bank % self.groups))
        if last is not None and last[1] != bank:
            self._within("tRRD_L", clock, f"ACT to bank {bank}", bank, "ACT", 0)
        super()._activate(clock, bank, row)
        self._note("ACT", clock, bank)

    def _read(self, clock: int, bank: int, row: int) -> None:
        self._within("tCCD_L", clock, f"RD of bank {bank}", bank, "RD", 0)
        self._within("tWTR_L", clock, f"RD of bank {bank}", bank, "WR", self.write_end)
        super()._read(clock, bank, row)
        self._note("RD", clock, bank)

    def _write(self, clock: int, bank: int, row: int) -> None:
        self._within("tCCD_L", clock, f"WR to bank {bank}", bank, "WR", 0)
        super()._write(clock, bank, row)
        self._note("WR", clock, bank)
