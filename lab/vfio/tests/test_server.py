"""The vfio-user server on a device that is no design, by a client of our own.

Built with the sanitizers, so that a message that it should refuse and does not is seen.
"""

import errno
import os
import struct
import subprocess
from pathlib import Path

import pytest
import vfio_client as vfio
from vfio_client import Client, Memory, RefusedError, signalled

ROOM = Path(__file__).resolve().parents[1]
ENGINES = ROOM.parent / "engines"  # with device.hpp
PARTS = ("guest_memory", "config_space", "interrupts", "connection", "server")
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
STRICT = ("-std=c++20", "-O1", "-g1", "-Wall", "-Wextra", "-Wshadow", "-Werror", *SANITIZERS)
BASE = 0x4000_0000


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    built = tmp_path_factory.mktemp("vfio") / "server"
    sources = [ROOM / "tests" / "fake_server.cpp", *(ROOM / f"{part}.cpp" for part in PARTS)]
    include = (f"-I{ROOM}", f"-I{ENGINES}", f"-I{ROOM.parents[1] / 'cosim' / 'src'}")
    compiler = os.environ.get("CXX", "g++").split()
    subprocess.run([*compiler, *STRICT, *include, "-o", built, *sources], check=True)
    return built


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="it steps through stores of x86-64")
def test_each_byte_is_stored_once(tmp_path):
    """A second store may undo what the processor wrote after it saw the first."""
    compiler = os.environ.get("CXX", "g++").split()
    program, source = tmp_path / "stores", ROOM / "tests" / "stores.cpp"
    options = ("-std=c++20", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{ROOM}")
    subprocess.run([*compiler, *options, source, "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.fixture(params=["msix", "intx"])
def kind(request):
    return request.param


@pytest.fixture
def server(program, tmp_path, kind):
    process = subprocess.Popen([program, tmp_path / "s", kind], stderr=subprocess.PIPE, text=True)
    yield process
    process.kill()
    process.wait()


@pytest.fixture
def client(server, tmp_path):
    client = Client(tmp_path / "s", server)
    client.version()
    return client


def refused(error, call, *arguments, **named):
    with pytest.raises(RefusedError) as caught:
        call(*arguments, **named)
    assert caught.value.args == (error,)


def event():
    return os.eventfd(0, os.EFD_NONBLOCK)


def test_version_and_device(client, kind):
    assert client.version()[:4] == struct.pack("<HH", 0, 0)
    refused(errno.EINVAL, client.call, vfio.VERSION, struct.pack("<HH", 1, 0) + b"{}\0")
    assert struct.unpack("<4I", client.call(vfio.INFO, bytes(16)))[1:] == (3, 9, 5)
    sizes = {}
    for region in range(9):
        answer = client.call(vfio.REGION_INFO, struct.pack("<4I2Q", 32, 0, region, 0, 0, 0))
        sizes[region] = struct.unpack("<4I2Q", answer)[4]
    wanted = {vfio.BAR0: 4096, vfio.CONFIG: 256} | ({vfio.BAR1: 4096} if kind == "msix" else {})
    assert {r: s for r, s in sizes.items() if s} == wanted
    refused(errno.EINVAL, client.call, vfio.REGION_INFO, struct.pack("<4I2Q", 32, 0, 9, 0, 0, 0))
    counts = [
        struct.unpack("<4I", client.call(vfio.IRQ_INFO, struct.pack("<4I", 16, 0, i, 0)))[3]
        for i in range(5)
    ]
    assert counts == [1, 0, 1 if kind == "msix" else 0, 0, 0]
    refused(errno.ENOTSUP, client.call, 99)


def test_configuration_space(client, kind):
    whole = client.read(vfio.CONFIG, 0, 256)
    assert whole[:4] == bytes.fromhex("34125841")
    client.write(vfio.CONFIG, 0x10, b"\xff" * 4)
    assert client.read(vfio.CONFIG, 0x10, 4) == (0xFFFFF000).to_bytes(4, "little")
    client.write(vfio.CONFIG, 0, b"\0" * 4)
    assert client.read(vfio.CONFIG, 0, 4) == whole[:4]
    capability = whole[whole[0x34] :][:12] if whole[0x34] else b""
    assert capability == (bytes.fromhex("110000000100000001080000") if kind == "msix" else b"")
    refused(errno.EINVAL, client.read, vfio.CONFIG, 250, 8)
    refused(errno.EINVAL, client.write, vfio.CONFIG, 255, b"ab")
    refused(errno.EINVAL, client.write, vfio.CONFIG, 1 << 60, b"ab")


def test_registers(client):
    client.put(0x18, 0x12345678)
    assert client.word(0x18) == 0x12345678
    assert client.read(vfio.BAR0, 0x19, 2) == b"\x56\x34"
    client.write(vfio.BAR0, 0x18, bytes(range(8)))
    assert client.read(vfio.BAR0, 0x18, 8) == bytes(range(8))
    assert client.word(0x800) == 0xFFFFFFFF  # nobody answers
    refused(errno.EINVAL, client.write, vfio.BAR0, 0x18, b"a")
    refused(errno.EINVAL, client.write, vfio.BAR0, 0x1A, b"abcd")
    refused(errno.EINVAL, client.read, vfio.BAR0, 4094, 4)
    refused(errno.EINVAL, client.read, vfio.BAR0, 2**64 - 2, 4)
    refused(errno.EINVAL, client.read, 3, 0, 4)
    refused(errno.EINVAL, client.read, vfio.BAR0, 0, 0)


def test_many_writes_in_one_message(client):
    element = [
        vfio.ACCESS.pack(0x18, 0, 4) + b"\1\0\0\0" + bytes(4),
        vfio.ACCESS.pack(0x1C, 0, 4) + b"\2\0\0\0" + bytes(4),
    ]
    client.send(vfio.WRITE_MULTI, struct.pack("<Q", 2) + b"".join(element), flags=vfio.NO_REPLY)
    assert (client.word(0x18), client.word(0x1C)) == (1, 2)
    for count in (3, 2**61):  # more than came
        body = struct.pack("<Q", count) + b"".join(element)
        refused(errno.EINVAL, client.call, vfio.WRITE_MULTI, body)
    body = struct.pack("<Q", 1) + vfio.ACCESS.pack(0x18, 0, 9) + bytes(8)
    refused(errno.EINVAL, client.call, vfio.WRITE_MULTI, body)


def copied(client, source, destination, count):
    """Whether the device reached both; the interrupt is left up."""
    for offset, value in ((0, source), (4, destination), (8, count), (12, 1)):
        client.put(offset, value)
    return client.word(0x14) == 0


def test_memory(client):
    memory = Memory(65536)
    client.map(BASE, 32768, fd=memory.fd, offset=32768)
    memory.bytes[32768:32772] = b"abcd"
    assert not copied(client, BASE, BASE + 100, 4)  # it may not be a master yet
    client.master()
    assert copied(client, BASE, BASE + 100, 4)
    assert memory.bytes[32868:32872] == b"abcd"
    assert copied(client, BASE, BASE + 32764, 4)
    assert not copied(client, BASE, BASE + 32765, 4)  # one byte beyond
    assert not copied(client, BASE - 1, BASE, 4)
    client.master(False)
    assert not copied(client, BASE, BASE + 200, 4)
    client.master()
    client.unmap(BASE, 32768)
    assert not copied(client, BASE, BASE + 200, 4)


def test_memory_that_may_not_be_mapped_or_written(client):
    memory = Memory(65536)
    client.master()
    client.map(BASE, 4096, flags=1, fd=memory.fd)
    client.map(BASE + 4096, 4096, fd=memory.fd, offset=4096)
    assert copied(client, BASE, BASE + 4096, 8)
    assert not copied(client, BASE + 4096, BASE, 8)  # read only
    assert not copied(client, BASE + 4092, BASE + 5000, 8)  # in two regions
    for address, size, offset in (
        (BASE + 8192, 0, 0),
        (BASE + 4095, 4096, 0),
        (BASE - 1, 2, 0),
        (2**64 - 4096, 8192, 0),
        (BASE + 8192, 65536, 4096),  # beyond the file
        (BASE + 8192, 4096, 2**63),
    ):
        refused(errno.EINVAL, client.map, address, size, fd=memory.fd, offset=offset)
    refused(errno.ENOENT, client.unmap, BASE, 8192)
    client.map(BASE + 8192, 4096)  # no file: nobody is there
    assert not copied(client, BASE + 8192, BASE + 4096, 8)
    client.unmap(0, 0, flags=2)
    assert not copied(client, BASE, BASE + 4096, 8)
    client.map(BASE, 4096, fd=memory.fd)


def test_msix(client, kind):
    if kind == "intx":
        refused(errno.EINVAL, client.read, vfio.BAR1, 0, 4)
        return
    vector = event()
    client.irqs(vfio.MSIX, vfio.TRIGGER_FD, [vector])
    assert not signalled(vector)
    client.put(0x0C, 1)
    assert signalled(vector, 5) and not signalled(vector, 0.05)  # once for a rising line
    client.put(0x0C, 1)
    assert signalled(vector, 5)  # a cause that came while it was up is not lost
    client.put(0x10, 1)
    assert not signalled(vector, 0.05)
    refused(errno.EINVAL, client.irqs, vfio.MSIX, vfio.TRIGGER_FD, [vector], start=1)
    refused(errno.EINVAL, client.irqs, vfio.MSIX, vfio.TRIGGER_FD, [vector], count=2)
    refused(errno.EINVAL, client.irqs, 1, vfio.TRIGGER_FD, [vector])
    client.irqs(vfio.MSIX, vfio.TRIGGER_FD)  # taken away
    client.put(0x0C, 1)
    assert not signalled(vector, 0.05)


def test_intx_masks_itself(client):
    line = event()
    client.irqs(vfio.INTX, vfio.TRIGGER_FD, [line])
    client.put(0x0C, 1)
    assert signalled(line, 5) and not signalled(line, 0.05)
    client.irqs(vfio.INTX, vfio.UNMASK)
    assert signalled(line, 5)  # it is still up
    client.put(0x10, 1)
    client.irqs(vfio.INTX, vfio.UNMASK)
    assert not signalled(line, 0.05)
    client.irqs(vfio.INTX, vfio.MASK)
    client.put(0x0C, 1)
    assert not signalled(line, 0.05)


def test_reset(client):
    client.master()
    client.put(0x18, 5)
    client.call(vfio.RESET)
    assert client.word(0x18) == 0
    assert client.read(vfio.CONFIG, 4, 2) == b"\0\0"


@pytest.mark.parametrize("size", [0, 15, 2**21, 2**32 - 1])
def test_nonsense_ends_it_with_a_word(client, server, size):
    client.send(vfio.INFO, size=size)
    assert server.wait(30) == 3
    assert server.stderr.read() == f"a message of {size} bytes\n"


@pytest.mark.parametrize("command", [2, 3, 5, 7, 8, 9, 10, 15])
def test_short_messages_are_refused(client, command):
    for length in (0, 1, 7):
        refused(errno.EINVAL, client.call, command, bytes(length))


def test_client_that_goes_is_the_end(client, server):
    client.socket.close()
    assert server.wait(30) == 0
