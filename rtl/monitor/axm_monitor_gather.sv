// The long counters of a performance monitor, in distributed RAM, with a snapshot.
//
// Purpose      Short counters elsewhere count events; a sweep over all slots adds what they have
//              counted to the long counters. The short ones exchange their banks at the end of each
//              sweep (`exchange`), so that a sweep gathers all of them as of one and the same clock:
//              a snapshot is what a whole sweep writes.
//              Slots, in the order of the sweep:
//                48, 49  read, write: {longest inactivity, longest latency, shortest latency}
//                50, 51  read, write: sum of latencies
//                0-5     read: clocks of each class; 6: of all classes; 7: bytes
//                8-15    the same of write
//                16-30   read: bursts by latency; 31: all bursts
//                32-47   the same of write
// Limits       A counter that passes 2^COUNT_W is held and reads as all ones; `saturated` tells of it.
//              Other counters wrap nowhere. A sweep is 52 clocks.
// Throughput   One slot a clock.
// Latency      A snapshot is complete at most 104 clocks after it is asked for.
// Area         346 LUT, of which 112 are the two memories, and 20 FF on xc7 (synthesised alone).
module axm_monitor_gather #(
    parameter int unsigned COUNT_W = 47,
    parameter int unsigned SUM_W   = 22,
    localparam int unsigned WORD_W = 48
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              run,              // short counters may be counting
    input  logic              clear,            // pulse: forget when this sweep ends; if ready, now
    input  logic              snapshot,         // pulse
    output logic              ready,            // nothing is left to gather: `clear` acts at once
    output logic              snapshot_pending,
    output logic              saturated,        // pulse
    output logic              exchange,         // the sweep ends: exchange the banks
    output logic              dropping,         // with `exchange`: and forget what was counted
    output logic [       5:0] slot,
    input  logic [       5:0] class_count[2],   // of class slot[2:0]; read, write
    input  logic [       5:0] burst_count[2],   // of entry slot[3:0]
    input  logic [ SUM_W-1:0] bytes[2],
    input  logic [ SUM_W-1:0] latency_sum[2],
    input  logic [WORD_W-2:0] extremes[2],
    input  logic [       6:0] read_address,     // {slot, high word}
    output logic [      31:0] read_data         // in the same clock
);

  localparam logic [5:0] FirstSlot = 6'd48, LastSlot = 6'd47, WrapSlot = 6'd51;

  if (COUNT_W < 8 || COUNT_W > WORD_W - 1) begin : g_check
    $error("%m: COUNT_W is %0d; it must be 8 to %0d", COUNT_W, WORD_W - 1);
  end

  // After a reset two sweeps clear the memories and both banks.
  logic fresh;
  logic [1:0] quiet;  // sweeps ended since something was counted
  logic clear_pending, drop, snapshot_asked, snapping;

  assign ready = quiet[1] && !snapshot_pending && !clear_pending;
  assign snapshot_pending = snapshot_asked || snapping;
  assign exchange = slot == LastSlot || (clear && ready);
  assign dropping = exchange && (clear || clear_pending || fresh);

  always_ff @(posedge clk) begin
    if (rst) begin
      slot           <= FirstSlot;
      fresh          <= 1'b1;
      quiet          <= '0;
      drop           <= 1'b1;
      clear_pending  <= 1'b0;
      snapshot_asked <= 1'b0;
      snapping       <= 1'b0;
    end else begin
      slot <= exchange ? FirstSlot : slot == WrapSlot ? '0 : slot + 1'b1;
      if (run) quiet <= '0;
      else if (exchange && !quiet[1]) quiet <= quiet + 1'b1;
      if (quiet[1]) fresh <= 1'b0;
      clear_pending <= (clear_pending || clear) && !exchange;
      snapshot_asked <= (snapshot_asked || snapshot) && !exchange;
      if (exchange) begin
        drop     <= dropping;
        snapping <= snapshot_asked || snapshot;
      end
    end
  end

  // What the short counters have for this slot. Clocks of all classes, and bursts of all latencies,
  // are summed up as the sweep passes.
  wire extreme = slot[5:1] == 5'b11000;
  wire hist = slot[5:4] != 2'b00;
  wire [5:0] tally = slot[5] ? burst_count[1] : slot[4] ? burst_count[0] : class_count[slot[3]];
  logic [5:0] total;
  always_ff @(posedge clk) begin
    if (slot[2:0] == '0 && !(hist && slot[3])) total <= tally;
    else total <= total + tally;
  end

  logic [SUM_W-1:0] add;
  always_comb begin
    if (slot[5:4] == 2'b11) add = latency_sum[slot[0]];
    else if (!hist && slot[2:0] == 3'd7) add = bytes[slot[3]];
    else if (hist ? slot[3:0] == 4'd15 : slot[2:0] == 3'd6) add = SUM_W'(total);
    else add = SUM_W'(tally);
  end

  logic [WORD_W-1:0] counters[64];
  logic [WORD_W-1:0] kept[64];
  wire [WORD_W-1:0] old = counters[slot];
  wire full = old[WORD_W-1:COUNT_W] != '0;
  wire [WORD_W-1:0] addend =
      extreme ? {1'b0, extremes[slot[0]]} : WORD_W'(drop || full ? '0 : add);
  wire [WORD_W-1:0] next = addend + (drop || extreme ? '0 : old);

  always_ff @(posedge clk) begin
    counters[slot] <= next;
    if (snapping) kept[slot] <= next;
  end

  always_ff @(posedge clk) saturated <= !rst && !extreme && next[WORD_W-1:COUNT_W] != '0;

  wire [WORD_W-1:0] word = kept[read_address[6:1]];
  wire word_full = read_address[6:2] != 5'b11000 && word[WORD_W-1:COUNT_W] != '0;
  assign read_data = (read_address[0] ? 32'(word[WORD_W-1:32]) : word[31:0]) | {32{word_full}};

endmodule
