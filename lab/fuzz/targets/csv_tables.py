"""Published figures that a stranger gave: CSV of our own form, of public datasets, selectors."""

from __future__ import annotations

TITLE = "published figures: CSV tables and what selects their rows"
_WORDS = """ports mode width_bits pl_mhz burst_bytes transfer_bytes duration free repeats total_MBps
total_MBps_min read_MBps write_MBps_std port HP0+HP1 duplex read stream_bytes avg_MBps method
bridge direction fpga_mhz size_bytes rate_MBps_1e6 stride_bytes read_latency_avg_cycles nan inf
1e999 -1"""
WORDS = [*_WORDS.encode().split(), b"\n", b'"', b'""', b",,", b"\0", b"\xef\xbb\xbf", b"="]
MAX_BYTES = 6000


def seeds() -> list[bytes]:
    from axiometer.base import data

    found = [
        b"\n".join(p.read_bytes().splitlines()[:12])
        for p in sorted(data.directory("reference").glob("*.csv"))
    ]
    found.append(
        b"method,bridge,direction,os,cache,fpga_mhz,size_bytes,rate_MBps_1e6\n"
        b"memcpy,GP1,WR,linux(Linaro),on,100,4,12.5\n"
    )
    found.append(
        b"ports,mode,burst_bytes,stride_bytes,port,pl_mhz,total_MBps\n"
        b"HP0,duplex,64,64,,99.999999,500\nHP0,duplex,64,64,HP0,99.999999,500\n"
    )
    found.append(b"#SELECT a.csv: mode=duplex, width_bits=64, ports=HP0+HP1|HP0")
    return found


def one(data: bytes) -> None:
    from axiometer.experiment.points import single
    from axiometer.platform import Platform
    from axiometer.published import reference

    text = data.decode("utf-8", "replace")
    global _points
    if not _points:
        zybo, usp = Platform.load("zybo"), Platform.load("zcu102")
        _points += [
            (zybo, single(zybo, {"ports": "HP0"}).values),
            (usp, single(usp, {"ports": "HP0+HP1"}).values),
        ]
    if text.startswith("#SELECT "):
        reference.selects(text[8:], "a.csv", _points[0][1])
        return
    table = reference.Reference(text, "a.csv")
    for platform, values in _points:
        row = table.match(values)
        if row is not None:
            row.published()
            table.role(values, platform)


_points: list = []
