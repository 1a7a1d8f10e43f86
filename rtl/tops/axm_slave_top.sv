// The system of a slave in the fabric: on-chip RAM behind a general-purpose master port of the processor.
//
// Purpose      The slaves that Melo and Valinoti measured in 2018, with what they measured with: a counter
//              and a sniffer. The processor, or its DMA engine, is the master, at `s_axi_*`.
//              Blocks: 0 identification, 1 counter, 2 a sniffer: slot 0 sees the reads, 1 the writes.
//              FULL = 1: axm_ram_full, with EXTRA_READ and EXTRA_WRITE clocks of latency added.
//              FULL = 0: axm_ram_lite behind EXTRA_READ and EXTRA_WRITE register slices, which model
//              a converter of protocols; the port must send bursts of one beat.
// Limits       One port, 32 bit. `irq` is 0. PORTS exists because all tops have it.
// Throughput   As the RAMs have it.
// Latency      As the RAMs have it, and what is added. Registers: one clock more than the blocks themselves.
// Area         The sum of its blocks.
`include "axm_ports.svh"

module axm_slave_top #(
    parameter bit [31:0] PORTS = 1,
    parameter bit [31:0] DATA_W = 32,
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] ID_W = 6,
    parameter bit [31:0] USER_W = 1,
    parameter bit AXI3 = 1,
    parameter bit FULL = 1,
    parameter bit [31:0] BYTES = 32768,
    parameter bit [31:0] EXTRA_READ = 0,
    parameter bit [31:0] EXTRA_WRITE = 0,
    parameter bit [31:0] CLOCK_HZ = 100_000_000,
    parameter bit [31:0] STRB_W = DATA_W / 8,  // follows from the others
    parameter bit [31:0] BLOCKS = 3,  // follows from the others
    parameter bit [31:0] LITE_W = 16  // follows from the others
) (
    output logic irq,
    `AXM_AXIL_SLAVE(s_axil_, LITE_W, 32)
    `AXM_AXI_SLAVE(s_axi_, ID_W, DATA_W)
    input  logic aclk,
    input  logic aresetn
);

  generate
  if (PORTS != 1) begin : g_check_ports
    axm_error_PORTS_must_be_1 u_error ();
  end
  if (EXTRA_READ > 255 || EXTRA_WRITE > 255) begin : g_check_extra
    axm_error_EXTRA_READ_and_EXTRA_WRITE_must_be_at_most_255 u_error ();
  end
  endgenerate

  wire clk = aclk;
  logic rst;

  assign irq = 1'b0;

  // ---- registers: no block of its own --------------------------------------------------------
  axm_shell #(
      .BLOCKS(BLOCKS), .CLOCK_HZ(CLOCK_HZ), .VARIANT({31'd0, FULL}), .PORTS(PORTS), .DATA_W(DATA_W),
      .ADDR_W(ADDR_W), .LITE_W(LITE_W)
  ) u_shell (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      `AXM_AXI_WATCHED_LINK(mon_axi_, s_axi_),
      .clk, .aresetn, .rst, .m_axil_awaddr(), .m_axil_awprot(), .m_axil_awvalid(), .m_axil_awready(1'b0),
      .m_axil_wdata(), .m_axil_wstrb(), .m_axil_wvalid(), .m_axil_wready(1'b0), .m_axil_bresp(2'b0),
      .m_axil_bvalid(1'b0), .m_axil_bready(), .m_axil_araddr(), .m_axil_arprot(), .m_axil_arvalid(),
      .m_axil_arready(1'b0), .m_axil_rdata(32'b0), .m_axil_rresp(2'b0), .m_axil_rvalid(1'b0),
      .m_axil_rready()
  );

  // ---- the RAM ----------------------------------------------------------------------------
  generate
  if (FULL) begin : g_full
    axm_ram_full #(
        .ADDR_W(ADDR_W), .DATA_W(DATA_W), .ID_W(ID_W), .USER_W(USER_W), .AXI3(AXI3), .BYTES(BYTES)
    ) u_ram (
        `AXM_AXI_LINK(s_axi_, s_axi_),
        .clk, .rst, .extra_read(8'(EXTRA_READ)), .extra_write(8'(EXTRA_WRITE))
    );
  end else begin : g_lite
    logic [ADDR_W-1:0] l_awaddr, l_araddr;
    logic [DATA_W-1:0] l_wdata;
    logic [STRB_W-1:0] l_wstrb;
    logic l_awvalid, l_awready, l_wvalid, l_wready, l_arvalid, l_arready;

    axm_chain #(.WIDTH(ADDR_W), .STAGES(EXTRA_WRITE)) u_aw (
        .clk, .rst, .in_data(s_axi_awaddr), .in_valid(s_axi_awvalid), .in_ready(s_axi_awready),
        .out_data(l_awaddr), .out_valid(l_awvalid), .out_ready(l_awready)
    );
    axm_chain #(.WIDTH(DATA_W + STRB_W), .STAGES(EXTRA_WRITE)) u_w (
        .clk, .rst, .in_data({s_axi_wdata, s_axi_wstrb}), .in_valid(s_axi_wvalid),
        .in_ready(s_axi_wready), .out_data({l_wdata, l_wstrb}), .out_valid(l_wvalid), .out_ready(l_wready)
    );
    axm_chain #(.WIDTH(ADDR_W), .STAGES(EXTRA_READ)) u_ar (
        .clk, .rst, .in_data(s_axi_araddr), .in_valid(s_axi_arvalid), .in_ready(s_axi_arready),
        .out_data(l_araddr), .out_valid(l_arvalid), .out_ready(l_arready)
    );
    axm_ram_lite #(
        .ADDR_W(ADDR_W), .DATA_W(DATA_W), .BYTES(BYTES)
    ) u_ram (
        .clk, .rst, .s_axil_awaddr(l_awaddr), .s_axil_awprot(3'b0), .s_axil_awvalid(l_awvalid),
        .s_axil_awready(l_awready), .s_axil_wdata(l_wdata), .s_axil_wstrb(l_wstrb),
        .s_axil_wvalid(l_wvalid), .s_axil_wready(l_wready), .s_axil_bresp(s_axi_bresp),
        .s_axil_bvalid(s_axi_bvalid), .s_axil_bready(s_axi_bready), .s_axil_araddr(l_araddr),
        .s_axil_arprot(3'b0), .s_axil_arvalid(l_arvalid), .s_axil_arready(l_arready),
        .s_axil_rdata(s_axi_rdata), .s_axil_rresp(s_axi_rresp), .s_axil_rvalid(s_axi_rvalid),
        .s_axil_rready(s_axi_rready)
    );
    // One transfer at a time has one ID, that of the port's first.
    assign s_axi_bid = '0;
    assign s_axi_rid = '0;
    assign s_axi_rlast = 1'b1;
    wire unused = &{
      1'b0, s_axi_awid, s_axi_awsize, s_axi_awburst, s_axi_awlock, s_axi_awcache, s_axi_awprot,
      s_axi_awqos, s_axi_awuser, s_axi_wid, s_axi_wlast, s_axi_arid, s_axi_arsize,
      s_axi_arburst, s_axi_arlock, s_axi_arcache, s_axi_arprot, s_axi_arqos, s_axi_aruser
    };
  end
  endgenerate

endmodule
