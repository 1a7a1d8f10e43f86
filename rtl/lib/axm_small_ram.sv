// Small memory that is read without a clock: distributed RAM on AMD's chips, MLABs on Intel's.
//
// Purpose      Quartus makes registers of a memory that is read without a clock, unless it has the
//              attribute below. With it what is read in the clock after a write to the same place is
//              not defined; there, under the macro that Quartus sets, that word comes from a register
//              (docs/rtl-results.md has the sources).
// Limits       BYPASS = 0 leaves that register out, where such a word is never used.
// Throughput   A write and a read a clock.
// Latency      None to read. A word written in clock t is read from t + 1.
// Area         WIDTH * DEPTH bits of such RAM; in Quartus WIDTH + log2(DEPTH) + 1 FF and WIDTH LUT more.
module axm_small_ram #(
    parameter bit [31:0] WIDTH = 32,
    parameter bit [31:0] DEPTH = 16,
    parameter bit BYPASS = 1,
    parameter bit [31:0] PLACE_W = $clog2(DEPTH)  // follows from the others
) (
    input  logic               clk,
    input  logic               write,
    input  logic [PLACE_W-1:0] write_place,
    input  logic [  WIDTH-1:0] write_word,
    input  logic [PLACE_W-1:0] read_place,
    output logic [  WIDTH-1:0] word
);

`ifdef ALTERA_RESERVED_QIS
  localparam bit HOLDS = BYPASS;
`else
  localparam bit HOLDS = 0;
`endif

  (* ram_style = "distributed", ramstyle = "MLAB, no_rw_check" *)
  logic [WIDTH-1:0] memory[DEPTH];
  wire [WIDTH-1:0] stored = memory[read_place];

  always_ff @(posedge clk) begin
    if (write) memory[write_place] <= write_word;
  end

  generate
  if (HOLDS) begin : g_bypass
    logic fresh;
    logic [PLACE_W-1:0] fresh_place;
    logic [WIDTH-1:0] fresh_word;
    always_ff @(posedge clk) begin
      fresh <= write;
      fresh_place <= write_place;
      fresh_word <= write_word;
    end
    assign word = fresh && fresh_place == read_place ? fresh_word : stored;
  end else begin : g_direct
    assign word = stored;
  end
  endgenerate

endmodule
