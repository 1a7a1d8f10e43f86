// Simple AXI master with bursts (block type 10), plain or improved.
//
// Purpose      The AXI-Full master behind the PL ports in Melo and Valinoti 2018: IMPROVED = 0 waits for
//              each burst's response, IMPROVED = 1 does not.
// Limits       One direction at a time, one ID (0), addresses aligned to the bus; AXI3 = 1: 16 beats.
// Throughput   1 clock between the data of a burst. Between bursts 4 + L in the plain form (L: clocks to
//              the response, or to the first beat of a read) and 4 in the improved one (a write);
//              improved reads have none. See axm_master_engine.
// Latency      See axm_master_core.
// Area         32 bit, plain (improved): xc7 649 LUT, 517 FF (653, 524); Cyclone V 1024 ALUT, 559 FF
//              (1046, 570); area.toml.
`include "axm_ports.svh"

module axm_master_full #(
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] DATA_W = 32,
    parameter bit [31:0] ID_W = 1,
    parameter bit [31:0] USER_W = 1,
    parameter bit AXI3 = 1'b0,
    parameter bit IMPROVED = 1'b0,
    parameter bit [31:0] OUTSTANDING = 16
) (
    `AXM_AXIL_SLAVE(s_axil_, 12, 32)
    output logic              busy,
    `AXM_AXI_MASTER(m_axi_, ID_W, DATA_W)
    input logic clk,
    input logic rst
);

  generate
  if (USER_W < 1) begin : g_check_user
    axm_error_USER_W_must_be_at_least_1 u_error ();
  end
  endgenerate

  logic [3:0] cache, qos;
  logic [2:0] prot;

  localparam logic [2:0] SIZE = 3'($clog2(DATA_W / 8));

  assign m_axi_awid = '0;
  assign m_axi_awsize = SIZE;
  assign m_axi_awburst = 2'b01;
  assign m_axi_awlock = '0;
  assign m_axi_awcache = cache;
  assign m_axi_awprot = prot;
  assign m_axi_awqos = qos;
  assign m_axi_awuser = '0;
  assign m_axi_wid = '0;
  assign m_axi_wstrb = '1;
  assign m_axi_arid = '0;
  assign m_axi_arsize = SIZE;
  assign m_axi_arburst = 2'b01;
  assign m_axi_arlock = '0;
  assign m_axi_arcache = cache;
  assign m_axi_arprot = prot;
  assign m_axi_arqos = qos;
  assign m_axi_aruser = '0;

  axm_master_core #(
      .ADDR_W(ADDR_W), .DATA_W(DATA_W), .ID_W(ID_W), .AXI3(AXI3), .FULL(1'b1), .IMPROVED(IMPROVED),
      .GAP(4), .OUTSTANDING(OUTSTANDING)
  ) u_core (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      `AXM_AXI_CORE_WRITE_LINK(m_axi_, m_axi_),
      `AXM_AXI_CORE_READ_LINK(m_axi_, m_axi_),
      .clk, .rst, .busy, .cache, .prot, .qos
  );

endmodule
