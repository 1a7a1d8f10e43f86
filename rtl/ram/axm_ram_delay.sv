// FIFO in which each word stays at least a given number of clocks.
//
// Purpose      Added latency of axm_ram_full: of read addresses, and of write responses.
// Limits       DEPTH is a power of two from 2 to 64. `extra` may change at any time; words that are
//              inside may then leave too late or too early, but in order and none is lost.
// Throughput   One word a clock, as long as DEPTH holds what enters in 1 + extra clocks.
// Latency      A word that enters in clock t can leave in clock t + 1 + extra.
// Area         Two small FIFOs.
module axm_ram_delay #(
    parameter bit [31:0] WIDTH = 8,
    parameter bit [31:0] DEPTH = 8
) (
    input  logic             clk,
    input  logic             rst,
    input  logic [      7:0] extra,
    input  logic [WIDTH-1:0] in_data,
    input  logic             in_valid,
    output logic             in_ready,
    output logic [WIDTH-1:0] out_data,
    output logic             out_valid,
    input  logic             out_ready
);

  localparam bit [31:0] COUNT_W = $clog2(DEPTH) + 1;

  logic [8:0] now, entered, age;
  logic stamp_valid, stamp_ready, word_valid, due;
  logic [COUNT_W-1:0] ready_words, stamps, words;
  wire unused = &{1'b0, stamps, words, stamp_ready, word_valid};

  // A stamp leaves as soon as its word is old enough, so that its age cannot wrap; `ready_words`
  // counts the words whose stamps have left.
  assign age = now - entered;
  assign due = stamp_valid && age > {1'b0, extra};
  assign out_valid = ready_words != '0 || due;

  wire out_moved = out_valid && out_ready;

  axm_fifo #(
      .WIDTH(9), .DEPTH(DEPTH)
  ) u_stamps (
      .clk, .rst, .clear(1'b0), .in_data(now), .in_valid(in_valid && in_ready), .in_ready(stamp_ready),
      .out_data(entered), .out_valid(stamp_valid), .out_ready(due), .count(stamps)
  );

  axm_fifo #(
      .WIDTH(WIDTH), .DEPTH(DEPTH)
  ) u_words (
      .clk, .rst, .clear(1'b0), .in_data, .in_valid, .in_ready, .out_data, .out_valid(word_valid),
      .out_ready(out_moved), .count(words)
  );

  always_ff @(posedge clk) begin
    if (rst) begin
      now <= '0;
      ready_words <= '0;
    end else begin
      now <= now + 9'd1;
      ready_words <= ready_words + COUNT_W'(due) - COUNT_W'(out_moved);
    end
  end

endmodule
