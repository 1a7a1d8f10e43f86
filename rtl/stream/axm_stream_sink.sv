// Stream sink (block type 7): takes a stream, counts and checks it.
//
// Purpose      The end of memory-to-stream transfers: counts beats, bytes and packets, compares the
//              kept bytes with what axm_stream_source sends, keeps where the first error was. It
//              can refuse beats in a fixed rhythm, to see what back-pressure does.
// Limits       The place counts 32-bit words modulo 2^32. Packets and errors saturate.
// Throughput   One beat a clock, or ON + 1 of ON + 1 + OFF clocks.
// Latency      A beat is compared in the clock after it was taken, counted in the next (errors) or
//              at once (all else). `s_axis_room` is at its maximum while ENABLE is set: beats are
//              surely taken, if not always at once.
// Area         xc7, 64 bit: 376 LUT, 373 FF.
module axm_stream_sink #(
    parameter int unsigned DATA_W = 64,
    parameter int unsigned COUNT_W = 11,  // of room
    localparam int unsigned KEEP_W = DATA_W / 8
) (
    input  logic               clk,
    input  logic               rst,

    input  logic [ DATA_W-1:0] s_axis_tdata,
    input  logic [ KEEP_W-1:0] s_axis_tkeep,
    input  logic               s_axis_tlast,
    input  logic               s_axis_tvalid,
    output logic               s_axis_tready,
    output logic [COUNT_W-1:0] s_axis_room,

    input  logic [       11:0] s_axil_awaddr,
    input  logic [        2:0] s_axil_awprot,
    input  logic               s_axil_awvalid,
    output logic               s_axil_awready,
    input  logic [       31:0] s_axil_wdata,
    input  logic [        3:0] s_axil_wstrb,
    input  logic               s_axil_wvalid,
    output logic               s_axil_wready,
    output logic [        1:0] s_axil_bresp,
    output logic               s_axil_bvalid,
    input  logic               s_axil_bready,
    input  logic [       11:0] s_axil_araddr,
    input  logic [        2:0] s_axil_arprot,
    input  logic               s_axil_arvalid,
    output logic               s_axil_arready,
    output logic [       31:0] s_axil_rdata,
    output logic [        1:0] s_axil_rresp,
    output logic               s_axil_rvalid,
    input  logic               s_axil_rready
);

  if (DATA_W != 32 && DATA_W != 64 && DATA_W != 128 && DATA_W != 256) begin : g_check_width
    $error("%m: DATA_W is %0d; it must be 32, 64, 128 or 256", DATA_W);
  end
  if (COUNT_W < 2 || COUNT_W > 32) begin : g_check_count
    $error("%m: COUNT_W is %0d; it must be 2 to 32", COUNT_W);
  end

  stream_sink_regs_pkg::axm_stream_sink__in_t  to_regs;
  stream_sink_regs_pkg::axm_stream_sink__out_t from_regs;

  wire clear = rst || from_regs.CTRL.CLEAR.value;
  wire enable = from_regs.CTRL.ENABLE.value;
  wire take = s_axis_tvalid && s_axis_tready;

  // ---- rhythm: `phase` counts down the clocks that are left with, or without, ready ----------
  logic [7:0] phase;
  logic resting;
  wire throttled = from_regs.THROTTLE.OFF.value != '0;

  always_ff @(posedge clk) begin
    if (rst || !throttled) begin
      resting <= 1'b0;
      phase   <= from_regs.THROTTLE.ON.value;
    end else if (phase == '0) begin
      resting <= !resting;
      phase   <= resting ? from_regs.THROTTLE.ON.value : from_regs.THROTTLE.OFF.value - 1'b1;
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
      .beat(beats[31:0]),
      .seed(from_regs.SEED.VALUE.value),
      .data(expected)
  );

  always_ff @(posedge clk) begin
    compared <= take && from_regs.CTRL.CHECK.value && !clear;
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
    to_regs.CAPS.DATA_BYTES.next = 8'(KEEP_W);
    to_regs.STATUS.SATURATED.next = packets_full || errors_full;
    to_regs.STATUS.FAILED.next = failed;
    {to_regs.BEATS_HI.VALUE.next, to_regs.BEATS_LO.VALUE.next} = beats;
    {to_regs.BYTES_HI.VALUE.next, to_regs.BYTES_LO.VALUE.next} = bytes;
    to_regs.PACKETS.VALUE.next = packets;
    to_regs.ERRORS.VALUE.next = errors;
    {to_regs.FIRST_ERROR_HI.VALUE.next, to_regs.FIRST_ERROR_LO.VALUE.next} = first_error;
    to_regs.FIRST_LANES.VALUE.next = 32'(first_lanes);
  end

  stream_sink_regs u_regs (
      .hwif_in (to_regs),
      .hwif_out(from_regs),
      .*
  );

endmodule
