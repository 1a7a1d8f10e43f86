// The long counters of a performance monitor, in one block RAM, with a snapshot.
//
// Purpose      Short counters elsewhere count events; a sweep over all slots adds what they have
//              counted to the long counters. The short ones exchange their banks at the end of each
//              sweep (`exchange`), so that a sweep gathers all of them as of one and the same clock:
//              a snapshot is what a whole sweep writes. The RAM has two areas. Sweeps stay in one;
//              after a snapshot the next sweep reads from it and writes to the other, so that the
//              snapshot stays behind and nothing has to be copied.
//              Slots, in the order of the sweep:
//                48, 49  read, write: {longest inactivity, longest latency, shortest latency}
//                50, 51  read, write: sum of latencies
//                0-5     read: clocks of each class; 6: of all classes; 7: bytes
//                8-15    the same of write
//                16-30   read: bursts by latency; 31: all bursts
//                32-47   the same of write
//              A slot's number goes to the RAM in one clock (`slot`); in the next one what is to be
//              added is in a register of its own for each source, 0 in all but one of them, so that
//              choosing costs nothing; the sum is written in that clock.
// Limits       A counter that passes 2^COUNT_W reads as all ones from there; `saturated` reports it.
//              Other counters wrap nowhere. A sweep is 52 clocks, and one more for each word that
//              software reads, which waits for a slot that ends in 7: at most 58 clocks.
// Throughput   One slot a clock; a read by software within 11 clocks.
// Latency      A snapshot is complete at most 116 clocks after the request.
// Area         One RAMB36; area.toml (axm_monitor, axm_traffic).
module axm_monitor_gather #(
    parameter bit [31:0] COUNT_W = 47,
    parameter bit [31:0] SUM_W   = 22,
    parameter bit [31:0] BYTE_SHIFT = 3,      // bytes of a beat, log 2
    parameter bit          NARROW  = 0,         // bytes are given, not counted from beats
    parameter bit [31:0] WORD_W = 48  // follows from the others
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              run,              // short counters may be counting
    input  logic              clear,            // pulse: forget when this sweep ends; if ready, now
    input  logic              snapshot,         // pulse
    output logic              ready,            // nothing is left to gather: `clear` acts immediately
    output logic              snapshot_pending,
    output logic              saturated,        // pulse
    output logic              exchange,         // the sweep ends: exchange the banks
    output logic              dropping,         // with `exchange`: and forget what was counted
    output logic              take,             // the short counters of `slot` are taken
    output logic [       5:0] slot,
    input  logic [5:0] read_classes,   // of class slot[2:0]
    input  logic [5:0] write_classes,
    input  logic [5:0] read_bursts,    // of entry slot[3:0]
    input  logic [5:0] write_bursts,
    input  logic [SUM_W*2-1:0] bytes,
    input  logic [SUM_W*2-1:0] latency_sum,   // its complement as of the exchange, from then on
    input  logic [WORD_W-2:0] read_extremes,
    input  logic [WORD_W-2:0] write_extremes,      // a clock later than those of reads
    input  logic              read,             // pulse: software requests a word
    input  logic [       6:0] read_address,     // {slot, high word}
    output logic              read_done,        // `read_data` is that word
    output logic [      31:0] read_data
);

  localparam logic [5:0] FirstSlot = 6'd48, LastSlot = 6'd47, WrapSlot = 6'd51;

  genvar d;
  generate
  if (COUNT_W < 8 || COUNT_W > WORD_W - 1) begin : g_check
    axm_error_COUNT_W_must_be_8_to_47 u_error ();
  end
  endgenerate

  // After a reset two sweeps clear the memory and both banks.
  logic fresh;
  logic [1:0] quiet;  // sweeps ended since something was counted
  logic clear_pending, drop, snapshot_asked, snapping;
  logic home, moving;  // the area that sweeps write; this sweep reads from the other one

  // Software's words, one at a time.
  logic asked;
  logic [6:0] wanted;
  wire serve = asked && slot[2:0] == '1;
  always_ff @(posedge clk) begin
    if (rst) asked <= 1'b0;
    else asked <= read || (asked && !serve);
    if (read) wanted <= read_address;
    read_done <= serve && !rst;
  end

  assign take = !serve;
  assign ready = quiet[1] && !snapshot_pending && !clear_pending;
  assign snapshot_pending = snapshot_asked || snapping;
  assign exchange = (slot == LastSlot && !serve) || (clear && ready);
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
      home           <= 1'b0;
      moving         <= 1'b0;
    end else begin
      if (exchange) slot <= FirstSlot;
      else if (!serve) slot <= slot == WrapSlot ? '0 : slot + 1'b1;
      if (run) quiet <= '0;
      else if (exchange && !quiet[1]) quiet <= quiet + 1'b1;
      if (quiet[1]) fresh <= 1'b0;
      clear_pending <= (clear_pending || clear) && !exchange;
      snapshot_asked <= (snapshot_asked || snapshot) && !exchange;
      if (exchange) begin
        drop     <= dropping;
        snapping <= snapshot_asked || snapshot;
        home     <= home ^ snapping;
        moving   <= snapping;
      end
    end
  end

  // What the short counters have for this slot. Clocks of all classes, and bursts of all latencies,
  // are summed up as the sweep passes.
  wire extreme = slot[5:1] == 5'b11000;
  wire hist = slot[5:4] != 2'b00;
  wire group_ends = hist ? slot[3:0] == 4'd15 : slot[2:0] == 3'd6;
  wire [5:0] tally = slot[5] ? write_bursts : slot[4] ? read_bursts : slot[3] ? write_classes : read_classes;

  logic stored;  // there is something to write
  logic [6:0] place;
  logic counts;  // that is a counter
  logic [5:0] few, total;
  wire [5:0] total_next = total + few;
  always_ff @(posedge clk) begin
    stored <= !serve && !rst;
    place  <= {home, slot};
    counts <= !extreme;
    if (drop || serve || slot[5:4] == 2'b11 || (!hist && slot[2:0] == 3'd7)) few <= '0;
    else few <= group_ends ? total_next : tally;
    if (slot[2:0] == '0 && !(hist && slot[3])) total <= '0;
    else total <= total_next;
  end

  logic [SUM_W*2-1:0] amount;  // complements
  logic [SUM_W*2-1:0] volume;
  logic [WORD_W-2:0] read_extent, write_extent;
  always_ff @(posedge clk) begin
    read_extent <= slot == 6'd48 ? read_extremes : '0;
    write_extent <= slot == 6'd49 ? write_extremes : '0;
  end
  generate
  for (d = 0; d < 2; d++) begin : g_direction
    always_ff @(posedge clk) begin
      amount[SUM_W*d+:SUM_W] <= slot == 6'd50 + 6'(d) && !drop ? latency_sum[SUM_W*d+:SUM_W] : '1;
    end
  end
  if (NARROW) begin : g_narrow
    always_ff @(posedge clk) begin
      volume[0+:SUM_W] <= slot == 6'd7 && !drop ? bytes[0+:SUM_W] : '0;
      volume[SUM_W+:SUM_W] <= slot == 6'd15 && !drop ? bytes[SUM_W+:SUM_W] : '0;
    end
  end else begin : g_wide
    // The sweep has passed the beats (slots 0, 8) when it comes to the bytes (slots 7, 15).
    logic [5:0] beats, moved;
    always_ff @(posedge clk) begin
      if (slot[2:0] == '0) beats <= slot[3] ? write_classes : read_classes;
      moved <= !hist && slot[2:0] == 3'd7 && !drop ? beats : '0;
    end
    assign volume[0+:SUM_W] = SUM_W'(moved) << BYTE_SHIFT;
    assign volume[SUM_W+:SUM_W] = '0;
    wire unused = ^{bytes[0+:SUM_W], bytes[SUM_W+:SUM_W]};
  end
  endgenerate

  // The RAM holds the counters' complements, from which the addend is subtracted: what is subtracted
  // can be of several sources at no cost where an adder's first operand goes to the carry chain too.
  // The highest bit stays once it is set.
  logic [WORD_W-1:0] memory[128];
  logic [WORD_W-1:0] word;  // what the RAM gave; the complement of 0 where that does not count
  wire [SUM_W-1:0] amounts = ~(amount[0+:SUM_W] & amount[SUM_W+:SUM_W]);
  wire [WORD_W-1:0] addend = WORD_W'(few) | WORD_W'(amounts)
      | WORD_W'(volume[0+:SUM_W]) | WORD_W'(volume[SUM_W+:SUM_W])
      | WORD_W'(read_extent) | WORD_W'(write_extent);
  wire [WORD_W-1:0] rest = word - addend;
  wire [WORD_W-1:0] next = {rest[WORD_W-1] && word[WORD_W-1], rest[WORD_W-2:0]};
  wire [6:0] from = serve ? {!home, wanted[6:1]} : {home ^ moving, slot};

  always_ff @(posedge clk) begin
    if ((drop || extreme) && !serve) word <= '1;
    else word <= memory[from];
  end
  always_ff @(posedge clk) if (stored) memory[place] <= next;
  always_ff @(posedge clk) saturated <= stored && (COUNT_W == WORD_W - 1 || counts) && next[WORD_W-1:COUNT_W] != '1;

  // The extremes do not use the highest bit.
  wire full = read_done && (COUNT_W == WORD_W - 1 || wanted[6:2] != 5'b11000)
      && word[WORD_W-1:COUNT_W] != '1;
  assign read_data = ~(wanted[0] ? {16'hFFFF, word[WORD_W-1:32]} : word[31:0]) | {32{full}};

endmodule
