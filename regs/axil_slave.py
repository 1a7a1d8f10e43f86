"""The bus side of a generated register file: AXI4-Lite, one transfer at a time, small.

regblock's own interface keeps a response queue, which costs more
than the registers of most of our blocks.
"""

from __future__ import annotations

from peakrdl_regblock.cpuif.axi4lite import AXI4Lite_Cpuif_flattened


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


class PatientAxiLite(SmallAxiLite):
    """The same for a block with registers that are not read in one clock.

    The bus keeps the address, so that the register file need not: `without_copy` takes regblock's
    copy of it out of the generated text.
    """

    address_waits = True
    copy = "assign rd_mux_addr = decoded_req ? decoded_addr : pending_rd_addr;"

    @classmethod
    def without_copy(cls, text: str) -> str:
        if text.count(cls.copy) != 1:
            raise ValueError(f"regblock has changed: {cls.copy!r} is not there once")
        return text.replace(cls.copy, "assign rd_mux_addr = decoded_addr;")
