// Cyclic convolution of two 4 x 4 matrices of 32-bit integers, modulo 2^32.
//
// Purpose      c[i][j] = sum over k, l of a[(i - k) mod 4][(j - l) mod 4] * b[k][l].
// Limits       One pair at a time. A matrix comes as four beats, a row each, column 0 lowest.
// Throughput   A term of all 16 sums a clock: 16 clocks with `multiply` for a pair.
// Latency      Sums are complete two clocks after the last `multiply`.
// Area         16 multipliers of 32 bits; see axm_convolution.
module axm_convolution_arithmetic (
    input  logic         clk,
    input  logic         load,      // takes a row of both, row 0 first
    input  logic [127:0] a_row,
    input  logic [127:0] b_row,
    input  logic         multiply,
    input  logic         clear,     // sums are 0; before the first `multiply`
    input  logic         shift,     // moves the next row of sums to `c_row`
    output logic [127:0] c_row      // row 0 of the sums
);

  logic [31:0] a[4][4];
  logic [31:0] product[4][4];
  logic [31:0] sum[4][4];
  logic [511:0] b;  // the factor of this term is lowest
  logic [1:0] column;
  logic add;

  wire next_row = column == 2'd3;

  always_ff @(posedge clk) begin
    if (clear) column <= '0;
    else if (multiply) column <= column + 2'd1;
    add <= multiply;
  end

  // Row r is taken into row 3 and moves up; while terms are added, the matrix turns by a column
  // a clock, and by a row after each fourth.
  always_ff @(posedge clk) begin
    if (load) b <= {b_row, b[511:128]};
    else if (multiply) b <= b >> 32;
    for (int unsigned i = 0; i < 4; i++) begin
      for (int unsigned n = 0; n < 4; n++) begin
        if (load) a[i][n] <= i == 3 ? a_row[32*n+:32] : a[(i+1)%4][n];
        else if (multiply) a[i][n] <= next_row ? a[(i+3)%4][(n+3)%4] : a[i][(n+3)%4];
      end
    end
  end

  always_ff @(posedge clk) begin
    for (int unsigned i = 0; i < 4; i++) begin
      for (int unsigned n = 0; n < 4; n++) begin
        product[i][n] <= a[i][n] * b[31:0];
        if (clear) sum[i][n] <= '0;
        else if (shift) sum[i][n] <= sum[(i+1)%4][n];
        else if (add) sum[i][n] <= sum[i][n] + product[i][n];
      end
    end
  end

  genvar j;
  generate
  for (j = 0; j < 4; j++) begin : g_row
    assign c_row[32*j+:32] = sum[0][j];
  end
  endgenerate

endmodule
