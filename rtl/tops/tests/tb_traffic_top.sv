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
    localparam int unsigned BYTES = DATA_W / 8,
    localparam int unsigned EACH = MASTERS > 1 ? MASTERS + 1 : 1,  // blocks of a port
    localparam int unsigned BLOCKS = 2 + EACH * PORTS + 1,
    localparam int unsigned LITE_W = BLOCKS > 16 ? 18 : 16
) (
    output logic irq,
    `AXM_AXIL_SLAVE(s_axil_, LITE_W, 32)
    input  logic clk,
    input  logic rst
);

  logic [PORTS*ID_W-1:0] m_axi_awid;
  logic [PORTS*ADDR_W-1:0] m_axi_awaddr;
  logic [PORTS*8-1:0] m_axi_awlen;
  logic [PORTS*3-1:0] m_axi_awsize;
  logic [PORTS*2-1:0] m_axi_awburst;
  logic [PORTS*2-1:0] m_axi_awlock;
  logic [PORTS*4-1:0] m_axi_awcache;
  logic [PORTS*3-1:0] m_axi_awprot;
  logic [PORTS*4-1:0] m_axi_awqos;
  logic [PORTS*USER_W-1:0] m_axi_awuser;
  logic [PORTS-1:0] m_axi_awvalid;
  logic [PORTS-1:0] m_axi_awready;
  logic [PORTS*ID_W-1:0] m_axi_wid;
  logic [PORTS*DATA_W-1:0] m_axi_wdata;
  logic [PORTS*BYTES-1:0] m_axi_wstrb;
  logic [PORTS-1:0] m_axi_wlast;
  logic [PORTS-1:0] m_axi_wvalid;
  logic [PORTS-1:0] m_axi_wready;
  logic [PORTS*ID_W-1:0] m_axi_bid;
  logic [PORTS*2-1:0] m_axi_bresp;
  logic [PORTS-1:0] m_axi_bvalid;
  logic [PORTS-1:0] m_axi_bready;
  logic [PORTS*ID_W-1:0] m_axi_arid;
  logic [PORTS*ADDR_W-1:0] m_axi_araddr;
  logic [PORTS*8-1:0] m_axi_arlen;
  logic [PORTS*3-1:0] m_axi_arsize;
  logic [PORTS*2-1:0] m_axi_arburst;
  logic [PORTS*2-1:0] m_axi_arlock;
  logic [PORTS*4-1:0] m_axi_arcache;
  logic [PORTS*3-1:0] m_axi_arprot;
  logic [PORTS*4-1:0] m_axi_arqos;
  logic [PORTS*USER_W-1:0] m_axi_aruser;
  logic [PORTS-1:0] m_axi_arvalid;
  logic [PORTS-1:0] m_axi_arready;
  logic [PORTS*ID_W-1:0] m_axi_rid;
  logic [PORTS*DATA_W-1:0] m_axi_rdata;
  logic [PORTS*2-1:0] m_axi_rresp;
  logic [PORTS-1:0] m_axi_rlast;
  logic [PORTS-1:0] m_axi_rvalid;
  logic [PORTS-1:0] m_axi_rready;

  for (genvar p = 0; p < PORTS; p++) begin : g_port
    logic [ID_W-1:0] m_axi_awid;
    logic [ADDR_W-1:0] m_axi_awaddr;
    logic [8-1:0] m_axi_awlen;
    logic [3-1:0] m_axi_awsize;
    logic [2-1:0] m_axi_awburst;
    logic [2-1:0] m_axi_awlock;
    logic [4-1:0] m_axi_awcache;
    logic [3-1:0] m_axi_awprot;
    logic [4-1:0] m_axi_awqos;
    logic [USER_W-1:0] m_axi_awuser;
    logic m_axi_awvalid;
    logic m_axi_awready;
    logic [ID_W-1:0] m_axi_wid;
    logic [DATA_W-1:0] m_axi_wdata;
    logic [BYTES-1:0] m_axi_wstrb;
    logic m_axi_wlast;
    logic m_axi_wvalid;
    logic m_axi_wready;
    logic [ID_W-1:0] m_axi_bid;
    logic [2-1:0] m_axi_bresp;
    logic m_axi_bvalid;
    logic m_axi_bready;
    logic [ID_W-1:0] m_axi_arid;
    logic [ADDR_W-1:0] m_axi_araddr;
    logic [8-1:0] m_axi_arlen;
    logic [3-1:0] m_axi_arsize;
    logic [2-1:0] m_axi_arburst;
    logic [2-1:0] m_axi_arlock;
    logic [4-1:0] m_axi_arcache;
    logic [3-1:0] m_axi_arprot;
    logic [4-1:0] m_axi_arqos;
    logic [USER_W-1:0] m_axi_aruser;
    logic m_axi_arvalid;
    logic m_axi_arready;
    logic [ID_W-1:0] m_axi_rid;
    logic [DATA_W-1:0] m_axi_rdata;
    logic [2-1:0] m_axi_rresp;
    logic m_axi_rlast;
    logic m_axi_rvalid;
    logic m_axi_rready;

    assign m_axi_awid = tb_traffic_top.m_axi_awid[ID_W*p+:ID_W];
    assign m_axi_awaddr = tb_traffic_top.m_axi_awaddr[ADDR_W*p+:ADDR_W];
    assign m_axi_awlen = tb_traffic_top.m_axi_awlen[8*p+:8];
    assign m_axi_awsize = tb_traffic_top.m_axi_awsize[3*p+:3];
    assign m_axi_awburst = tb_traffic_top.m_axi_awburst[2*p+:2];
    assign m_axi_awlock = tb_traffic_top.m_axi_awlock[2*p+:2];
    assign m_axi_awcache = tb_traffic_top.m_axi_awcache[4*p+:4];
    assign m_axi_awprot = tb_traffic_top.m_axi_awprot[3*p+:3];
    assign m_axi_awqos = tb_traffic_top.m_axi_awqos[4*p+:4];
    assign m_axi_awuser = tb_traffic_top.m_axi_awuser[USER_W*p+:USER_W];
    assign m_axi_awvalid = tb_traffic_top.m_axi_awvalid[p];
    assign tb_traffic_top.m_axi_awready[p] = m_axi_awready;
    assign m_axi_wid = tb_traffic_top.m_axi_wid[ID_W*p+:ID_W];
    assign m_axi_wdata = tb_traffic_top.m_axi_wdata[DATA_W*p+:DATA_W];
    assign m_axi_wstrb = tb_traffic_top.m_axi_wstrb[BYTES*p+:BYTES];
    assign m_axi_wlast = tb_traffic_top.m_axi_wlast[p];
    assign m_axi_wvalid = tb_traffic_top.m_axi_wvalid[p];
    assign tb_traffic_top.m_axi_wready[p] = m_axi_wready;
    assign tb_traffic_top.m_axi_bid[ID_W*p+:ID_W] = m_axi_bid;
    assign tb_traffic_top.m_axi_bresp[2*p+:2] = m_axi_bresp;
    assign tb_traffic_top.m_axi_bvalid[p] = m_axi_bvalid;
    assign m_axi_bready = tb_traffic_top.m_axi_bready[p];
    assign m_axi_arid = tb_traffic_top.m_axi_arid[ID_W*p+:ID_W];
    assign m_axi_araddr = tb_traffic_top.m_axi_araddr[ADDR_W*p+:ADDR_W];
    assign m_axi_arlen = tb_traffic_top.m_axi_arlen[8*p+:8];
    assign m_axi_arsize = tb_traffic_top.m_axi_arsize[3*p+:3];
    assign m_axi_arburst = tb_traffic_top.m_axi_arburst[2*p+:2];
    assign m_axi_arlock = tb_traffic_top.m_axi_arlock[2*p+:2];
    assign m_axi_arcache = tb_traffic_top.m_axi_arcache[4*p+:4];
    assign m_axi_arprot = tb_traffic_top.m_axi_arprot[3*p+:3];
    assign m_axi_arqos = tb_traffic_top.m_axi_arqos[4*p+:4];
    assign m_axi_aruser = tb_traffic_top.m_axi_aruser[USER_W*p+:USER_W];
    assign m_axi_arvalid = tb_traffic_top.m_axi_arvalid[p];
    assign tb_traffic_top.m_axi_arready[p] = m_axi_arready;
    assign tb_traffic_top.m_axi_rid[ID_W*p+:ID_W] = m_axi_rid;
    assign tb_traffic_top.m_axi_rdata[DATA_W*p+:DATA_W] = m_axi_rdata;
    assign tb_traffic_top.m_axi_rresp[2*p+:2] = m_axi_rresp;
    assign tb_traffic_top.m_axi_rlast[p] = m_axi_rlast;
    assign tb_traffic_top.m_axi_rvalid[p] = m_axi_rvalid;
    assign m_axi_rready = tb_traffic_top.m_axi_rready[p];
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
