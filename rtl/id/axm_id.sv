// Identification block (type 1): tells software what the design is and which blocks it holds.
//
// Purpose      Window 0 of every top: magic word, version, clock, design, and a table with one word
//              a block ([15:0] type, [23:16] port, [31:24] instance). All of it is constant.
// Limits       BLOCKS is 1 to 64. TABLE's word k is bits [32*k +: 32].
// Throughput   A register read takes three clocks; a word of the table four.
// Latency      As above.
// Area         xc7: 65 LUT, 31 FF with one block. Constants: hardly more with a full table.
module axm_id #(
    parameter int unsigned BLOCKS = 1,
    parameter bit [BLOCKS*32-1:0] TABLE = {BLOCKS{32'h00FF_0001}},
    parameter int unsigned CLOCK_HZ = 100_000_000,
    parameter bit [23:0] VERSION = 24'h00_01_00,  // major, minor, patch: 8 bits each
    parameter int unsigned TOP = 0,       // as DESIGN in regs/id.rdl says; 0 none of them
    parameter int unsigned PORTS = 1,
    parameter int unsigned DATA_W = 64,
    parameter int unsigned VARIANT = 0    // a setting of the top, as DESIGN says
) (
    input  logic        clk,
    input  logic        rst,
    input  logic [11:0] s_axil_awaddr,
    input  logic [ 2:0] s_axil_awprot,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [ 1:0] s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic [11:0] s_axil_araddr,
    input  logic [ 2:0] s_axil_arprot,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready
);

  localparam int unsigned WORDS = 64;

  if (BLOCKS < 1 || BLOCKS > WORDS) begin : g_check_blocks
    $error("%m: BLOCKS is %0d; it must be 1 to %0d", BLOCKS, WORDS);
  end
  if (TOP > 255 || PORTS > 255 || VARIANT > 255) begin : g_check_design
    $error("%m: TOP %0d, PORTS %0d and VARIANT %0d must be below 256", TOP, PORTS, VARIANT);
  end
  if (DATA_W % 8 != 0 || DATA_W / 8 > 255) begin : g_check_width
    $error("%m: DATA_W is %0d; it must be whole bytes, at most 255", DATA_W);
  end

  id_regs_pkg::axm_id__in_t  to_regs;
  id_regs_pkg::axm_id__out_t from_regs;

  // The table is a constant memory outside of the registers; it answers in the next clock.
  logic [31:0] word;
  logic        asked;

  always_ff @(posedge clk) begin
    word <= '0;
    for (int unsigned k = 0; k < BLOCKS; k++) begin
      if (from_regs.TABLE.addr[7:2] == 6'(k)) word <= TABLE[32*k+:32];
    end
    asked <= from_regs.TABLE.req && !from_regs.TABLE.req_is_wr && !rst;
  end

  always_comb begin
    to_regs.CAPS.TABLE_WORDS.next = 16'(WORDS);
    to_regs.VERSION.PATCH.next = VERSION[7:0];
    to_regs.VERSION.MINOR.next = VERSION[15:8];
    to_regs.VERSION.MAJOR.next = VERSION[23:16];
    to_regs.CLOCK_HZ.VALUE.next = 32'(CLOCK_HZ);
    to_regs.BLOCKS.VALUE.next = 32'(BLOCKS);
    to_regs.DESIGN.TOP.next = 8'(TOP);
    to_regs.DESIGN.PORTS.next = 8'(PORTS);
    to_regs.DESIGN.DATA_BYTES.next = 8'(DATA_W / 8);
    to_regs.DESIGN.VARIANT.next = 8'(VARIANT);
    to_regs.TABLE.rd_ack = asked;
    to_regs.TABLE.rd_data = word;
    to_regs.TABLE.wr_ack = 1'b0;
  end

  id_regs u_regs (
      .hwif_in (to_regs),
      .hwif_out(from_regs),
      .*
  );

endmodule
