"""Checks a trace of DRAM commands against the rules of JESD79-3 (DDR3 SDRAM).

It is written from the standard and shares no code with the model, so that a mistake in the
scheduler and the same mistake here are unlikely to meet.

What it does not do: one rank, additive latency 0, fixed BL8, no auto-precharge, no power-down,
no self-refresh, no ZQ calibration, no on-the-fly burst chop. Strobe preambles are covered only as
far as the read-to-write gap of the standard covers them.

Units: all times are DRAM clocks. A command occupies one clock of the command bus; its data follow
CL or CWL clocks later and take burst_length / 2 clocks.

The rules, by the name that a violation carries, and the part of the standard:

    order          clocks go up
    command_bus    one command in a clock                                  command truth table
    unknown        a command that this checker does not know               command truth table
    range          bank, row and column exist                              addressing
    bank_open      ACT only to a precharged bank                           ACTIVE command
    bank_closed    RD and WR only to a bank with an open row               READ, WRITE operation
    wrong_row      RD and WR go to the row that is open                    READ, WRITE operation
    refresh_open   REF only when all banks are precharged                  Refresh command
    tRCD tRP tRAS tRC tRRD tFAW tCCD tRTP tRFC    minimum distances        timing parameters
    tWTR           WR to RD: CWL + BL/2 + tWTR                             WRITE operation
    tWR            WR to PRE: CWL + BL/2 + tWR                             WRITE operation
    read_to_write  RD to WR: CL + BL/2 + 2 - CWL                           READ operation
    data_bus       two bursts never on the data bus at once                READ, WRITE operation
    tREFI          at most 8 refreshes postponed, at most 9 tREFI between
                   two, at most 16 within 2 tREFI                          Refresh command
"""

from collections import deque
from collections.abc import Iterable, Mapping
from typing import NamedTuple

TIMING = (
    ("CL", "CWL", "tRCD", "tRP", "tRAS", "tRC", "tRRD", "tFAW", "tCCD", "tWTR", "tRTP", "tWR")
    + ("tRFC", "tREFI")
    + ("burst_length", "banks")
)
MAX_POSTPONED = 8  # JESD79-3, Refresh command: how many may be postponed
MAX_IN_TWO_TREFI = 16  # JESD79-3, Refresh command: how many within 2 x tREFI

Command = tuple[int, str, int, int, int]


class Violation(NamedTuple):
    """One broken rule: its name, the clock of the command that broke it, and a sentence."""

    rule: str
    clock: int
    text: str


def check(
    parameters: Mapping[str, int],
    commands: Iterable[Command],
    *,
    start: int = 0,
    end: int | None = None,
) -> list[Violation]:
    """Returns every violation in `commands`, in the order in which they occur.

    `parameters` holds the keys of TIMING, in clocks; optional are `rows` and `columns` (limits of
    the addresses) and `read_to_write` (a controller's own, longer gap; a shorter one than the
    standard's is ignored). `commands` yields `(clock, name, bank, row, column)`; names are ACT,
    PRE, PREA, RD, WR and REF, and fields that a command does not use are ignored. `start` is the
    clock at which no refresh is owed, `end` the clock to which refreshes are counted; without it
    the last command is the end.
    """
    device = _Device(parameters, start)
    for command in commands:
        device.take(*command)
    device.finish(end)
    return device.violations


class _Bank:
    """What a bank remembers: its open row, and when each kind of command last went to it."""

    __slots__ = ("row", "act", "pre", "rd", "wr")

    def __init__(self) -> None:
        self.row: int | None = None
        self.act: int | None = None
        self.pre: int | None = None
        self.rd: int | None = None  # since the last ACT
        self.wr: int | None = None  # since the last ACT


class _Device:
    def __init__(self, parameters: Mapping[str, int], start: int) -> None:
        missing = [key for key in TIMING if key not in parameters]
        if missing:
            raise ValueError(f"the parameters lack {', '.join(missing)}")
        p = parameters
        self.p = p
        self.violations: list[Violation] = []
        self.banks = [_Bank() for _ in range(p["banks"])]
        self.limits = {"rows": p.get("rows"), "columns": p.get("columns")}

        beats = p["burst_length"] // 2  # clocks that a burst takes on the data bus
        self.burst_clocks = beats
        self.write_end = p["CWL"] + beats  # from WR to the end of its data
        self.read_to_write = max(p["CL"] + beats + 2 - p["CWL"], p.get("read_to_write", 0))

        self.clock: int | None = None  # of the command before
        self.acts: deque[tuple[int, int]] = deque(maxlen=4)  # (clock, bank)
        self.rd: int | None = None  # last RD to any bank
        self.wr: int | None = None  # last WR to any bank
        self.data: tuple[int, str] | None = None  # first free clock of the data bus, its user
        self.start = start
        self.ref: int | None = None
        self.refs = 0
        self.recent_refs: deque[int] = deque(maxlen=MAX_IN_TWO_TREFI)
        self.handlers = {
            "ACT": self._activate,
            "PRE": self._precharge,
            "PREA": self._precharge_all,
            "RD": self._read,
            "WR": self._write,
            "REF": self._refresh,
        }

    # -- the frame ---------------------------------------------------------------------------

    def take(self, clock: int, name: str, bank: int, row: int, column: int) -> None:
        """Checks one command, then lets it happen, whether it was allowed or not."""
        if self.clock is not None:
            if clock < self.clock:
                self._report("order", clock, f"{name} comes after a command at {self.clock}")
            elif clock == self.clock:
                self._report("command_bus", clock, f"{name} shares its clock with another command")
        self.clock = clock
        handler = self.handlers.get(name)
        if handler is None:
            self._report("unknown", clock, f"{name!r} is none of {', '.join(self.handlers)}")
            return
        if not self._in_range(clock, name, bank, row, column):
            return
        self._gap("tRFC", clock, name, self.ref, "REF", self.p["tRFC"])
        handler(clock, bank, row)

    def finish(self, end: int | None) -> None:
        """Counts the refreshes up to `end`, or up to the last command."""
        last = self.clock if end is None else end
        if last is not None:
            self._check_postponed(last, "the trace ends")

    def _report(self, rule: str, clock: int, text: str) -> None:
        self.violations.append(Violation(rule, clock, text))

    def _gap(
        self, rule: str, clock: int, name: str, before: int | None, what: str, least: int
    ) -> None:
        """Reports `rule` unless `name` comes at least `least` clocks after `before`."""
        if before is not None and clock - before < least:
            self._report(
                rule,
                clock,
                f"{name} comes {clock - before} clocks after {what} at {before}; "
                f"{least} are needed",
            )

    def _in_range(self, clock: int, name: str, bank: int, row: int, column: int) -> bool:
        bad = []
        if name not in ("PREA", "REF") and not 0 <= bank < len(self.banks):
            bad.append(f"bank {bank}")
        rows, columns = self.limits["rows"], self.limits["columns"]
        if name in ("ACT", "RD", "WR") and (row < 0 or (rows is not None and row >= rows)):
            bad.append(f"row {row}")
        if name in ("RD", "WR") and (column < 0 or (columns is not None and column >= columns)):
            bad.append(f"column {column}")
        if bad:
            self._report("range", clock, f"{name} names {', '.join(bad)}, which does not exist")
        return not bad

    # -- rows --------------------------------------------------------------------------------

    def _activate(self, clock: int, bank: int, row: int) -> None:
        b, p, name = self.banks[bank], self.p, f"ACT to bank {bank}"
        if b.row is not None:
            self._report("bank_open", clock, f"{name}, in which row {b.row} is still open")
        self._gap("tRC", clock, name, b.act, "ACT to the same bank", p["tRC"])
        self._gap("tRP", clock, name, b.pre, "its precharge", p["tRP"])
        if self.acts:
            last, other = self.acts[-1]
            if other != bank:
                self._gap("tRRD", clock, name, last, f"ACT to bank {other}", p["tRRD"])
        if len(self.acts) == 4:
            first, _ = self.acts[0]
            self._gap("tFAW", clock, name, first, "the fourth last ACT", p["tFAW"])
        self.acts.append((clock, bank))
        b.row, b.act, b.rd, b.wr = row, clock, None, None

    def _precharge(self, clock: int, bank: int, _row: int = 0) -> None:
        b, p, name = self.banks[bank], self.p, f"PRE of bank {bank}"
        # A precharge of a bank without an open row is allowed, and its period counts anew.
        if b.row is not None:
            self._gap("tRAS", clock, name, b.act, "its ACT", p["tRAS"])
            self._gap("tRTP", clock, name, b.rd, "its RD", p["tRTP"])
            self._gap("tWR", clock, name, b.wr, "its WR", self.write_end + p["tWR"])
        b.row, b.pre = None, clock

    def _precharge_all(self, clock: int, _bank: int, _row: int) -> None:
        for bank in range(len(self.banks)):
            self._precharge(clock, bank)

    # -- columns -----------------------------------------------------------------------------

    def _column(self, clock: int, name: str, bank: int, row: int) -> None:
        """What RD and WR have in common: the row that they need."""
        b = self.banks[bank]
        if b.row is None:
            self._report("bank_closed", clock, f"{name}, which has no open row")
            return
        if b.row != row:
            self._report("wrong_row", clock, f"{name} wants row {row}, but row {b.row} is open")
        self._gap("tRCD", clock, name, b.act, "its ACT", self.p["tRCD"])

    def _occupy(self, clock: int, name: str, latency: int) -> None:
        begin = clock + latency
        if self.data is not None and begin < self.data[0]:
            self._report(
                "data_bus",
                clock,
                f"data of {name} begin at {begin}, those of {self.data[1]} end at {self.data[0]}",
            )
        self.data = (begin + self.burst_clocks, name)

    def _read(self, clock: int, bank: int, row: int) -> None:
        name = f"RD of bank {bank}"
        self._column(clock, name, bank, row)
        self._gap("tCCD", clock, name, self.rd, "RD", self.p["tCCD"])
        self._gap("tWTR", clock, name, self.wr, "WR", self.write_end + self.p["tWTR"])
        self._occupy(clock, name, self.p["CL"])
        self.rd = self.banks[bank].rd = clock

    def _write(self, clock: int, bank: int, row: int) -> None:
        name = f"WR to bank {bank}"
        self._column(clock, name, bank, row)
        self._gap("tCCD", clock, name, self.wr, "WR", self.p["tCCD"])
        self._gap("read_to_write", clock, name, self.rd, "RD", self.read_to_write)
        self._occupy(clock, name, self.p["CWL"])
        self.wr = self.banks[bank].wr = clock

    # -- refresh -----------------------------------------------------------------------------

    def _refresh(self, clock: int, _bank: int, _row: int) -> None:
        p = self.p
        for number, b in enumerate(self.banks):
            if b.row is not None:
                self._report(
                    "refresh_open", clock, f"REF while row {b.row} is open in bank {number}"
                )
            self._gap("tRP", clock, "REF", b.pre, f"precharge of bank {number}", p["tRP"])
            self._gap("tRC", clock, "REF", b.act, f"ACT to bank {number}", p["tRC"])
        self._check_postponed(clock, "REF")
        recent = self.recent_refs
        if len(recent) == MAX_IN_TWO_TREFI and clock - recent[0] < 2 * p["tREFI"]:
            self._report(
                "tREFI", clock, f"more than {MAX_IN_TWO_TREFI} REF within 2 tREFI, from {recent[0]}"
            )
        recent.append(clock)
        self.ref = clock
        self.refs += 1

    def _check_postponed(self, clock: int, what: str) -> None:
        """Before `clock`, at most 8 refreshes were owed and the last one is not too long ago."""
        interval = self.p["tREFI"]
        since = self.start if self.ref is None else self.ref
        longest = (MAX_POSTPONED + 1) * interval
        if clock - since > longest:
            self._report(
                "tREFI",
                clock,
                f"{what} {clock - since} clocks after the last refresh; at most {longest} may pass",
            )
        owed = (clock - self.start) // interval - self.refs
        # A refresh due at this very clock is not postponed if it is the command being checked.
        if owed - (what == "REF") > MAX_POSTPONED:
            self._report(
                "tREFI", clock, f"{owed} refreshes are owed; at most {MAX_POSTPONED} may be"
            )
