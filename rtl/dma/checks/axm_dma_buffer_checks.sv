// Assertions of axm_dma_buffer: places are counted once, in one unit.
//
// Purpose      `coming` counts anew what was announced and has not come. Nothing comes that was not announced,
//              no place is lost or given twice, and an engine at rest has all places free.
module axm_dma_buffer_checks #(
    parameter int unsigned DEPTH = 512,
    localparam int unsigned COUNT_W = $clog2(DEPTH) + 1
) (
    input logic               clk,
    input logic               rst,
    input logic               clear,
    input logic               announce,
    input logic [        7:0] len,
    input logic               joined,
    input logic               room,
    input logic               in_valid,
    input logic               out_valid,
    input logic [COUNT_W-1:0] held,
    input logic [COUNT_W-1:0] places,
    input logic               came
);

  logic [COUNT_W:0] coming;
  wire at_rest = !axm_dma_engines.rd_busy && !axm_dma_engines.wr_busy;

  always_ff @(posedge clk) begin
    if (rst || clear) coming <= '0;
    else
      coming <= coming + (announce ? (COUNT_W + 1)'(len) + 1'b1 - (COUNT_W + 1)'(joined) : '0)
          - (COUNT_W + 1)'(in_valid);
  end

  // Beats of a copy that has failed come although nobody takes them: they are not put in.
  announced : assert property (@(posedge clk) disable iff (rst || clear) in_valid |-> coming != '0);
  conserved :
  assert property (@(posedge clk) disable iff (rst)
      (COUNT_W + 2)'(places) + (COUNT_W + 2)'(coming) + (COUNT_W + 2)'(held) + (COUNT_W + 2)'(came)
          == (COUNT_W + 2)'(DEPTH));
  promised : assert property (@(posedge clk) disable iff (rst) announce |-> room && places >= COUNT_W'(len));
  all_free : assert property (@(posedge clk) disable iff (rst) at_rest |-> places == COUNT_W'(DEPTH) && !out_valid);

endmodule

bind axm_dma_buffer axm_dma_buffer_checks #(.DEPTH(DEPTH)) u_checks (.*);
