// Stream sink (block type 7): takes a stream, counts and checks it.
//
// Purpose      The end of memory-to-stream transfers: counts beats, bytes and packets, compares the
//              kept bytes with what axm_stream_source sends, records the place of the first error. It
//              can refuse beats in a fixed rhythm, to see what back-pressure does.
// Limits       The place counts 32-bit words modulo 2^32. Packets and errors saturate.
// Throughput   One beat a clock, or ON + 1 of ON + 1 + OFF clocks.
// Latency      A beat is compared in the clock after it was taken, counted in the next (errors) or
//              immediately (all else). `s_axis_room` is at its maximum while ENABLE is set: beats are
//              surely taken, if not always immediately.
// Area         xc7, 64 bit: 331 LUT, 376 FF.
`include "axm_ports.svh"

module axm_stream_sink #(
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] COUNT_W = 11,  // of room
    parameter bit [31:0] KEEP_W = DATA_W / 8  // follows from the others
) (
    input  logic [ DATA_W-1:0] s_axis_tdata,
    input  logic [ KEEP_W-1:0] s_axis_tkeep,
    input  logic               s_axis_tlast,
    input  logic               s_axis_tvalid,
    output logic               s_axis_tready,
    output logic [COUNT_W-1:0] s_axis_room,
    `AXM_AXIL_SLAVE(s_axil_, 12, 32)
    input  logic               clk,
    input  logic               rst
);

  generate
  if (DATA_W != 32 && DATA_W != 64 && DATA_W != 128 && DATA_W != 256) begin : g_check_width
    axm_error_DATA_W_must_be_32_64_128_or_256 u_error ();
  end
  if (COUNT_W < 2 || COUNT_W > 32) begin : g_check_count
    axm_error_COUNT_W_must_be_2_to_32 u_error ();
  end
  endgenerate

  logic [31:0] to_regs_BEATS_LO_VALUE;
  logic [31:0] to_regs_BEATS_HI_VALUE;
  logic [31:0] to_regs_BYTES_LO_VALUE;
  logic [31:0] to_regs_BYTES_HI_VALUE;
  logic [31:0] to_regs_FIRST_ERROR_LO_VALUE;
  logic [31:0] to_regs_FIRST_ERROR_HI_VALUE;
  logic enable;
  logic from_regs_CTRL_CHECK;
  logic from_regs_CTRL_CLEAR;
  logic [31:0] from_regs_SEED_VALUE;
  logic [7:0] from_regs_THROTTLE_ON;
  logic [7:0] from_regs_THROTTLE_OFF;

  wire clear = rst || from_regs_CTRL_CLEAR;
  wire take = s_axis_tvalid && s_axis_tready;

  // ---- rhythm: `phase` counts down the clocks that are left with, or without, ready ----------
  logic [7:0] phase;
  logic resting;
  wire throttled = from_regs_THROTTLE_OFF != '0;

  always_ff @(posedge clk) begin
    if (rst || !throttled) begin
      resting <= 1'b0;
      phase   <= from_regs_THROTTLE_ON;
    end else if (phase == '0) begin
      resting <= !resting;
      phase   <= resting ? from_regs_THROTTLE_ON : from_regs_THROTTLE_OFF - 1'b1;
    end else begin
      phase <= phase - 1'b1;
    end
  end

  assign s_axis_tready = enable && !resting;
  assign s_axis_room   = {COUNT_W{enable}};

  // ---- counts --------------------------------------------------------------------------------
  logic [63:0] beats, bytes;
  logic [31:0] packets, errors;
  logic packets_full, errors_full;

  function automatic logic [5:0] ones(input logic [KEEP_W-1:0] mask);
    ones = '0;
    for (int unsigned k = 0; k < KEEP_W; k++) ones += 6'(mask[k]);
  endfunction

  always_ff @(posedge clk) begin
    if (clear) begin
      beats <= '0;
      bytes <= '0;
      packets <= '0;
      packets_full <= 1'b0;
    end else if (take) begin
      beats <= beats + 1'b1;
      bytes <= bytes + 64'(ones(s_axis_tkeep));
      if (s_axis_tlast && &packets) packets_full <= 1'b1;
      else if (s_axis_tlast) packets <= packets + 1'b1;
    end
  end

  // ---- check, in two steps: which bytes differ, then what that means --------------------------
  logic [DATA_W-1:0] expected;
  logic [KEEP_W-1:0] differ, first_lanes;
  logic [63:0] first_error;
  logic compared, failed;

  axm_stream_pattern #(
      .DATA_W(DATA_W)
  ) u_pattern (
      .beat(beats[31:0]), .seed(from_regs_SEED_VALUE), .data(expected)
  );

  always_ff @(posedge clk) begin
    compared <= take && from_regs_CTRL_CHECK && !clear;
    for (int unsigned k = 0; k < KEEP_W; k++) begin
      differ[k] <= s_axis_tkeep[k] && s_axis_tdata[8*k+:8] != expected[8*k+:8];
    end
    if (clear) begin
      errors <= '0;
      errors_full <= 1'b0;
      failed <= 1'b0;
    end else if (compared && differ != '0) begin
      failed <= 1'b1;
      if (&errors) errors_full <= 1'b1;
      else errors <= errors + 1'b1;
      if (!failed) first_lanes <= differ;
      if (!failed) first_error <= beats - 1'b1;  // beats already counts the one in question
    end
  end

  // ---- registers -----------------------------------------------------------------------------
  always_comb begin
    {to_regs_BEATS_HI_VALUE, to_regs_BEATS_LO_VALUE} = beats;
    {to_regs_BYTES_HI_VALUE, to_regs_BYTES_LO_VALUE} = bytes;
    {to_regs_FIRST_ERROR_HI_VALUE, to_regs_FIRST_ERROR_LO_VALUE} = first_error;
  end

  stream_sink_regs u_regs (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      .hwif_in_CAPS_DATA_BYTES(8'(KEEP_W)), .hwif_in_STATUS_SATURATED(packets_full || errors_full),
      .hwif_in_STATUS_FAILED(failed), .hwif_in_BEATS_LO_VALUE(to_regs_BEATS_LO_VALUE),
      .hwif_in_BEATS_HI_VALUE(to_regs_BEATS_HI_VALUE), .hwif_in_BYTES_LO_VALUE(to_regs_BYTES_LO_VALUE),
      .hwif_in_BYTES_HI_VALUE(to_regs_BYTES_HI_VALUE), .hwif_in_PACKETS_VALUE(packets),
      .hwif_in_ERRORS_VALUE(errors), .hwif_in_FIRST_ERROR_LO_VALUE(to_regs_FIRST_ERROR_LO_VALUE),
      .hwif_in_FIRST_ERROR_HI_VALUE(to_regs_FIRST_ERROR_HI_VALUE),
      .hwif_in_FIRST_LANES_VALUE(32'(first_lanes)), .hwif_out_CTRL_ENABLE(enable),
      .hwif_out_CTRL_CHECK(from_regs_CTRL_CHECK), .hwif_out_CTRL_CLEAR(from_regs_CTRL_CLEAR),
      .hwif_out_SEED_VALUE(from_regs_SEED_VALUE), .hwif_out_THROTTLE_ON(from_regs_THROTTLE_ON),
      .hwif_out_THROTTLE_OFF(from_regs_THROTTLE_OFF), .clk, .rst
  );

endmodule
