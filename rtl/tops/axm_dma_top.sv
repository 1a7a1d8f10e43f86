// The system of the DMA measurements: PORTS ports, each with DMA engine, stream block and monitor.
//
// Purpose      Vieira's systems: duplex (MODE 0), PS to PL (1), PL to PS (2), on 1 to 4 ports; and
//              engines that copy memory (MODE 3). What is on a board and what the co-simulation runs
//              is this same module.
//              Blocks: 0 identification, 1 counter; of port p 2 + 3p DMA engine, 3 + 3p stream block,
//              4 + 3p monitor; last, a sniffer: in duplex and copy slot 2p sees the reads and 2p + 1 the
//              writes of port p, otherwise slot p the one direction that there is.
// Limits       PORTS 1 to 4. All ports have one width and one clock.
// Throughput   One beat a clock, port and direction.
// Latency      Two clocks from the clock in which a register write that starts an engine is offered to its
//              first address (one for the demultiplexer, one for the register block).
// Area         The sum of its blocks (docs/rtl-results.md).
`include "axm_ports.svh"

module axm_dma_top #(
    parameter bit [31:0] PORTS = 1,
    parameter bit [31:0] MODE = 0,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] ID_W = 4,
    parameter bit [31:0] USER_W = 1,
    parameter bit AXI3 = 1,
    parameter bit [31:0] CLOCK_HZ = 100_000_000,
    parameter bit [31:0] MAX_OUTSTANDING = 16,
    parameter bit [31:0] FIFO_BEATS = 512,
    parameter bit [31:0] FORWARD_CYCLES = 4,
    parameter bit UNALIGNED = 0,
    parameter bit RINGS = 0,
    parameter bit [31:0] BYTES = DATA_W / 8,  // follows from the others
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

  localparam bit [31:0] BLOCKS = 2 + 3 * PORTS + 1;
  localparam bit [31:0] OWN = BLOCKS - 3;
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
  `AXM_AXIL_WIRES(OWN, bus_)

  axm_shell #(
      .BLOCKS(BLOCKS), .TABLE(table_of_blocks()), .CLOCK_HZ(CLOCK_HZ), .TOP(32'(id_regs_pkg::top__DMA)),
      .VARIANT(MODE), .PORTS(PORTS), .DATA_W(DATA_W), .ADDR_W(ADDR_W), .READS(MODE != 2),
      .WRITES(MODE != 1), .LITE_W(LITE_W)
  ) u_shell (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      `AXM_AXIL_LINK(m_axil_, bus_),
      `AXM_AXI_WATCHED_LINK(mon_axi_, m_axi_),
      .clk, .aresetn, .rst
  );

  // ---- ports -----------------------------------------------------------------------------
  logic [PORTS-1:0] port_irq;

  generate
  if (PORTS == 1) begin : g_irq
    assign irq = port_irq[0];
  end else begin : g_irqs
    always_ff @(posedge clk) irq <= |port_irq && !rst;
  end
  for (p = 0; p < PORTS; p++) begin : g_port
    localparam bit [31:0] B = 3 * p;
    axm_dma_port #(
        .MODE(MODE), .DATA_W(DATA_W), .ADDR_W(ADDR_W), .ID_W(ID_W), .USER_W(USER_W), .AXI3(AXI3),
        .MAX_OUTSTANDING(MAX_OUTSTANDING), .FIFO_BEATS(FIFO_BEATS),
        .FORWARD_CYCLES(FORWARD_CYCLES), .UNALIGNED(UNALIGNED), .RINGS(RINGS)
    ) u_port (
        `AXM_AXIL_LINK_SOME(s_axil_, bus_, B, 3),
        `AXM_AXI_LINK_ONE(m_axi_, m_axi_, p, ID_W),
        .clk, .rst, .irq(port_irq[p])
    );
  end
  endgenerate

endmodule
