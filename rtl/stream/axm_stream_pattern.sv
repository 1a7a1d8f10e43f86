// The data of a stream as a function of the place: what the source sends and the sink expects.
//
// Purpose      Word i (32 bits) of the stream is i ^ (i << 8) ^ (i << 16) ^ (i << 24) ^ seed. Every
//              byte of it changes with i, and with the default seed the four bytes of a word
//              differ, so lost, doubled and swapped bytes and beats show.
// Limits       i is 32 bits.
// Throughput   Combinational.
// Area         At most one LUT a bit.
module axm_stream_pattern #(
    parameter bit [31:0] DATA_W = 64
) (
    input  logic [      31:0] beat,
    input  logic [      31:0] seed,
    output logic [DATA_W-1:0] data
);

  localparam bit [31:0] LANES = DATA_W / 32;

  genvar lane;
  generate
  for (lane = 0; lane < LANES; lane++) begin : g_lane
    wire [31:0] i = beat * LANES + lane;
    assign data[32*lane+:32] = i ^ (i << 8) ^ (i << 16) ^ (i << 24) ^ seed;
  end
  endgenerate

endmodule
