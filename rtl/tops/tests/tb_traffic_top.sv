// Test bench of axm_traffic_top: gives each port signals of its own, g_port[p].m_axi_*, which cocotb's
// models need. Inputs have no driver here: the test drives them.
`include "axm_ports.svh"

module tb_traffic_top #(
    parameter int unsigned PORTS = 1,
    parameter int unsigned MASTERS = 1,
    parameter int unsigned DATA_W = 64,
    parameter int unsigned ADDR_W = 32,
    parameter int unsigned ID_W = 6,
    parameter int unsigned USER_W = 1,
    parameter bit AXI3 = 1,
    parameter bit REGISTERED = 0,
    parameter int unsigned CLOCK_HZ = 100_000_000,
    parameter int unsigned OUTSTANDING = 64,
    parameter int unsigned TIMEOUT = 65536,
    localparam int unsigned EACH = MASTERS > 1 ? MASTERS + 1 : 1,  // blocks of a port
    localparam int unsigned BLOCKS = 2 + EACH * PORTS + 1,
    localparam int unsigned LITE_W = BLOCKS > 16 ? 18 : 16
) (
    output logic irq,
    `AXM_AXIL_SLAVE(s_axil_, LITE_W, 32)
    input  logic clk,
    input  logic rst
);

`define OUT(F, W) logic [PORTS-1:0][W-1:0] m_axi_``F;
`define OUT1(F) logic [PORTS-1:0] m_axi_``F;
`define IN(F, W) `OUT(F, W)
`define IN1(F) `OUT1(F)
`include "axm_each_pin.svh"

  // What the top's master drives is read by the test.
  for (genvar p = 0; p < PORTS; p++) begin : g_port
`define OUT(F, W) logic [W-1:0] m_axi_``F; assign m_axi_``F = tb_traffic_top.m_axi_``F[p];
`define OUT1(F) logic m_axi_``F; assign m_axi_``F = tb_traffic_top.m_axi_``F[p];
`define IN(F, W) logic [W-1:0] m_axi_``F; assign tb_traffic_top.m_axi_``F[p] = m_axi_``F;
`define IN1(F) logic m_axi_``F; assign tb_traffic_top.m_axi_``F[p] = m_axi_``F;
`include "axm_each_pin.svh"
  end

  axm_traffic_top #(
      .PORTS(PORTS), .MASTERS(MASTERS), .DATA_W(DATA_W), .ADDR_W(ADDR_W), .ID_W(ID_W), .USER_W(USER_W),
      .AXI3(AXI3), .REGISTERED(REGISTERED), .CLOCK_HZ(CLOCK_HZ), .OUTSTANDING(OUTSTANDING),
      .TIMEOUT(TIMEOUT)
  ) u_top (
      .aclk(clk),
      .aresetn(!rst),
      .*
  );

endmodule
