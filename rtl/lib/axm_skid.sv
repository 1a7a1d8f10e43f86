// Two-word buffer that cuts every path between its sides: a registered slice for one channel.
//
// Purpose      Breaks long combinational paths of a valid/ready channel.
// Limits       PASS = 1 leaves the channel as it is, without registers or delay.
// Throughput   One word a clock.
// Latency      A word that enters in clock t is offered from t + 1 (PASS = 0).
// Area         2 * WIDTH + 2 flip-flops, WIDTH + 4 LUTs (64 bit, xc7: 130 and 68); nothing with PASS = 1.
module axm_skid #(
    parameter bit [31:0] WIDTH = 32,
    parameter bit PASS = 1'b0
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

  generate
  if (WIDTH < 1) begin : g_check
    axm_error_WIDTH_must_be_at_least_1 u_error ();
  end
  endgenerate

  generate
  if (PASS) begin : g_pass
    assign out_data  = in_data;
    assign out_valid = in_valid;
    assign in_ready  = out_ready;
    wire unused = &{1'b0, clk, rst};
  end else begin : g_hold
    logic [WIDTH-1:0] spare;
    logic             spare_full;

    assign in_ready = !spare_full;

    always_ff @(posedge clk) begin
      if (rst) begin
        out_valid  <= 1'b0;
        spare_full <= 1'b0;
      end else if (out_ready || !out_valid) begin
        out_valid  <= in_valid || spare_full;
        spare_full <= 1'b0;
      end else if (in_valid && in_ready) begin
        spare_full <= 1'b1;
      end
    end

    // Data need no reset; the spare word follows the input until it is full.
    always_ff @(posedge clk) begin
      if (out_ready || !out_valid) out_data <= spare_full ? spare : in_data;
      if (!spare_full) spare <= in_data;
    end
  end
  endgenerate

endmodule
