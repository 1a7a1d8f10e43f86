// The system of the case study: convolution accelerators on every port.
//
// Purpose      An accelerator block (LANES accelerators) on each of 1 to 4 ports. What is on a board and
//              what the co-simulation runs is this same module.
//              Blocks: 0 identification, 1 counter; then for each port its accelerators; last, a
//              sniffer: slot 2p sees the reads and 2p + 1 the writes of port p.
// Limits       PORTS 1 to 4; 128 bit, AXI4; the rest as axm_convolution. All ports have one clock.
//              There is no interrupt: `irq` is 0, as the other tops' ports have it.
// Throughput   As axm_convolution, for each port.
// Latency      Registers: one clock more than the blocks themselves, for the demultiplexer.
// Area         The sum of its blocks.
`include "axm_ports.svh"

module axm_convolution_top #(
    parameter bit [31:0] PORTS = 1,
    parameter bit [31:0] LANES = 4,
    parameter bit [31:0] DATA_W = 128,
    parameter bit [31:0] ADDR_W = 40,
    parameter bit [31:0] ID_W = 4,
    parameter bit [31:0] USER_W = 1,
    parameter bit AXI3 = 0,
    parameter bit [31:0] CLOCK_HZ = 100_000_000,
    parameter bit [31:0] OUTSTANDING = 64,
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
  if (DATA_W != 128) begin : g_check_data
    axm_error_DATA_W_must_be_128 u_error ();
  end
  if (AXI3) begin : g_check_axi3
    axm_error_AXI3_must_be_0_as_bursts_are_longer_than_AXI3_has_them u_error ();
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
      t[32*i+:32] = {8'(i), 8'(i), block_types_pkg::CONVOLUTION};
    end
    table_of_blocks = t;
  endfunction

  // ---- register buses of the top's own blocks -----------------------------------------------
  `AXM_AXIL_WIRES(OWN, bus_)

  axm_shell #(
      .BLOCKS(BLOCKS), .TABLE(table_of_blocks()), .CLOCK_HZ(CLOCK_HZ),
      .TOP(32'(id_regs_pkg::top__CONVOLUTION)), .VARIANT(LANES), .PORTS(PORTS), .DATA_W(DATA_W),
      .ADDR_W(ADDR_W), .LITE_W(LITE_W)
  ) u_shell (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      `AXM_AXIL_LINK(m_axil_, bus_),
      `AXM_AXI_WATCHED_LINK(mon_axi_, m_axi_),
      .clk, .aresetn, .rst
  );

  // ---- ports -----------------------------------------------------------------------------
  logic [PORTS-1:0] busy;
  wire unused_busy = &{1'b0, busy};

  generate
  for (p = 0; p < PORTS; p++) begin : g_port
    axm_convolution #(
        .LANES(LANES), .OUTSTANDING(OUTSTANDING), .ADDR_W(ADDR_W), .ID_W(ID_W), .USER_W(USER_W)
    ) u_convolution (
        `AXM_AXIL_LINK_SOME(s_axil_, bus_, p, 1),
        `AXM_AXI_LINK_ONE(m_axi_, m_axi_, p, ID_W),
        .clk, .rst, .busy(busy[p])
    );
  end
  endgenerate

endmodule
