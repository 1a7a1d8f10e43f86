// The smallest FIFO: for who never pushes when it is full.
//
// Purpose      Holds transfers or completions whose number the caller limits to DEPTH.
// Limits       DEPTH is a power of two from 2 to 128. A push while full destroys what is held.
// Throughput   One word a clock in and one out.
// Latency      A word that enters in clock t can leave in clock t + 1.
module axm_dma_list #(
    parameter bit [31:0] WIDTH = 32,
    parameter bit [31:0] DEPTH = 16,
    parameter bit [31:0] COUNT_W = $clog2(DEPTH) + 1  // follows from the others
) (
    input  logic               clk,
    input  logic               rst,
    input  logic [  WIDTH-1:0] in_data,
    input  logic               in_valid,
    output logic [  WIDTH-1:0] out_data,
    output logic               out_valid,
    input  logic               out_ready,
    output logic [COUNT_W-1:0] head,       // words that came, ever
    output logic [COUNT_W-1:0] tail        // ... that left; both have one bit more than DEPTH needs
);

  generate
  if (DEPTH < 2 || DEPTH > 128 || (DEPTH & (DEPTH - 1)) != 0) begin : g_check
    axm_error_DEPTH_must_be_a_power_of_two_from_2_to_128 u_error ();
  end
  endgenerate

  // Read by a clock: its address is a register with nothing before it. Quartus makes a memory of that, and
  // adds what gives a word that was written in the clock before (Intel 683323, "Check Read-During-Write
  // Behavior"); of others it makes registers.
  (* ram_style = "distributed", ramstyle = "MLAB" *) logic [WIDTH-1:0] memory[DEPTH];
  wire [COUNT_W-1:0] tail_next = rst ? '0 : tail + COUNT_W'(out_valid && out_ready);

  assign out_valid = head != tail;
  assign out_data = memory[tail[COUNT_W-2:0]];

  always_ff @(posedge clk) begin
    if (in_valid) memory[head[COUNT_W-2:0]] <= in_data;
  end

  always_ff @(posedge clk) begin
    if (rst) head <= '0;
    else if (in_valid) head <= head + 1'b1;
    tail <= tail_next;
  end

endmodule
