"""An agent at a serial line: 8 data bits, no parity, 1 stop bit, no flow control."""

from __future__ import annotations

import os

from axiometer.base.errors import AxiometerError
from axiometer.runs.agent.lines.opened import Opened, OpenedLine


def _rates() -> dict[int, int]:
    """The rates of this system, with their codes."""
    import termios  # POSIX systems only

    names = (name for name in dir(termios) if name[0] == "B" and name[1:].isdecimal())
    return {int(name[1:]): getattr(termios, name) for name in names if name != "B0"}


class SerialLine(OpenedLine):
    """device: such as /dev/ttyUSB0. baud: a rate of this system. The line is opened exclusively."""

    remedy = "check the cable, other programs on the line, and your permission (group dialout)"

    def __init__(self, device: str, baud: int) -> None:
        if baud not in (rates := _rates()):
            known = ", ".join(map(str, sorted(rate for rate in rates if rate >= 9600)))
            raise AxiometerError(
                f"serial lines do not support {baud} baud", remedy=f"give one of {known}"
            )
        self.device, self.baud = device, baud
        super().__init__(f"the serial line {device}")

    def _opened(self) -> Opened:
        try:
            # Without blocking: open would wait for a missing carrier.
            file = _Device(os.open(self.device, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK))
        except OSError as error:
            raise self._cannot(error.strerror or str(error)) from None
        try:
            self._set(file.fileno())
        except OSError as error:
            file.close()
            raise self._cannot(str(error.args[-1])) from None
        return file

    def _set(self, file: int) -> None:
        """OSError if that fails."""
        import fcntl
        import termios

        fcntl.ioctl(file, termios.TIOCEXCL)
        speed = _rates()[self.baud]
        control = termios.CS8 | termios.CREAD | termios.CLOCAL
        try:
            characters = termios.tcgetattr(file)[6]
            characters[termios.VMIN], characters[termios.VTIME] = 1, 0
            termios.tcsetattr(file, termios.TCSANOW, [0, 0, control, 0, speed, speed, characters])
            termios.tcflush(file, termios.TCIOFLUSH)
        except termios.error as error:
            raise OSError(*error.args) from None


class _Device:
    def __init__(self, file: int) -> None:
        self._file = file

    def fileno(self) -> int:
        return self._file

    def close(self) -> None:
        os.close(self._file)
