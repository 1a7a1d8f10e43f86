// The system of the traffic measurements: a generator on every port, or several behind a multiplexer.
//
// Purpose      Traffic blocks on 1 to 4 ports, MASTERS on each. What is on a board and what the
//              co-simulation runs is this same module.
//              Blocks: 0 identification, 1 counter; then for each port its MASTERS generators and, if
//              there are several, the multiplexer; last, a sniffer: slot 2p sees the reads and 2p + 1
//              the writes of port p.
//              Generator 0 leads: when it starts, all others with MODE.PIN start one clock later.
// Limits       PORTS 1 to 4, MASTERS 1 to 8. All ports have one width and one clock. ID_W is the
//              ports'; with several masters the upper $clog2(MASTERS) bits are the master's number.
//              CROSS_4K: bursts that cross 4 KiB are not cut (axm_traffic.sv).
//              There is no interrupt: `irq` is 0, as the other tops' ports have it.
// Throughput   One beat a clock, port and direction.
// Latency      Registers: one clock more than the blocks themselves, for the demultiplexer. Ports: none;
//              with several MASTERS and REGISTERED one clock for each channel.
// Area         The sum of its blocks.
module axm_traffic_top #(
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
    parameter bit CROSS_4K = 0,
    parameter int unsigned BYTES = DATA_W / 8,  // follows from the others
    parameter int unsigned EACH = MASTERS > 1 ? MASTERS + 1 : 1,  // blocks of a port
    parameter int unsigned BLOCKS = 2 + EACH * PORTS + 1,  // follows from the others
    parameter int unsigned LITE_W = BLOCKS > 16 ? 18 : 16  // follows from the others
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

  genvar p, m;
  generate
  if (PORTS < 1 || PORTS > 4) begin : g_check_ports
    axm_error_PORTS_must_be_1_to_4 u_error ();
  end
  if (MASTERS < 1 || MASTERS > 8) begin : g_check_masters
    axm_error_MASTERS_must_be_1_to_8 u_error ();
  end
  if (ID_W <= $clog2(MASTERS)) begin : g_check_id
    axm_error_ID_W_must_be_more_than_log2_of_MASTERS u_error ();
  end
  endgenerate

  localparam int unsigned OWN = BLOCKS - 3;
  localparam int unsigned GEN_ID_W = ID_W - $clog2(MASTERS);

  wire clk = aclk;
  logic rst;

  assign irq = 1'b0;

  // ---- the own blocks in the table: type, port, instance ------------------------------------
  function automatic bit [OWN*32-1:0] table_of_blocks();
    bit [OWN*32-1:0] t;
    for (int unsigned i = 0; i < PORTS; i++) begin
      for (int unsigned j = 0; j < MASTERS; j++) begin
        t[32*(EACH*i+j)+:32] = {8'(MASTERS * i + j), 8'(i), block_types_pkg::TRAFFIC};
      end
      if (MASTERS > 1) t[32*(EACH*i+MASTERS)+:32] = {8'(i), 8'(i), block_types_pkg::MULTIPLEXER};
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
      .BLOCKS(BLOCKS), .TABLE(table_of_blocks()), .CLOCK_HZ(CLOCK_HZ),
      .TOP(32'(id_regs_pkg::top__TRAFFIC)), .VARIANT(MASTERS), .PORTS(PORTS), .DATA_W(DATA_W),
      .ADDR_W(ADDR_W), .LITE_W(LITE_W)
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
  logic [PORTS*MASTERS-1:0] busy;
  logic was_busy;
  wire unused_busy = &{1'b0, busy};
  wire lead = busy[0] && !was_busy;

  always_ff @(posedge clk) was_busy <= busy[0] && !rst;

  generate
  for (p = 0; p < PORTS; p++) begin : g_port
    logic [MASTERS*GEN_ID_W-1:0] g_awid;
    logic [MASTERS*ADDR_W-1:0] g_awaddr;
    logic [MASTERS*8-1:0] g_awlen;
    logic [MASTERS*3-1:0] g_awsize;
    logic [MASTERS*2-1:0] g_awburst;
    logic [MASTERS*2-1:0] g_awlock;
    logic [MASTERS*4-1:0] g_awcache;
    logic [MASTERS*3-1:0] g_awprot;
    logic [MASTERS*4-1:0] g_awqos;
    logic [MASTERS*USER_W-1:0] g_awuser;
    logic [MASTERS-1:0] g_awvalid;
    logic [MASTERS-1:0] g_awready;
    logic [MASTERS*GEN_ID_W-1:0] g_wid;
    logic [MASTERS*DATA_W-1:0] g_wdata;
    logic [MASTERS*BYTES-1:0] g_wstrb;
    logic [MASTERS-1:0] g_wlast;
    logic [MASTERS-1:0] g_wvalid;
    logic [MASTERS-1:0] g_wready;
    logic [MASTERS*GEN_ID_W-1:0] g_bid;
    logic [MASTERS*2-1:0] g_bresp;
    logic [MASTERS-1:0] g_bvalid;
    logic [MASTERS-1:0] g_bready;
    logic [MASTERS*GEN_ID_W-1:0] g_arid;
    logic [MASTERS*ADDR_W-1:0] g_araddr;
    logic [MASTERS*8-1:0] g_arlen;
    logic [MASTERS*3-1:0] g_arsize;
    logic [MASTERS*2-1:0] g_arburst;
    logic [MASTERS*2-1:0] g_arlock;
    logic [MASTERS*4-1:0] g_arcache;
    logic [MASTERS*3-1:0] g_arprot;
    logic [MASTERS*4-1:0] g_arqos;
    logic [MASTERS*USER_W-1:0] g_aruser;
    logic [MASTERS-1:0] g_arvalid;
    logic [MASTERS-1:0] g_arready;
    logic [MASTERS*GEN_ID_W-1:0] g_rid;
    logic [MASTERS*DATA_W-1:0] g_rdata;
    logic [MASTERS*2-1:0] g_rresp;
    logic [MASTERS-1:0] g_rlast;
    logic [MASTERS-1:0] g_rvalid;
    logic [MASTERS-1:0] g_rready;

    for (m = 0; m < MASTERS; m++) begin : g_master
      localparam int unsigned B = EACH * p + m;
      axm_traffic #(
          .ADDR_W(ADDR_W), .DATA_W(DATA_W), .ID_W(GEN_ID_W), .USER_W(USER_W), .AXI3(AXI3),
          .OUTSTANDING(OUTSTANDING), .CROSS_4K(CROSS_4K)
      ) u_traffic (
          .clk, .rst, .start(p + m == 0 ? 1'b0 : lead), .busy(busy[MASTERS*p+m]),
          .s_axil_awaddr(awaddr), .s_axil_awprot(awprot), .s_axil_awvalid(awvalid[B]),
          .s_axil_awready(awready[B]), .s_axil_wdata(wdata), .s_axil_wstrb(wstrb),
          .s_axil_wvalid(wvalid[B]), .s_axil_wready(wready[B]), .s_axil_bresp(bresp[2*B+:2]),
          .s_axil_bvalid(bvalid[B]), .s_axil_bready(bready[B]), .s_axil_araddr(araddr),
          .s_axil_arprot(arprot), .s_axil_arvalid(arvalid[B]), .s_axil_arready(arready[B]),
          .s_axil_rdata(rdata[32*B+:32]), .s_axil_rresp(rresp[2*B+:2]),
          .s_axil_rvalid(rvalid[B]), .s_axil_rready(rready[B]),
          .m_axi_awid(g_awid[GEN_ID_W*m+:GEN_ID_W]), .m_axi_awaddr(g_awaddr[ADDR_W*m+:ADDR_W]),
          .m_axi_awlen(g_awlen[8*m+:8]),
          .m_axi_awsize(g_awsize[3*m+:3]), .m_axi_awburst(g_awburst[2*m+:2]), .m_axi_awlock(g_awlock[2*m+:2]),
          .m_axi_awcache(g_awcache[4*m+:4]), .m_axi_awprot(g_awprot[3*m+:3]), .m_axi_awqos(g_awqos[4*m+:4]),
          .m_axi_awuser(g_awuser[USER_W*m+:USER_W]), .m_axi_awvalid(g_awvalid[m]), .m_axi_awready(g_awready[m]),
          .m_axi_wid(g_wid[GEN_ID_W*m+:GEN_ID_W]), .m_axi_wdata(g_wdata[DATA_W*m+:DATA_W]),
          .m_axi_wstrb(g_wstrb[BYTES*m+:BYTES]),
          .m_axi_wlast(g_wlast[m]), .m_axi_wvalid(g_wvalid[m]), .m_axi_wready(g_wready[m]),
          .m_axi_bid(g_bid[GEN_ID_W*m+:GEN_ID_W]), .m_axi_bresp(g_bresp[2*m+:2]), .m_axi_bvalid(g_bvalid[m]),
          .m_axi_bready(g_bready[m]), .m_axi_arid(g_arid[GEN_ID_W*m+:GEN_ID_W]),
          .m_axi_araddr(g_araddr[ADDR_W*m+:ADDR_W]),
          .m_axi_arlen(g_arlen[8*m+:8]), .m_axi_arsize(g_arsize[3*m+:3]), .m_axi_arburst(g_arburst[2*m+:2]),
          .m_axi_arlock(g_arlock[2*m+:2]), .m_axi_arcache(g_arcache[4*m+:4]), .m_axi_arprot(g_arprot[3*m+:3]),
          .m_axi_arqos(g_arqos[4*m+:4]), .m_axi_aruser(g_aruser[USER_W*m+:USER_W]), .m_axi_arvalid(g_arvalid[m]),
          .m_axi_arready(g_arready[m]), .m_axi_rid(g_rid[GEN_ID_W*m+:GEN_ID_W]),
          .m_axi_rdata(g_rdata[DATA_W*m+:DATA_W]),
          .m_axi_rresp(g_rresp[2*m+:2]), .m_axi_rlast(g_rlast[m]), .m_axi_rvalid(g_rvalid[m]),
          .m_axi_rready(g_rready[m])
      );
    end

    if (MASTERS == 1) begin : g_direct
      assign m_axi_awid[ID_W*p+:ID_W] = g_awid[0+:GEN_ID_W];
      assign m_axi_awaddr[ADDR_W*p+:ADDR_W] = g_awaddr[0+:ADDR_W];
      assign m_axi_awlen[8*p+:8] = g_awlen[0+:8];
      assign m_axi_awsize[3*p+:3] = g_awsize[0+:3];
      assign m_axi_awburst[2*p+:2] = g_awburst[0+:2];
      assign m_axi_awlock[2*p+:2] = g_awlock[0+:2];
      assign m_axi_awcache[4*p+:4] = g_awcache[0+:4];
      assign m_axi_awprot[3*p+:3] = g_awprot[0+:3];
      assign m_axi_awqos[4*p+:4] = g_awqos[0+:4];
      assign m_axi_awuser[USER_W*p+:USER_W] = g_awuser[0+:USER_W];
      assign m_axi_awvalid[p] = g_awvalid[0];
      assign g_awready[0] = m_axi_awready[p];
      assign m_axi_wid[ID_W*p+:ID_W] = g_wid[0+:GEN_ID_W];
      assign m_axi_wdata[DATA_W*p+:DATA_W] = g_wdata[0+:DATA_W];
      assign m_axi_wstrb[BYTES*p+:BYTES] = g_wstrb[0+:BYTES];
      assign m_axi_wlast[p] = g_wlast[0];
      assign m_axi_wvalid[p] = g_wvalid[0];
      assign g_wready[0] = m_axi_wready[p];
      assign g_bid[0+:GEN_ID_W] = m_axi_bid[ID_W*p+:ID_W];
      assign g_bresp[0+:2] = m_axi_bresp[2*p+:2];
      assign g_bvalid[0] = m_axi_bvalid[p];
      assign m_axi_bready[p] = g_bready[0];
      assign m_axi_arid[ID_W*p+:ID_W] = g_arid[0+:GEN_ID_W];
      assign m_axi_araddr[ADDR_W*p+:ADDR_W] = g_araddr[0+:ADDR_W];
      assign m_axi_arlen[8*p+:8] = g_arlen[0+:8];
      assign m_axi_arsize[3*p+:3] = g_arsize[0+:3];
      assign m_axi_arburst[2*p+:2] = g_arburst[0+:2];
      assign m_axi_arlock[2*p+:2] = g_arlock[0+:2];
      assign m_axi_arcache[4*p+:4] = g_arcache[0+:4];
      assign m_axi_arprot[3*p+:3] = g_arprot[0+:3];
      assign m_axi_arqos[4*p+:4] = g_arqos[0+:4];
      assign m_axi_aruser[USER_W*p+:USER_W] = g_aruser[0+:USER_W];
      assign m_axi_arvalid[p] = g_arvalid[0];
      assign g_arready[0] = m_axi_arready[p];
      assign g_rid[0+:GEN_ID_W] = m_axi_rid[ID_W*p+:ID_W];
      assign g_rdata[0+:DATA_W] = m_axi_rdata[DATA_W*p+:DATA_W];
      assign g_rresp[0+:2] = m_axi_rresp[2*p+:2];
      assign g_rlast[0] = m_axi_rlast[p];
      assign g_rvalid[0] = m_axi_rvalid[p];
      assign m_axi_rready[p] = g_rready[0];
    end else begin : g_mux
      localparam int unsigned B = EACH * p + MASTERS;
      axm_mux_block #(
          .N(MASTERS), .ADDR_W(ADDR_W), .DATA_W(DATA_W), .ID_W(GEN_ID_W), .USER_W(USER_W),
          .AXI3(AXI3), .REGISTERED(REGISTERED), .LIMIT(OUTSTANDING), .TIMEOUT(TIMEOUT)
      ) u_mux (
          .clk, .rst,
          .s_axil_awaddr(awaddr), .s_axil_awprot(awprot), .s_axil_awvalid(awvalid[B]),
          .s_axil_awready(awready[B]), .s_axil_wdata(wdata), .s_axil_wstrb(wstrb),
          .s_axil_wvalid(wvalid[B]), .s_axil_wready(wready[B]), .s_axil_bresp(bresp[2*B+:2]),
          .s_axil_bvalid(bvalid[B]), .s_axil_bready(bready[B]), .s_axil_araddr(araddr),
          .s_axil_arprot(arprot), .s_axil_arvalid(arvalid[B]), .s_axil_arready(arready[B]),
          .s_axil_rdata(rdata[32*B+:32]), .s_axil_rresp(rresp[2*B+:2]),
          .s_axil_rvalid(rvalid[B]), .s_axil_rready(rready[B]),
          .s_axi_awid(g_awid), .s_axi_awaddr(g_awaddr), .s_axi_awlen(g_awlen),
          .s_axi_awsize(g_awsize), .s_axi_awburst(g_awburst), .s_axi_awlock(g_awlock),
          .s_axi_awcache(g_awcache), .s_axi_awprot(g_awprot), .s_axi_awqos(g_awqos),
          .s_axi_awuser(g_awuser), .s_axi_awvalid(g_awvalid), .s_axi_awready(g_awready),
          .s_axi_wid(g_wid), .s_axi_wdata(g_wdata), .s_axi_wstrb(g_wstrb), .s_axi_wlast(g_wlast),
          .s_axi_wvalid(g_wvalid), .s_axi_wready(g_wready), .s_axi_bid(g_bid),
          .s_axi_bresp(g_bresp), .s_axi_bvalid(g_bvalid), .s_axi_bready(g_bready),
          .s_axi_arid(g_arid), .s_axi_araddr(g_araddr), .s_axi_arlen(g_arlen),
          .s_axi_arsize(g_arsize), .s_axi_arburst(g_arburst), .s_axi_arlock(g_arlock),
          .s_axi_arcache(g_arcache), .s_axi_arprot(g_arprot), .s_axi_arqos(g_arqos),
          .s_axi_aruser(g_aruser), .s_axi_arvalid(g_arvalid), .s_axi_arready(g_arready),
          .s_axi_rid(g_rid), .s_axi_rdata(g_rdata), .s_axi_rresp(g_rresp), .s_axi_rlast(g_rlast),
          .s_axi_rvalid(g_rvalid), .s_axi_rready(g_rready),
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
  end
  endgenerate

endmodule
