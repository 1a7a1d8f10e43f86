// The system of the simple masters: one on every port, plain or improved, words or bursts.
//
// Purpose      The masters that Melo and Valinoti measured in 2018, with what they measured with: a
//              counter and a sniffer. What is on a board and what the co-simulation runs is this same
//              module.
//              Blocks: 0 identification, 1 counter; then the master of each port; last, a sniffer: slot
//              2p sees the reads and 2p + 1 the writes of port p.
//              FULL = 0: AXI4-Lite masters, brought to the ports as bursts of one beat.
//              Between masters and ports are WAY_OUT register slices for addresses and written data,
//              and WAY_BACK for read data and responses: they model an AXI interconnect's
//              latency. The sniffer watches the masters' side.
// Limits       PORTS 1 to 4. All ports have one width, one clock and one kind of master. Masters start
//              one by one. There is no interrupt: `irq` is 0, as the other tops' ports have it.
// Throughput   As the masters have it: axm_master_engine.
// Latency      Registers: one clock more than the blocks themselves, for the demultiplexer. Ports: WAY_OUT and WAY_BACK.
// Area         The sum of its blocks.
`include "axm_ports.svh"

module axm_master_top #(
    parameter bit [31:0] PORTS = 1,
    parameter bit [31:0] DATA_W = 32,
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] ID_W = 6,
    parameter bit [31:0] USER_W = 1,
    parameter bit AXI3 = 1,
    parameter bit FULL = 0,
    parameter bit IMPROVED = 0,
    parameter bit [31:0] CLOCK_HZ = 100_000_000,
    parameter bit [31:0] OUTSTANDING = 16,
    parameter bit [31:0] WAY_OUT = 0,
    parameter bit [31:0] WAY_BACK = 0,
    parameter bit [31:0] BYTES = DATA_W / 8,  // follows from the others
    parameter bit [31:0] BLOCKS = 2 + PORTS + 1,  // follows from the others
    parameter bit [31:0] LITE_W = 16  // follows from the others
) (
    output logic irq,
    `AXM_AXIL_SLAVE(s_axil_, LITE_W, 32)
    `AXM_AXI_MASTERS(PORTS, m_axi_, ID_W, DATA_W)
    input  logic aclk,
    input  logic aresetn
);

  genvar p;
  generate
  if (PORTS < 1 || PORTS > 4) begin : g_check_ports
    axm_error_PORTS_must_be_1_to_4 u_error ();
  end
  endgenerate
  localparam bit [31:0] OWN = BLOCKS - 3;

  wire clk = aclk;
  logic rst;

  assign irq = 1'b0;

  // ---- the own blocks in the table: type, port, instance ------------------------------------
  function automatic bit [OWN*32-1:0] table_of_blocks();
    bit [OWN*32-1:0] t;
    for (int unsigned i = 0; i < PORTS; i++) begin
      t[32*i+:32] = {8'(i), 8'(i), block_types_pkg::SIMPLE_MASTER};
    end
    table_of_blocks = t;
  endfunction

  // ---- the masters' side of the ways to the ports ---------------------------------------------
  `AXM_AXI_WIRES(PORTS, f_, ID_W, DATA_W)

  // ---- register buses of the top's own blocks -----------------------------------------------
  `AXM_AXIL_WIRES(OWN, bus_)

  axm_shell #(
      .BLOCKS(BLOCKS), .TABLE(table_of_blocks()), .CLOCK_HZ(CLOCK_HZ),
      .TOP(32'(id_regs_pkg::top__MASTER)), .VARIANT({30'd0, FULL, IMPROVED}), .PORTS(PORTS),
      .DATA_W(DATA_W), .ADDR_W(ADDR_W), .LITE_W(LITE_W)
  ) u_shell (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      `AXM_AXIL_LINK(m_axil_, bus_),
      `AXM_AXI_WATCHED_LINK(mon_axi_, f_),
      .clk, .aresetn, .rst
  );

  // ---- ports -----------------------------------------------------------------------------
  logic [PORTS-1:0] busy;
  wire unused_busy = &{1'b0, busy};

  // An AXI4-Lite master has no AxCACHE: this is what a full one has after reset.
  localparam logic [3:0] CACHE = 4'b0011;

  generate
  for (p = 0; p < PORTS; p++) begin : g_port
    if (FULL) begin : g_full
      axm_master_full #(
          .ADDR_W(ADDR_W), .DATA_W(DATA_W), .ID_W(ID_W), .USER_W(USER_W), .AXI3(AXI3),
          .IMPROVED(IMPROVED), .OUTSTANDING(OUTSTANDING)
      ) u_master (
          `AXM_AXIL_LINK_SOME(s_axil_, bus_, p, 1),
          `AXM_AXI_LINK_ONE(m_axi_, f_, p, ID_W),
          .clk, .rst, .busy(busy[p])
      );
    end else begin : g_lite
      axm_master_lite #(
          .ADDR_W(ADDR_W), .DATA_W(DATA_W), .IMPROVED(IMPROVED), .OUTSTANDING(OUTSTANDING)
      ) u_master (
          `AXM_AXIL_LINK_SOME(s_axil_, bus_, p, 1),
          .clk, .rst, .busy(busy[p]), .m_axil_awaddr(f_awaddr[ADDR_W*p+:ADDR_W]),
          .m_axil_awprot(f_awprot[3*p+:3]), .m_axil_awvalid(f_awvalid[p]), .m_axil_awready(f_awready[p]),
          .m_axil_wdata(f_wdata[DATA_W*p+:DATA_W]), .m_axil_wstrb(f_wstrb[BYTES*p+:BYTES]),
          .m_axil_wvalid(f_wvalid[p]), .m_axil_wready(f_wready[p]), .m_axil_bresp(f_bresp[2*p+:2]),
          .m_axil_bvalid(f_bvalid[p]), .m_axil_bready(f_bready[p]),
          .m_axil_araddr(f_araddr[ADDR_W*p+:ADDR_W]), .m_axil_arprot(f_arprot[3*p+:3]),
          .m_axil_arvalid(f_arvalid[p]), .m_axil_arready(f_arready[p]),
          .m_axil_rdata(f_rdata[DATA_W*p+:DATA_W]), .m_axil_rresp(f_rresp[2*p+:2]),
          .m_axil_rvalid(f_rvalid[p]), .m_axil_rready(f_rready[p])
      );
      assign f_awid[ID_W*p+:ID_W] = '0;
      assign f_awlen[8*p+:8] = '0;
      assign f_awsize[3*p+:3] = 3'($clog2(BYTES));
      assign f_awburst[2*p+:2] = 2'b01;
      assign f_awlock[2*p+:2] = '0;
      assign f_awcache[4*p+:4] = CACHE;
      assign f_awqos[4*p+:4] = '0;
      assign f_awuser[USER_W*p+:USER_W] = '0;
      assign f_arid[ID_W*p+:ID_W] = '0;
      assign f_arlen[8*p+:8] = '0;
      assign f_arsize[3*p+:3] = 3'($clog2(BYTES));
      assign f_arburst[2*p+:2] = 2'b01;
      assign f_arlock[2*p+:2] = '0;
      assign f_arcache[4*p+:4] = CACHE;
      assign f_arqos[4*p+:4] = '0;
      assign f_aruser[USER_W*p+:USER_W] = '0;
      assign f_wid[ID_W*p+:ID_W] = '0;
      assign f_wlast[p] = 1'b1;
      wire unused = &{1'b0, f_bid[ID_W*p+:ID_W], f_rid[ID_W*p+:ID_W], f_rlast[p]};
    end
  end
  endgenerate

  // ---- the ways to the ports -------------------------------------------------------------
  generate
  for (p = 0; p < PORTS; p++) begin : g_way
    localparam bit [31:0] ADDRESS_W = ID_W + ADDR_W + 8 + 3 + 2 + 2 + 4 + 3 + 4 + USER_W;
    axm_chain #(
        .WIDTH(ADDRESS_W), .STAGES(WAY_OUT)
    ) u_aw (
        .clk, .rst,
        .in_data({
            f_awid[ID_W*p+:ID_W], f_awaddr[ADDR_W*p+:ADDR_W], f_awlen[8*p+:8], f_awsize[3*p+:3],
            f_awburst[2*p+:2], f_awlock[2*p+:2], f_awcache[4*p+:4], f_awprot[3*p+:3],
            f_awqos[4*p+:4], f_awuser[USER_W*p+:USER_W]
        }),
        .in_valid(f_awvalid[p]), .in_ready(f_awready[p]),
        .out_data({
            m_axi_awid[ID_W*p+:ID_W], m_axi_awaddr[ADDR_W*p+:ADDR_W], m_axi_awlen[8*p+:8],
            m_axi_awsize[3*p+:3], m_axi_awburst[2*p+:2], m_axi_awlock[2*p+:2],
            m_axi_awcache[4*p+:4], m_axi_awprot[3*p+:3], m_axi_awqos[4*p+:4],
            m_axi_awuser[USER_W*p+:USER_W]
        }),
        .out_valid(m_axi_awvalid[p]), .out_ready(m_axi_awready[p])
    );
    axm_chain #(
        .WIDTH(ID_W + DATA_W + BYTES + 1), .STAGES(WAY_OUT)
    ) u_w (
        .clk, .rst,
        .in_data({
            f_wid[ID_W*p+:ID_W], f_wdata[DATA_W*p+:DATA_W], f_wstrb[BYTES*p+:BYTES], f_wlast[p]
        }),
        .in_valid(f_wvalid[p]), .in_ready(f_wready[p]),
        .out_data({
            m_axi_wid[ID_W*p+:ID_W], m_axi_wdata[DATA_W*p+:DATA_W], m_axi_wstrb[BYTES*p+:BYTES],
            m_axi_wlast[p]
        }),
        .out_valid(m_axi_wvalid[p]), .out_ready(m_axi_wready[p])
    );
    axm_chain #(
        .WIDTH(ADDRESS_W), .STAGES(WAY_OUT)
    ) u_ar (
        .clk, .rst,
        .in_data({
            f_arid[ID_W*p+:ID_W], f_araddr[ADDR_W*p+:ADDR_W], f_arlen[8*p+:8], f_arsize[3*p+:3],
            f_arburst[2*p+:2], f_arlock[2*p+:2], f_arcache[4*p+:4], f_arprot[3*p+:3],
            f_arqos[4*p+:4], f_aruser[USER_W*p+:USER_W]
        }),
        .in_valid(f_arvalid[p]), .in_ready(f_arready[p]),
        .out_data({
            m_axi_arid[ID_W*p+:ID_W], m_axi_araddr[ADDR_W*p+:ADDR_W], m_axi_arlen[8*p+:8],
            m_axi_arsize[3*p+:3], m_axi_arburst[2*p+:2], m_axi_arlock[2*p+:2],
            m_axi_arcache[4*p+:4], m_axi_arprot[3*p+:3], m_axi_arqos[4*p+:4],
            m_axi_aruser[USER_W*p+:USER_W]
        }),
        .out_valid(m_axi_arvalid[p]), .out_ready(m_axi_arready[p])
    );
    axm_chain #(
        .WIDTH(ID_W + 2), .STAGES(WAY_BACK)
    ) u_b (
        .clk, .rst, .in_data({m_axi_bid[ID_W*p+:ID_W], m_axi_bresp[2*p+:2]}),
        .in_valid(m_axi_bvalid[p]), .in_ready(m_axi_bready[p]),
        .out_data({f_bid[ID_W*p+:ID_W], f_bresp[2*p+:2]}), .out_valid(f_bvalid[p]),
        .out_ready(f_bready[p])
    );
    axm_chain #(
        .WIDTH(ID_W + DATA_W + 3), .STAGES(WAY_BACK)
    ) u_r (
        .clk, .rst,
        .in_data({
            m_axi_rid[ID_W*p+:ID_W], m_axi_rdata[DATA_W*p+:DATA_W], m_axi_rresp[2*p+:2],
            m_axi_rlast[p]
        }),
        .in_valid(m_axi_rvalid[p]), .in_ready(m_axi_rready[p]),
        .out_data({
            f_rid[ID_W*p+:ID_W], f_rdata[DATA_W*p+:DATA_W], f_rresp[2*p+:2], f_rlast[p]
        }),
        .out_valid(f_rvalid[p]), .out_ready(f_rready[p])
    );
  end
  endgenerate

endmodule
