// Simple AXI4-Lite master (block type 10), plain or improved.
//
// Purpose      The AXI-Lite master behind the PL ports in Melo and Valinoti 2018: IMPROVED = 0 waits for
//              each word's response, IMPROVED = 1 does not.
// Limits       One direction at a time; addresses aligned to the bus.
// Throughput   One word in 4 + L clocks in the plain form (L: clocks to the response), in 3 in the
//              improved one. See axm_master_engine.
// Latency      See axm_master_core.
// Area         32 bit, plain (improved): xc7 605 LUT, 517 FF (623, 524); Cyclone V 898 ALUT, 559 FF
//              (951, 570); area.toml.
`include "axm_ports.svh"

module axm_master_lite #(
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] DATA_W = 32,
    parameter bit IMPROVED = 1'b0,
    parameter bit [31:0] OUTSTANDING = 16
) (
    `AXM_AXIL_SLAVE(s_axil_, 12, 32)
    output logic              busy,
    `AXM_AXIL_MASTER(m_axil_, ADDR_W, DATA_W)
    input logic clk,
    input logic rst
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
      .ADDR_W(ADDR_W), .DATA_W(DATA_W), .ID_W(1), .AXI3(1'b0), .FULL(1'b0), .IMPROVED(IMPROVED), .GAP(3),
      .OUTSTANDING(OUTSTANDING)
  ) u_core (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      .m_axi_awaddr(m_axil_awaddr), .m_axi_awlen(awlen), .m_axi_awvalid(m_axil_awvalid),
      .m_axi_awready(m_axil_awready), .m_axi_wdata(m_axil_wdata), .m_axi_wlast(wlast),
      .m_axi_wvalid(m_axil_wvalid), .m_axi_wready(m_axil_wready), .m_axi_bid(1'b0),
      .m_axi_bresp(m_axil_bresp), .m_axi_bvalid(m_axil_bvalid), .m_axi_bready(m_axil_bready),
      .m_axi_araddr(m_axil_araddr), .m_axi_arlen(arlen), .m_axi_arvalid(m_axil_arvalid),
      .m_axi_arready(m_axil_arready), .m_axi_rid(1'b0), .m_axi_rdata(m_axil_rdata),
      .m_axi_rresp(m_axil_rresp), .m_axi_rlast(1'b1), .m_axi_rvalid(m_axil_rvalid),
      .m_axi_rready(m_axil_rready), .clk, .rst, .busy, .cache, .prot, .qos
  );

endmodule
