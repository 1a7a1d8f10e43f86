// Assertions of axm_stream_sink: its counters go up by what is taken, and agree with one another.
module axm_stream_sink_checks #(
    parameter bit [31:0] DATA_W = 64
) (
    input logic                clk,
    input logic                rst,
    input logic                clear,
    input logic                take,
    input logic                enable,
    input logic                s_axis_tready,
    input logic                s_axis_tlast,
    input logic [DATA_W/8-1:0] s_axis_tkeep,
    input logic [        63:0] beats,
    input logic [        63:0] bytes,
    input logic [        31:0] packets,
    input logic                packets_full,
    input logic                failed,
    input logic [        31:0] errors,
    input logic [        63:0] first_error
);

  one_each : assert property (@(posedge clk) disable iff (clear)
      1'b1 |=> beats == $past(beats) + 64'($past(take)) || $past(clear));
  in_beats : assert property (@(posedge clk) disable iff (clear) bytes <= beats * (DATA_W / 8));
  kept : assert property (@(posedge clk) disable iff (clear)
      !take |=> $stable(bytes) && $stable(packets) || $past(clear));
  error_is_a_beat : assert property (@(posedge clk) disable iff (clear) failed |-> errors != '0 && first_error < beats);
  disabled : assert property (@(posedge clk) disable iff (rst) !enable |-> !s_axis_tready);

endmodule

bind axm_stream_sink axm_stream_sink_checks #(.DATA_W(DATA_W)) u_checks (.*);
