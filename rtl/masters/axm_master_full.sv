// Simple AXI master with bursts (block type 10), plain or improved.
//
// Purpose      The AXI-Full master behind the PL ports in Melo and Valinoti 2018: IMPROVED = 0 waits for
//              each burst's response, IMPROVED = 1 does not.
// Limits       One direction at a time, one ID (0), addresses aligned to the bus; AXI3 = 1: 16 beats.
// Throughput   1 clock between the data of a burst. Between bursts 4 + L in the plain form (L: clocks to
//              the response, or to the first beat of a read) and 4 in the improved one (a write);
//              improved reads have none. See axm_master_engine.
// Latency      See axm_master_core.
// Area         32 bit, plain (improved): xc7 652 LUT, 514 FF (652, 521); Cyclone V 981 ALUT, 514 FF
//              (1045, 562); area.toml.
module axm_master_full #(
    parameter int unsigned ADDR_W = 32,
    parameter int unsigned DATA_W = 32,
    parameter int unsigned ID_W = 1,
    parameter int unsigned USER_W = 1,
    parameter bit AXI3 = 1'b0,
    parameter bit IMPROVED = 1'b0,
    parameter int unsigned OUTSTANDING = 16
) (
    input logic clk,
    input logic rst,

    input  logic [11:0] s_axil_awaddr,
    input  logic [ 2:0] s_axil_awprot,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [ 1:0] s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic [11:0] s_axil_araddr,
    input  logic [ 2:0] s_axil_arprot,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,

    output logic              busy,

    output logic [ID_W-1:0]           m_axi_awid,
    output logic [ADDR_W-1:0]           m_axi_awaddr,
    output logic [7:0]                  m_axi_awlen,
    output logic [2:0]                  m_axi_awsize,
    output logic [1:0]                  m_axi_awburst,
    output logic [1:0]                  m_axi_awlock,
    output logic [3:0]                  m_axi_awcache,
    output logic [2:0]                  m_axi_awprot,
    output logic [3:0]                  m_axi_awqos,
    output logic [USER_W-1:0]           m_axi_awuser,
    output logic                        m_axi_awvalid,
    input  logic                        m_axi_awready,
    output logic [ID_W-1:0]           m_axi_wid,
    output logic [DATA_W-1:0]           m_axi_wdata,
    output logic [DATA_W/8-1:0]         m_axi_wstrb,
    output logic                        m_axi_wlast,
    output logic                        m_axi_wvalid,
    input  logic                        m_axi_wready,
    input  logic [ID_W-1:0]           m_axi_bid,
    input  logic [1:0]                  m_axi_bresp,
    input  logic                        m_axi_bvalid,
    output logic                        m_axi_bready,
    output logic [ID_W-1:0]           m_axi_arid,
    output logic [ADDR_W-1:0]           m_axi_araddr,
    output logic [7:0]                  m_axi_arlen,
    output logic [2:0]                  m_axi_arsize,
    output logic [1:0]                  m_axi_arburst,
    output logic [1:0]                  m_axi_arlock,
    output logic [3:0]                  m_axi_arcache,
    output logic [2:0]                  m_axi_arprot,
    output logic [3:0]                  m_axi_arqos,
    output logic [USER_W-1:0]           m_axi_aruser,
    output logic                        m_axi_arvalid,
    input  logic                        m_axi_arready,
    input  logic [ID_W-1:0]           m_axi_rid,
    input  logic [DATA_W-1:0]           m_axi_rdata,
    input  logic [1:0]                  m_axi_rresp,
    input  logic                        m_axi_rlast,
    input  logic                        m_axi_rvalid,
    output logic                        m_axi_rready
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
      .ADDR_W(ADDR_W),
      .DATA_W(DATA_W),
      .ID_W(ID_W),
      .AXI3(AXI3),
      .FULL(1'b1),
      .IMPROVED(IMPROVED),
      .GAP(4),
      .OUTSTANDING(OUTSTANDING)
  ) u_core (
      .clk, .rst, .s_axil_awaddr, .s_axil_awprot, .s_axil_awvalid, .s_axil_awready, .s_axil_wdata,
      .s_axil_wstrb, .s_axil_wvalid, .s_axil_wready, .s_axil_bresp, .s_axil_bvalid, .s_axil_bready,
      .s_axil_araddr, .s_axil_arprot, .s_axil_arvalid, .s_axil_arready, .s_axil_rdata,
      .s_axil_rresp, .s_axil_rvalid, .s_axil_rready, .busy, .cache, .prot, .qos, .m_axi_awaddr,
      .m_axi_awlen, .m_axi_awvalid, .m_axi_awready, .m_axi_wdata, .m_axi_wlast, .m_axi_wvalid,
      .m_axi_wready, .m_axi_bid, .m_axi_bresp, .m_axi_bvalid, .m_axi_bready, .m_axi_araddr,
      .m_axi_arlen, .m_axi_arvalid, .m_axi_arready, .m_axi_rid, .m_axi_rdata, .m_axi_rresp,
      .m_axi_rlast, .m_axi_rvalid, .m_axi_rready
  );

endmodule
