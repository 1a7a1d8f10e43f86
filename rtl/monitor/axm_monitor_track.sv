// What one direction of an AXI port does in each clock: its class, and the latencies of its bursts.
//
// Purpose      Front end of the performance monitor. Looks at the handshakes only.
//              The class of a clock is the first of these that holds:
//                0 DATA      a data beat moved
//                4 STALL     data valid, receiver not ready
//                2 ADDRESS   address valid, slave not ready
//                3 WAIT      reading: the latest beat was not the last of its burst;
//                            writing: beats are owed to an address, or a burst is in its middle
//                5 RESPONSE  a burst is in flight, or its address moves in this clock
//                3 WAIT      the master signals that it has work
//                1 IDLE      nothing of these
//              Latency: clocks from the handshake of the address to `done`, the oldest first.
// Limits       OUTSTANDING bursts at a time are followed; `overrun` reports that there were more, or that
//              one ended that was not in flight. A latency of 2^LATENCY_W - 1 means at least that;
//              above 2^(LATENCY_W + 3) clocks it is wrong. With bursts that end out of order a latency
//              is that of the oldest; with ORDER = 1 `disorder` reports it.
// Throughput   One address, one beat and one end of a burst a clock.
// Latency      All outputs are registered: they describe the clock before.
// Area         With OUTSTANDING = 64, LATENCY_W = 15: see area.toml (axm_monitor).
module axm_monitor_track #(
    parameter bit          WRITE       = 0,
    parameter bit [31:0] OUTSTANDING = 64,
    parameter bit [31:0] LATENCY_W   = 16,
    parameter bit [31:0] EXTRA_W     = 1,    // bits that are stored with a burst
    parameter bit [31:0] ID_W        = 1,
    parameter bit          ORDER       = 1,
    parameter bit [31:0] STAMP_W = LATENCY_W + 3,  // follows from the others
    parameter bit [31:0] PTR_W = $clog2(OUTSTANDING)  // follows from the others
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 forget,       // as if nothing were in flight
    input  logic                 run,          // count this clock
    input  logic [  STAMP_W-1:0] now,          // clocks, wrapping
    input  logic                 wants,
    input  logic                 addr_valid,
    input  logic                 addr_ready,
    input  logic [     ID_W-1:0] addr_id,
    input  logic [  EXTRA_W-1:0] addr_extra,
    input  logic                 data_valid,
    input  logic                 data_ready,
    input  logic                 data_last,
    input  logic                 done,         // a burst ends: last beat (read), response (write)
    input  logic [     ID_W-1:0] done_id,
    output logic                 class_valid,
    output logic [          2:0] class_index,
    output logic                 latency_valid,
    output logic [LATENCY_W-1:0] latency,
    output logic                 latency_over, // the latency had to be cut
    output logic [  EXTRA_W-1:0] extra,        // of the burst whose latency this is
    output logic [  EXTRA_W-1:0] oldest,       // of the oldest in flight, in this clock; if
                                               // there is none, of the address that was valid
    output logic [      PTR_W:0] in_flight,    // addresses moved, bursts not ended
    output logic [      PTR_W:0] in_flight_next,
    output logic                 overrun,
    output logic                 disorder
);

  generate
  if (OUTSTANDING < 2 || OUTSTANDING > 64 || (OUTSTANDING & (OUTSTANDING - 1)) != 0) begin : g_check
    axm_error_OUTSTANDING_must_be_a_power_of_two_from_2_to_64 u_error ();
  end
  endgenerate

  // The bursts in flight: when their addresses moved.
  logic [PTR_W-1:0] head, tail;
  wire [STAMP_W-1:0] oldest_stamp;
  wire none = in_flight == '0;
  wire full = in_flight[PTR_W];
  wire begins = addr_valid && addr_ready;
  wire push = begins && !full;
  wire pop = done && !none;
  assign in_flight_next = in_flight + (PTR_W + 1)'(push) - (PTR_W + 1)'(pop);

  axm_small_ram #(
      .WIDTH(STAMP_W + EXTRA_W), .DEPTH(OUTSTANDING)
  ) u_bursts (
      .clk, .write(addr_valid && !full), .write_place(head), .write_word({now, addr_extra}),
      .read_place(tail), .word({oldest_stamp, oldest})
  );

  always_ff @(posedge clk) begin
    if (rst || forget) begin
      head      <= '0;
      tail      <= '0;
      in_flight <= '0;
    end else begin
      head      <= head + PTR_W'(push);
      tail      <= tail + PTR_W'(pop);
      in_flight <= in_flight_next;
    end
  end

  // Worked out below its condition: a simulator passes over it.
  always_ff @(posedge clk) begin : measure
    logic [STAMP_W-1:0] age;
    logic over;
    latency_valid <= run && pop;
    latency_over  <= 1'b0;
    if (pop) begin
      age = now - oldest_stamp;
      over = age[STAMP_W-1:LATENCY_W] != '0;
      latency      <= over ? '1 : age[LATENCY_W-1:0];
      latency_over <= run && over;
      extra        <= oldest;
    end
    overrun       <= run && ((begins && full) || (done && none));
    if (rst) begin
      latency_valid <= 1'b0;
      latency_over  <= 1'b0;
      overrun       <= 1'b0;
    end
  end

  generate
  if (ORDER) begin : g_order
    wire [ID_W-1:0] oldest_id;
    axm_small_ram #(
        .WIDTH(ID_W), .DEPTH(OUTSTANDING)
    ) u_ids (
        .clk, .write(addr_valid && !full), .write_place(head), .write_word(addr_id),
        .read_place(tail), .word(oldest_id)
    );
    always_ff @(posedge clk) begin
      disorder <= 1'b0;
      if (pop) disorder <= !rst && run && oldest_id != done_id;
    end
  end else begin : g_no_order
    assign disorder = 1'b0;
    wire unused = ^{addr_id, done_id};
  end
  endgenerate

  // Whether beats are due, as of the clocks before.
  wire moves = data_valid && data_ready;
  logic middle;  // the latest beat was not the last of its burst
  logic due;
  always_ff @(posedge clk) begin
    if (rst || forget) middle <= 1'b0;
    else if (moves) middle <= !data_last;
  end

  generate
  if (WRITE) begin : g_write
    // Addresses less bursts of data; below 0 where data goes ahead of its address.
    logic signed [PTR_W+1:0] beats_due;
    always_ff @(posedge clk) begin
      if (rst || forget) beats_due <= '0;
      else if (begins || moves)
        beats_due <= beats_due + (PTR_W + 2)'(begins) - (PTR_W + 2)'(moves && data_last);
    end
    assign due = middle || beats_due > 0;
  end else begin : g_read
    assign due = middle;
  end
  endgenerate

  always_ff @(posedge clk) begin
    class_valid <= run && !rst;
    if (data_valid) class_index <= data_ready ? 3'd0 : 3'd4;
    else if (addr_valid && !addr_ready) class_index <= 3'd2;
    else if (due) class_index <= 3'd3;
    else if (!none || addr_valid) class_index <= 3'd5;
    else if (wants) class_index <= 3'd3;
    else class_index <= 3'd1;
  end

endmodule
