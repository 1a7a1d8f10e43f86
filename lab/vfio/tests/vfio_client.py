"""A small vfio-user client, written from QEMU's description of the protocol."""

import array
import mmap
import os
import socket
import struct
import time

HEADER = struct.Struct("<HHIII")
ACCESS = struct.Struct("<QII")
VERSION, DMA_MAP, DMA_UNMAP, INFO, REGION_INFO = 1, 2, 3, 4, 5
IRQ_INFO, SET_IRQS, READ, WRITE, RESET, WRITE_MULTI = 7, 8, 9, 10, 13, 15
NO_REPLY, ERROR = 1 << 4, 1 << 5
CONFIG, BAR0, BAR1 = 7, 0, 1
INTX, MSIX = 0, 2
TRIGGER_FD, MASK, UNMASK = 4 | 32, 1 | 8, 1 | 16


class RefusedError(Exception):
    """The server answered with an errno."""


class Client:
    def __init__(self, path, program):
        until = time.monotonic() + 60
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        while True:
            try:
                self.socket.connect(str(path))
                return
            except OSError:
                assert program.poll() is None and time.monotonic() < until
                time.sleep(0.01)

    def send(self, command, body=b"", fds=(), flags=0, size=None):
        header = HEADER.pack(
            7, command, HEADER.size + len(body) if size is None else size, flags, 0
        )
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
        self.socket.sendmsg([header + body], rights)

    def take(self, bytes_):
        out = b""
        while len(out) < bytes_:
            part = self.socket.recv(bytes_ - len(out))
            if not part:
                raise EOFError
            out += part
        return out

    def call(self, command, body=b"", fds=()):
        self.send(command, body, fds)
        number, said, size, flags, error = HEADER.unpack(self.take(HEADER.size))
        rest = self.take(size - HEADER.size)
        assert (number, said) == (7, command) and flags & 0xF == 1
        assert bool(flags & ERROR) == (error != 0)
        if error:
            raise RefusedError(error)
        return rest

    def version(self):
        return self.call(VERSION, struct.pack("<HH", 0, 0) + b'{"capabilities":{}}\0')

    def read(self, region, offset, count):
        answer = self.call(READ, ACCESS.pack(offset, region, count))
        assert answer[: ACCESS.size] == ACCESS.pack(offset, region, count)
        return answer[ACCESS.size :]

    def write(self, region, offset, data):
        self.call(WRITE, ACCESS.pack(offset, region, len(data)) + data)

    def word(self, offset):
        return int.from_bytes(self.read(BAR0, offset, 4), "little")

    def put(self, offset, value):
        self.write(BAR0, offset, value.to_bytes(4, "little"))

    def map(self, address, size, flags=3, fd=None, offset=0):
        body = struct.pack("<IIQQQ", 32, flags, offset, address, size)
        self.call(DMA_MAP, body, [] if fd is None else [fd])

    def unmap(self, address, size, flags=0):
        self.call(DMA_UNMAP, struct.pack("<IIQQ", 24, flags, address, size))

    def irqs(self, index, flags, fds=(), start=0, count=1):
        self.call(SET_IRQS, struct.pack("<IIIII", 20, flags, index, start, count), fds)

    def master(self, on=True):
        self.write(CONFIG, 4, (4 if on else 0).to_bytes(2, "little"))


class Memory:
    """Guest memory: a file that client and server share."""

    def __init__(self, size):
        self.fd = os.memfd_create("guest")
        os.ftruncate(self.fd, size)
        self.bytes = mmap.mmap(self.fd, size)


def signalled(event, wait_s=0.0):
    """Whether an event descriptor (EFD_NONBLOCK) was signalled; takes the signal."""
    until = time.monotonic() + wait_s
    while True:
        try:
            os.eventfd_read(event)
            return True
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            time.sleep(0.002)
