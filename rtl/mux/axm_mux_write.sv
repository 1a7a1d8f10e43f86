// Writing half of axm_mux: AW by round robin, W in the order of AW, B by the number in its ID.
//
// Purpose      Joins the AW, W and B channels of N masters. One that fails cannot hang the others.
// Limits       ORDER_DEPTH bursts (a power of two from 2 to 64) whose data are still to come; LIMIT
//              (1 to 255) bursts of a master without a response. WLAST is made from AWLEN.
// Throughput   One address, one beat and one response a clock; no clock is lost between bursts.
// Latency      None: all three channels are combinational. An address may leave together with its
//              first beat, and waits for neither READY of the other.
// Isolation    A master that offers no data for TIMEOUT clocks while it is its turn (0: no limit), that
//              ends a burst early or late, or that sends another WID in AXI3, is cut off: its bursts
//              are completed with strobes 0, what it still sends is dropped, all its responses become
//              SLVERR, and no further address of it is taken. One that does not take a response for
//              TIMEOUT clocks loses its responses. `release_one` readmits it once nothing of it is in flight.
`include "axm_ports.svh"

module axm_mux_write #(
    parameter bit [31:0] N = 4,
    parameter bit [31:0] AW_W = 64,     // the address's payload without ID and length
    parameter bit [31:0] ID_W = 4,
    parameter bit [31:0] DATA_W = 64,
    parameter bit AXI3 = 1'b0,
    parameter bit [31:0] ORDER_DEPTH = 8,
    parameter bit [31:0] LIMIT = 64,
    parameter bit [31:0] TIMEOUT = 65536,
    parameter bit [31:0] NUM_W = $clog2(N),  // follows from the others
    parameter bit [31:0] STRB_W = DATA_W / 8,  // follows from the others
    parameter bit [31:0] M_ID_W = ID_W + NUM_W  // follows from the others
) (
    input logic clk,
    input logic rst,

    input  logic [N*AW_W-1:0] s_aw,
    input  logic [N*ID_W-1:0] s_awid,
    input  logic [   N*8-1:0] s_awlen,
    input  logic [     N-1:0] s_awvalid,
    output logic [     N-1:0] s_awready,
    `AXM_AXI_WRITE_DATA(input, output, s_, logic [N-1:0], N, ID_W, DATA_W)
    output logic [  AW_W-1:0] m_aw,
    output logic [M_ID_W-1:0] m_awid,
    output logic [       7:0] m_awlen,
    output logic              m_awvalid,
    input  logic              m_awready,
    `AXM_AXI_WRITE_DATA(output, input, m_, logic, 1, M_ID_W, DATA_W)

    input  logic [N-1:0] release_one,
    output logic [N-1:0] isolated,       // cut off: its data
    output logic [N-1:0] isolated_response,  // cut off: it takes no responses
    output logic         stray,          // pulse: a response without a master was dropped
    output logic [N-1:0] late_data,      // pulses: why a master was cut off
    output logic [N-1:0] bad_last,
    output logic [N-1:0] bad_wid,
    output logic [N-1:0] late_response
);

  localparam logic [1:0] SLVERR = 2'b10;

  // Addresses.
  logic [N-1:0] grant, may;
  logic [N*8-1:0] count;  // bursts without a response
  logic [N-1:0] down, full, none;
  logic [NUM_W-1:0] chosen;
  logic fresh, order_ready;
  logic [$clog2(ORDER_DEPTH):0] order_count;
  wire unused_count = &{1'b0, order_count};

  genvar k;
  generate
  for (k = 0; k < N; k++) begin : g_may
    assign may[k] = s_awvalid[k] && !isolated[k] && !isolated_response[k] && !full[k];
  end
  endgenerate

  axm_mux_arbiter #(
      .N(N)
  ) u_arbiter (
      .clk, .rst, .request(order_ready ? may : '0), .grant, .fresh, .done(m_awready)
  );

  always_comb begin
    chosen = '0;
    for (int unsigned i = 0; i < N; i++) if (grant[i]) chosen |= NUM_W'(i);
  end

  assign m_aw = s_aw[AW_W*chosen+:AW_W];
  assign m_awid = {chosen, s_awid[ID_W*chosen+:ID_W]};
  assign m_awlen = s_awlen[8*chosen+:8];
  assign m_awvalid = grant != '0;
  assign s_awready = m_awready ? grant : '0;

  // Data. The master in turn is in the FIFO, or the choice of this clock if that is empty.
  logic [M_ID_W+7:0] queued;
  logic queued_valid;
  logic [7:0] beat;

  // A burst that is not queued is at its first beat.
  wire queued_last = beat == queued[M_ID_W+:8];
  logic [N-1:0] single, last;
  logic [N-1:0] mine;  // the turn is this master's
  wire moved = m_wvalid && m_wready;
  wire burst_done = moved && m_wlast;

  axm_fifo #(
      .WIDTH(M_ID_W + 8), .DEPTH(ORDER_DEPTH)
  ) u_order (
      .clk, .rst, .clear(1'b0), .in_data({m_awlen, m_awid}),
      .in_valid(fresh && (queued_valid || !burst_done)), .in_ready(order_ready), .out_data(queued),
      .out_valid(queued_valid), .out_ready(burst_done), .count(order_count)
  );

  assign m_wid = queued_valid ? queued[M_ID_W-1:0] : m_awid;
  always_comb begin
    m_wdata = '0;
    m_wstrb = '0;
    for (int unsigned i = 0; i < N; i++) begin
      m_wdata |= s_wdata[DATA_W*i+:DATA_W] & {DATA_W{mine[i]}};
      m_wstrb |= s_wstrb[STRB_W*i+:STRB_W] & {STRB_W{mine[i] && !isolated[i]}};
    end
  end
  assign m_wlast = (mine & last) != '0;
  assign m_wvalid = (mine & (isolated | s_wvalid)) != '0;

  generate
  for (k = 0; k < N; k++) begin : g_ready
    assign mine[k] = queued_valid ? queued[ID_W+:NUM_W] == NUM_W'(k) : fresh && grant[k];
    assign single[k] = s_awlen[8*k+:8] == '0;
    assign last[k] = queued_valid ? queued_last : single[k];
    assign s_wready[k] = isolated[k] || (mine[k] && m_wready);
  end
  endgenerate

  always_ff @(posedge clk) begin
    if (rst || burst_done) beat <= '0;
    else if (moved) beat <= beat + 8'd1;
  end

  // Responses.
  wire [NUM_W-1:0] to = m_bid[ID_W+:NUM_W];
  logic known, forced, forced_held, waiting;

  always_comb begin
    known = 1'b0;
    for (int unsigned i = 0; i < N; i++) if (to == NUM_W'(i)) known = !none[i];
    // What was offered does not change while it waits.
    forced = waiting ? forced_held : isolated[to];
    m_bready = 1'b1;
    for (int unsigned i = 0; i < N; i++) begin
      s_bid[ID_W*i+:ID_W] = m_bid[ID_W-1:0];
      s_bresp[2*i+:2] = forced ? SLVERR : m_bresp;
      s_bvalid[i] = m_bvalid && known && to == NUM_W'(i) && !isolated_response[i];
      if (to == NUM_W'(i) && known && !isolated_response[i]) m_bready = s_bready[i];
    end
    stray = m_bvalid && !known;
  end

  always_ff @(posedge clk) begin
    waiting <= m_bvalid && !m_bready && !rst;
    forced_held <= forced;
  end

  axm_mux_count #(.N(N), .LIMIT(LIMIT)) u_count (
      .clk, .rst, .up(fresh ? grant : '0), .down, .count, .full, .none
  );
  wire unused_counts = &{1'b0, count};

  // Who fails.
  logic data_expired, response_expired;

  axm_mux_timeout #(
      .CLOCKS(TIMEOUT)
  ) u_data (
      .clk, .rst, .waiting((mine & ~isolated & ~s_wvalid) != '0), .expired(data_expired)
  );
  axm_mux_timeout #(
      .CLOCKS(TIMEOUT)
  ) u_response (
      .clk, .rst, .waiting(m_bvalid && !m_bready), .expired(response_expired)
  );

  generate
  for (k = 0; k < N; k++) begin : g_fault
    wire own_beat = mine[k] && !isolated[k] && s_wvalid[k] && m_wready;
    assign down[k] = m_bvalid && m_bready && known && to == NUM_W'(k);
    assign late_data[k] = data_expired && mine[k];
    assign bad_last[k] = own_beat && s_wlast[k] != last[k];
    assign bad_wid[k] = AXI3 && own_beat && s_wid[ID_W*k+:ID_W] != m_wid[ID_W-1:0];
    assign late_response[k] = response_expired && to == NUM_W'(k);

    always_ff @(posedge clk) begin
      if (rst) begin
        isolated[k] <= 1'b0;
        isolated_response[k] <= 1'b0;
      end else begin
        if (release_one[k] && none[k]) begin
          isolated[k] <= 1'b0;
          isolated_response[k] <= 1'b0;
        end
        if (late_data[k] || bad_last[k] || bad_wid[k]) isolated[k] <= 1'b1;
        if (late_response[k]) isolated_response[k] <= 1'b1;
      end
    end
  end
  endgenerate

  generate
  if (!AXI3) begin : g_unused
    wire unused = &{1'b0, s_wid};
  end
  endgenerate

endmodule
