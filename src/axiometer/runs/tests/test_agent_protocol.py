"""The lines between host and agent: writing and reading on the host."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axiometer.runs.agent import protocol

WORD = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=12)


def test_check_value_of_the_sum():
    assert protocol.checksum(b"123456789") == 0x29B1


def test_a_command():
    line = protocol.encode(7, "buffer", "allocate", {"size": 4096, "address": "0x1000"})
    body, _, got = line.rstrip(b"\n").rpartition(b"*")
    assert body == b"7 buffer allocate size=4096 address=0x1000"
    assert int(got, 16) == protocol.checksum(body)
    assert protocol.encode(1, "reset", values={"force": True}).startswith(b"1 reset force=1*")


def reply(body: bytes) -> bytes:
    return body + b"*%04X" % protocol.checksum(body)


def test_a_reply():
    found = protocol.decode(reply(b"12 more half=read histogram=1,2 cause="))
    assert (found.number, found.kind) == (12, "more")
    assert found.values == {"half": "read", "histogram": "1,2", "cause": ""}
    found = protocol.decode(reply(b"- error code=damaged text=the line is damaged, a=b or not"))
    assert found.number is None
    assert found.values == {"code": "damaged", "text": "the line is damaged, a=b or not"}
    assert protocol.decode(reply(b"0 ok")).values == {}


@pytest.mark.parametrize(
    "body", [b"", b"1", b"x ok", b"1 yes", b"1 ok word", b"1 ok a=1  b=2", b"\xff ok"]
)
def test_a_reply_of_another_form(body):
    with pytest.raises(protocol.DamagedLine):
        protocol.decode(reply(body))


@pytest.mark.parametrize(
    "values", [{"a b": 1}, {"a": "b c"}, {"a": ""}, {"a": "x*y"}, {"a": "x\ny"}, {"a": "x" * 1000}]
)
def test_values_that_a_line_cannot_hold(values):
    with pytest.raises(ValueError):
        protocol.encode(1, "run", values=values)


@given(st.integers(0, 2**32 - 1), st.dictionaries(WORD, st.integers(0, 2**64 - 1), max_size=8))
def test_encoded_values_are_decoded(number, values):
    values.pop("text", None)
    line = protocol.encode(number, "ok", values=values).rstrip(b"\n")
    found = protocol.decode(line)
    assert found.number == number
    assert {k: protocol.number(v) for k, v in found.values.items()} == values


@given(st.integers(0, 200), st.integers(0, 7))
def test_every_flipped_bit_is_noticed(place, bit):
    line = bytearray(reply(b"3 ok state=done ns=12345"))
    place %= len(line)
    line[place] ^= 1 << bit
    if bytes(line).upper() == reply(b"3 ok state=done ns=12345").upper() and place >= len(line) - 4:
        return  # the case of a digit of the sum says nothing
    with pytest.raises(protocol.DamagedLine):
        protocol.decode(bytes(line))
