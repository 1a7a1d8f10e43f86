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

  logic [N-1:0][ID_W-1:0] s_axi_awid;
  logic [N-1:0][ADDR_W-1:0] s_axi_awaddr;
  logic [N-1:0][7:0] s_axi_awlen;
  logic [N-1:0][2:0] s_axi_awsize;
  logic [N-1:0][1:0] s_axi_awburst;
  logic [N-1:0][1:0] s_axi_awlock;
  logic [N-1:0][3:0] s_axi_awcache;
  logic [N-1:0][2:0] s_axi_awprot;
  logic [N-1:0][3:0] s_axi_awqos;
  logic [N-1:0][USER_W-1:0] s_axi_awuser;
  logic [N-1:0] s_axi_awvalid;
  logic [N-1:0] s_axi_awready;
  logic [N-1:0][ID_W-1:0] s_axi_wid;
  logic [N-1:0][DATA_W-1:0] s_axi_wdata;
  logic [N-1:0][DATA_W/8-1:0] s_axi_wstrb;
  logic [N-1:0] s_axi_wlast;
  logic [N-1:0] s_axi_wvalid;
  logic [N-1:0] s_axi_wready;
  logic [N-1:0][ID_W-1:0] s_axi_bid;
  logic [N-1:0][1:0] s_axi_bresp;
  logic [N-1:0] s_axi_bvalid;
  logic [N-1:0] s_axi_bready;
  logic [N-1:0][ID_W-1:0] s_axi_arid;
  logic [N-1:0][ADDR_W-1:0] s_axi_araddr;
  logic [N-1:0][7:0] s_axi_arlen;
  logic [N-1:0][2:0] s_axi_arsize;
  logic [N-1:0][1:0] s_axi_arburst;
  logic [N-1:0][1:0] s_axi_arlock;
  logic [N-1:0][3:0] s_axi_arcache;
  logic [N-1:0][2:0] s_axi_arprot;
  logic [N-1:0][3:0] s_axi_arqos;
  logic [N-1:0][USER_W-1:0] s_axi_aruser;
  logic [N-1:0] s_axi_arvalid;
  logic [N-1:0] s_axi_arready;
  logic [N-1:0][ID_W-1:0] s_axi_rid;
  logic [N-1:0][DATA_W-1:0] s_axi_rdata;
  logic [N-1:0][1:0] s_axi_rresp;
  logic [N-1:0] s_axi_rlast;
  logic [N-1:0] s_axi_rvalid;
  logic [N-1:0] s_axi_rready;

  for (genvar k = 0; k < N; k++) begin : g_master
    logic [ID_W-1:0] s_axi_awid;
    logic [ADDR_W-1:0] s_axi_awaddr;
    logic [7:0] s_axi_awlen;
    logic [2:0] s_axi_awsize;
    logic [1:0] s_axi_awburst;
    logic [1:0] s_axi_awlock;
    logic [3:0] s_axi_awcache;
    logic [2:0] s_axi_awprot;
    logic [3:0] s_axi_awqos;
    logic [USER_W-1:0] s_axi_awuser;
    logic s_axi_awvalid;
    logic s_axi_awready;
    logic [ID_W-1:0] s_axi_wid;
    logic [DATA_W-1:0] s_axi_wdata;
    logic [DATA_W/8-1:0] s_axi_wstrb;
    logic s_axi_wlast;
    logic s_axi_wvalid;
    logic s_axi_wready;
    logic [ID_W-1:0] s_axi_bid;
    logic [1:0] s_axi_bresp;
    logic s_axi_bvalid;
    logic s_axi_bready;
    logic [ID_W-1:0] s_axi_arid;
    logic [ADDR_W-1:0] s_axi_araddr;
    logic [7:0] s_axi_arlen;
    logic [2:0] s_axi_arsize;
    logic [1:0] s_axi_arburst;
    logic [1:0] s_axi_arlock;
    logic [3:0] s_axi_arcache;
    logic [2:0] s_axi_arprot;
    logic [3:0] s_axi_arqos;
    logic [USER_W-1:0] s_axi_aruser;
    logic s_axi_arvalid;
    logic s_axi_arready;
    logic [ID_W-1:0] s_axi_rid;
    logic [DATA_W-1:0] s_axi_rdata;
    logic [1:0] s_axi_rresp;
    logic s_axi_rlast;
    logic s_axi_rvalid;
    logic s_axi_rready;

    assign tb_mux.s_axi_awid[k] = s_axi_awid;
    assign tb_mux.s_axi_awaddr[k] = s_axi_awaddr;
    assign tb_mux.s_axi_awlen[k] = s_axi_awlen;
    assign tb_mux.s_axi_awsize[k] = s_axi_awsize;
    assign tb_mux.s_axi_awburst[k] = s_axi_awburst;
    assign tb_mux.s_axi_awlock[k] = s_axi_awlock;
    assign tb_mux.s_axi_awcache[k] = s_axi_awcache;
    assign tb_mux.s_axi_awprot[k] = s_axi_awprot;
    assign tb_mux.s_axi_awqos[k] = s_axi_awqos;
    assign tb_mux.s_axi_awuser[k] = s_axi_awuser;
    assign tb_mux.s_axi_awvalid[k] = s_axi_awvalid;
    assign s_axi_awready = tb_mux.s_axi_awready[k];
    assign tb_mux.s_axi_wid[k] = s_axi_wid;
    assign tb_mux.s_axi_wdata[k] = s_axi_wdata;
    assign tb_mux.s_axi_wstrb[k] = s_axi_wstrb;
    assign tb_mux.s_axi_wlast[k] = s_axi_wlast;
    assign tb_mux.s_axi_wvalid[k] = s_axi_wvalid;
    assign s_axi_wready = tb_mux.s_axi_wready[k];
    assign s_axi_bid = tb_mux.s_axi_bid[k];
    assign s_axi_bresp = tb_mux.s_axi_bresp[k];
    assign s_axi_bvalid = tb_mux.s_axi_bvalid[k];
    assign tb_mux.s_axi_bready[k] = s_axi_bready;
    assign tb_mux.s_axi_arid[k] = s_axi_arid;
    assign tb_mux.s_axi_araddr[k] = s_axi_araddr;
    assign tb_mux.s_axi_arlen[k] = s_axi_arlen;
    assign tb_mux.s_axi_arsize[k] = s_axi_arsize;
    assign tb_mux.s_axi_arburst[k] = s_axi_arburst;
    assign tb_mux.s_axi_arlock[k] = s_axi_arlock;
    assign tb_mux.s_axi_arcache[k] = s_axi_arcache;
    assign tb_mux.s_axi_arprot[k] = s_axi_arprot;
    assign tb_mux.s_axi_arqos[k] = s_axi_arqos;
    assign tb_mux.s_axi_aruser[k] = s_axi_aruser;
    assign tb_mux.s_axi_arvalid[k] = s_axi_arvalid;
    assign s_axi_arready = tb_mux.s_axi_arready[k];
    assign s_axi_rid = tb_mux.s_axi_rid[k];
    assign s_axi_rdata = tb_mux.s_axi_rdata[k];
    assign s_axi_rresp = tb_mux.s_axi_rresp[k];
    assign s_axi_rlast = tb_mux.s_axi_rlast[k];
    assign s_axi_rvalid = tb_mux.s_axi_rvalid[k];
    assign tb_mux.s_axi_rready[k] = s_axi_rready;
  end

  axm_mux_block #(
      .N(N), .ADDR_W(ADDR_W), .DATA_W(DATA_W), .ID_W(ID_W), .USER_W(USER_W), .AXI3(AXI3),
      .REGISTERED(REGISTERED), .ORDER_DEPTH(ORDER_DEPTH), .LIMIT(LIMIT), .TIMEOUT(TIMEOUT)
  ) u_mux (
      .*
  );

endmodule
