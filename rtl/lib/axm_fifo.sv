// Synchronous FIFO with first-word fall-through.
//
// Purpose      Decouples a writer from a reader of the same clock.
// Limits       DEPTH is a power of two from 2 to 4096. Pushes while full and pops while empty are
//              refused by the handshakes; nothing is lost.
// Throughput   One word a clock in and one out, also when full or empty.
// Latency      A word that enters in clock t can leave in clock t + 1.
// Area         Storage is distributed RAM up to 64 words, and what the tool infers above.
module axm_fifo #(
    parameter bit [31:0] WIDTH = 32,
    parameter bit [31:0] DEPTH = 16,
    parameter bit [31:0] COUNT_W = $clog2(DEPTH) + 1  // follows from the others
) (
    input  logic               clk,
    input  logic               rst,
    input  logic               clear,    // forgets all words
    input  logic [  WIDTH-1:0] in_data,
    input  logic               in_valid,
    output logic               in_ready,
    output logic [  WIDTH-1:0] out_data,
    output logic               out_valid,
    input  logic               out_ready,
    output logic [COUNT_W-1:0] count     // words held
);

  generate
  if (DEPTH < 2 || DEPTH > 4096 || (DEPTH & (DEPTH - 1)) != 0) begin : g_check
    axm_error_DEPTH_must_be_a_power_of_two_from_2_to_4096 u_error ();
  end
  endgenerate

  localparam bit [31:0] PTR_W = $clog2(DEPTH);

  logic [PTR_W-1:0] head, tail;

  wire push = in_valid && in_ready;
  wire pop = out_valid && out_ready;

  assign in_ready  = count != COUNT_W'(DEPTH);
  assign out_valid = count != '0;

  axm_small_ram #(
      .WIDTH(WIDTH), .DEPTH(DEPTH)
  ) u_words (
      .clk, .write(push), .write_place(head), .write_word(in_data), .read_place(tail),
      .word(out_data)
  );

  always_ff @(posedge clk) begin
    if (rst || clear) begin
      head  <= '0;
      tail  <= '0;
      count <= '0;
    end else begin
      head  <= head + PTR_W'(push);
      tail  <= tail + PTR_W'(pop);
      count <= count + COUNT_W'(push) - COUNT_W'(pop);
    end
  end

endmodule
