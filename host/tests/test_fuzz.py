"""The agent and lines that nobody should send: it answers an error, and stays in step.

The agent is built with the sanitizers, so a wrong memory access ends it, and the test.
"""

from __future__ import annotations

import os
import random
import select
import subprocess
import time

import build
import pytest


def crc(text: bytes) -> int:
    """CRC-16/CCITT-FALSE, bit by bit: written from the definition, shared with nobody."""
    value = 0xFFFF
    for byte in text:
        for bit in range(7, -1, -1):
            top = value >> 15 ^ byte >> bit & 1
            value = value << 1 & 0xFFFF ^ (0x1021 if top else 0)
    return value


def line(text: str) -> bytes:
    body = text.encode()
    return body + b"*%04X\n" % crc(body)


class Agent:
    """A process; `ask` sends bytes and a marker, and returns the answers up to the marker's."""

    def __init__(self, program):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self.number = 10**6
        self.rest = b""

    def lines(self, last: bytes) -> list[bytes]:
        found = []
        limit = time.monotonic() + 20
        while not (found and found[-1].startswith(last)):
            head, end, tail = self.rest.partition(b"\n")
            if end:
                assert b"*" in head and int(head[-4:], 16) == crc(head[:-5]), head
                found.append(head)
                self.rest = tail
                continue
            out = self.process.stdout
            assert select.select([out], [], [], limit - time.monotonic())[0], "no answer"
            more = os.read(out.fileno(), 65536)
            assert more, f"the agent died: {self.process.wait()}"
            self.rest += more
        return found

    def ask(self, data: bytes) -> list[bytes]:
        found: list[bytes] = []
        # The line feed ends what is half; an empty line is nothing.
        self.process.stdin.write(data + b"\n")
        while True:
            self.number += 1
            self.process.stdin.write(line(f"{self.number} hello"))
            *before, marker = self.lines(b"%d " % self.number)
            found += before
            if b" ok protocol=1 " in marker:
                return found
            # The data was a run that is still on.
            assert is_error(marker, (b"busy",)), marker
            time.sleep(0.01)

    def close(self):
        self.process.stdin.close()
        assert self.process.wait(10) == 0
        self.process.stdout.close()


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return build.agent(tmp_path_factory.mktemp("agent") / "agent", build.SANITIZERS)


@pytest.fixture
def agent(program):
    one = Agent(program)
    yield one
    one.close()


COMMANDS = (
    "buffer allocate size=4096 align=4096",
    "buffer fill buffer=0 pattern=ramp seed=7",
    "buffer check buffer=0 pattern=ramp seed=7",
    "configure new",
    "configure stream block=2 half=write buffer=0 beats=16 outstanding=4",
    "configure traffic block=10 half=read buffer=0 stop=bursts limit=3",
    "configure loopback block=3 limit=64",
    "configure arm",
    "run timeout_ms=3",
    "counters block=4",
    "errors",
    "result",
    "register read block=2 offset=4",
    "capabilities",
    "reset",
)


def is_error(answer: bytes, codes: tuple[bytes, ...] = ()) -> bool:
    return b" error code=" in answer and (
        not codes or any(b"code=%s " % code in answer for code in codes)
    )


def damage(draw: random.Random, good: bytes) -> bytes:
    """The line with one thing wrong that its sum must reveal; never a line that is right."""
    while True:
        bad = bytearray(good[:-1])
        kind = draw.randrange(6)
        place = draw.randrange(len(bad))
        if kind == 0:
            bad[place] ^= 1 << draw.randrange(8)
        elif kind == 1:
            del bad[place:]
        elif kind == 2:
            del bad[place]
        elif kind == 3:
            bad.insert(place, draw.randrange(1, 256))
        elif kind == 4:
            bad[place : place + 2] = reversed(bad[place : place + 2])
        else:
            bad += good[:-1]
        bad = bytes(bad)
        if b"\n" in bad or not bad or bad == b"\r":
            continue
        # What differs in the case of the sum, or in a return at the end, is the same line.
        if bad.rstrip(b"\r")[:-4] == good[:-5] and bad.rstrip(b"\r").upper() == good[:-1].upper():
            continue
        return bad


def test_damaged_lines_are_answered_and_not_obeyed(agent):
    """3000 damaged commands: each gets exactly one error, and no buffer was allocated."""
    draw = random.Random(1)
    for number in range(3000):
        good = line(f"{number} {COMMANDS[0]} address={draw.randrange(2**32)}")
        answers = agent.ask(damage(draw, good))
        assert len(answers) == 1, answers
        assert is_error(answers[0], (b"damaged", b"overlong")), answers
    assert b" ok buffer=0 " in agent.ask(line(f"9 {COMMANDS[0]}"))[0]


@pytest.mark.parametrize(
    ("file", "old", "new", "test"),
    [
        # Damaged commands are obeyed.
        ("agent/line.c", "told != axm_crc16(text, body)", "told > 65535",
         "test_damaged_lines_are_answered_and_not_obeyed"),
        ("agent/line.c", "0x1021u", "0x8005u", "test_huge_lines"),
        # What was sent again is refused, and its answer is lost; or the answer to another is given.
        ("agent/serve.c", "if (is_again(", "if (number == 0 && is_again(", "test_repeated_number"),
        ("agent/serve.c", "last->sum == sum", "(last->sum == sum || number == 5)",
         "test_repeated_number"),
        ("agent/reply.c", "++ >= reply->skip", "++ > reply->skip",
         "test_lines_that_the_host_has_are_left_out"),
    ],
)  # fmt: skip
def test_mutants_of_the_line_are_found(tmp_path, file, old, new, test):
    changed = build.mutant(file, old, new, tmp_path)
    agent = Agent(build.agent(tmp_path / "agent", [], changed))
    with pytest.raises(AssertionError):
        globals()[test](agent)
    agent.process.kill()
    agent.process.wait()
    agent.process.stdin.close()
    agent.process.stdout.close()


def test_merged_lines(agent):
    one, two = line("1 hello"), line("2 buffer allocate size=64")
    assert is_error(agent.ask(one[:-1] + two)[0], (b"damaged",))
    assert is_error(agent.ask(one[:5] + two)[0], (b"damaged",))
    assert is_error(agent.ask(b"a\tb")[0], (b"damaged",))
    # Many in one write are many.
    assert len(agent.ask(b"".join(line(f"{n} hello") for n in range(100)))) == 100


def test_huge_lines(agent):
    for size in (999, 1000, 1001, 5000, 1 << 20):
        answers = agent.ask(b"x" * size)
        assert len(answers) == 1
        assert is_error(answers[0], (b"overlong",) if size > 1000 else (b"damaged",))
    # A line that is right, but for its length.
    answers = agent.ask(line("5 hello " + "a=1 " * 400))
    assert is_error(answers[0], (b"overlong",))


def test_half_a_line_and_then_silence(agent):
    """It is given up after some seconds, and the next line is read."""
    agent.process.stdin.write(b"77 hel")
    begin = time.monotonic()
    answer = agent.lines(b"- error")
    assert is_error(answer[0], (b"damaged",))
    assert 1 < time.monotonic() - begin < 10
    assert agent.ask(b"") == []


def test_half_a_line_and_then_the_end(program):
    done = subprocess.run([program], input=b"77 hel", capture_output=True, timeout=20)
    assert done.returncode == 0
    assert is_error(done.stdout, (b"damaged",))


def test_a_desk_that_does_not_read(program):
    """The agent ends when its reader is gone, instead of waiting for ever."""
    process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdout.close()
    process.stdin.write(line("1 capabilities"))
    process.stdin.close()
    assert process.wait(20) != 0


def test_repeated_number(agent):
    """The last command is answered again and not obeyed again; another one of its number is
    refused, and so is one whose answer has several lines."""
    first = agent.ask(line("5 buffer allocate size=64") * 2)
    assert b"5 ok buffer=0 " in first[0]
    assert first == [first[0]] * 2
    assert is_error(agent.ask(line("5 buffer allocate size=65"))[0], (b"repeated",))
    assert agent.ask(line("5 buffer allocate size=64")) == first[:1]
    refused = agent.ask(line("7 buffer free buffer=9") * 2)
    assert is_error(refused[0], (b"empty",))
    assert refused == [refused[0]] * 2
    *_, last, again = agent.ask(line("8 capabilities") * 2)
    assert b" ok " in last
    assert is_error(again, (b"repeated",))
    assert b"buffer=1" in agent.ask(line("6 buffer allocate size=64"))[0]


def test_lines_that_the_host_has_are_left_out(agent):
    whole = agent.ask(line("8 capabilities"))
    assert b" lines=%d*" % (len(whole) - 1) in whole[-1]
    rest = agent.ask(line("9 capabilities skip=3"))
    assert [a[1:-5] for a in rest] == [a[1:-5] for a in whole[3:]]
    assert len(agent.ask(line("10 capabilities skip=4294967295"))) == 1


def test_wrong_words_with_a_right_sum(agent):
    """Well-formed lines with words that mean nothing: an error, or obeyed; never silence."""
    draw = random.Random(2)
    alphabet = [*" =0x,-_", *"abcdefghijklmnopqrstuvwxyz0123456789"]
    obeyed = 0
    for number in range(1, 3001):
        text = draw.choice(COMMANDS)
        for _ in range(draw.randrange(4)):
            place = draw.randrange(len(text))
            text = text[:place] + draw.choice(alphabet) + text[place + draw.randrange(2) :]
        answers = agent.ask(line(f"{number} {text}"))
        last = answers[-1]
        assert last.startswith(b"%d " % number), answers
        assert is_error(last) or last.startswith(b"%d ok" % number), answers
        obeyed += not is_error(last)
    assert 300 < obeyed < 2700  # both happen


def test_garbage(agent):
    """Random bytes: as many errors as there are lines that are not empty."""
    draw = random.Random(3)
    for _ in range(200):
        data = draw.randbytes(draw.randrange(1, 3000))
        lines = [one for one in (data + b"\n").split(b"\n") if one not in (b"", b"\r")]
        answers = agent.ask(data)
        assert len(answers) == len(lines[: len(answers)])
        assert len(answers) == len(lines)
        assert all(is_error(answer) for answer in answers)
