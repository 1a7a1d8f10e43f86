// Assertions of axm_dma_buffer: places are counted once, in one unit.
//
// Purpose      `coming` counts again the announced beats that have not come. No beat comes unannounced,
//              no place is lost or given twice, and an engine at rest has all places free.
module axm_dma_buffer_checks #(
    parameter int unsigned DEPTH = 512,
    parameter bit SPILLS = 0,
    localparam int unsigned COUNT_W = $clog2(DEPTH) + 1
) (
    input logic               clk,
    input logic               rst,
    input logic               clear,
    input logic               announce,
    input logic [        7:0] len,
    input logic               joined,
    input logic               spilled,
    input logic               room,
    input logic               in_valid,
    input logic               out_valid,
    input logic [COUNT_W-1:0] held,
    input logic [COUNT_W-1:0] places,
    input logic               came
);

  logic [COUNT_W:0] coming;
  // A top makes its reset in a clock: before it nothing holds.
  logic begun = 1'b0;
  localparam int unsigned FREE = SPILLS ? DEPTH - 1 : DEPTH;
  wire at_rest = !axm_dma_engines.rd_busy && !axm_dma_engines.wr_busy;

  always_ff @(posedge clk) begin
    if (rst) begun <= 1'b1;
    if (rst || clear) coming <= '0;
    else
      coming <= coming + (announce ? (COUNT_W + 1)'(len) + 1'b1 - (COUNT_W + 1)'(joined) + (COUNT_W + 1)'(spilled) : '0)
          - (COUNT_W + 1)'(in_valid);
  end

  // Beats of a failed copy come without a reader: they are not put in.
  announced : assert property (@(posedge clk) disable iff (rst || clear) in_valid |-> coming != '0);
  conserved :
  assert property (@(posedge clk) disable iff (rst || !begun)
      COUNT_W'(places + COUNT_W'(coming) + held + COUNT_W'(came)) == COUNT_W'(FREE));
  promised : assert property (@(posedge clk) disable iff (rst) announce |-> room && places >= COUNT_W'(len));
  all_free :
  assert property (@(posedge clk) disable iff (rst || !begun)
      at_rest |-> places == COUNT_W'(FREE) && !out_valid);

endmodule

bind axm_dma_buffer axm_dma_buffer_checks #(.DEPTH(DEPTH), .SPILLS(SPILLS)) u_checks (.*);
