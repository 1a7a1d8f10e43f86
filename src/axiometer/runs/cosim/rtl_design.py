"""A design of the RTL: its top and parameters."""

from __future__ import annotations

from dataclasses import dataclass

VENDOR_TOP = "axm_vendor_top"
"""The top with vendors' engines beside it."""
_OF_ENGINES = ("ENGINE", "LENGTH_BITS", "UNALIGNED", "LINES", "ENGINE_BASE", "ENGINE_STEP")


@dataclass(frozen=True)
class RtlDesign:
    """A top of `rtl/tops/` and its parameters.

    ports: of AXI, 1 to 4. width_bits: of their data, 32 to 256. parameters: of the top besides
    PORTS, DATA_W, ADDR_W, ID_W and AXI3. slave: the top is a slave of the processor, and has no
    ports of masters.
    """

    top: str
    ports: int
    width_bits: int
    axi3: bool
    parameters: tuple[tuple[str, int], ...] = ()
    address_bits: int = 40
    id_bits: int = 4
    slave: bool = False

    def verilog(self) -> dict[str, int]:
        """All parameters of the top module."""
        return {
            "PORTS": self.ports,
            "DATA_W": self.width_bits,
            "ADDR_W": self.address_bits,
            "ID_W": self.id_bits,
            "AXI3": int(self.axi3),
            **dict(self.parameters),
        }

    def macros(self) -> dict[str, int]:
        """The macros for the C++ code around the verilated top."""
        values = {"CROSS_4K": 0, "MASTERS": 1} | self.verilog() | {"SLAVE": int(self.slave)}
        names = ["PORTS", "DATA_W", "ADDR_W", "ID_W", "AXI3", "CROSS_4K", "MASTERS", "SLAVE"]
        values["VENDOR"] = int(self.top == VENDOR_TOP)
        names += ["VENDOR", *(_OF_ENGINES if values["VENDOR"] else ())]
        return {f"AXM_{name}": values[name] for name in names}

    def __str__(self) -> str:
        values = ", ".join(f"{name}={value}" for name, value in self.verilog().items())
        return f"{self.top} ({values})"
