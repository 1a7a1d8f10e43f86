"""One mutant for every rule: a legal exchange with one fault, which must break that rule alone.

`MUTANTS` maps a rule (checker.part.rule, as in properties.toml) to the checker of the bench that
is to notice, and the damaged exchange. Only the first clock in which anything breaks counts: a bus
that has lost its way breaks more later.
"""

from __future__ import annotations

from collections.abc import Iterator

from mutants.exchange import Exchange, full, lead, lite, slot, stream, two

WAIT = range(4, 7)  # the clocks in which the first address waits
MUTANTS: dict[str, tuple[str, Exchange]] = {}


def _add(rule: str, checker: str, exchange: Exchange) -> None:
    assert rule not in MUTANTS, rule
    MUTANTS[rule] = (checker, exchange)


def _changed(signals: str, values: dict[str, int]) -> Iterator[tuple[str, dict[str, int]]]:
    for name, value in values.items():
        yield name, {f"{signals}{name}": value}


def _requests(c: str) -> None:
    """The rules of an address channel, aw or ar."""
    _add(f"axi.{c}.reset_quiet", "axi4", full().set(2, **{f"{c}valid": 1, f"{c}ready": 1}))
    _add(f"axi.{c}.held", "axi4", full().set(5, **{f"{c}valid": 0}))
    other = {"id": 2, "addr": 0x2000, "len": 1, "size": 1, "burst": 2, "lock": 1, "cache": 2}
    for name, values in _changed(c, {**other, "prot": 1, "qos": 1, "user": 1}):
        _add(f"axi.{c}.stable_{name}", "axi4", full().set(5, **values))
    wide = {f"{c}size": 3}
    _add(f"axi.{c}.size_in_bus", "axi4", full().set(WAIT, **wide))
    # Strobes that suit the burst, so that they break no rule of their own.
    for rule, checker, strobes, values in (
        ("burst_type", "axi4", 15, {"burst": 3}),
        ("len_axi3", "axi3", 15, {"len": 16}),
        ("len_fixed", "axi4", 15, {"burst": 0, "len": 16}),
        ("len_wrap", "axi4", 15, {"burst": 2, "len": 2}),
        ("wrap_aligned", "axi4", 12, {"burst": 2, "addr": 0x1002}),
        ("within_4k", "axi4", 15, {"addr": 0x1FF8}),
        ("lock_legal", "axi4", 15, {"lock": 2}),
        ("exclusive_bytes", "axi4", 15, {"lock": 1, "len": 2}),
        ("exclusive_len", "axi4", 1, {"lock": 1, "len": 31, "size": 0}),
        ("exclusive_aligned", "axi4", 15, {"lock": 1, "addr": 0x1004}),
        ("cache_legal", "axi4", 15, {"cache": 4}),
    ):
        damage = {f"{c}{name}": value for name, value in values.items()}
        _add(f"axi.{c}.{rule}", checker, full().set(WAIT, **damage).set(range(4, 6), wstrb=strobes))
    late = full().drop("b", range(7, 19)).drop("r", range(7, 19))
    late.set(range(4, 20), **{f"{c}valid": 1, f"{c}ready": 0, f"{c}len": 3})
    other_open = {"aw": "ar", "ar": "aw"}[c]
    late.drop(other_open, range(4, 20))
    if c == "ar":
        late.drop("w", range(4, 20))
    _add(f"axi.{c}.ready_wait.in_time", "axi4", late)


def _data() -> None:
    """The rules of W, B and R by themselves."""
    unknown = Exchange().move("w", 4, 6).move("w", 7, last=1)  # data without an address yet
    again = Exchange().move("w", 4, 6).move("w", 7, last=1)
    early = Exchange().move("w", 2, last=1)
    _add("axi.w.reset_quiet", "lead", early)
    _add("axi.w.held", "axi4", full().set(5, wvalid=0))
    _add("axi.w.stable_id", "lead", unknown.set(5, wid=2))
    _add("axi.w.stable_data", "axi4", full().set(5, wdata=7))
    _add("axi.w.stable_strb", "axi4", full().set(5, wstrb=7))
    _add("axi.w.stable_last", "lead", again.set(5, wlast=1))
    late = full().drop("b", range(10, 19)).set(range(4, 20), wvalid=1, wready=0, wlast=0)
    _add("axi.w.ready_wait.in_time", "axi4", late)
    _add("axi.b.reset_quiet", "axi4", full().set(2, bvalid=1, bready=1))
    _add("axi.b.held", "axi4", full().set(12, bvalid=0))
    _add("axi.b.stable_id", "axi4", two().set(9, bid=2))
    _add("axi.b.stable_resp", "axi4", full().set(12, bresp=2))
    _add("axi.b.ready_wait.in_time", "axi4", full().set(range(11, 21), bvalid=1, bready=0))
    _add("axi.r.reset_quiet", "axi4", full().set(2, rvalid=1, rready=1))
    _add("axi.r.held", "axi4", full().set(9, rvalid=0))
    _add("axi.r.stable_id", "axi4", two().set(9, rid=2))
    _add("axi.r.stable_data", "axi4", full().set(9, rdata=7))
    _add("axi.r.stable_resp", "axi4", full().set(9, rresp=2))
    _add("axi.r.stable_last", "axi4", full().set(9, rlast=1))
    _add("axi.r.ready_wait.in_time", "axi4", full().set(range(8, 18), rvalid=1, rready=0, rlast=0))


def _write() -> None:
    """The rules between AW, W and B."""
    third = Exchange().move("aw", 6)
    for t in (4, 5):
        third.move("aw", t).move("w", t, last=1)
    _add("axi.write.outstanding_limit", "axi4", third)
    _add("axi.write.data_has_address", "axi4", full().drop("aw", WAIT))
    ahead = Exchange()
    for t in (4, 5, 6):
        ahead.move("w", t, last=1)
    _add("axi.write.lead_limit", "lead", ahead)
    _add("axi.write.len_matches_data", "lead", lead().set(9, awlen=2))
    endless = Exchange(300).set(range(4, 280), wvalid=1, wready=1)
    _add("axi.write.beats_at_most", "lead", endless)
    _add("axi.write.last_not_early", "axi4", full().set(6, wlast=1))
    _add("axi.write.last_not_missing", "axi4", full().set(9, wlast=0))
    _add("axi.write.id_is_address_id", "axi4", full().set(6, wid=2))
    narrow = full().set(WAIT, awsize=1).set(range(4, 6), wstrb=3)
    _add("axi.write.strobes_in_lanes", "axi4", narrow)
    _add("axi.write.response_has_address", "axi4", full().move("b", 8, id=2))
    _add("axi.write.response_has_data", "axi4", full().move("b", 8))
    _add("axi.write.exokay_asked", "axi4", full().set(range(11, 13), bresp=1))
    silent = full().drop("b", range(7, 20)).drop("w", range(7, 20)).drop("aw", range(7, 20))
    _add("axi.write.data_wait.in_time", "axi4", silent)
    _add("axi.write.answer_wait.in_time", "axi4", full().drop("b", range(7, 32)))


def _read() -> None:
    """The rules between AR and R."""
    third = Exchange().move("ar", 4).move("ar", 5).move("ar", 6)
    _add("axi.read.outstanding_limit", "axi4", third)
    _add("axi.read.beat_has_address", "axi4", full().set(range(8, 10), rid=2))
    _add("axi.read.last_not_early", "axi4", full().set(10, rlast=1))
    _add("axi.read.last_not_missing", "axi4", full().set(range(13, 15), rlast=0))
    _add("axi.read.exokay_asked", "axi4", full().set(10, rresp=1))
    _add("axi.read.answer_wait.in_time", "axi4", full().drop("r", range(7, 32)))


def _lite() -> None:
    """The rules of AXI4-Lite."""
    changes = {
        "aw": {"addr": 4, "prot": 1},
        "w": {"data": 7, "strb": 7},
        "b": {"resp": 2},
        "ar": {"addr": 4, "prot": 1},
        "r": {"data": 7, "resp": 2},
    }
    for c, values in changes.items():
        waits = 9 if c in ("b", "r") else 5
        quiet = lite().set(2, **{f"{c}valid": 1, f"{c}ready": 1})
        _add(f"axil.{c}_reset_quiet", "axil", quiet)
        _add(f"axil.{c}_held", "axil", lite().set(waits, **{f"{c}valid": 0}))
        for name, change in _changed(c, values):
            _add(f"axil.{c}_stable_{name}", "axil", lite().set(waits, **change))
    for c in ("aw", "w", "ar"):
        _add(f"axil.{c}_limit", "axil", Exchange().move(c, 4).move(c, 5).move(c, 6))
    _add("axil.b_has_address", "axil", lite().drop("aw", WAIT))
    _add("axil.b_has_data", "axil", lite().drop("w", WAIT))
    _add("axil.r_has_address", "axil", lite().drop("ar", WAIT))
    _add("axil.b_no_exokay", "axil", lite().set(range(8, 10), bresp=1))
    _add("axil.r_no_exokay", "axil", lite().set(range(8, 10), rresp=1))
    late = Exchange().set(range(4, 20), awvalid=1, wvalid=1).set(4, wready=1).set(5, wvalid=0)
    _add("axil.aw_ready_wait.in_time", "axil", late.drop("w", range(5, 20)))
    late = Exchange().set(range(4, 20), wvalid=1, awvalid=1).set(4, awready=1)
    _add("axil.w_ready_wait.in_time", "axil", late.drop("aw", range(5, 20)))
    _add("axil.ar_ready_wait.in_time", "axil", Exchange().set(range(4, 20), arvalid=1))
    _add("axil.b_wait.in_time", "axil", lite().drop("b", range(7, 32)))
    _add("axil.r_wait.in_time", "axil", lite().drop("r", range(7, 32)))


def _stream() -> None:
    """The rules of a stream and its counts."""
    _add("stream.reset_quiet", "stream", stream().set(2, tvalid=1, tready=1))
    _add("stream.held", "stream", stream().set(5, tvalid=0))
    _add("stream.stable_data", "stream", stream().set(5, tdata=7))
    _add("stream.stable_keep", "stream", stream().set(8, tkeep=7))
    _add("stream.stable_last", "stream", stream().set(5, tlast=1))
    _add("stream.keep_from_lane_0", "stream", stream().set(range(4, 6), tkeep=14))
    _add("stream.keep_whole_beats", "stream", stream().set(range(4, 6), tkeep=7))
    _add("stream.room_is_ready", "stream", stream().set(4, room=1))
    _add("stream.room_kept", "stream", stream().set(3, room=2))
    _add("stream.avail_is_valid", "stream", stream().set(3, avail=1))
    _add("stream.avail_kept", "stream", stream().set(range(4, 6), avail=2))
    _add("stream.packets_in_avail", "stream", stream().set(4, packets=1))
    lost = stream().set(range(4, 6), avail=2, packets=1).set(6, avail=1)
    _add("stream.packets_kept", "stream", lost)
    _add("stream.ready_wait.in_time", "stream", Exchange().set(range(4, 20), tvalid=1))


def _sniffer() -> None:
    """The rules of a slot of the sniffer."""
    for rule, clocks, values in (
        ("lengths_exact", 12, {"length_stored": 1}),
        ("beats_exact", 12, {"beat_stored": 1}),
        ("loss_reported", 15, {"full": 0}),
        ("distance_exact", 11, {"distance": 1}),
        ("seen_exact", 6, {"seen": 1}),
        ("beat_extremes", range(11, 13), {"beat_max": 0}),
        ("gap_extremes", range(13, 32), {"gap_min": 2}),
        ("recorded_exact", range(15, 32), {"recorded": 3}),
        ("record_exact", 8, {"record_stored": 0x1000}),
    ):
        _add(f"sniffer.{rule}", "slot", slot("lengths").set(clocks, **values))
    for ask in ("lengths", "beats", "records"):
        _add(f"sniffer.reads_{ask}", "slot", slot(ask).set(20, read_data=7))


_requests("aw")
_requests("ar")
_data()
_write()
_read()
_lite()
_stream()
_sniffer()

# What every checker must let pass.
LEGAL: dict[str, tuple[str, Exchange]] = {
    "full": ("axi4 axi3 lead", full()),
    "two": ("axi4 axi3 lead", two()),
    "lead": ("lead", lead()),
    "lite": ("axil", lite()),
    "stream": ("stream", stream()),
    **{f"slot-{ask}": ("slot", slot(ask)) for ask in ("lengths", "beats", "records")},
}
