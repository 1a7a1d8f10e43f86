// Free-running counter (block type 9): clocks since reset, 64 bits.
//
// Purpose      The clock of software, and of hardware that stamps times (`count`).
// Limits       Wraps after 5800 years at 100 MHz.
// Throughput   Counts every clock. A read of TIME_LO keeps the high half that belongs to it.
// Latency      TIME_LO is the count in the clock in which the read is executed.
// Area         xc7: 54 LUT, 133 FF.
module axm_counter #(
    parameter int unsigned CLOCK_HZ = 100_000_000
) (
    input  logic        clk,
    input  logic        rst,
    output logic [63:0] count,

    input  logic [11:0] s_axil_awaddr,
    input  logic [ 2:0] s_axil_awprot,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [ 1:0] s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic [11:0] s_axil_araddr,
    input  logic [ 2:0] s_axil_arprot,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready
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
      .hwif_in_CLOCK_HZ_VALUE(32'(CLOCK_HZ)), .hwif_in_TIME_LO_VALUE(count[31:0]),
      .hwif_in_TIME_HI_VALUE(high), .hwif_out_TIME_LO_VALUE_swacc(from_regs_TIME_LO_VALUE_swacc),
      .clk, .rst, .s_axil_awaddr, .s_axil_awprot, .s_axil_awvalid, .s_axil_awready, .s_axil_wdata,
      .s_axil_wstrb, .s_axil_wvalid, .s_axil_wready, .s_axil_bresp, .s_axil_bvalid, .s_axil_bready,
      .s_axil_araddr, .s_axil_arprot, .s_axil_arvalid, .s_axil_arready, .s_axil_rdata,
      .s_axil_rresp, .s_axil_rvalid, .s_axil_rready
  );

endmodule
