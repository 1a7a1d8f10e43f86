// Assertions of axm_mux_write: each master's bursts are counted in and out once; the order of data is that of addresses.
module axm_mux_write_checks #(
    parameter bit [31:0] N = 4,
    parameter bit [31:0] LIMIT = 64,
    parameter bit [31:0] ORDER_DEPTH = 8,
    parameter bit [31:0] M_ID_W = 6
) (
    input logic                         clk,
    input logic                         rst,
    input logic [N-1:0]                 grant,
    input logic [N-1:0][7:0]            count,
    input logic [$clog2(ORDER_DEPTH):0] order_count,
    input logic                         fresh,
    input logic [N-1:0]                 mine,
    input logic                         queued_valid,
    input logic [7:0]                   beat,
    input logic [M_ID_W+7:0]            queued,
    input logic [7:0]                   m_awlen,
    input logic                         m_awvalid,
    input logic                         m_wvalid,
    input logic                         m_bvalid,
    input logic                         m_bready,
    input logic                         known,
    input logic [N-1:0]                 s_bvalid
);

  logic [15:0] open;  // bursts without a response, of all masters
  logic [15:0] counted;
  always_comb begin
    counted = '0;
    for (int unsigned k = 0; k < N; k++) counted += 16'(count[k]);
  end
  always_ff @(posedge clk) begin
    if (rst) open <= '0;
    else open <= open + 16'(fresh) - 16'(m_bvalid && m_bready && known);
  end

  one_master : assert property (@(posedge clk) disable iff (rst) $onehot0(grant) && m_awvalid == (grant != '0));
  one_answer : assert property (@(posedge clk) disable iff (rst) $onehot0(s_bvalid));
  conserved : assert property (@(posedge clk) disable iff (rst) counted == open);
  data_are_of_bursts : assert property (@(posedge clk) disable iff (rst) 16'(order_count) <= open);
  data_have_an_address : assert property (@(posedge clk) disable iff (rst) m_wvalid |-> $onehot(mine));
  beat_in_burst : assert property (@(posedge clk) disable iff (rst) mine != '0
      |-> beat <= (queued_valid ? queued[M_ID_W+:8] : m_awlen));
  at_its_first : assert property (@(posedge clk) disable iff (rst) !queued_valid |-> beat == '0);
  at_rest : assert property (@(posedge clk) disable iff (rst) open == '0 && !fresh |-> !queued_valid && beat == '0);
  for (genvar k = 0; k < N; k++) begin : g_limit
    in_limit : assert property (@(posedge clk) disable iff (rst) count[k] <= 8'(LIMIT));
  end

endmodule

bind axm_mux_write axm_mux_write_checks #(.N(N), .LIMIT(LIMIT), .ORDER_DEPTH(ORDER_DEPTH), .M_ID_W(M_ID_W))
    u_checks (.*);
