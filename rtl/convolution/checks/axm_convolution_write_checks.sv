// Assertions of axm_convolution_write: results are there before they are announced, beats are of bursts.
module axm_convolution_write_checks #(
    parameter bit [31:0] LANES = 1,
    parameter bit [31:0] BEATS = 256,
    parameter bit [31:0] OUTSTANDING = 64
) (
    input logic                         clk,
    input logic                         rst,
    input logic                         send,
    input logic                         advance,
    input logic                         to_send,
    input logic [                  7:0] beat,
    input logic [                  7:0] last_beat,
    input logic [                  6:0] limit,
    input logic [$clog2(OUTSTANDING):0] flying,
    input logic [$clog2(OUTSTANDING):0] waiting,
    input logic                         m_axi_awvalid,
    input logic                         m_axi_awready,
    input logic                         m_axi_wvalid,
    input logic                         m_axi_wready,
    input logic                         m_axi_wlast
);

  localparam bit [31:0] COUNT_W = $clog2(BEATS) + 1;

  in_limit : assert property (@(posedge clk) disable iff (rst) send |-> 7'(flying) < limit);
  beat_in_burst : assert property (@(posedge clk) disable iff (rst) beat <= last_beat);
  data_of_bursts : assert property (@(posedge clk) disable iff (rst) advance |-> waiting != '0);
  at_rest : assert property (@(posedge clk) disable iff (rst) !to_send |-> beat == '0);
  address_kept : assert property (@(posedge clk) disable iff (rst) m_axi_awvalid && !m_axi_awready |=> m_axi_awvalid);
  data_kept :
  assert property (@(posedge clk) disable iff (rst)
      m_axi_wvalid && !m_axi_wready |=> m_axi_wvalid && $stable(m_axi_wlast));
  for (genvar k = 0; k < LANES; k++) begin : g_lane
    in_places : assert property (@(posedge clk) disable iff (rst)
        32'(axm_convolution_write.there[COUNT_W*k+:COUNT_W]) <= BEATS);
  end

endmodule

bind axm_convolution_write axm_convolution_write_checks #(
    .LANES(LANES), .BEATS(BEATS), .OUTSTANDING(OUTSTANDING)
) u_checks (.*);
