"""Sources as Quartus reads them, with MLABs that do what its documents leave open.

In the clock after a write to a place, what is read there is wrong (axm_small_ram).
"""

from __future__ import annotations

from pathlib import Path

from flow import fault

READ = "wire [WIDTH-1:0] stored = memory[read_place];"
OPEN = """logic written;
  logic [PLACE_W-1:0] written_place;
  always_ff @(posedge clk) {written, written_place} <= {write, write_place};
  wire [WIDTH-1:0] stored =
      written && written_place == read_place ? ~memory[read_place] : memory[read_place];"""


def sources(files: list[Path], folder: Path) -> list[Path]:
    """`files` with such memories; what is changed is in `folder`."""
    macro = folder / "quartus.sv"
    macro.write_text("`define ALTERA_RESERVED_QIS\n")
    return [macro, *fault.put(files, "axm_small_ram", READ, OPEN, folder)]
