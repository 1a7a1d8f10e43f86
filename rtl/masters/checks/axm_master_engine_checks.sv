// Assertions of axm_master_engine: what is in flight is counted once, and nothing is left when it is idle.
module axm_master_engine_checks #(
    parameter bit [31:0] OUTSTANDING = 16,
    localparam bit [31:0] COUNT_W = $clog2(OUTSTANDING) + 1
) (
    input logic               clk,
    input logic               rst,
    input logic               forget,
    input logic               busy,
    input logic [        1:0] state,
    input logic               sent,
    input logic               entry_end,
    input logic               address_sent,
    input logic               data_sent,
    input logic               recorded,
    input logic [        7:0] beat,
    input logic [        7:0] length,
    input logic [        7:0] r_beat,
    input logic [COUNT_W-1:0] in_flight
);

  logic [COUNT_W-1:0] open;  // bursts that were sent and not answered
  wire sending = state == 2'd1;  // SEND

  always_ff @(posedge clk) begin
    if (rst || forget) open <= '0;
    else open <= open + COUNT_W'(sent) - COUNT_W'(entry_end);
  end

  in_limit : assert property (@(posedge clk) disable iff (rst) in_flight <= COUNT_W'(OUTSTANDING));
  conserved : assert property (@(posedge clk) disable iff (rst) in_flight == open + COUNT_W'(sending && recorded));
  between_bursts :
  assert property (@(posedge clk) disable iff (rst)
      !sending |-> beat == '0 && !address_sent && !data_sent && !recorded);
  beat_in_burst : assert property (@(posedge clk) disable iff (rst) sending && !data_sent |-> beat <= length);
  at_rest : assert property (@(posedge clk) disable iff (rst) !busy |-> in_flight == '0 && !sending);
  begins_at_0 : assert property (@(posedge clk) disable iff (rst) $rose(busy) |-> r_beat == '0);

endmodule

bind axm_master_engine axm_master_engine_checks #(.OUTSTANDING(OUTSTANDING)) u_checks (.*);
