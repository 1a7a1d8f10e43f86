// Counts the bursts in flight of each of several masters.
//
// Purpose      A part of axm_mux: whether a master may begin another, and whether an answer is of one of its.
// Limits       LIMIT to 255; a master is never more than LIMIT bursts ahead, nor behind.
// Latency      `full` and `none` are registers, of the same clock as `count`.
// Area         Part of axm_mux.
module axm_mux_count #(
    parameter bit [31:0] N = 4,
    parameter bit [31:0] LIMIT = 64
) (
    input  logic           clk,
    input  logic           rst,
    input  logic [  N-1:0] up,     // begins a burst
    input  logic [  N-1:0] down,   // one has ended
    output logic [N*8-1:0] count,
    output logic [  N-1:0] full,   // LIMIT
    output logic [  N-1:0] none
);

  genvar k;
  generate
  for (k = 0; k < N; k++) begin : g_master
    always_ff @(posedge clk) begin
      if (rst) begin
        count[8*k+:8] <= '0;
        full[k] <= 1'b0;
        none[k] <= 1'b1;
      end else if (up[k] != down[k]) begin
        count[8*k+:8] <= up[k] ? count[8*k+:8] + 8'd1 : count[8*k+:8] - 8'd1;
        full[k] <= up[k] && count[8*k+:8] == 8'(LIMIT - 1);
        none[k] <= down[k] && count[8*k+:8] == 8'd1;
      end
    end
  end
  endgenerate

endmodule
