// One accelerator: two input buffers, the arithmetic, and a buffer for results.
//
// Purpose      Takes matrices of both inputs as they come, and gives results in the same order.
// Limits       The sender of a beat has reserved its place (`consumed` gives places back), and the
//              reader takes announced beats only (`produced`).
// Throughput   A convolution every 26 clocks: 5 to load, 17 to multiply and add, 4 to store.
// Latency      `produced` comes 26 clocks after the first clock in which four beats of both inputs are
//              there and the results have room.
// Area         see axm_convolution.
module axm_convolution_lane #(
    parameter bit [31:0] BEATS = 256  // of each buffer
) (
    input  logic         clk,
    input  logic         rst,           // empties the buffers
    input  logic [  1:0] in_write,      // a beat of input A (0) or B (1)
    input  logic [127:0] in_data,
    output logic         consumed,      // pulse: four places of both inputs are free
    output logic         produced,      // pulse: four beats of results are there
    input  logic         out_read,
    output logic [127:0] out_data       // in the clock after
);

  localparam bit [31:0] COUNT_W = $clog2(BEATS) + 1;
  localparam logic [4:0] LOADED = 5'd4, MULTIPLIED = 5'd20, ADDED = 5'd21, STORED = 5'd25;

  logic [255:0] row;
  logic [127:0] result;
  logic [COUNT_W*2-1:0] held;
  logic [COUNT_W-1:0] results;  // there or reserved
  logic [4:0] step;
  logic running;

  wire ready = held[0+:COUNT_W] >= COUNT_W'(4)
      && held[COUNT_W+:COUNT_W] >= COUNT_W'(4) && results <= COUNT_W'(BEATS - 4);
  wire begins = ready && step == '0;
  wire fetch = begins || (step != '0 && step < LOADED);
  wire store = step > ADDED;

  assign running  = begins || step != '0;
  assign consumed = step == LOADED - 5'd1;
  assign produced = step == STORED;

  always_ff @(posedge clk) begin
    if (rst || step == STORED) step <= '0;
    else if (running) step <= step + 5'd1;
  end

  always_ff @(posedge clk) begin
    if (rst) results <= '0;
    else results <= results + (begins ? COUNT_W'(4) : '0) - COUNT_W'(out_read);
  end

  genvar k;
  generate
  for (k = 0; k < 2; k++) begin : g_input
    axm_convolution_buffer #(
        .BEATS(BEATS)
    ) u_buffer (
        .clk(clk), .rst(rst), .write(in_write[k]), .in_data(in_data), .read(fetch),
        .out_data(row[128*k+:128])
    );

    always_ff @(posedge clk) begin
      if (rst) held[COUNT_W*k+:COUNT_W] <= '0;
      else held[COUNT_W*k+:COUNT_W] <= held[COUNT_W*k+:COUNT_W] + COUNT_W'(in_write[k]) - COUNT_W'(fetch);
    end
  end
  endgenerate

  axm_convolution_arithmetic u_arithmetic (
      .clk(clk), .load(step != '0 && step <= LOADED), .a_row(row[0+:128]), .b_row(row[128+:128]),
      .multiply(step > LOADED && step <= MULTIPLIED), .clear(begins), .shift(store), .c_row(result)
  );

  axm_convolution_buffer #(
      .BEATS(BEATS)
  ) u_results (
      .clk(clk), .rst(rst), .write(store), .in_data(result), .read(out_read), .out_data(out_data)
  );

endmodule
