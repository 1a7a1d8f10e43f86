// Assertions of axm_traffic: limits while it works, every counter at rest when a direction is idle.
module axm_traffic_checks #(
    parameter bit [31:0] OUTSTANDING = 32
) (
    input logic        clk,
    input logic        reset,
    input logic [ 1:0] run,
    input logic [ 1:0] valid,
    input logic [ 1:0] pending,
    input logic [ 1:0] begins,
    input logic [ 1:0] sent,
    input logic [ 1:0] nothing,
    input logic [ 1:0] blocked,
    input logic [13:0] outstanding,
    input logic [13:0] in_flight
);

  genvar d;
  generate
  for (d = 0; d < 2; d++) begin : g_direction
    wire [6:0] flying = in_flight[7*d+:7];
    in_limit : assert property (@(posedge clk) disable iff (reset) flying <= 7'(OUTSTANDING));
    begins_in_limit :
    assert property (@(posedge clk) disable iff (reset)
        begins[d] |=> flying < 7'(OUTSTANDING) && flying != outstanding[7*d+:7]);
    sends_one : assert property (@(posedge clk) disable iff (reset) sent[d] |-> valid[d]);
    at_rest :
    assert property (@(posedge clk) disable iff (reset) !run[d] |-> flying == '0 && !valid[d] && !pending[d]);
  end
  endgenerate

  // A burst's beats are counted from 0, and its data do not come before it began.
  reads_at_rest :
  assert property (@(posedge clk) disable iff (reset) in_flight[6:0] == '0 |-> axm_traffic.receive.beat == '0);
  writes_at_rest :
  assert property (@(posedge clk) disable iff (reset) !valid[1]
      |-> axm_traffic.send.beat == '0 && !axm_traffic.send.address_done && !axm_traffic.send.data_done);
  data_of_bursts :
  assert property (@(posedge clk) disable iff (reset) !run[1]
      |-> axm_traffic.monitor.write_track.g_write.beats_due == '0 && !axm_traffic.monitor.write_track.middle);

endmodule

bind axm_traffic axm_traffic_checks #(.OUTSTANDING(OUTSTANDING)) u_checks (.*);
