// For tests: the wires of two AXI ports, between a master and a memory that the test attaches, and
// the sniffer on them. Slots: 0 reads of port 0, 1 writes of port 0, 2 and 3 those of port 1.
`include "axm_ports.svh"

module tb_sniffer #(
    parameter int unsigned DATA_W = 64,
    parameter int unsigned ADDR_W = 32,
    parameter int unsigned RECORDS = 64,
    parameter int unsigned COUNT_W = 32
) (
    `AXM_AXIL_SLAVE(s_axil_, 12, 32)
    input  logic        clk,
    input  logic        rst
);

  logic [3:0] addr_valid, addr_ready, data_valid, data_ready, data_last;
  logic [4*ADDR_W-1:0] addr_addr;
  logic [31:0] addr_len;

  for (genvar k = 0; k < 2; k++) begin : gen_port
    logic [7:0] axi_awid, axi_bid, axi_arid, axi_rid;
    logic [ADDR_W-1:0] axi_awaddr, axi_araddr;
    logic [7:0] axi_awlen, axi_arlen;
    logic [2:0] axi_awsize, axi_arsize, axi_awprot, axi_arprot;
    logic [1:0] axi_awburst, axi_arburst, axi_bresp, axi_rresp;
    logic axi_awlock, axi_arlock;
    logic [3:0] axi_awcache, axi_arcache;
    logic axi_awvalid, axi_awready, axi_wlast, axi_wvalid, axi_wready, axi_bvalid, axi_bready;
    logic axi_arvalid, axi_arready, axi_rlast, axi_rvalid, axi_rready;
    logic [DATA_W-1:0] axi_wdata, axi_rdata;
    logic [DATA_W/8-1:0] axi_wstrb;

    assign addr_valid[2*k+:2] = {axi_awvalid, axi_arvalid};
    assign addr_ready[2*k+:2] = {axi_awready, axi_arready};
    assign addr_addr[2*ADDR_W*k+:2*ADDR_W] = {axi_awaddr, axi_araddr};
    assign addr_len[16*k+:16] = {axi_awlen, axi_arlen};
    assign data_valid[2*k+:2] = {axi_wvalid, axi_rvalid};
    assign data_ready[2*k+:2] = {axi_wready, axi_rready};
    assign data_last[2*k+:2] = {axi_wlast, axi_rlast};
  end

  axm_sniffer #(
      .ADDR_W(ADDR_W), .RECORDS(RECORDS), .COUNT_W(COUNT_W)
  ) dut (
      .*
  );

endmodule
