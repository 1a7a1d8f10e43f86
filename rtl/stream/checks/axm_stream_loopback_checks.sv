// Assertions of axm_stream_loopback: beats available are beats held, room is what is left, packets are held ones.
module axm_stream_loopback_checks #(
    parameter bit [31:0] DEPTH = 512,
    parameter bit [31:0] FORWARD_CYCLES = 4,
    localparam bit [31:0] COUNT_W = $clog2(DEPTH) + 1
) (
    input logic                      clk,
    input logic                      rst,
    input logic                      clear,
    input logic                      push,
    input logic                      pop,
    input logic [       COUNT_W-1:0] held,
    input logic [       COUNT_W-1:0] limit,
    input logic [       COUNT_W-1:0] s_axis_room,
    input logic [       COUNT_W-1:0] m_axis_avail,
    input logic [       COUNT_W-1:0] m_axis_packets,
    input logic [FORWARD_CYCLES-1:1] came,
    input logic [       COUNT_W-2:0] head,
    input logic [       COUNT_W-2:0] tail
);

  counted : assert property (@(posedge clk) disable iff (rst) (COUNT_W - 1)'(head - tail) == held[COUNT_W-2:0]);
  conserved : assert property (@(posedge clk) disable iff (rst)
      32'(held) == 32'(m_axis_avail) + 32'($countones(came)));
  packets : assert property (@(posedge clk) disable iff (rst) m_axis_packets <= m_axis_avail);
  in_places : assert property (@(posedge clk) disable iff (rst) held <= COUNT_W'(DEPTH));
  room : assert property (@(posedge clk) disable iff (rst) s_axis_room == '0 || s_axis_room + held == limit);
  at_rest : assert property (@(posedge clk) disable iff (rst) held == '0 |-> m_axis_packets == '0 && came == '0);
  not_underrun : assert property (@(posedge clk) disable iff (rst || clear) pop |-> held != '0);
  not_overrun : assert property (@(posedge clk) disable iff (rst || clear) push |-> held < limit);

endmodule

bind axm_stream_loopback axm_stream_loopback_checks #(
    .DEPTH(DEPTH), .FORWARD_CYCLES(FORWARD_CYCLES)
) u_checks (.*);
