// Assertions of axm_fifo: the count is what came less what left, and no more than there are places.
module axm_fifo_checks #(
    parameter bit [31:0] WIDTH = 32,
    parameter bit [31:0] DEPTH = 16,
    localparam bit [31:0] COUNT_W = $clog2(DEPTH) + 1
) (
    input logic               clk,
    input logic               rst,
    input logic               clear,
    input logic               push,
    input logic               pop,
    input logic [COUNT_W-1:0] count,
    input logic [COUNT_W-2:0] head,
    input logic [COUNT_W-2:0] tail,
    input logic               out_valid,
    input logic               out_ready,
    input logic [  WIDTH-1:0] out_data
);

  counted : assert property (@(posedge clk) disable iff (rst) (COUNT_W - 1)'(head - tail) == count[COUNT_W-2:0]);
  in_places : assert property (@(posedge clk) disable iff (rst) count <= COUNT_W'(DEPTH));
  not_overrun : assert property (@(posedge clk) disable iff (rst) push |-> count != COUNT_W'(DEPTH));
  not_underrun : assert property (@(posedge clk) disable iff (rst) pop |-> count != '0);
  held :
  assert property (@(posedge clk) disable iff (rst || clear)
      out_valid && !out_ready |=> out_valid && $stable(out_data));

endmodule

bind axm_fifo axm_fifo_checks #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_checks (.*);
