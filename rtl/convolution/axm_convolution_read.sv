// Reading side of the convolution accelerators: addresses of all input streams, data to the buffers.
//
// Purpose      Streams 2k and 2k + 1 are inputs A and B of lane k.
// Limits       One ID, 0; bursts are aligned to their length and so never cross 4 KiB. A turn begins
//              when the buffer has room for all of it: data are never held up.
// Throughput   An address and a beat a clock.
// Latency      A turn's first address is valid in the clock after its stream can begin it; the address
//              after it in the next clock, while fewer than `limit` bursts are in flight.
// Faults       A pulse for each fault, with the burst's address; the owner then sets `halt`.
// Area         see axm_convolution.
`include "axm_ports.svh"

module axm_convolution_read #(
    parameter  bit [31:0] LANES       = 4,
    parameter  bit [31:0] BEATS       = 256,            // of a buffer
    parameter  bit [31:0] OUTSTANDING = 64,
    parameter  bit [31:0] ADDR_W      = 40,
    parameter  bit [31:0] ID_W        = 1,
    parameter bit [31:0] STREAMS     = 2 * LANES,  // follows from the others
    parameter bit [31:0] LANE_W      = LANES > 1 ? $clog2(LANES) : 1  // follows from the others
) (
    input  logic              setup,       // takes a lane's addresses
    input  logic [LANE_W-1:0] setup_lane,
    input  logic [ADDR_W-1:0] setup_a,
    input  logic [ADDR_W-1:0] setup_b,
    input  logic [      31:0] bursts,      // of each stream
    input  logic [       3:0] beats_log2,  // these hold while a run is under way
    input  logic [       3:0] turn_log2,
    input  logic [       6:0] limit,
    input  logic              run,         // bursts may begin
    output logic              idle,        // nothing is in flight

    output logic [STREAMS-1:0] write,     // a beat for a buffer
    output logic [      127:0] data,
    input  logic [  LANES-1:0] consumed,

    output logic              bad_response,
    output logic [       1:0] response,
    output logic              bad_last,
    output logic              bad_id,
    output logic              unexpected,
    output logic [ADDR_W-1:0] address,       // of the burst that is answered

    `AXM_AXI_CORE_READ(m_axi_, ID_W, 128)
    input logic clk,
    input logic rst
);

  localparam bit [31:0] STREAM_W = $clog2(STREAMS);
  localparam bit [31:0] COUNT_W = $clog2(BEATS) + 1;

  logic [ADDR_W*STREAMS-1:0] next;
  logic [32*STREAMS-1:0] left;
  logic [COUNT_W*STREAMS-1:0] free;  // places that no turn has reserved
  logic [STREAMS-1:0] can;
  logic [STREAM_W-1:0] stream, answered;
  logic have, begins, known, room;
  logic [$clog2(OUTSTANDING):0] flying;
  logic [7:0] beat;

  wire [COUNT_W-1:0] turn_beats = COUNT_W'(9'd1 << (beats_log2 + turn_log2));
  wire [7:0] last_beat = 8'((9'd1 << beats_log2) - 9'd1);
  wire send = run && have && room && 7'(flying) < limit && (!m_axi_arvalid || m_axi_arready);
  wire moved = m_axi_rvalid && m_axi_rready && known;
  wire complete = moved && (beat == last_beat || m_axi_rlast);

  genvar s;
  generate
  for (s = 0; s < STREAMS; s++) begin : g_stream
    assign can[s]   = left[32*s+:32] != '0 && free[COUNT_W*s+:COUNT_W] >= turn_beats;
    assign write[s] = moved && answered == STREAM_W'(s);

    always_ff @(posedge clk) begin
      if (rst) free[COUNT_W*s+:COUNT_W] <= COUNT_W'(BEATS);
      else
        free[COUNT_W*s+:COUNT_W] <= free[COUNT_W*s+:COUNT_W] + (consumed[s/2] ? COUNT_W'(4) : '0)
            - (send && begins && stream == STREAM_W'(s) ? turn_beats : '0);
      if (rst) left[32*s+:32] <= '0;
      else if (setup && setup_lane == LANE_W'(s / 2)) left[32*s+:32] <= bursts;
      else if (send && stream == STREAM_W'(s)) left[32*s+:32] <= left[32*s+:32] - 32'd1;
      if (setup && setup_lane == LANE_W'(s / 2)) next[ADDR_W*s+:ADDR_W] <= s % 2 == 0 ? setup_a : setup_b;
      else if (send && stream == STREAM_W'(s))
        next[ADDR_W*s+:ADDR_W] <=
            next[ADDR_W*s+:ADDR_W] + ADDR_W'(13'd16 << beats_log2);
    end
  end
  endgenerate

  axm_convolution_turns #(
      .STREAMS(STREAMS)
  ) u_turns (
      .clk(clk), .rst(rst), .turn_log2(turn_log2), .can(can), .valid(have), .begins(begins),
      .stream(stream), .take(send)
  );

  axm_fifo #(
      .WIDTH(ADDR_W + STREAM_W), .DEPTH(OUTSTANDING)
  ) u_flying (
      .clk(clk), .rst(rst), .clear(1'b0), .in_data({next[ADDR_W*stream+:ADDR_W], stream}),
      .in_valid(send), .in_ready(room), .out_data({address, answered}), .out_valid(known),
      .out_ready(complete), .count(flying)
  );

  always_ff @(posedge clk) begin
    if (rst) m_axi_arvalid <= 1'b0;
    else if (send) m_axi_arvalid <= 1'b1;
    else if (m_axi_arready) m_axi_arvalid <= 1'b0;
    if (send) m_axi_araddr <= next[ADDR_W*stream+:ADDR_W];
    if (rst || complete) beat <= '0;
    else if (moved) beat <= beat + 8'd1;
  end

  assign m_axi_arlen = last_beat;
  assign m_axi_rready = 1'b1;
  assign idle = !known;
  assign data = m_axi_rdata;

  assign response = m_axi_rresp;
  assign bad_response = moved && m_axi_rresp[1];
  assign bad_last = moved && m_axi_rlast != (beat == last_beat);
  assign bad_id = moved && m_axi_rid != '0;
  assign unexpected = m_axi_rvalid && !known;

endmodule
