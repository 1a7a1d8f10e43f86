// The system of the DMA measurements: PORTS ports, each with DMA engine, stream block and monitor.
//
// Purpose      Vieira's systems: duplex (MODE 0), PS to PL (1), PL to PS (2), on 1 to 4 ports. What is
//              on a board and what the co-simulation runs is this same module.
//              Blocks: 0 identification, 1 counter; of port p 2 + 3p DMA engine, 3 + 3p stream block,
//              4 + 3p monitor; last, a sniffer: in duplex slot 2p sees the reads and 2p + 1 the writes
//              of port p, otherwise slot p the one direction that there is.
// Limits       PORTS 1 to 4. All ports have one width and one clock.
// Throughput   One beat a clock, port and direction.
// Latency      Two clocks from the clock in which a register write that starts an engine is offered to its
//              first address (one for the demultiplexer, one for the register block).
// Area         The sum of its blocks (docs/area.md).
module axm_dma_top #(
    parameter int unsigned PORTS = 1,
    parameter int unsigned MODE = 0,
    parameter int unsigned DATA_W = 64,
    parameter int unsigned ADDR_W = 32,
    parameter int unsigned ID_W = 4,
    parameter int unsigned USER_W = 1,
    parameter bit AXI3 = 1,
    parameter int unsigned CLOCK_HZ = 100_000_000,
    parameter int unsigned MAX_OUTSTANDING = 16,
    parameter int unsigned FIFO_BEATS = 512,
    parameter int unsigned FORWARD_CYCLES = 4,
    parameter bit UNALIGNED = 0,
    parameter bit RINGS = 0,
    parameter int unsigned BYTES = DATA_W / 8,  // follows from the others
    parameter int unsigned LITE_W = 16  // follows from the others
) (
    input  logic aclk,
    input  logic aresetn,
    output logic irq,

    input  logic [LITE_W-1:0] s_axil_awaddr,
    input  logic [       2:0] s_axil_awprot,
    input  logic              s_axil_awvalid,
    output logic              s_axil_awready,
    input  logic [      31:0] s_axil_wdata,
    input  logic [       3:0] s_axil_wstrb,
    input  logic              s_axil_wvalid,
    output logic              s_axil_wready,
    output logic [       1:0] s_axil_bresp,
    output logic              s_axil_bvalid,
    input  logic              s_axil_bready,
    input  logic [LITE_W-1:0] s_axil_araddr,
    input  logic [       2:0] s_axil_arprot,
    input  logic              s_axil_arvalid,
    output logic              s_axil_arready,
    output logic [      31:0] s_axil_rdata,
    output logic [       1:0] s_axil_rresp,
    output logic              s_axil_rvalid,
    input  logic              s_axil_rready,

    output logic [PORTS*ID_W-1:0]     m_axi_awid,
    output logic [PORTS*ADDR_W-1:0]   m_axi_awaddr,
    output logic [PORTS*8-1:0]        m_axi_awlen,
    output logic [PORTS*3-1:0]        m_axi_awsize,
    output logic [PORTS*2-1:0]        m_axi_awburst,
    output logic [PORTS*2-1:0]        m_axi_awlock,
    output logic [PORTS*4-1:0]        m_axi_awcache,
    output logic [PORTS*3-1:0]        m_axi_awprot,
    output logic [PORTS*4-1:0]        m_axi_awqos,
    output logic [PORTS*USER_W-1:0]   m_axi_awuser,
    output logic [PORTS-1:0]          m_axi_awvalid,
    input  logic [PORTS-1:0]          m_axi_awready,
    output logic [PORTS*ID_W-1:0]     m_axi_wid,
    output logic [PORTS*DATA_W-1:0]   m_axi_wdata,
    output logic [PORTS*BYTES-1:0]    m_axi_wstrb,
    output logic [PORTS-1:0]          m_axi_wlast,
    output logic [PORTS-1:0]          m_axi_wvalid,
    input  logic [PORTS-1:0]          m_axi_wready,
    input  logic [PORTS*ID_W-1:0]     m_axi_bid,
    input  logic [PORTS*2-1:0]        m_axi_bresp,
    input  logic [PORTS-1:0]          m_axi_bvalid,
    output logic [PORTS-1:0]          m_axi_bready,
    output logic [PORTS*ID_W-1:0]     m_axi_arid,
    output logic [PORTS*ADDR_W-1:0]   m_axi_araddr,
    output logic [PORTS*8-1:0]        m_axi_arlen,
    output logic [PORTS*3-1:0]        m_axi_arsize,
    output logic [PORTS*2-1:0]        m_axi_arburst,
    output logic [PORTS*2-1:0]        m_axi_arlock,
    output logic [PORTS*4-1:0]        m_axi_arcache,
    output logic [PORTS*3-1:0]        m_axi_arprot,
    output logic [PORTS*4-1:0]        m_axi_arqos,
    output logic [PORTS*USER_W-1:0]   m_axi_aruser,
    output logic [PORTS-1:0]          m_axi_arvalid,
    input  logic [PORTS-1:0]          m_axi_arready,
    input  logic [PORTS*ID_W-1:0]     m_axi_rid,
    input  logic [PORTS*DATA_W-1:0]   m_axi_rdata,
    input  logic [PORTS*2-1:0]        m_axi_rresp,
    input  logic [PORTS-1:0]          m_axi_rlast,
    input  logic [PORTS-1:0]          m_axi_rvalid,
    output logic [PORTS-1:0]          m_axi_rready
);

  genvar p;
  generate
  if (PORTS < 1 || PORTS > 4) begin : g_check_ports
    axm_error_PORTS_must_be_1_to_4 u_error ();
  end
  endgenerate

  localparam int unsigned BLOCKS = 2 + 3 * PORTS + 1;
  localparam int unsigned OWN = BLOCKS - 3;
  localparam logic [15:0] STREAM = MODE == 0 ? block_types_pkg::LOOPBACK
      : MODE == 1 ? block_types_pkg::SINK : block_types_pkg::SOURCE;

  wire clk = aclk;
  logic rst;

  // ---- the own blocks in the table: type, port, instance ------------------------------------
  function automatic bit [OWN*32-1:0] table_of_blocks();
    bit [OWN*32-1:0] t;
    for (int unsigned i = 0; i < PORTS; i++) begin
      t[96*i+:32] = {8'(i), 8'(i), block_types_pkg::DMA};
      t[96*i+32+:32] = {8'(i), 8'(i), STREAM};
      t[96*i+64+:32] = {8'(i), 8'(i), block_types_pkg::MONITOR};
    end
    table_of_blocks = t;
  endfunction

  // ---- register buses of the top's own blocks -----------------------------------------------
  logic [11:0] awaddr, araddr;
  logic [2:0] awprot, arprot;
  logic [31:0] wdata;
  logic [3:0] wstrb;
  logic [OWN-1:0] awvalid, awready, wvalid, wready, bvalid, bready;
  logic [OWN-1:0] arvalid, arready, rvalid, rready;
  logic [2*OWN-1:0] bresp, rresp;
  logic [32*OWN-1:0] rdata;

  axm_shell #(
      .BLOCKS(BLOCKS), .TABLE(table_of_blocks()), .CLOCK_HZ(CLOCK_HZ), .TOP(32'(id_regs_pkg::top__DMA)),
      .VARIANT(MODE), .PORTS(PORTS), .DATA_W(DATA_W), .ADDR_W(ADDR_W), .READS(MODE != 2),
      .WRITES(MODE != 1), .LITE_W(LITE_W)
  ) u_shell (
      .clk, .aresetn, .rst,
      .s_axil_awaddr, .s_axil_awprot, .s_axil_awvalid, .s_axil_awready,
      .s_axil_wdata, .s_axil_wstrb, .s_axil_wvalid, .s_axil_wready,
      .s_axil_bresp, .s_axil_bvalid, .s_axil_bready,
      .s_axil_araddr, .s_axil_arprot, .s_axil_arvalid, .s_axil_arready,
      .s_axil_rdata, .s_axil_rresp, .s_axil_rvalid, .s_axil_rready,
      .m_axil_awaddr(awaddr), .m_axil_awprot(awprot), .m_axil_wdata(wdata), .m_axil_wstrb(wstrb),
      .m_axil_araddr(araddr), .m_axil_arprot(arprot),
      .m_axil_awvalid(awvalid), .m_axil_awready(awready), .m_axil_wvalid(wvalid),
      .m_axil_wready(wready), .m_axil_bresp(bresp), .m_axil_bvalid(bvalid), .m_axil_bready(bready),
      .m_axil_arvalid(arvalid), .m_axil_arready(arready), .m_axil_rdata(rdata),
      .m_axil_rresp(rresp), .m_axil_rvalid(rvalid), .m_axil_rready(rready),
      .mon_axi_awvalid(m_axi_awvalid), .mon_axi_awready(m_axi_awready), .mon_axi_awaddr(m_axi_awaddr),
      .mon_axi_awlen(m_axi_awlen), .mon_axi_wvalid(m_axi_wvalid), .mon_axi_wready(m_axi_wready),
      .mon_axi_wlast(m_axi_wlast), .mon_axi_arvalid(m_axi_arvalid), .mon_axi_arready(m_axi_arready),
      .mon_axi_araddr(m_axi_araddr), .mon_axi_arlen(m_axi_arlen), .mon_axi_rvalid(m_axi_rvalid),
      .mon_axi_rready(m_axi_rready), .mon_axi_rlast(m_axi_rlast)
  );

  // ---- ports -----------------------------------------------------------------------------
  logic [PORTS-1:0] port_irq;
  assign irq = |port_irq;

  generate
  for (p = 0; p < PORTS; p++) begin : g_port
    localparam int unsigned B = 3 * p;
    axm_dma_port #(
        .MODE(MODE), .DATA_W(DATA_W), .ADDR_W(ADDR_W), .ID_W(ID_W), .USER_W(USER_W), .AXI3(AXI3),
        .MAX_OUTSTANDING(MAX_OUTSTANDING), .FIFO_BEATS(FIFO_BEATS),
        .FORWARD_CYCLES(FORWARD_CYCLES), .UNALIGNED(UNALIGNED), .RINGS(RINGS)
    ) u_port (
        .clk, .rst, .irq(port_irq[p]),
        .s_axil_awaddr(awaddr), .s_axil_awprot(awprot), .s_axil_awvalid(awvalid[B+:3]),
        .s_axil_awready(awready[B+:3]), .s_axil_wdata(wdata), .s_axil_wstrb(wstrb),
        .s_axil_wvalid(wvalid[B+:3]), .s_axil_wready(wready[B+:3]),
        .s_axil_bresp(bresp[2*B+:6]), .s_axil_bvalid(bvalid[B+:3]), .s_axil_bready(bready[B+:3]),
        .s_axil_araddr(araddr), .s_axil_arprot(arprot), .s_axil_arvalid(arvalid[B+:3]),
        .s_axil_arready(arready[B+:3]), .s_axil_rdata(rdata[32*B+:96]),
        .s_axil_rresp(rresp[2*B+:6]), .s_axil_rvalid(rvalid[B+:3]), .s_axil_rready(rready[B+:3]),
        .m_axi_awid(m_axi_awid[ID_W*p+:ID_W]), .m_axi_awaddr(m_axi_awaddr[ADDR_W*p+:ADDR_W]),
        .m_axi_awlen(m_axi_awlen[8*p+:8]), .m_axi_awsize(m_axi_awsize[3*p+:3]),
        .m_axi_awburst(m_axi_awburst[2*p+:2]), .m_axi_awlock(m_axi_awlock[2*p+:2]),
        .m_axi_awcache(m_axi_awcache[4*p+:4]), .m_axi_awprot(m_axi_awprot[3*p+:3]),
        .m_axi_awqos(m_axi_awqos[4*p+:4]), .m_axi_awuser(m_axi_awuser[USER_W*p+:USER_W]),
        .m_axi_awvalid(m_axi_awvalid[p]), .m_axi_awready(m_axi_awready[p]),
        .m_axi_wid(m_axi_wid[ID_W*p+:ID_W]), .m_axi_wdata(m_axi_wdata[DATA_W*p+:DATA_W]),
        .m_axi_wstrb(m_axi_wstrb[BYTES*p+:BYTES]), .m_axi_wlast(m_axi_wlast[p]),
        .m_axi_wvalid(m_axi_wvalid[p]), .m_axi_wready(m_axi_wready[p]),
        .m_axi_bid(m_axi_bid[ID_W*p+:ID_W]), .m_axi_bresp(m_axi_bresp[2*p+:2]),
        .m_axi_bvalid(m_axi_bvalid[p]), .m_axi_bready(m_axi_bready[p]),
        .m_axi_arid(m_axi_arid[ID_W*p+:ID_W]), .m_axi_araddr(m_axi_araddr[ADDR_W*p+:ADDR_W]),
        .m_axi_arlen(m_axi_arlen[8*p+:8]), .m_axi_arsize(m_axi_arsize[3*p+:3]),
        .m_axi_arburst(m_axi_arburst[2*p+:2]), .m_axi_arlock(m_axi_arlock[2*p+:2]),
        .m_axi_arcache(m_axi_arcache[4*p+:4]), .m_axi_arprot(m_axi_arprot[3*p+:3]),
        .m_axi_arqos(m_axi_arqos[4*p+:4]), .m_axi_aruser(m_axi_aruser[USER_W*p+:USER_W]),
        .m_axi_arvalid(m_axi_arvalid[p]), .m_axi_arready(m_axi_arready[p]),
        .m_axi_rid(m_axi_rid[ID_W*p+:ID_W]), .m_axi_rdata(m_axi_rdata[DATA_W*p+:DATA_W]),
        .m_axi_rresp(m_axi_rresp[2*p+:2]), .m_axi_rlast(m_axi_rlast[p]),
        .m_axi_rvalid(m_axi_rvalid[p]), .m_axi_rready(m_axi_rready[p])
    );
  end
  endgenerate

endmodule
