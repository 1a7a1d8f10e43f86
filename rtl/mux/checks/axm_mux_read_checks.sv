// Assertions of axm_mux_read: each master's bursts are counted in and out once.
module axm_mux_read_checks #(
    parameter bit [31:0] N = 4,
    parameter bit [31:0] LIMIT = 64
) (
    input logic              clk,
    input logic              rst,
    input logic [N-1:0]      grant,
    input logic [N-1:0][7:0] count,
    input logic              fresh,
    input logic              known,
    input logic              m_arvalid,
    input logic              m_rvalid,
    input logic              m_rready,
    input logic              m_rlast,
    input logic [N-1:0]      s_rvalid
);

  logic [15:0] open, counted;  // bursts in flight, of all masters
  always_comb begin
    counted = '0;
    for (int unsigned k = 0; k < N; k++) counted += 16'(count[k]);
  end
  always_ff @(posedge clk) begin
    if (rst) open <= '0;
    else open <= open + 16'(fresh) - 16'(m_rvalid && m_rready && m_rlast && known);
  end

  one_master : assert property (@(posedge clk) disable iff (rst) $onehot0(grant) && m_arvalid == (grant != '0));
  one_taker : assert property (@(posedge clk) disable iff (rst) $onehot0(s_rvalid));
  conserved : assert property (@(posedge clk) disable iff (rst) counted == open);
  for (genvar k = 0; k < N; k++) begin : g_limit
    in_limit : assert property (@(posedge clk) disable iff (rst) count[k] <= 8'(LIMIT));
  end

endmodule

bind axm_mux_read axm_mux_read_checks #(.N(N), .LIMIT(LIMIT)) u_checks (.*);
