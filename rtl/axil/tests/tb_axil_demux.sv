// For tests: the demultiplexer with three windows, the ports of each with names of their own.
`include "axm_ports.svh"

module tb_axil_demux #(
    parameter int unsigned TIMEOUT = 64
) (
    output logic [ 2:0] dead,
    `AXM_AXIL_SLAVE(s_axil_, 16, 32)
    input  logic        clk,
    input  logic        rst
);

  logic [11:0] m_axil_awaddr, m_axil_araddr;
  logic [2:0] m_axil_awprot, m_axil_arprot;
  logic [31:0] m_axil_wdata;
  logic [3:0] m_axil_wstrb;
  logic [2:0] m_axil_awvalid, m_axil_awready, m_axil_wvalid, m_axil_wready;
  logic [2:0] m_axil_bvalid, m_axil_bready, m_axil_arvalid, m_axil_arready;
  logic [2:0] m_axil_rvalid, m_axil_rready;
  logic [5:0] m_axil_bresp, m_axil_rresp;
  logic [95:0] m_axil_rdata;

  axm_axil_demux #(
      .N(3), .ADDR_W(16), .TIMEOUT(TIMEOUT)
  ) dut (
      .*
  );

  for (genvar k = 0; k < 3; k++) begin : gen_window
    logic [11:0] axil_awaddr, axil_araddr;
    logic [2:0] axil_awprot, axil_arprot;
    logic [31:0] axil_wdata, axil_rdata;
    logic [3:0] axil_wstrb;
    logic [1:0] axil_bresp, axil_rresp;
    logic axil_awvalid, axil_awready, axil_wvalid, axil_wready, axil_bvalid, axil_bready;
    logic axil_arvalid, axil_arready, axil_rvalid, axil_rready;
    assign axil_awaddr = m_axil_awaddr;
    assign axil_araddr = m_axil_araddr;
    assign axil_awprot = m_axil_awprot;
    assign axil_arprot = m_axil_arprot;
    assign axil_wdata = m_axil_wdata;
    assign axil_wstrb = m_axil_wstrb;
    assign axil_awvalid = m_axil_awvalid[k];
    assign axil_wvalid = m_axil_wvalid[k];
    assign axil_bready = m_axil_bready[k];
    assign axil_arvalid = m_axil_arvalid[k];
    assign axil_rready = m_axil_rready[k];
    assign m_axil_awready[k] = axil_awready;
    assign m_axil_wready[k] = axil_wready;
    assign m_axil_bresp[2*k+:2] = axil_bresp;
    assign m_axil_bvalid[k] = axil_bvalid;
    assign m_axil_arready[k] = axil_arready;
    assign m_axil_rdata[32*k+:32] = axil_rdata;
    assign m_axil_rresp[2*k+:2] = axil_rresp;
    assign m_axil_rvalid[k] = axil_rvalid;
  end

endmodule
