// Reports a wait of CLOCKS clocks without a break.
//
// Purpose      Time-outs of axm_mux.
// Limits       CLOCKS up to 2^31; 0 is never.
// Latency      `expired` in the clock after the last of them, if it still waits.
// Area         Part of axm_mux: $clog2(CLOCKS + 1) flip-flops.
module axm_mux_timeout #(
    parameter bit [31:0] CLOCKS = 65536
) (
    input  logic clk,
    input  logic rst,
    input  logic waiting,
    output logic expired
);

  generate
  if (CLOCKS == 0) begin : g_never
    assign expired = 1'b0;
    wire unused = &{1'b0, clk, rst, waiting};
  end else begin : g_count
    localparam bit [31:0] W = $clog2(CLOCKS + 1);
    logic [W-1:0] elapsed;

    assign expired = waiting && elapsed == W'(CLOCKS);

    always_ff @(posedge clk) begin
      if (rst || !waiting || expired) elapsed <= '0;
      else elapsed <= elapsed + W'(1);
    end
  end
  endgenerate

endmodule
