// Assertions of axm_convolution_read: places of a buffer are reserved and given back whole, beats are of bursts.
module axm_convolution_read_checks #(
    parameter bit [31:0] STREAMS = 2,
    parameter bit [31:0] BEATS = 256,
    parameter bit [31:0] OUTSTANDING = 64
) (
    input logic                       clk,
    input logic                       rst,
    input logic                       send,
    input logic                       known,
    input logic                       moved,
    input logic                       idle,
    input logic                       m_axi_arvalid,
    input logic                       m_axi_arready,
    input logic [                7:0] beat,
    input logic [                7:0] last_beat,
    input logic [                6:0] limit,
    input logic [$clog2(OUTSTANDING):0] flying
);

  localparam bit [31:0] COUNT_W = $clog2(BEATS) + 1;

  in_limit : assert property (@(posedge clk) disable iff (rst) send |-> 7'(flying) < limit);
  beat_in_burst : assert property (@(posedge clk) disable iff (rst) beat <= last_beat);
  moves_when_asked : assert property (@(posedge clk) disable iff (rst) moved |-> flying != '0);
  at_rest : assert property (@(posedge clk) disable iff (rst) idle |-> beat == '0 && flying == '0);
  address_kept : assert property (@(posedge clk) disable iff (rst) m_axi_arvalid && !m_axi_arready |=> m_axi_arvalid);
  for (genvar s = 0; s < STREAMS; s++) begin : g_stream
    in_places : assert property (@(posedge clk) disable iff (rst)
        32'(axm_convolution_read.free[COUNT_W*s+:COUNT_W]) <= BEATS);
  end

endmodule

bind axm_convolution_read axm_convolution_read_checks #(
    .STREAMS(STREAMS), .BEATS(BEATS), .OUTSTANDING(OUTSTANDING)
) u_checks (.*);
