"""The bus side of a generated register file: AXI4-Lite, one transfer at a time, small.

regblock's own interface keeps a response queue, which costs more
than the registers of most of our blocks.
"""

from __future__ import annotations

import re

from peakrdl_regblock.cpuif.axi4lite import AXI4Lite_Cpuif_flattened

_HERE = "decoded_addr"
_COPIED = "decoded_req ? decoded_addr : pending_rd_addr"


class SmallAxiLite(AXI4Lite_Cpuif_flattened):
    """Ports as of any AXI4-Lite slave with a window of 4 KiB; behaviour in axil_slave.sv.j2."""

    template_path = "axil_slave.sv.j2"
    window_bits = 12
    address_waits = False  # the read address is on the bus until the answer is there

    @property
    def port_declaration(self) -> str:
        address = f"input logic [{self.window_bits - 1}:0]"
        data = f"[{self.data_width - 1}:0]"
        ports = [
            f"{address} s_axil_awaddr",
            "input logic [2:0] s_axil_awprot",
            "input logic s_axil_awvalid",
            "output logic s_axil_awready",
            f"input logic {data} s_axil_wdata",
            f"input logic [{self.data_width_bytes - 1}:0] s_axil_wstrb",
            "input logic s_axil_wvalid",
            "output logic s_axil_wready",
            "output logic [1:0] s_axil_bresp",
            "output logic s_axil_bvalid",
            "input logic s_axil_bready",
            f"{address} s_axil_araddr",
            "input logic [2:0] s_axil_arprot",
            "input logic s_axil_arvalid",
            "output logic s_axil_arready",
            f"output logic {data} s_axil_rdata",
            "output logic [1:0] s_axil_rresp",
            "output logic s_axil_rvalid",
            "input logic s_axil_rready",
        ]
        return ",\n".join(ports)

    @classmethod
    def read_by_its_own_address(cls, text: str) -> str:
        """What is read is chosen by the read address alone, not by what is done in this clock.

        That comes late, and a write needs no data read. regblock's copy of the address serves an
        external register's answer; a bus that keeps the address (`address_waits`) needs none.
        """
        found = re.search(
            r"logic \[(\d+):0\] rd_mux_addr;.*?assign rd_mux_addr = (.*?);\n", text, re.S
        )
        if found is None or found[2] not in (_HERE, _COPIED):
            raise ValueError("regblock has changed: rd_mux_addr is not what it was")
        own = f"{{s_axil_araddr[{found[1]}:2], 2'b0}}"
        copied = found[2] == _COPIED and not cls.address_waits
        chosen = f"axil_waiting ? pending_rd_addr : {own}" if copied else own
        return text.replace(f"rd_mux_addr = {found[2]};", f"rd_mux_addr = {chosen};")


class PatientAxiLite(SmallAxiLite):
    """The same for a block with registers that take clocks to read: the bus keeps the address."""

    address_waits = True
