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
`include "axm_ports.svh"

module axm_traffic_top #(
    parameter bit [31:0] PORTS = 1,
    parameter bit [31:0] MASTERS = 1,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] ID_W = 6,
    parameter bit [31:0] USER_W = 1,
    parameter bit AXI3 = 1,
    parameter bit REGISTERED = 0,
    parameter bit [31:0] CLOCK_HZ = 100_000_000,
    parameter bit [31:0] OUTSTANDING = 64,
    parameter bit [31:0] TIMEOUT = 65536,
    parameter bit CROSS_4K = 0,
    parameter bit [31:0] BYTES = DATA_W / 8,  // follows from the others
    parameter bit [31:0] EACH = MASTERS > 1 ? MASTERS + 1 : 1,  // blocks of a port
    parameter bit [31:0] BLOCKS = 2 + EACH * PORTS + 1,  // follows from the others
    parameter bit [31:0] LITE_W = BLOCKS > 16 ? 18 : 16  // follows from the others
) (
    output logic irq,
    `AXM_AXIL_SLAVE(s_axil_, LITE_W, 32)
    `AXM_AXI_MASTERS(PORTS, m_axi_, ID_W, DATA_W)
    input  logic aclk,
    input  logic aresetn
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

  localparam bit [31:0] OWN = BLOCKS - 3;
  localparam bit [31:0] GEN_ID_W = ID_W - $clog2(MASTERS);

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
  `AXM_AXIL_WIRES(OWN, bus_)

  axm_shell #(
      .BLOCKS(BLOCKS), .TABLE(table_of_blocks()), .CLOCK_HZ(CLOCK_HZ),
      .TOP(32'(id_regs_pkg::top__TRAFFIC)), .VARIANT(MASTERS), .PORTS(PORTS), .DATA_W(DATA_W),
      .ADDR_W(ADDR_W), .LITE_W(LITE_W)
  ) u_shell (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      `AXM_AXIL_LINK(m_axil_, bus_),
      `AXM_AXI_WATCHED_LINK(mon_axi_, m_axi_),
      .clk, .aresetn, .rst
  );

  // ---- ports -----------------------------------------------------------------------------
  logic [PORTS*MASTERS-1:0] busy;
  logic was_busy;
  wire unused_busy = &{1'b0, busy};
  wire lead = busy[0] && !was_busy;

  always_ff @(posedge clk) was_busy <= busy[0] && !rst;

  generate
  for (p = 0; p < PORTS; p++) begin : g_port
    if (MASTERS == 1) begin : g_direct
      axm_traffic #(
          .ADDR_W(ADDR_W), .DATA_W(DATA_W), .ID_W(ID_W), .USER_W(USER_W), .AXI3(AXI3),
          .OUTSTANDING(OUTSTANDING), .CROSS_4K(CROSS_4K)
      ) u_traffic (
          `AXM_AXIL_LINK_SOME(s_axil_, bus_, p, 1),
          `AXM_AXI_LINK_ONE(m_axi_, m_axi_, p, ID_W),
          .clk, .rst, .start(p == 0 ? 1'b0 : lead), .busy(busy[p])
      );
    end else begin : g_mux
      localparam bit [31:0] B = EACH * p;
      `AXM_AXI_WIRES(MASTERS, g_, GEN_ID_W, DATA_W)

      for (m = 0; m < MASTERS; m++) begin : g_master
        axm_traffic #(
            .ADDR_W(ADDR_W), .DATA_W(DATA_W), .ID_W(GEN_ID_W), .USER_W(USER_W), .AXI3(AXI3),
            .OUTSTANDING(OUTSTANDING), .CROSS_4K(CROSS_4K)
        ) u_traffic (
            `AXM_AXIL_LINK_SOME(s_axil_, bus_, B + m, 1),
            `AXM_AXI_LINK_ONE(m_axi_, g_, m, GEN_ID_W),
            .clk, .rst, .start(p + m == 0 ? 1'b0 : lead), .busy(busy[MASTERS*p+m])
        );
      end

      axm_mux_block #(
          .N(MASTERS), .ADDR_W(ADDR_W), .DATA_W(DATA_W), .ID_W(GEN_ID_W), .USER_W(USER_W),
          .AXI3(AXI3), .REGISTERED(REGISTERED), .LIMIT(OUTSTANDING), .TIMEOUT(TIMEOUT)
      ) u_mux (
          `AXM_AXIL_LINK_SOME(s_axil_, bus_, B + MASTERS, 1),
          `AXM_AXI_LINK(s_axi_, g_),
          `AXM_AXI_LINK_ONE(m_axi_, m_axi_, p, ID_W),
          .clk, .rst
      );
    end
  end
  endgenerate

endmodule
