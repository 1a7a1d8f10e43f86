// Simple AXI4-Lite master (block type 10), plain or improved.
//
// Purpose      The AXI-Lite master behind the PL ports in Melo and Valinoti 2018: IMPROVED = 0 waits for
//              each word's response, IMPROVED = 1 does not.
// Limits       One direction at a time; addresses aligned to the bus.
// Throughput   One word in 4 + L clocks in the plain form (L: clocks to the response), in 3 in the
//              improved one. See axm_master_engine.
// Latency      See axm_master_core.
// Area         32 bit, plain (improved): xc7 612 LUT, 514 FF (601, 521); Cyclone V 886 ALUT, 514 FF
//              (912, 562); area.toml.
module axm_master_lite #(
    parameter int unsigned ADDR_W = 32,
    parameter int unsigned DATA_W = 32,
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

    output logic [ADDR_W-1:0]           m_axil_awaddr,
    output logic [2:0]                  m_axil_awprot,
    output logic                        m_axil_awvalid,
    input  logic                        m_axil_awready,
    output logic [DATA_W-1:0]           m_axil_wdata,
    output logic [DATA_W/8-1:0]         m_axil_wstrb,
    output logic                        m_axil_wvalid,
    input  logic                        m_axil_wready,
    input  logic [1:0]                  m_axil_bresp,
    input  logic                        m_axil_bvalid,
    output logic                        m_axil_bready,
    output logic [ADDR_W-1:0]           m_axil_araddr,
    output logic [2:0]                  m_axil_arprot,
    output logic                        m_axil_arvalid,
    input  logic                        m_axil_arready,
    input  logic [DATA_W-1:0]           m_axil_rdata,
    input  logic [1:0]                  m_axil_rresp,
    input  logic                        m_axil_rvalid,
    output logic                        m_axil_rready
);

  logic [3:0] cache, qos;
  logic [2:0] prot;
  logic [7:0] awlen, arlen;
  logic wlast;

  // AXI4-Lite has none of these.
  wire unused = &{1'b0, cache, qos, awlen, arlen, wlast};

  assign m_axil_awprot = prot;
  assign m_axil_arprot = prot;
  assign m_axil_wstrb  = '1;

  axm_master_core #(
      .ADDR_W(ADDR_W),
      .DATA_W(DATA_W),
      .ID_W(1),
      .AXI3(1'b0),
      .FULL(1'b0),
      .IMPROVED(IMPROVED),
      .GAP(3),
      .OUTSTANDING(OUTSTANDING)
  ) u_core (
      .m_axi_awaddr(m_axil_awaddr),
      .m_axi_awlen(awlen),
      .m_axi_awvalid(m_axil_awvalid),
      .m_axi_awready(m_axil_awready),
      .m_axi_wdata(m_axil_wdata),
      .m_axi_wlast(wlast),
      .m_axi_wvalid(m_axil_wvalid),
      .m_axi_wready(m_axil_wready),
      .m_axi_bid(1'b0),
      .m_axi_bresp(m_axil_bresp),
      .m_axi_bvalid(m_axil_bvalid),
      .m_axi_bready(m_axil_bready),
      .m_axi_araddr(m_axil_araddr),
      .m_axi_arlen(arlen),
      .m_axi_arvalid(m_axil_arvalid),
      .m_axi_arready(m_axil_arready),
      .m_axi_rid(1'b0),
      .m_axi_rdata(m_axil_rdata),
      .m_axi_rresp(m_axil_rresp),
      .m_axi_rlast(1'b1),
      .m_axi_rvalid(m_axil_rvalid),
      .m_axi_rready(m_axil_rready),
      .clk, .rst, .s_axil_awaddr, .s_axil_awprot, .s_axil_awvalid, .s_axil_awready, .s_axil_wdata,
      .s_axil_wstrb, .s_axil_wvalid, .s_axil_wready, .s_axil_bresp, .s_axil_bvalid, .s_axil_bready,
      .s_axil_araddr, .s_axil_arprot, .s_axil_arvalid, .s_axil_arready, .s_axil_rdata,
      .s_axil_rresp, .s_axil_rvalid, .s_axil_rready, .busy, .cache, .prot, .qos
  );

endmodule
