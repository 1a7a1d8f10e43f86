// Assertions of axm_dma_queue: no place and no completion is lost or made up.
module axm_dma_queue_checks #(
    parameter int unsigned DEPTH = 16,
    localparam int unsigned COUNT_W = $clog2(DEPTH) + 1
) (
    input logic               clk,
    input logic               rst,
    input logic               accept,
    input logic               reported_early,
    input logic               command_valid,
    input logic               done_valid,
    input logic               oldest_valid,
    input logic [COUNT_W-1:0] submitted,
    input logic [COUNT_W-1:0] started,
    input logic [COUNT_W-1:0] reported,
    input logic [COUNT_W-1:0] removed,
    input logic [        7:0] free,
    input logic [        7:0] waiting
);

  wire [COUNT_W-1:0] taken = submitted - removed, to_start = submitted - started, unread = reported - removed;

  places : assert property (@(posedge clk) disable iff (rst)
      8'(taken) + free + 8'(reported_early && !oldest_valid) == 8'(DEPTH));
  not_full : assert property (@(posedge clk) disable iff (rst) accept |-> free != '0);
  commands : assert property (@(posedge clk) disable iff (rst)
      command_valid == (to_start != '0) && to_start <= taken + COUNT_W'(reported_early && !oldest_valid));
  completions : assert property (@(posedge clk) disable iff (rst)
      oldest_valid == (unread != '0) && 8'(unread) == waiting);
  // Only what was submitted is reported, and once.
  asked_for : assert property (@(posedge clk) disable iff (rst) unread <= taken && (!done_valid || unread < taken));

endmodule

bind axm_dma_queue axm_dma_queue_checks #(.DEPTH(DEPTH)) u_checks (.*);
