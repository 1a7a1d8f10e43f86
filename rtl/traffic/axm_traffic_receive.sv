// Takes the beats of a traffic generator's reads and judges them.
//
// Purpose      Follows the beats of the oldest burst; reports its end and its faults: response, last, ID,
//              data (axm_traffic_send.sv defines them), or a beat without a request.
//              A burst ends with its last beat by count, or with `rlast`, whichever is earlier.
// Limits       Bursts answer in order. Always ready.
// Throughput   One beat a clock.
// Latency      None: all outputs are of this clock.
// Area         Part of area.toml (axm_traffic).
module axm_traffic_receive #(
    parameter bit [31:0] DATA_W   = 64,
    parameter bit [31:0] ID_W     = 1,
    parameter bit          CROSS_4K = 0    // bursts may cross 4 KiB
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              check,      // compare the data
    input  logic [      31:0] seed,
    input  logic              none,       // no burst is in flight
    input  logic [      31:0] address,    // of the oldest
    input  logic [       7:0] len,
    input  logic              rvalid,
    input  logic [  ID_W-1:0] rid,
    input  logic [DATA_W-1:0] rdata,
    input  logic [       1:0] rresp,
    input  logic              rlast,
    output logic              ends,       // the oldest burst
    output logic              middle,     // a beat of it has come, in a clock before
    output logic [      31:0] beat_address,
    // {unexpected, data, ID, last missing, last early, DECERR, SLVERR}
    output logic [       6:0] errors
);

  localparam bit [31:0] Shift = $clog2(DATA_W / 8);

  logic [7:0] beat;
  wire full = beat == len;
  assign ends = rvalid && !none && (full || rlast);
  assign middle = beat != '0;

  always_ff @(posedge clk) begin
    if (rst || ends) beat <= '0;
    else if (rvalid && !none) beat <= beat + 1'b1;
  end

  localparam bit [31:0] Carry = CROSS_4K ? 32 : 12;  // bits of the address that a burst changes
  wire [Carry-1:Shift] low = address[Carry-1:Shift] + (Carry - Shift)'(beat);
  genvar k;
  generate
  if (CROSS_4K) begin : g_whole
    assign beat_address = {low, Shift'(0)};
  end else begin : g_page
    assign beat_address = {address[31:12], low, Shift'(0)};
  end
  endgenerate

  // The first word is compared with what it is to be, the others with the first: from that they differ
  // by constants.
  localparam bit [31:0] Words = DATA_W / 32;
  wire [31:0] a = beat_address;
  logic right, others_right;
  axm_equal #(
      .GROUP(2)
  ) first_word (
      .a(rdata[31:0]), .b(a ^ {a[15:0], 16'h0} ^ seed), .equal(right)
  );
  logic [DATA_W-1:0] others, others_want;
  generate
  for (k = 0; k < Words; k++) begin : g_word
    assign others[k*32+:32] = rdata[k*32+:32] ^ rdata[31:0];
    assign others_want[k*32+:32] = {16'(k * 4), 16'(k * 4)};
  end
  endgenerate
  axm_equal #(
      .WIDTH(DATA_W)
  ) other_words (
      .a(others), .b(others_want), .equal(others_right)
  );

  wire bad = rresp[1];
  wire [5:0] wrong = {
    check && !bad && !(right && others_right), rid != '0, full && !rlast, !full && rlast, bad && rresp[0],
    bad && !rresp[0]
  };
  assign errors = !rvalid ? '0 : none ? 7'h40 : {1'b0, wrong};

  wire unused = ^address[Shift-1:0];

endmodule
