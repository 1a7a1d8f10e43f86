"""Workbooks of the speedtest dataset as the tests write them, in three layouts.

`rate` is what every layout holds, so that a reader which mistakes a port, a repeat or a direction
for another is seen.
"""

import openpyxl

REPEATS = 3
PL_HZ = {"ultra96": 99_999_999, "zcu102": 299_999_997}


def rate(way, ports, burst, port, repeat):
    """MB/s that differ for every argument."""
    base = {"read": 100.0, "write": 400.0}[way] * (1 + len(ports)) + burst / 16
    return base + 7 * int(port[-1]) + repeat / 8


def latency(burst, port, repeat):
    return 200.0 + burst / 2 + 10 * int(port[-1]) + repeat


def quiet(burst, port, repeat):
    return 40 + burst // 16 + repeat


def long_table(path, sets, bursts, ways=("write", "read"), change=None):
    """One sheet: a row a repeat, ports in a column, the counters of a port side by side."""
    book = openpyxl.Workbook()
    page = book.active
    page.title = "Results"
    page["A1"] = "Ultra96 base experiment"
    page.append([])
    names = ["Write Speed (MB/s)", "Read Speed (MB/s)", "Avg. Read Latency (clock cycles)"]
    names.append("Max Read AXI inactivity (clock cycles)")
    ports = [f"HP{n}" for n in range(4)]
    page.append(["", "", ""] + [p if n == 0 else None for p in ports for n in range(4)])
    page.append(["Ports", "Burst size (B)", "Run"] + names * 4 + ["Comment"])
    for used in sets:
        for burst in bursts:
            for repeat in range(1, REPEATS + 1):
                cells = ["+".join(used), burst, repeat]
                for port in ports:
                    if port not in used:
                        cells += [None] * 4
                        continue
                    cells += [
                        rate(way, used, burst, port, repeat) if way in ways else 0
                        for way in ("write", "read")
                    ]
                    cells += [latency(burst, port, repeat), quiet(burst, port, repeat)]
                page.append(cells)
    _finish(book, path, change)


def sheets(path, sets, bursts, change=None):
    """A sheet for each set of ports; repeats side by side under merged headings; beats."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for used in sets:
        page = book.create_sheet(",".join(used))
        head, below = ["Burst length (128-bit beats)"], [None]
        for repeat in range(1, REPEATS + 1):
            for port in used:
                head += [f"Run {repeat}: {port}", None, None]
                below += ["Read GB/s", "Write GB/s", "Read latency"]
        page.append(head)
        page.append(below)
        for start in range(2, len(head), 3):
            page.merge_cells(start_row=1, end_row=1, start_column=start, end_column=start + 2)
        for burst in bursts:
            cells = [burst // 16]
            for repeat in range(1, REPEATS + 1):
                for port in used:
                    cells += [rate(w, used, burst, port, repeat) / 1e3 for w in ("read", "write")]
                    cells.append(latency(burst, port, repeat))
            page.append(cells)
    _finish(book, path, change)


def counters(path, sets, bursts, pl_hz, change=None):
    """Blocks one below the other, each with its title; counters for rates; repeats unnumbered."""
    book = openpyxl.Workbook()
    page = book.active
    for used in sets:
        page.append(["Ports in use: " + " & ".join(used)])
        page.append([None] + [f"{p} {n}" for p in used for n in ("runtime", "writeOps", "readOps")])
        page.cell(page.max_row, 1, "burst bytes")
        for burst in bursts:
            for repeat in range(1, REPEATS + 1):
                cells = [burst]
                for port in used:
                    cells.append(5 * pl_hz)
                    cells += [
                        5e6 * rate(way, used, burst, port, repeat) / burst
                        for way in ("write", "read")
                    ]
                page.append(cells)
        page.append([])
    _finish(book, path, change)


def terminal(path, sets, bursts, pl_hz, skipped=0, change=None):
    """As published: raw counters in blocks, a range of columns a counter; tabs of charts beside,
    with bursts over figures of no port, and titles that name ranges."""
    book = openpyxl.Workbook()
    page = book.active
    page.title = "TerminalOut"
    names = ("Write", "Read", "Runtime", "Latency", "Max Latency")
    ports = ("HP0", "HP1", "HP2", "HP3", "HPC0")
    for number, port in enumerate(ports):
        start = 7 + number * len(names) * REPEATS
        page.cell(1, start, port)
        for at, name in enumerate(names):
            page.cell(2, start + at * REPEATS, name)
    page.append(["BASE TEST CONFIGURATION"])
    for used in sets:
        label = "".join(f"_{port}" for port in used)
        page.append([f"Test{label}"])
        for burst in bursts:
            cells = ["", label] + [burst // 16, burst + skipped] * 2
            for port in ports:
                cells += _counted(used, burst, port, pl_hz)
            page.append([*cells, None, 7.5])
    page.append(["Burst Size, B", "Write MB/s"])
    page.append([16, 7])
    chart = book.create_sheet("Speed-C")
    chart.append(["HP0 Alone ->", "AXI Distribution of config HP0-3"])
    chart.append(["Burst Size, B", "Total MB/s"])
    chart.append([16, 100.0])
    _finish(book, path, change)


def _counted(used, burst, port, pl_hz):
    """What the program counted of a port in 5 s, one counter after the other, repeat by repeat."""
    if port not in used:
        return [0] * (5 * REPEATS)
    runs = range(1, REPEATS + 1)
    write, read = (
        [5e6 * rate(way, used, burst, port, run) / burst for run in runs]
        for way in ("write", "read")
    )
    waited = [ops * latency(burst, port, run) for run, ops in zip(runs, read, strict=True)]
    idle = [quiet(burst, port, run) for run in runs]
    return [*write, *read, *[5 * pl_hz] * REPEATS, *waited, *idle]


def wide(path, sets, bursts, change=None):
    """All configurations side by side, each over its ports, in rows of repeats; totals beside."""
    book = openpyxl.Workbook()
    page = book.active
    over, names = [None], ["Burst size [B]"]
    for used in sets:
        over += ["+".join(used)] + [None] * (2 * len(used) + 1)
        names += [f"{p} {w} MB/s" for p in used for w in ("write", "read")]
        names += ["total write MB/s", "total read MB/s"]
    page.append(over)
    page.append(names)
    for burst in bursts:
        for repeat in range(1, REPEATS + 1):
            cells = [burst]
            for used in sets:
                each = [[rate(w, used, burst, p, repeat) for w in ("write", "read")] for p in used]
                cells += [value for pair in each for value in pair]
                cells += [sum(column) for column in zip(*each, strict=True)]
            page.append(cells)
    _finish(book, path, change)


def matrix(path, sets, bursts, change=None):
    """A sheet for each direction, a column for each configuration: totals of all ports only."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for way in ("read", "write"):
        page = book.create_sheet(f"{way.capitalize()} throughput")
        page.append(["Burst size (bytes)", *(",".join(used) for used in sets)])
        for burst in bursts:
            for repeat in range(1, REPEATS + 1):
                totals = [sum(rate(way, u, burst, p, repeat) for p in u) for u in sets]
                page.append([burst, *totals])
    _finish(book, path, change)


def _finish(book, path, change):
    for (sheet, cell), value in (change or {}).items():
        book[sheet][cell] = value
    path.parent.mkdir(parents=True, exist_ok=True)
    book.save(path)
