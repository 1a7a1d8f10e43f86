"""Sources as Quartus reads them, with MLABs that do what its documents leave open.

In the clock after a write to a place, what is read there is wrong (axm_small_ram).
"""

from __future__ import annotations

from pathlib import Path

READ = "wire [WIDTH-1:0] stored = memory[read_place];"
OPEN = """logic written;
  logic [PLACE_W-1:0] written_place;
  always_ff @(posedge clk) {written, written_place} <= {write, write_place};
  wire [WIDTH-1:0] stored =
      written && written_place == read_place ? ~memory[read_place] : memory[read_place];"""


def sources(files: list[Path], folder: Path) -> list[Path]:
    """`files` with such memories; what is changed is in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    macro = folder / "quartus.sv"
    macro.write_text("`define ALTERA_RESERVED_QIS\n")
    [ram] = [path for path in files if path.name == "axm_small_ram.sv"]
    text = ram.read_text()
    if text.count(READ) != 1:
        raise ValueError(f"{READ!r} is {text.count(READ)} times in {ram}, not once")
    copy = folder / ram.name
    copy.write_text(text.replace(READ, OPEN))
    return [macro, *(copy if path == ram else path for path in files)]
