// Test bench of axm_mux_block: gives each master signals of its own, g_master[k].s_axi_*, which cocotb's
// bus models need. Inputs have no driver here: the test drives them.
`include "axm_ports.svh"

module tb_mux #(
    parameter int unsigned N = 4,
    parameter int unsigned ADDR_W = 32,
    parameter int unsigned DATA_W = 64,
    parameter int unsigned ID_W = 4,
    parameter int unsigned USER_W = 1,
    parameter bit AXI3 = 1'b0,
    parameter bit REGISTERED = 1'b0,
    parameter int unsigned ORDER_DEPTH = 8,
    parameter int unsigned LIMIT = 64,
    parameter int unsigned TIMEOUT = 65536,
    localparam int unsigned M_ID_W = ID_W + $clog2(N)
) (
    `AXM_AXIL_SLAVE(s_axil_, 12, 32)
    `AXM_AXI_MASTER(m_axi_, M_ID_W, DATA_W)
    input logic clk,
    input logic rst
);

`define OUT(F, W) logic [N-1:0][W-1:0] s_axi_``F;
`define OUT1(F) logic [N-1:0] s_axi_``F;
`define IN(F, W) `OUT(F, W)
`define IN1(F) `OUT1(F)
`include "axm_each_pin.svh"

  for (genvar k = 0; k < N; k++) begin : g_master
`define OUT(F, W) logic [W-1:0] s_axi_``F; assign tb_mux.s_axi_``F[k] = s_axi_``F;
`define OUT1(F) logic s_axi_``F; assign tb_mux.s_axi_``F[k] = s_axi_``F;
`define IN(F, W) logic [W-1:0] s_axi_``F; assign s_axi_``F = tb_mux.s_axi_``F[k];
`define IN1(F) logic s_axi_``F; assign s_axi_``F = tb_mux.s_axi_``F[k];
`include "axm_each_pin.svh"
  end

  axm_mux_block #(
      .N(N), .ADDR_W(ADDR_W), .DATA_W(DATA_W), .ID_W(ID_W), .USER_W(USER_W), .AXI3(AXI3),
      .REGISTERED(REGISTERED), .ORDER_DEPTH(ORDER_DEPTH), .LIMIT(LIMIT), .TIMEOUT(TIMEOUT)
  ) u_mux (
      .*
  );

endmodule
