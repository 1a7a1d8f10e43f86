// Performance monitor of one AXI port, without registers.
//
// Purpose      Counts for both directions: bursts, beats, bytes, clocks by class (each clock that runs in
//              exactly one), latencies (sum, shortest, longest, histogram), longest inactivity.
//              Definitions: axm_monitor_track.sv, axm_monitor_extremes.sv; slots: axm_monitor_gather.sv.
// Limits       See there. Bytes are beats times the width of the port, or, with NARROW = 1, beats times
//              the size of the burst, counted when it ends; an unaligned start is not looked at.
// Throughput   One event of each kind a clock and direction: it never makes anybody wait.
// Latency      Counters as of any clock; a snapshot takes at most 116 clocks.
// Area         See area.toml (axm_monitor).
module axm_monitor_core #(
    parameter bit [31:0] DATA_W      = 64,
    parameter bit [31:0] ID_W        = 1,
    parameter bit [31:0] OUTSTANDING = 64,
    parameter bit [31:0] COUNT_W     = 47,
    parameter bit          NARROW      = 0,
    parameter bit          ORDER       = 1,
    parameter bit [31:0] EXTRA_W     = 1    // extra bits that are stored with a burst
) (
    input  logic            clk,
    input  logic            rst,
    input  logic            forget,          // as if no burst were in flight
    input  logic [     1:0] run,             // count this clock: read, write
    input  logic            clear,           // pulse
    input  logic            snapshot,        // pulse
    output logic            ready,           // a clear would act immediately
    output logic            snapshot_pending,
    output logic            saturated,       // these three since the clear
    output logic            disorder,
    output logic            overrun,
    output logic [    15:0] now,             // clocks, wrapping
    input  logic            read,            // pulse: a word of the snapshot
    input  logic [     6:0] read_address,    // {slot, high word}
    output logic            read_done,       // pulse, within 11 clocks: it is read_data
    output logic [    31:0] read_data,
    // For a master that tracks its bursts here: bursts in flight of read and write, and what was
    // given with the oldest.
    input  logic [EXTRA_W*2-1:0] extra,
    output logic [EXTRA_W*2-1:0] oldest,
    output logic [13:0] in_flight,
    output logic [13:0] in_flight_next,
    input  logic            read_wants,
    input  logic            arvalid,
    input  logic            arready,
    input  logic [ID_W-1:0] arid,
    input  logic [     7:0] arlen,
    input  logic [     2:0] arsize,
    input  logic            rvalid,
    input  logic            rready,
    input  logic            rlast,
    input  logic [ID_W-1:0] rid,
    input  logic            write_wants,
    input  logic            awvalid,
    input  logic            awready,
    input  logic [ID_W-1:0] awid,
    input  logic [     7:0] awlen,
    input  logic [     2:0] awsize,
    input  logic            wvalid,
    input  logic            wready,
    input  logic            wlast,
    input  logic            bvalid,
    input  logic            bready,
    input  logic [ID_W-1:0] bid
);

  localparam bit [31:0] LatencyW = 15, StampW = LatencyW + 3, IdleW = 15, SumW = 21;
  localparam bit [31:0] ExtraW = EXTRA_W + (NARROW ? 11 : 0), PtrW = $clog2(OUTSTANDING);
  localparam bit [31:0] ByteShift = $clog2(DATA_W / 8);

  genvar d;
  generate
  if (DATA_W != 32 && DATA_W != 64 && DATA_W != 128 && DATA_W != 256) begin : g_check
    axm_error_DATA_W_must_be_32_64_128_or_256 u_error ();
  end
  endgenerate

  logic [StampW-1:0] clocks;
  always_ff @(posedge clk) clocks <= rst ? '0 : clocks + 1'b1;
  assign now = clocks[15:0];

  logic [1:0] class_valid, latency_valid, latency_over, lost, mixed;
  logic [5:0] class_index;
  logic [LatencyW*2-1:0] latency;
  logic [ExtraW*2-1:0] extra_in, extra_done, extra_oldest;
  logic [(PtrW+1)*2-1:0] flying, flying_next;
  assign extra_in[0+:ExtraW] = ExtraW'({arlen, arsize, extra[0+:EXTRA_W]});
  assign extra_in[ExtraW+:ExtraW] = ExtraW'({awlen, awsize, extra[EXTRA_W+:EXTRA_W]});

  axm_monitor_track #(
      .WRITE(0), .OUTSTANDING(OUTSTANDING), .LATENCY_W(LatencyW), .EXTRA_W(ExtraW), .ID_W(ID_W),
      .ORDER(ORDER)
  ) read_track (
      .clk, .rst, .forget, .run(run[0]), .now(clocks), .wants(read_wants), .addr_valid(arvalid),
      .addr_ready(arready), .addr_id(arid), .addr_extra(extra_in[0+:ExtraW]), .data_valid(rvalid),
      .data_ready(rready), .data_last(rlast), .done(rvalid && rready && rlast), .done_id(rid),
      .class_valid(class_valid[0]), .class_index(class_index[0+:3]), .latency_valid(latency_valid[0]),
      .latency(latency[0+:LatencyW]), .latency_over(latency_over[0]), .extra(extra_done[0+:ExtraW]),
      .oldest(extra_oldest[0+:ExtraW]), .in_flight(flying[0+:PtrW+1]),
      .in_flight_next(flying_next[0+:PtrW+1]), .overrun(lost[0]), .disorder(mixed[0])
  );

  axm_monitor_track #(
      .WRITE(1), .OUTSTANDING(OUTSTANDING), .LATENCY_W(LatencyW), .EXTRA_W(ExtraW), .ID_W(ID_W),
      .ORDER(ORDER)
  ) write_track (
      .clk, .rst, .forget, .run(run[1]), .now(clocks), .wants(write_wants), .addr_valid(awvalid),
      .addr_ready(awready), .addr_id(awid), .addr_extra(extra_in[ExtraW+:ExtraW]), .data_valid(wvalid),
      .data_ready(wready), .data_last(wlast), .done(bvalid && bready), .done_id(bid),
      .class_valid(class_valid[1]), .class_index(class_index[3+:3]), .latency_valid(latency_valid[1]),
      .latency(latency[LatencyW+:LatencyW]), .latency_over(latency_over[1]),
      .extra(extra_done[ExtraW+:ExtraW]), .oldest(extra_oldest[ExtraW+:ExtraW]),
      .in_flight(flying[PtrW+1+:PtrW+1]), .in_flight_next(flying_next[PtrW+1+:PtrW+1]), .overrun(lost[1]),
      .disorder(mixed[1])
  );

  logic bank, exchange, dropping, full, take;
  logic [5:0] slot;
  logic [5:0] read_classes, write_classes, read_bursts, write_bursts;
  logic [SumW*2-1:0] bytes, latency_sum;
  logic [46:0] read_extremes, write_extremes;
  always_ff @(posedge clk) bank <= !rst && (bank ^ exchange);

  generate
  for (d = 0; d < 2; d++) begin : g_direction
    // Wires of one direction: a simulator need not put together those of both.
    wire ends = latency_valid[d];
    wire [LatencyW-1:0] delay = latency[LatencyW*d+:LatencyW];
    wire counts = class_valid[d];
    wire [2:0] class_here = class_index[3*d+:3];

    logic [5:0] classes_here, bursts_here;
    axm_monitor_tally #(
        .ENTRIES(8)
    ) classes (
        .clk, .bank, .event_valid(counts), .event_index(class_here),
        .take(take && slot[5:3] == 3'(d)), .take_index(slot[2:0]), .take_count(classes_here)
    );

    // Entry k: latencies of 2^k to 2^(k+1) - 1.
    logic [3:0] entry;
    always_comb begin
      entry = '0;
      if (ends) begin
        for (int unsigned k = 1; k < LatencyW; k++) begin
          if (delay[k]) entry = 4'(k);
        end
      end
    end

    axm_monitor_tally #(
        .ENTRIES(16)
    ) bursts (
        .clk, .bank, .event_valid(ends), .event_index(entry),
        .take(take && slot[5:4] == 2'(d + 1)), .take_index(slot[3:0]), .take_count(bursts_here)
    );

    // A sum is gathered in its own clock, so it is kept as of the end of the sweep. It is the
    // complement, counted down: see axm_monitor_gather.sv.
    logic [SumW-1:0] sum;
    always_ff @(posedge clk) begin : add
      logic [SumW-1:0] sum_next;
      if (rst || exchange || ends) begin
        sum_next = sum - (ends ? SumW'(delay) : '0);
        sum <= rst || exchange ? '1 : sum_next;
        if (exchange) latency_sum[SumW*d+:SumW] <= sum_next;
      end
    end

    // The sweep looks at the extremes of direction d in its clock d: events come to them d clocks
    // late, so that they are as of the end of the sweep before.
    logic late_clear, late_valid, late_clock, late_beat;
    logic [LatencyW-1:0] late_latency;
    if (d == 0) begin : g_now
      assign late_clear = rst || dropping;
      assign late_valid = ends;
      assign late_clock = counts;
      assign late_beat = class_here == '0;
      assign late_latency = delay;
    end else begin : g_late
      always_ff @(posedge clk) begin
        late_clear <= rst || dropping;
        late_valid <= ends;
        late_clock <= counts;
        late_beat <= class_here == '0;
        if (ends) late_latency <= delay;
      end
    end

    logic [LatencyW-1:0] latency_min, latency_max;
    logic [IdleW-1:0] idle_max;
    axm_monitor_extremes #(
        .LATENCY_W(LatencyW), .IDLE_W(IdleW)
    ) extreme (
        .clk, .clear(late_clear), .latency_valid(late_valid), .latency(late_latency),
        .clock_valid(late_clock), .beat(late_beat), .latency_min, .latency_max, .idle_max
    );
    if (d == 0) begin : g_read
      assign read_classes = classes_here;
      assign read_bursts = bursts_here;
      assign read_extremes = {idle_max, 16'(latency_max), 16'(latency_min)};
    end else begin : g_write
      assign write_classes = classes_here;
      assign write_bursts = bursts_here;
      assign write_extremes = {idle_max, 16'(latency_max), 16'(latency_min)};
    end

    wire unused_oldest = &{1'b0, extra_oldest[ExtraW*d+:ExtraW]};
    assign oldest[EXTRA_W*d+:EXTRA_W] = extra_oldest[ExtraW*d+:EXTRA_W];
    assign in_flight[7*d+:7] = 7'(flying[(PtrW+1)*d+:PtrW+1]);
    assign in_flight_next[7*d+:7] = 7'(flying_next[(PtrW+1)*d+:PtrW+1]);

    if (NARROW) begin : g_narrow
      wire [7:0] len = extra_done[ExtraW*d+EXTRA_W+3+:8];
      wire [2:0] size = extra_done[ExtraW*d+EXTRA_W+:3];
      wire unused = ^extra_done[ExtraW*d+:EXTRA_W];
      logic [SumW-1:0] moved;
      wire [SumW-1:0] moved_next =
          moved + (ends ? (SumW'(len) + 1'b1) << size : '0);
      always_ff @(posedge clk) begin
        moved <= rst || exchange ? '0 : moved_next;
        if (exchange) bytes[SumW*d+:SumW] <= moved_next;
      end
    end
  end
  endgenerate

  generate
  if (!NARROW) begin : g_wide
    assign bytes[0+:SumW] = '0;
    assign bytes[SumW+:SumW] = '0;
    wire unused = ^{extra_done[0+:ExtraW], extra_done[ExtraW+:ExtraW]};
  end
  endgenerate

  axm_monitor_gather #(
      .COUNT_W(COUNT_W), .SUM_W(SumW), .BYTE_SHIFT(ByteShift), .NARROW(NARROW)
  ) gather (
      .clk, .rst, .run(run != '0 || class_valid != '0), .clear, .snapshot, .ready,
      .snapshot_pending, .saturated(full), .exchange, .dropping, .take, .slot, .read_classes,
      .write_classes, .read_bursts, .write_bursts, .bytes, .latency_sum, .read_extremes, .write_extremes,
      .read, .read_address, .read_done, .read_data
  );

  always_ff @(posedge clk) begin
    if (rst || dropping) begin
      saturated <= 1'b0;
      disorder  <= 1'b0;
      overrun   <= 1'b0;
    end else begin
      if (full || latency_over != '0) saturated <= 1'b1;
      if (mixed != '0) disorder <= 1'b1;
      if (lost != '0) overrun <= 1'b1;
    end
  end

endmodule
