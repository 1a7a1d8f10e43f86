// What all tops have in common: register bus, identification, counter and sniffer.
//
// Purpose      Block 0 is the identification with the table of all blocks, block 1 the counter, the last
//              one the sniffer. Blocks 2 to BLOCKS - 2 are the top's own: their register buses are
//              `m_axil_*`, block 2 + k at element k, address and data shared by all.
//              `rst` is the reset of the whole design, from `aresetn`.
//              The sniffer watches the ports at `mon_axi_*`: with both directions slot 2p the reads and
//              slot 2p + 1 the writes of port p, with one direction slot p.
// Limits       BLOCKS is 3 (none of its own) to 64; PORTS 1 to 4. TABLE's word k is bits [32*k +: 32] and
//              describes block 2 + k: [15:0] type (block_types_pkg), [23:16] port, [31:24] instance.
//              Without own blocks `m_axil_*` is one element that is never accessed.
// Throughput   As axm_axil_demux.
// Latency      One clock to a block, none back. Nothing is put into `mon_axi_*`.
// Area         xc7: 1251 LUT, 661 FF with three blocks of its own and two slots: the sum of its blocks.
`include "axm_ports.svh"

module axm_shell #(
    parameter bit [31:0] BLOCKS = 3,
    parameter bit [31:0] OWN = BLOCKS > 3 ? BLOCKS - 3 : 1,  // follows from the others
    parameter bit [OWN*32-1:0] TABLE = '0,
    parameter bit [31:0] CLOCK_HZ = 100_000_000,
    parameter bit [31:0] TOP = 0,  // as DESIGN in regs/id.rdl
    parameter bit [31:0] VARIANT = 0,  // a setting of the top, see DESIGN
    parameter bit [31:0] PORTS = 1,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] ADDR_W = 32,
    parameter bit READS = 1,  // the sniffer watches AR and R
    parameter bit WRITES = 1,  // the sniffer watches AW and W
    parameter bit [31:0] LITE_W = 16
) (
    `AXM_AXIL_SLAVE(s_axil_, LITE_W, 32)
    `AXM_AXIL_MASTERS(OWN, m_axil_)
    `AXM_AXI_WATCHED(PORTS, mon_axi_)
    input  logic clk,
    input  logic aresetn,
    output logic rst
);

  genvar k;
  generate
  if (BLOCKS < 3 || BLOCKS > 64) begin : g_check_blocks
    axm_error_BLOCKS_must_be_3_to_64 u_error ();
  end
  if (PORTS < 1 || PORTS > 4) begin : g_check_ports
    axm_error_PORTS_must_be_1_to_4 u_error ();
  end
  if (!READS && !WRITES) begin : g_check_directions
    axm_error_READS_or_WRITES_must_be_watched u_error ();
  end
  endgenerate

  localparam bit [31:0] LAST = BLOCKS - 1;  // the sniffer
  localparam bit BOTH = READS && WRITES;
  localparam bit [31:0] SLOTS = BOTH ? 2 * PORTS : PORTS;

  always_ff @(posedge clk) rst <= !aresetn;

  // ---- the block table: type, port (255: none), instance ------------------------------------
  function automatic bit [BLOCKS*32-1:0] table_of_blocks();
    bit [BLOCKS*32-1:0] t;
    t[0+:32] = {16'h00FF, block_types_pkg::ID};
    t[32+:32] = {16'h00FF, block_types_pkg::COUNTER};
    for (int unsigned i = 2; i < LAST; i++) t[32*i+:32] = TABLE[32*(i-2)+:32];
    t[32*LAST+:32] = {16'h00FF, block_types_pkg::SNIFFER};
    table_of_blocks = t;
  endfunction

  // ---- register buses --------------------------------------------------------------------
  `AXM_AXIL_WIRES(BLOCKS, bus_)
  logic [BLOCKS-1:0] dead;
  wire unused_dead = &{1'b0, dead};

  axm_axil_demux #(.N(BLOCKS), .ADDR_W(LITE_W)) u_demux (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      `AXM_AXIL_LINK(m_axil_, bus_),
      .clk, .rst, .dead
  );

  assign {m_axil_awaddr, m_axil_awprot, m_axil_wdata, m_axil_wstrb, m_axil_araddr, m_axil_arprot} =
      {bus_awaddr, bus_awprot, bus_wdata, bus_wstrb, bus_araddr, bus_arprot};
  generate
  if (BLOCKS > 3) begin : g_own
    assign m_axil_awvalid = bus_awvalid[2+:OWN];
    assign m_axil_wvalid = bus_wvalid[2+:OWN];
    assign m_axil_bready = bus_bready[2+:OWN];
    assign m_axil_arvalid = bus_arvalid[2+:OWN];
    assign m_axil_rready = bus_rready[2+:OWN];
    assign bus_awready[2+:OWN] = m_axil_awready;
    assign bus_wready[2+:OWN] = m_axil_wready;
    assign bus_bresp[4+:2*OWN] = m_axil_bresp;
    assign bus_bvalid[2+:OWN] = m_axil_bvalid;
    assign bus_arready[2+:OWN] = m_axil_arready;
    assign bus_rdata[64+:32*OWN] = m_axil_rdata;
    assign bus_rresp[4+:2*OWN] = m_axil_rresp;
    assign bus_rvalid[2+:OWN] = m_axil_rvalid;
  end else begin : g_none
    assign {m_axil_awvalid, m_axil_wvalid, m_axil_bready, m_axil_arvalid, m_axil_rready} = '0;
    wire unused = &{
      1'b0, m_axil_awready, m_axil_wready, m_axil_bresp, m_axil_bvalid, m_axil_arready, m_axil_rdata,
      m_axil_rresp, m_axil_rvalid
    };
  end
  endgenerate

  axm_id #(
      .BLOCKS(BLOCKS), .TABLE(table_of_blocks()), .CLOCK_HZ(CLOCK_HZ), .TOP(TOP), .PORTS(PORTS),
      .DATA_W(DATA_W), .VARIANT(VARIANT)
  ) u_id (
      `AXM_AXIL_LINK_SOME(s_axil_, bus_, 0, 1),
      .clk, .rst
  );

  wire [63:0] count;
  wire unused_count = &{1'b0, count};
  axm_counter #(.CLOCK_HZ(CLOCK_HZ)) u_counter (
      `AXM_AXIL_LINK_SOME(s_axil_, bus_, 1, 1),
      .clk, .rst, .count
  );

  // ---- the sniffer ------------------------------------------------------------------------
  logic [SLOTS-1:0] addr_valid, addr_ready, data_valid, data_ready, data_last;
  logic [ADDR_W*SLOTS-1:0] addr_addr;
  logic [8*SLOTS-1:0] addr_len;

  generate
  for (k = 0; k < SLOTS; k++) begin : g_slot
    localparam bit [31:0] P = BOTH ? k / 2 : k;
    localparam bit WRITE = BOTH ? k % 2 == 1 : WRITES;
    assign addr_valid[k] = WRITE ? mon_axi_awvalid[P] : mon_axi_arvalid[P];
    assign addr_ready[k] = WRITE ? mon_axi_awready[P] : mon_axi_arready[P];
    assign addr_addr[ADDR_W*k+:ADDR_W] =
        WRITE ? mon_axi_awaddr[ADDR_W*P+:ADDR_W] : mon_axi_araddr[ADDR_W*P+:ADDR_W];
    assign addr_len[8*k+:8] = WRITE ? mon_axi_awlen[8*P+:8] : mon_axi_arlen[8*P+:8];
    assign data_valid[k] = WRITE ? mon_axi_wvalid[P] : mon_axi_rvalid[P];
    assign data_ready[k] = WRITE ? mon_axi_wready[P] : mon_axi_rready[P];
    assign data_last[k] = WRITE ? mon_axi_wlast[P] : mon_axi_rlast[P];
  end
  endgenerate

  axm_sniffer #(
      .SLOTS(SLOTS), .WRITES(BOTH ? 8'b1010_1010 : {8{WRITES}}), .ADDR_W(ADDR_W)
  ) u_sniffer (
      `AXM_AXIL_LINK_SOME(s_axil_, bus_, LAST, 1),
      .clk, .rst, .addr_valid, .addr_ready, .addr_addr, .addr_len, .data_valid, .data_ready, .data_last
  );

endmodule
