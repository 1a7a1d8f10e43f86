// Memory with one port that writes bytes and one that reads words.
//
// Purpose      Storage of the RAM slaves, written so that tools infer block RAM.
// Limits       WORDS is a power of two. Reading a word while it is written gives what it was.
// Throughput   A write and a read a clock.
// Latency      A word is on `read_data` in the clock after `read`, and stays until the next.
// Area         WORDS * DATA_W bits of block RAM.
module axm_ram_memory #(
    parameter bit [31:0] WORDS = 1024,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] INDEX_W = $clog2(WORDS),  // follows from the others
    parameter bit [31:0] STRB_W = DATA_W / 8  // follows from the others
) (
    input  logic               clk,
    input  logic [ STRB_W-1:0] write,      // one bit a byte
    input  logic [INDEX_W-1:0] write_index,
    input  logic [ DATA_W-1:0] write_data,
    input  logic               read,
    input  logic [INDEX_W-1:0] read_index,
    output logic [ DATA_W-1:0] read_data
);

  generate
  if (WORDS < 2 || (WORDS & (WORDS - 1)) != 0) begin : g_check
    axm_error_WORDS_must_be_a_power_of_two_at_least_2 u_error ();
  end
  endgenerate

  (* ram_style = "block", ramstyle = "no_rw_check" *)
  logic [DATA_W-1:0] memory[WORDS];

  always_ff @(posedge clk) begin
    for (int unsigned b = 0; b < STRB_W; b++) begin
      if (write[b]) memory[write_index][8*b+:8] <= write_data[8*b+:8];
    end
    if (read) read_data <= memory[read_index];
  end

endmodule
