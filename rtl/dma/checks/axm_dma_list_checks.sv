// Assertions of axm_dma_list: the caller never pushes too many.
module axm_dma_list_checks #(
    parameter int unsigned DEPTH = 16,
    localparam int unsigned COUNT_W = $clog2(DEPTH) + 1
) (
    input logic               clk,
    input logic               rst,
    input logic [COUNT_W-1:0] head,
    input logic [COUNT_W-1:0] tail
);

  wire [COUNT_W-1:0] count = head - tail;
  not_overrun : assert property (@(posedge clk) disable iff (rst) count <= COUNT_W'(DEPTH));

endmodule

bind axm_dma_list axm_dma_list_checks #(.DEPTH(DEPTH)) u_checks (.*);
