// Address of the beat after this one in an AXI burst, and whether the burst is legal.
//
// Purpose      Address generation of axm_ram_full, for each direction.
// Limits       Combinational. `start` is the address of the burst, `current` that of a beat; the first
//              beat's is `start`.
// Latency      None.
// Area         Part of axm_ram_full.
module axm_ram_address #(
    parameter bit [31:0] ADDR_W = 12,
    parameter bit [31:0] DATA_W = 64,
    parameter bit AXI3 = 1'b0
) (
    input  logic [ADDR_W-1:0] current,
    input  logic [       7:0] len,
    input  logic [       2:0] size,
    input  logic [       1:0] burst,
    output logic [ADDR_W-1:0] next,
    output logic              legal
);

  localparam logic [1:0] FIXED = 2'b00, WRAP = 2'b10, RESERVED = 2'b11;
  localparam logic [2:0] WIDEST = 3'($clog2(DATA_W / 8));

  logic [ADDR_W-1:0] aligned, stepped, in_block;

  always_comb begin
    aligned = (current >> size) << size;
    stepped = aligned + (ADDR_W'(1) << size);
    // A wrapping burst stays in the block that it fills.
    in_block = (ADDR_W'(len) << size) | ((ADDR_W'(1) << size) - ADDR_W'(1));
    case (burst)
      FIXED:   next = current;
      WRAP:    next = (current & ~in_block) | (stepped & in_block);
      default: next = stepped;
    endcase

    legal = size <= WIDEST && burst != RESERVED && !(AXI3 && len[7:4] != '0);
    if (burst == FIXED && len[7:4] != '0) legal = 1'b0;
    if (burst == WRAP && len != 8'd1 && len != 8'd3 && len != 8'd7 && len != 8'd15) legal = 1'b0;
  end

endmodule
