// Parameters of a vendor's engine that masters a port: a window of constants, and its interrupt lines.
//
// Purpose      AXI DMA, CDMA and others do not report their address and parameters; software reads them here
//              (regs/vendor.rdl).
// Limits       LINES 1 to 8, synchronous to the clock. ENGINE is one of vendor_regs_pkg::vendor_engine_e.
// Throughput   As the register slave: one access every third clock.
// Latency      None for `irq`.
// Area         xc7: 26 LUT, 14 FF.
`include "axm_ports.svh"

module axm_vendor #(
    parameter bit [31:0] ENGINE = 0,
    parameter bit UNALIGNED = 1,
    parameter bit COHERENT = 0,
    parameter bit [31:0] LENGTH_BITS = 26,
    parameter bit [31:0] ADDRESS_BITS = 32,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] BASE = 0,
    parameter bit [31:0] LINES = 2
) (
    `AXM_AXIL_SLAVE(s_axil_, 12, 32)
    input  logic [LINES-1:0] engine_irq,
    output logic irq,
    input  logic clk,
    input  logic rst
);

  generate
  if (LINES < 1 || LINES > 8) begin : g_check_lines
    axm_error_LINES_must_be_1_to_8 u_error ();
  end
  if (ENGINE > 15) begin : g_check_engine
    axm_error_ENGINE_must_be_at_most_15 u_error ();
  end
  endgenerate

  assign irq = |engine_irq;

  vendor_regs u_regs (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      .clk, .rst,
      .hwif_in_CAPS_ENGINE(4'(ENGINE)), .hwif_in_CAPS_UNALIGNED(UNALIGNED),
      .hwif_in_CAPS_COHERENT(COHERENT), .hwif_in_CAPS_LENGTH_BITS(6'(LENGTH_BITS)),
      .hwif_in_CAPS_ADDRESS_BITS(7'(ADDRESS_BITS)), .hwif_in_CAPS_DATA_LOG2(4'($clog2(DATA_W / 8))),
      .hwif_in_CAPS_LINES(4'(LINES)), .hwif_in_CAPS2_VALUE(BASE),
      .hwif_in_STATUS_LINES(8'(engine_irq))
  );

endmodule
