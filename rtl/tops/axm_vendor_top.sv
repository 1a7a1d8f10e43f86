// The system of a vendor's engines: the instrument between them and the ports, which they master.
//
// Purpose      AMD's or Intel's engine of each port is at `s_axi_*`, the port at `m_axi_*`: all passes in the same
//              clock. The engines' registers are elsewhere, ENGINE_BASE + p * ENGINE_STEP for port p.
//              Blocks: 0 identification, 1 counter; then for each port its engine's parameters; last, a
//              sniffer: slot 2p sees the reads and 2p + 1 the writes of port p.
//              COHERENT = 1: AxCACHE is 1111 and AxUSER all ones, which these engines cannot set.
// Limits       PORTS 1 to 4, all engines alike. LINES interrupt lines an engine, those of port p at
//              [LINES*p +: LINES]; `irq` is the OR of all, a clock later.
// Throughput   As the engines have it.
// Latency      None between engine and port. Registers: one clock more than the blocks themselves.
// Area         The sum of its blocks.
`include "axm_ports.svh"

module axm_vendor_top #(
    parameter bit [31:0] PORTS = 1,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] ID_W = 6,
    parameter bit [31:0] USER_W = 1,
    parameter bit AXI3 = 0,
    parameter bit [31:0] ENGINE = 1,
    parameter bit UNALIGNED = 1,
    parameter bit COHERENT = 0,
    parameter bit [31:0] LENGTH_BITS = 26,
    parameter bit [31:0] LINES = 2,
    parameter bit [31:0] ENGINE_BASE = 0,
    parameter bit [31:0] ENGINE_STEP = 65536,
    parameter bit [31:0] CLOCK_HZ = 100_000_000,
    parameter bit [31:0] BLOCKS = 2 + PORTS + 1,  // follows from the others
    parameter bit [31:0] LITE_W = 16  // follows from the others
) (
    output logic irq,
    `AXM_AXIL_SLAVE(s_axil_, LITE_W, 32)
    `AXM_AXI_SLAVES(PORTS, s_axi_, ID_W, DATA_W)
    `AXM_AXI_MASTERS(PORTS, m_axi_, ID_W, DATA_W)
    input  logic [PORTS*LINES-1:0] engine_irq,
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
  wire unused = AXI3;  // an engine's bursts are not longer than its port's protocol has them

  // ---- the own blocks in the table: type, port, instance ------------------------------------
  function automatic bit [OWN*32-1:0] table_of_blocks();
    bit [OWN*32-1:0] t;
    for (int unsigned i = 0; i < PORTS; i++) begin
      t[32*i+:32] = {8'(i), 8'(i), block_types_pkg::VENDOR};
    end
    table_of_blocks = t;
  endfunction

  // ---- register buses of the top's own blocks -----------------------------------------------
  `AXM_AXIL_WIRES(OWN, bus_)

  axm_shell #(
      .BLOCKS(BLOCKS), .TABLE(table_of_blocks()), .CLOCK_HZ(CLOCK_HZ),
      .TOP(32'(id_regs_pkg::top__VENDOR)), .VARIANT(ENGINE), .PORTS(PORTS), .DATA_W(DATA_W),
      .ADDR_W(ADDR_W), .LITE_W(LITE_W)
  ) u_shell (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      `AXM_AXIL_LINK(m_axil_, bus_),
      `AXM_AXI_WATCHED_LINK(mon_axi_, s_axi_),
      .clk, .aresetn, .rst
  );

  logic [PORTS-1:0] port_irq;
  always_ff @(posedge clk) irq <= |port_irq;

  generate
  for (p = 0; p < PORTS; p++) begin : g_port
    axm_vendor #(
        .ENGINE(ENGINE), .UNALIGNED(UNALIGNED), .COHERENT(COHERENT), .LENGTH_BITS(LENGTH_BITS),
        .ADDRESS_BITS(ADDR_W), .DATA_W(DATA_W), .BASE(ENGINE_BASE + p * ENGINE_STEP), .LINES(LINES)
    ) u_vendor (
        `AXM_AXIL_LINK_SOME(s_axil_, bus_, p, 1),
        .engine_irq(engine_irq[LINES*p+:LINES]), .irq(port_irq[p]), .clk, .rst
    );
  end
  endgenerate

  // ---- from the engines to the ports, and back ------------------------------------------------
  assign {m_axi_awid, m_axi_awaddr, m_axi_awlen, m_axi_awsize, m_axi_awburst, m_axi_awlock} =
      {s_axi_awid, s_axi_awaddr, s_axi_awlen, s_axi_awsize, s_axi_awburst, s_axi_awlock};
  assign {m_axi_awprot, m_axi_awqos, m_axi_awvalid} = {s_axi_awprot, s_axi_awqos, s_axi_awvalid};
  assign {m_axi_wid, m_axi_wdata, m_axi_wstrb, m_axi_wlast, m_axi_wvalid, m_axi_bready} =
      {s_axi_wid, s_axi_wdata, s_axi_wstrb, s_axi_wlast, s_axi_wvalid, s_axi_bready};
  assign {m_axi_arid, m_axi_araddr, m_axi_arlen, m_axi_arsize, m_axi_arburst, m_axi_arlock} =
      {s_axi_arid, s_axi_araddr, s_axi_arlen, s_axi_arsize, s_axi_arburst, s_axi_arlock};
  assign {m_axi_arprot, m_axi_arqos, m_axi_arvalid, m_axi_rready} =
      {s_axi_arprot, s_axi_arqos, s_axi_arvalid, s_axi_rready};
  assign {m_axi_awcache, m_axi_arcache} = COHERENT ? '1 : {s_axi_awcache, s_axi_arcache};
  assign {m_axi_awuser, m_axi_aruser} = COHERENT ? '1 : {s_axi_awuser, s_axi_aruser};
  assign {s_axi_awready, s_axi_wready, s_axi_arready} = {m_axi_awready, m_axi_wready, m_axi_arready};
  assign {s_axi_bid, s_axi_bresp, s_axi_bvalid} = {m_axi_bid, m_axi_bresp, m_axi_bvalid};
  assign {s_axi_rid, s_axi_rdata, s_axi_rresp, s_axi_rlast, s_axi_rvalid} =
      {m_axi_rid, m_axi_rdata, m_axi_rresp, m_axi_rlast, m_axi_rvalid};

endmodule
