// Test only: the traffic generator before a memory without delays, so that long runs simulate fast.
// Reads answer from the clock after their address on, with the data that a write would have left;
// what is written is compared with the same function. The slave counts both.
`include "axm_ports.svh"

module ideal_slave #(
    parameter int unsigned ADDR_W = 40,
    parameter int unsigned DATA_W = 64
) (
    input  logic [31:0] seed,
    output logic [31:0] read_beats,
    output logic [31:0] write_beats,
    output logic [31:0] wrong,
    `AXM_AXIL_SLAVE(s_axil_, 12, 32)
    input  logic        clk,
    input  logic        rst
);

  logic [ADDR_W-1:0] awaddr, araddr;
  logic awvalid, wvalid, wlast, arvalid, rvalid, rlast, bvalid;
  logic [7:0] arlen, awlen;
  logic [DATA_W-1:0] wdata, rdata;

  axm_traffic #(
      .ADDR_W(ADDR_W), .DATA_W(DATA_W)
  ) generator (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      .clk, .rst, .start(1'b0), .busy(), .m_axi_awid(), .m_axi_awaddr(awaddr), .m_axi_awlen(awlen),
      .m_axi_awsize(), .m_axi_awburst(), .m_axi_awlock(), .m_axi_awcache(), .m_axi_awprot(),
      .m_axi_awqos(), .m_axi_awuser(), .m_axi_awvalid(awvalid), .m_axi_awready(1'b1), .m_axi_wid(),
      .m_axi_wdata(wdata), .m_axi_wstrb(), .m_axi_wlast(wlast), .m_axi_wvalid(wvalid),
      .m_axi_wready(1'b1), .m_axi_bid('0), .m_axi_bresp(2'b00), .m_axi_bvalid(bvalid), .m_axi_bready(),
      .m_axi_arid(), .m_axi_araddr(araddr), .m_axi_arlen(arlen), .m_axi_arsize(), .m_axi_arburst(),
      .m_axi_arlock(), .m_axi_arcache(), .m_axi_arprot(), .m_axi_arqos(), .m_axi_aruser(),
      .m_axi_arvalid(arvalid), .m_axi_arready(!busy || rlast), .m_axi_rid('0), .m_axi_rdata(rdata),
      .m_axi_rresp(2'b00), .m_axi_rlast(rlast), .m_axi_rvalid(rvalid), .m_axi_rready()
  );

  // The function is written down a second time on purpose.
  function automatic logic [DATA_W-1:0] content(input logic [31:0] address);
    for (int unsigned k = 0; k < DATA_W / 32; k++) begin
      logic [31:0] a;
      a = address + 4 * k;
      content[k*32+:32] = {a[31:16] ^ a[15:0], a[15:0]} ^ seed;
    end
  endfunction

  // Reads: one burst at a time, the next one's address with the last beat of this one.
  logic busy;
  logic [31:0] read_address, write_address;
  logic [7:0] left;
  assign rvalid = busy;
  assign rlast = left == '0;
  assign rdata = content(read_address);
  always_ff @(posedge clk) begin
    if (arvalid && (!busy || rlast)) begin
      busy <= 1'b1;
      read_address <= araddr[31:0];
      left <= arlen;
    end else if (busy) begin
      busy <= !rlast;
      read_address <= read_address + DATA_W / 8;
      left <= left - 1'b1;
    end
    if (busy) read_beats <= read_beats + 1'b1;

    // Writes: the address comes with the first beat.
    bvalid <= wvalid && wlast;
    if (wvalid) begin
      write_address <= (awvalid ? awaddr[31:0] : write_address) + DATA_W / 8;
      write_beats <= write_beats + 1'b1;
      if (wdata != content(awvalid ? awaddr[31:0] : write_address)) wrong <= wrong + 1'b1;
    end
    if (rst) begin
      busy <= 1'b0;
      bvalid <= 1'b0;
      read_beats <= '0;
      write_beats <= '0;
      wrong <= '0;
    end
  end

  wire unused = ^awlen;

endmodule
