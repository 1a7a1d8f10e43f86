// Identification block (type 1): identifies the design and its blocks to software.
//
// Purpose      Window 0 of every top: magic word, version, clock, design, and a table with one word
//              a block ([15:0] type, [23:16] port, [31:24] instance). All of it is constant.
// Limits       BLOCKS is 1 to 64. TABLE's word k is bits [32*k +: 32].
// Throughput   A register read takes three clocks from VALID to the answer; a word of the table four.
// Latency      As above.
// Area         xc7: 58 LUT, 32 FF with one block. Constants: hardly more with a full table.
`include "axm_ports.svh"

module axm_id #(
    parameter bit [31:0] BLOCKS = 1,
    parameter bit [BLOCKS*32-1:0] TABLE = {BLOCKS{{16'h00FF, block_types_pkg::ID}}},
    parameter bit [31:0] CLOCK_HZ = 100_000_000,
    parameter bit [23:0] VERSION = 24'h00_01_00,  // major, minor, patch: 8 bits each
    parameter bit [31:0] TOP = 0,       // as DESIGN in regs/id.rdl; 0: none of them
    parameter bit [31:0] PORTS = 1,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] VARIANT = 0    // a setting of the top, see DESIGN
) (
    `AXM_AXIL_SLAVE(s_axil_, 12, 32)
    input  logic        clk,
    input  logic        rst
);

  localparam bit [31:0] WORDS = 64;

  generate
  if (BLOCKS < 1 || BLOCKS > WORDS) begin : g_check_blocks
    axm_error_BLOCKS_must_be_1_to_64 u_error ();
  end
  if (TOP > 255 || PORTS > 255 || VARIANT > 255) begin : g_check_design
    axm_error_TOP_PORTS_and_VARIANT_must_be_below_256 u_error ();
  end
  if (DATA_W % 8 != 0 || DATA_W / 8 > 255) begin : g_check_width
    axm_error_DATA_W_must_be_whole_bytes_at_most_255 u_error ();
  end
  endgenerate

  logic from_regs_TABLE_req;
  logic [7:0] from_regs_TABLE_addr;
  logic from_regs_TABLE_req_is_wr;

  // The table is a constant memory outside of the registers; it answers in the next clock.
  logic [31:0] word;
  logic        asked;

  always_ff @(posedge clk) begin
    word <= '0;
    for (int unsigned k = 0; k < BLOCKS; k++) begin
      if (from_regs_TABLE_addr[7:2] == 6'(k)) word <= TABLE[32*k+:32];
    end
    asked <= from_regs_TABLE_req && !from_regs_TABLE_req_is_wr && !rst;
  end

  wire unused_bits = &{1'b0, from_regs_TABLE_addr[1:0]};

  id_regs u_regs (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      .hwif_in_CAPS_TABLE_WORDS(16'(WORDS)), .hwif_in_VERSION_PATCH(VERSION[7:0]),
      .hwif_in_VERSION_MINOR(VERSION[15:8]), .hwif_in_VERSION_MAJOR(VERSION[23:16]),
      .hwif_in_CLOCK_HZ_VALUE(32'(CLOCK_HZ)), .hwif_in_BLOCKS_VALUE(32'(BLOCKS)),
      .hwif_in_DESIGN_TOP(8'(TOP)), .hwif_in_DESIGN_PORTS(8'(PORTS)),
      .hwif_in_DESIGN_DATA_BYTES(8'(DATA_W / 8)), .hwif_in_DESIGN_VARIANT(8'(VARIANT)),
      .hwif_in_TABLE_rd_ack(asked), .hwif_in_TABLE_rd_data(word), .hwif_in_TABLE_wr_ack(1'b0),
      .hwif_out_TABLE_req(from_regs_TABLE_req), .hwif_out_TABLE_addr(from_regs_TABLE_addr),
      .hwif_out_TABLE_req_is_wr(from_regs_TABLE_req_is_wr), .hwif_out_TABLE_wr_data(),
      .hwif_out_TABLE_wr_biten(), .clk, .rst
  );

endmodule
