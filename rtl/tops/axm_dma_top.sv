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

  genvar p, k;
  generate
  if (PORTS < 1 || PORTS > 4) begin : g_check_ports
    axm_error_PORTS_must_be_1_to_4 u_error ();
  end
  endgenerate

  localparam int unsigned BLOCKS = 2 + 3 * PORTS + 1;
  localparam int unsigned SLOTS = MODE == 0 ? 2 * PORTS : PORTS;

  wire clk = aclk;
  logic rst;
  always_ff @(posedge aclk) rst <= !aresetn;

  // ---- the block table: type, port (255: none), instance ------------------------------------
  function automatic bit [BLOCKS*32-1:0] table_of_blocks();
    bit [BLOCKS*32-1:0] t;
    t[0+:32] = 32'h00FF_0001;
    t[32+:32] = 32'h00FF_0009;
    for (int unsigned i = 0; i < PORTS; i++) begin
      t[32*(2+3*i)+:32] = {8'(i), 8'(i), 16'd2};
      t[32*(3+3*i)+:32] = {8'(i), 8'(i), MODE == 0 ? 16'd8 : MODE == 1 ? 16'd7 : 16'd6};
      t[32*(4+3*i)+:32] = {8'(i), 8'(i), 16'd4};
    end
    t[32*(BLOCKS-1)+:32] = 32'h00FF_0005;
    table_of_blocks = t;
  endfunction

  // ---- register buses --------------------------------------------------------------------
  logic [11:0] awaddr, araddr;
  logic [2:0] awprot, arprot;
  logic [31:0] wdata;
  logic [3:0] wstrb;
  logic [BLOCKS-1:0] awvalid, awready, wvalid, wready, bvalid, bready;
  logic [BLOCKS-1:0] arvalid, arready, rvalid, rready, dead;
  logic [2*BLOCKS-1:0] bresp, rresp;
  logic [32*BLOCKS-1:0] rdata;
  wire unused_dead = &{1'b0, dead};

  axm_axil_demux #(.N(BLOCKS), .ADDR_W(LITE_W)) u_demux (
      .clk, .rst, .dead,
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
      .m_axil_rresp(rresp), .m_axil_rvalid(rvalid), .m_axil_rready(rready)
  );

  axm_id #(
      .BLOCKS(BLOCKS), .TABLE(table_of_blocks()), .CLOCK_HZ(CLOCK_HZ), .TOP(1), .PORTS(PORTS),
      .DATA_W(DATA_W), .VARIANT(MODE)
  ) u_id (
      .clk, .rst,
      .s_axil_awaddr(awaddr), .s_axil_awprot(awprot), .s_axil_awvalid(awvalid[0]),
      .s_axil_awready(awready[0]), .s_axil_wdata(wdata), .s_axil_wstrb(wstrb),
      .s_axil_wvalid(wvalid[0]), .s_axil_wready(wready[0]), .s_axil_bresp(bresp[2*(0)+:2]),
      .s_axil_bvalid(bvalid[0]), .s_axil_bready(bready[0]), .s_axil_araddr(araddr),
      .s_axil_arprot(arprot), .s_axil_arvalid(arvalid[0]), .s_axil_arready(arready[0]),
      .s_axil_rdata(rdata[32*(0)+:32]), .s_axil_rresp(rresp[2*(0)+:2]),
      .s_axil_rvalid(rvalid[0]), .s_axil_rready(rready[0])
  );

  wire [63:0] count;
  wire unused_count = &{1'b0, count};
  axm_counter #(.CLOCK_HZ(CLOCK_HZ)) u_counter (
      .clk, .rst, .count,
      .s_axil_awaddr(awaddr), .s_axil_awprot(awprot), .s_axil_awvalid(awvalid[1]),
      .s_axil_awready(awready[1]), .s_axil_wdata(wdata), .s_axil_wstrb(wstrb),
      .s_axil_wvalid(wvalid[1]), .s_axil_wready(wready[1]), .s_axil_bresp(bresp[2*(1)+:2]),
      .s_axil_bvalid(bvalid[1]), .s_axil_bready(bready[1]), .s_axil_araddr(araddr),
      .s_axil_arprot(arprot), .s_axil_arvalid(arvalid[1]), .s_axil_arready(arready[1]),
      .s_axil_rdata(rdata[32*(1)+:32]), .s_axil_rresp(rresp[2*(1)+:2]),
      .s_axil_rvalid(rvalid[1]), .s_axil_rready(rready[1])
  );

  // ---- ports -----------------------------------------------------------------------------
  logic [PORTS-1:0] port_irq;
  assign irq = |port_irq;

  generate
  for (p = 0; p < PORTS; p++) begin : g_port
    localparam int unsigned B = 2 + 3 * p;
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

  // ---- the sniffer ------------------------------------------------------------------------
  logic [SLOTS-1:0] addr_valid, addr_ready, data_valid, data_ready, data_last;
  logic [ADDR_W*SLOTS-1:0] addr_addr;
  logic [8*SLOTS-1:0] addr_len;

  generate
  for (k = 0; k < SLOTS; k++) begin : g_slot
    localparam int unsigned P = MODE == 0 ? k / 2 : k;
    localparam bit WRITE = MODE == 0 ? k % 2 == 1 : MODE == 2;
    assign addr_valid[k] = WRITE ? m_axi_awvalid[P] : m_axi_arvalid[P];
    assign addr_ready[k] = WRITE ? m_axi_awready[P] : m_axi_arready[P];
    assign addr_addr[ADDR_W*k+:ADDR_W] =
        WRITE ? m_axi_awaddr[ADDR_W*P+:ADDR_W] : m_axi_araddr[ADDR_W*P+:ADDR_W];
    assign addr_len[8*k+:8] = WRITE ? m_axi_awlen[8*P+:8] : m_axi_arlen[8*P+:8];
    assign data_valid[k] = WRITE ? m_axi_wvalid[P] : m_axi_rvalid[P];
    assign data_ready[k] = WRITE ? m_axi_wready[P] : m_axi_rready[P];
    assign data_last[k] = WRITE ? m_axi_wlast[P] : m_axi_rlast[P];
  end
  endgenerate

  axm_sniffer #(
      .SLOTS(SLOTS), .WRITES(MODE == 0 ? 8'b1010_1010 : MODE == 1 ? 8'h00 : 8'hFF),
      .ADDR_W(ADDR_W)
  ) u_sniffer (
      .clk, .rst, .addr_valid, .addr_ready, .addr_addr, .addr_len,
      .data_valid, .data_ready, .data_last,
      .s_axil_awaddr(awaddr), .s_axil_awprot(awprot), .s_axil_awvalid(awvalid[BLOCKS-1]),
      .s_axil_awready(awready[BLOCKS-1]), .s_axil_wdata(wdata), .s_axil_wstrb(wstrb),
      .s_axil_wvalid(wvalid[BLOCKS-1]), .s_axil_wready(wready[BLOCKS-1]), .s_axil_bresp(bresp[2*(BLOCKS-1)+:2]),
      .s_axil_bvalid(bvalid[BLOCKS-1]), .s_axil_bready(bready[BLOCKS-1]), .s_axil_araddr(araddr),
      .s_axil_arprot(arprot), .s_axil_arvalid(arvalid[BLOCKS-1]), .s_axil_arready(arready[BLOCKS-1]),
      .s_axil_rdata(rdata[32*(BLOCKS-1)+:32]), .s_axil_rresp(rresp[2*(BLOCKS-1)+:2]),
      .s_axil_rvalid(rvalid[BLOCKS-1]), .s_axil_rready(rready[BLOCKS-1])
  );

endmodule
