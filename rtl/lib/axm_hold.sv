// Keeps one word of a channel until it is used, without a clock of delay.
//
// Purpose      READY is a register where the user of the words cannot promise to take one.
// Limits       None.
// Throughput   One word a clock.
// Latency      None: a word that enters in clock t is offered in t, and until it is used.
// Area         WIDTH + 1 flip-flops, WIDTH + 1 LUTs.
module axm_hold #(
    parameter bit [31:0] WIDTH = 32
) (
    input  logic             clk,
    input  logic             rst,
    input  logic [WIDTH-1:0] in_data,
    input  logic             in_valid,
    output logic             in_ready,
    output logic [WIDTH-1:0] out_data,
    output logic             out_valid,
    input  logic             out_ready
);

  logic [WIDTH-1:0] held;
  logic full;

  assign in_ready  = !full;
  assign out_valid = in_valid || full;
  assign out_data  = full ? held : in_data;

  always_ff @(posedge clk) begin
    if (!full) held <= in_data;
    full <= out_valid && !out_ready && !rst;
  end

endmodule
