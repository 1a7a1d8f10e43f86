// Buffer of a stream: a memory block that is written and read in turn.
//
// Purpose      Holds the beats of one stream between bus and arithmetic.
// Limits       Neither side checks the fill level: the writer has reserved the place, the reader reads
//              only announced beats.
// Throughput   One beat a clock in and one out.
// Latency      A beat is at `out_data` in the clock after `read`, and stays until the next.
// Area         BEATS x 128 bits of block memory.
module axm_convolution_buffer #(
    parameter bit [31:0] BEATS = 256
) (
    input  logic         clk,
    input  logic         rst,       // empties it
    input  logic         write,
    input  logic [127:0] in_data,
    input  logic         read,
    output logic [127:0] out_data
);

  localparam bit [31:0] PTR_W = $clog2(BEATS);

  logic [127:0] memory[BEATS];
  logic [PTR_W-1:0] head, tail;

  always_ff @(posedge clk) begin
    if (write) memory[head] <= in_data;
    if (read) out_data <= memory[tail];
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      head <= '0;
      tail <= '0;
    end else begin
      head <= head + PTR_W'(write);
      tail <= tail + PTR_W'(read);
    end
  end

endmodule
