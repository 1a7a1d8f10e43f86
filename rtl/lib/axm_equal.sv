// Whether two words are equal.
//
// Purpose      Compares groups of bits, and joins the groups with a carry chain: on parts whose chains
//              take their operands from LUTs, a wide comparison is smaller than as a tree of LUTs.
//              GROUP is the number of bits that a LUT can compare: 3 if both words come from
//              registers, fewer if they come from functions of more bits.
// Limits       None.
// Throughput   Combinational.
// Latency      None.
// Area         Part of area.toml (axm_traffic).
module axm_equal #(
    parameter bit [31:0] WIDTH = 32,
    parameter bit [31:0] GROUP = 3
) (
    input  logic [WIDTH-1:0] a,
    input  logic [WIDTH-1:0] b,
    output logic             equal
);

  localparam bit [31:0] Groups = (WIDTH + GROUP - 1) / GROUP;

  genvar k;
  generate
  if (WIDTH < 1 || GROUP < 1) begin : g_check
    axm_error_WIDTH_and_GROUP_must_be_1_or_more u_error ();
  end
  endgenerate

  logic [Groups-1:0] same;
  generate
  for (k = 0; k < Groups; k++) begin : g_group
    localparam bit [31:0] Bits = k < WIDTH / GROUP ? GROUP : WIDTH % GROUP;
    assign same[k] = a[k*GROUP+:Bits] == b[k*GROUP+:Bits];
  end
  endgenerate

  // The carry passes all groups only if all are the same.
  logic [Groups-1:0] rest;
  assign {equal, rest} = {1'b0, same} + 1'b1;
  wire unused = ^rest;

endmodule
