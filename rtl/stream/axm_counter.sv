// Free-running counter (block type 9): clocks since reset, 64 bits.
//
// Purpose      The clock of software, and of hardware that stamps times (`count`).
// Limits       Wraps after 5800 years at 100 MHz.
// Throughput   Counts every clock. A read of TIME_LO latches the high half that belongs to it.
// Latency      TIME_LO is the count in the clock in which the read is executed.
// Area         xc7: 48 LUT, 136 FF.
`include "axm_ports.svh"

module axm_counter #(
    parameter bit [31:0] CLOCK_HZ = 100_000_000
) (
    output logic [63:0] count,
    `AXM_AXIL_SLAVE(s_axil_, 12, 32)
    input  logic        clk,
    input  logic        rst
);

  generate
  if (CLOCK_HZ == 0) begin : g_check_clock
    axm_error_CLOCK_HZ_must_be_the_frequency_of_clk u_error ();
  end
  endgenerate

  logic from_regs_TIME_LO_VALUE_swacc;

  logic [31:0] high;

  always_ff @(posedge clk) begin
    count <= count + 1'b1;
    if (from_regs_TIME_LO_VALUE_swacc) high <= count[63:32];
    if (rst) count <= '0;
  end

  counter_regs u_regs (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      .hwif_in_CLOCK_HZ_VALUE(32'(CLOCK_HZ)), .hwif_in_TIME_LO_VALUE(count[31:0]),
      .hwif_in_TIME_HI_VALUE(high), .hwif_out_TIME_LO_VALUE_swacc(from_regs_TIME_LO_VALUE_swacc), .clk,
      .rst
  );

endmodule
