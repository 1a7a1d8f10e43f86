// Writing side of the convolution accelerators: addresses and data of all result streams.
//
// Purpose      Stream k is the results of lane k.
// Limits       As axm_convolution_read. A turn begins when the buffer holds all of it, so that data
//              never wait for the arithmetic. Addresses go ahead of their data by at most `limit` bursts.
// Throughput   A beat a clock, also from one burst to the next.
// Latency      A turn's first address is valid in the clock after its stream can begin it, the first
//              beat in the clock after the address.
// Faults       As axm_convolution_read. What was begun is completed.
// Area         see axm_convolution.
`include "axm_ports.svh"

module axm_convolution_write #(
    parameter  bit [31:0] LANES       = 4,
    parameter  bit [31:0] BEATS       = 256,
    parameter  bit [31:0] OUTSTANDING = 64,
    parameter  bit [31:0] ADDR_W      = 40,
    parameter  bit [31:0] ID_W        = 1,
    parameter bit [31:0] LANE_W      = LANES > 1 ? $clog2(LANES) : 1  // follows from the others
) (
    input  logic              setup,
    input  logic [LANE_W-1:0] setup_lane,
    input  logic [ADDR_W-1:0] setup_c,
    input  logic [      31:0] bursts,
    input  logic [       3:0] beats_log2,
    input  logic [       3:0] turn_log2,
    input  logic [       6:0] limit,
    input  logic              run,
    output logic              idle,
    output logic              finished,    // all bursts of all streams are answered
    output logic              answered,    // pulse: a burst is

    input  logic [LANES-1:0] produced,
    output logic [LANES-1:0] read,
    input  logic [128*LANES-1:0] data,  // in the clock after

    output logic              bad_response,
    output logic [       1:0] response,
    output logic              bad_id,
    output logic              unexpected,
    output logic [ADDR_W-1:0] address,
    `AXM_AXI_CORE_WRITE(m_axi_, ID_W, 128)
    input logic clk,
    input logic rst
);

  localparam bit [31:0] COUNT_W = $clog2(BEATS) + 1;

  logic [ADDR_W*LANES-1:0] next;
  logic [32*LANES-1:0] left;
  logic [COUNT_W*LANES-1:0] there;  // beats that no turn has taken
  logic [LANES-1:0] can, work;
  logic [LANE_W-1:0] lane, sending, shown;
  logic have, begins, known, room, data_room, to_send;
  logic [$clog2(OUTSTANDING):0] flying, waiting;
  logic [7:0] beat;

  wire [COUNT_W-1:0] turn_beats = COUNT_W'(9'd1 << (beats_log2 + turn_log2));
  wire [7:0] last_beat = 8'((9'd1 << beats_log2) - 9'd1);
  wire send = run && have && room && data_room && 7'(flying) < limit
      && (!m_axi_awvalid || m_axi_awready);
  wire advance = to_send && (!m_axi_wvalid || m_axi_wready);

  genvar k;
  generate
  for (k = 0; k < LANES; k++) begin : g_lane
    assign work[k] = left[32*k+:32] != '0;
    assign can[k]  = work[k] && there[COUNT_W*k+:COUNT_W] >= turn_beats;
    assign read[k] = advance && sending == LANE_W'(k);

    always_ff @(posedge clk) begin
      if (rst) there[COUNT_W*k+:COUNT_W] <= '0;
      else
        there[COUNT_W*k+:COUNT_W] <= there[COUNT_W*k+:COUNT_W] + (produced[k] ? COUNT_W'(4) : '0)
            - (send && begins && lane == LANE_W'(k) ? turn_beats : '0);
      if (rst) left[32*k+:32] <= '0;
      else if (setup && setup_lane == LANE_W'(k)) left[32*k+:32] <= bursts;
      else if (send && lane == LANE_W'(k)) left[32*k+:32] <= left[32*k+:32] - 32'd1;
      if (setup && setup_lane == LANE_W'(k)) next[ADDR_W*k+:ADDR_W] <= setup_c;
      else if (send && lane == LANE_W'(k))
        next[ADDR_W*k+:ADDR_W] <=
            next[ADDR_W*k+:ADDR_W] + ADDR_W'(13'd16 << beats_log2);
    end
  end
  endgenerate

  axm_convolution_turns #(
      .STREAMS(LANES)
  ) u_turns (
      .clk(clk), .rst(rst), .turn_log2(turn_log2), .can(can), .valid(have), .begins(begins),
      .stream(lane), .take(send)
  );

  // Bursts that are not answered, and those whose data are not all sent.
  axm_fifo #(
      .WIDTH(ADDR_W), .DEPTH(OUTSTANDING)
  ) u_flying (
      .clk(clk), .rst(rst), .clear(1'b0), .in_data(next[ADDR_W*lane+:ADDR_W]), .in_valid(send),
      .in_ready(room), .out_data(address), .out_valid(known), .out_ready(answered), .count(flying)
  );

  axm_fifo #(
      .WIDTH(LANE_W), .DEPTH(OUTSTANDING)
  ) u_data (
      .clk(clk), .rst(rst), .clear(1'b0), .in_data(lane), .in_valid(send), .in_ready(data_room),
      .out_data(sending), .out_valid(to_send), .out_ready(advance && beat == last_beat), .count(waiting)
  );

  always_ff @(posedge clk) begin
    if (rst) m_axi_awvalid <= 1'b0;
    else if (send) m_axi_awvalid <= 1'b1;
    else if (m_axi_awready) m_axi_awvalid <= 1'b0;
    if (send) m_axi_awaddr <= next[ADDR_W*lane+:ADDR_W];
    if (rst) m_axi_wvalid <= 1'b0;
    else if (advance) m_axi_wvalid <= 1'b1;
    else if (m_axi_wready) m_axi_wvalid <= 1'b0;
    if (advance) begin
      shown <= sending;
      m_axi_wlast <= beat == last_beat;
    end
    if (rst) beat <= '0;
    else if (advance) beat <= beat == last_beat ? '0 : beat + 8'd1;
  end

  assign m_axi_awlen = last_beat;
  assign m_axi_wdata = data[128*shown+:128];
  assign m_axi_bready = 1'b1;
  assign answered = m_axi_bvalid && known;
  assign idle = !known;
  assign finished = work == '0 && !known;

  assign response = m_axi_bresp;
  assign bad_response = answered && m_axi_bresp[1];
  assign bad_id = answered && m_axi_bid != '0;
  assign unexpected = m_axi_bvalid && !known;

  wire unused = &{1'b0, waiting};

endmodule
