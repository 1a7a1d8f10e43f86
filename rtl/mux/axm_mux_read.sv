// Reading half of axm_mux: AR by round robin, R by the number in its ID.
//
// Purpose      Joins the AR and R channels of N masters. One that fails cannot hang the others.
// Limits       LIMIT (1 to 255) bursts of a master in flight. Data of several bursts may be interleaved.
// Throughput   One address and one beat a clock; no clock is lost between bursts.
// Latency      None: both channels are combinational.
// Isolation    A master that does not take data for TIMEOUT clocks (0: no limit) is cut off: its data
//              are dropped and no further address of it is taken, until `release_one` readmits it once
//              nothing of it is in flight.
`include "axm_ports.svh"

module axm_mux_read #(
    parameter bit [31:0] N = 4,
    parameter bit [31:0] AR_W = 64,     // the address's payload without ID
    parameter bit [31:0] ID_W = 4,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] LIMIT = 64,
    parameter bit [31:0] TIMEOUT = 65536,
    parameter bit [31:0] NUM_W = $clog2(N),  // follows from the others
    parameter bit [31:0] M_ID_W = ID_W + NUM_W  // follows from the others
) (
    input logic clk,
    input logic rst,

    input  logic [N*AR_W-1:0] s_ar,
    input  logic [N*ID_W-1:0] s_arid,
    input  logic [     N-1:0] s_arvalid,
    output logic [     N-1:0] s_arready,
    `AXM_AXI_READ_DATA(input, output, s_, logic [N-1:0], N, ID_W, DATA_W)
    output logic [  AR_W-1:0] m_ar,
    output logic [M_ID_W-1:0] m_arid,
    output logic              m_arvalid,
    input  logic              m_arready,
    `AXM_AXI_READ_DATA(output, input, m_, logic, 1, M_ID_W, DATA_W)

    input  logic [N-1:0] release_one,
    output logic [N-1:0] isolated,
    output logic         stray,       // pulse: a beat without a master was dropped
    output logic [N-1:0] late_data    // pulses: this master was cut off
);

  logic [N-1:0] grant, may;
  logic [N*8-1:0] count;  // bursts in flight
  logic [N-1:0] down, full, none;
  logic [NUM_W-1:0] chosen;
  logic fresh;

  genvar k;
  generate
  for (k = 0; k < N; k++) begin : g_may
    assign may[k] = s_arvalid[k] && !isolated[k] && !full[k];
  end
  endgenerate

  axm_mux_arbiter #(
      .N(N)
  ) u_arbiter (
      .clk, .rst, .request(may), .grant, .fresh, .done(m_arready)
  );

  always_comb begin
    chosen = '0;
    for (int unsigned i = 0; i < N; i++) if (grant[i]) chosen |= NUM_W'(i);
  end

  assign m_ar = s_ar[AR_W*chosen+:AR_W];
  assign m_arid = {chosen, s_arid[ID_W*chosen+:ID_W]};
  assign m_arvalid = grant != '0;
  assign s_arready = m_arready ? grant : '0;

  wire [NUM_W-1:0] to = m_rid[ID_W+:NUM_W];
  logic known;

  always_comb begin
    known = 1'b0;
    for (int unsigned i = 0; i < N; i++) if (to == NUM_W'(i)) known = !none[i];
    m_rready = 1'b1;
    for (int unsigned i = 0; i < N; i++) begin
      s_rid[ID_W*i+:ID_W] = m_rid[ID_W-1:0];
      s_rdata[DATA_W*i+:DATA_W] = m_rdata;
      s_rresp[2*i+:2] = m_rresp;
      s_rlast[i] = m_rlast;
      s_rvalid[i] = m_rvalid && known && to == NUM_W'(i) && !isolated[i];
      if (to == NUM_W'(i) && known && !isolated[i]) m_rready = s_rready[i];
    end
    stray = m_rvalid && !known;
  end

  axm_mux_count #(.N(N), .LIMIT(LIMIT)) u_count (
      .clk, .rst, .up(fresh ? grant : '0), .down, .count, .full, .none
  );
  wire unused_counts = &{1'b0, count};

  logic expired;

  axm_mux_timeout #(
      .CLOCKS(TIMEOUT)
  ) u_data (
      .clk, .rst, .waiting(m_rvalid && !m_rready), .expired
  );

  generate
  for (k = 0; k < N; k++) begin : g_master
    assign down[k] = m_rvalid && m_rready && m_rlast && known && to == NUM_W'(k);
    assign late_data[k] = expired && to == NUM_W'(k);

    always_ff @(posedge clk) begin
      if (rst) begin
        isolated[k] <= 1'b0;
      end else begin
        if (release_one[k] && none[k]) isolated[k] <= 1'b0;
        if (late_data[k]) isolated[k] <= 1'b1;
      end
    end
  end
  endgenerate

endmodule
