// Sends the write bursts of a traffic generator: address and data.
//
// Purpose      A burst's address and first beat become valid in the same clock; the beats follow one a
//              clock. Each 32-bit word of the data is a function of its address a (low 32 bits, a
//              multiple of 4): a ^ (a << 16) ^ seed. All bytes are written.
// Limits       Bursts do not cross 4 KiB, unless CROSS_4K.
// Throughput   One beat a clock, also with bursts of one beat.
// Latency      None of its own.
// Area         Part of area.toml (axm_traffic).
module axm_traffic_send #(
    parameter bit [31:0] DATA_W   = 64,
    parameter bit          CROSS_4K = 0    // bursts may cross 4 KiB
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              valid,     // a burst is to be sent
    input  logic [      31:0] address,
    input  logic [       7:0] len,
    input  logic [      31:0] seed,
    output logic              sent,      // it has been
    output logic              gap_hold,  // beats are left after this clock
    output logic              awvalid,
    input  logic              awready,
    output logic [DATA_W-1:0] wdata,
    output logic              wlast,
    output logic              wvalid,
    input  logic              wready
);

  localparam bit [31:0] Shift = $clog2(DATA_W / 8);

  logic address_done, data_done;
  logic [7:0] beat;
  wire moves = wvalid && wready;
  wire ends = moves && wlast;

  assign awvalid = valid && !address_done;
  assign wvalid = valid && !data_done;
  assign wlast = beat == len;
  assign sent = valid && (address_done || awready) && (data_done || ends);
  assign gap_hold = wvalid && !ends;

  always_ff @(posedge clk) begin
    if (rst) begin
      address_done <= 1'b0;
      data_done    <= 1'b0;
      beat         <= '0;
    end else begin
      address_done <= !sent && (address_done || (valid && awready));
      data_done    <= !sent && (data_done || ends);
      if (ends) beat <= '0;
      else if (moves) beat <= beat + 1'b1;
    end
  end

  localparam bit [31:0] Carry = CROSS_4K ? 32 : 12;  // bits of the address that a burst changes
  wire [Carry-1:Shift] low = address[Carry-1:Shift] + (Carry - Shift)'(beat);
  wire [31:Shift] at;
  genvar k;
  generate
  if (CROSS_4K) begin : g_whole
    assign at = low;
  end else begin : g_page
    assign at = {address[31:12], low};
  end
  for (k = 0; k < DATA_W / 32; k++) begin : g_word
    wire [31:0] a = {at, Shift'(k * 4)};
    assign wdata[k*32+:32] = a ^ {a[15:0], 16'h0} ^ seed;
  end
  endgenerate

  wire unused = ^address[Shift-1:0];

endmodule
