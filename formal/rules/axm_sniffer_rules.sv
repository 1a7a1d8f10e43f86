// Rules of a slot of the burst sniffer: its counts are those of the port.
//
// Purpose      Watches the slot's own inputs and computes, in another way than the slot does, its answers:
//              the number of events in one bin, the clocks since the last beat, one of the first
//              transactions. The slot's request selects bin and transaction; a proof in which these inputs
//              are any constant covers all of them.
// Limits       For formal use. Bins are known from their first clearing on. COUNT_W is small in a proof,
//              so that counters fill up; a count never exceeds the events seen, for it equals them or is
//              full.
module axm_sniffer_rules #(
    parameter int unsigned ADDR_W = 32,
    parameter int unsigned COUNT_W = 2,
    parameter int unsigned RECORDS = 2
) (
    input logic               clk,
    input logic               rst,
    input logic               clear,
    input logic [        5:0] sweep,
    input logic               run,
    input logic [       31:0] now,
    input logic               address_taken,
    input logic [ ADDR_W-1:0] address,
    input logic [        7:0] len,
    input logic               beat_taken,
    input logic               last,
    // The request
    input logic [        8:0] read_word,
    input logic               read_records,
    input logic               read_lengths,
    input logic               read_gaps,
    // The slot's content and answers
    input logic [COUNT_W-1:0] length_stored,
    input logic [COUNT_W-1:0] beat_stored,
    input logic [ADDR_W+39:0] record_stored,
    input logic [       15:0] distance,
    input logic               between,
    input logic               full,
    input logic [       31:0] read_data,
    input logic [        7:0] recorded,
    input logic               seen,
    input logic [       15:0] beat_min,
    input logic [       15:0] beat_max,
    input logic [       15:0] gap_min,
    input logic [       15:0] gap_max
);

  `include "axm_rules.svh"

  wire [4:0] bin = read_word[4:0];
  wire [5:0] beat_bin = {read_gaps, bin};

  // The least value of a bin: itself below 16, then four bins an octave.
  function automatic logic [15:0] least(input logic [4:0] b);
    least = b < 5'd16 ? 16'(b) : 16'(3'd4 + 3'(b[1:0])) << (b[4:2] - 3'd2);
  endfunction

  function automatic logic inside_bin(input logic [15:0] value);
    inside_bin = value >= least(bin) && (bin == 5'd31 || value < least(bin + 5'd1));
  endfunction

  // ---- events of the chosen bins -------------------------------------------------------------
  logic length_event, beat_event, length_known, beat_known;
  logic [COUNT_W-1:0] lengths, beats;
  logic first_beat_seen, gap;
  logic [15:0] age;  // clocks since the last beat, without it

  always_ff @(posedge clk) begin
    length_event <= !rst && run && address_taken && inside_bin(16'(len));
    beat_event <= !rst && run && beat_taken && first_beat_seen && gap == read_gaps && inside_bin(age);
    if (clear && sweep[4:0] == bin) begin
      lengths <= '0;
      length_known <= 1'b1;
    end else if (length_event && lengths != '1) lengths <= lengths + 1'b1;
    if (clear && sweep == beat_bin) begin
      beats <= '0;
      beat_known <= 1'b1;
    end else if (beat_event && beats != '1) beats <= beats + 1'b1;
    if (rst) {length_known, beat_known} <= '0;
  end

  always_ff @(posedge clk) begin
    if (beat_taken) begin
      age <= '0;
      gap <= last;
    end else if (age != '1) age <= age + 1'b1;
    if (rst || clear) first_beat_seen <= 1'b0;
    else if (run && beat_taken) first_beat_seen <= 1'b1;
  end

  // ---- the last distance that was measured, and the chosen transaction -------------------------
  logic inner_taken, gap_taken;
  logic [15:0] inner, outer;
  logic [7:0] addresses;
  logic [ADDR_W+39:0] chosen;
  wire chosen_taken = {1'b0, read_word[8:2]} < addresses && 32'(read_word[8:2]) < RECORDS;

  always_ff @(posedge clk) begin
    if (rst || clear) begin
      inner_taken <= 1'b0;
      gap_taken <= 1'b0;
      addresses <= '0;
    end else if (run) begin
      if (beat_taken && first_beat_seen && !gap) {inner_taken, inner} <= {1'b1, age};
      if (beat_taken && first_beat_seen && gap) {gap_taken, outer} <= {1'b1, age};
      if (address_taken && addresses != '1) addresses <= addresses + 1'b1;
      if (address_taken && addresses == {1'b0, read_word[8:2]}) chosen <= {now, len, address};
    end
  end

  wire quiet = !run && !clear && !length_event && !beat_event;
  logic was_run;
  always_ff @(posedge clk) was_run <= run;
  wire settled = quiet && !was_run;  // the last event is in its bin
  wire [63:0] wide = 64'(chosen[ADDR_W-1:0]);
  logic [31:0] word;

  always_comb begin
    word = wide[31:0];
    if (read_word[1:0] == 2'd1) word = {chosen[ADDR_W+:8], wide[55:32]};
    if (read_word[1:0] == 2'd2) word = chosen[ADDR_W+8+:32];
    if (read_word[1:0] == 2'd3) word = {24'd0, wide[63:56]};
  end

  `AXM_RULE(lengths_exact, 0, length_known, length_stored == lengths)
  `AXM_RULE(beats_exact, 0, beat_known, beat_stored == beats)
  `AXM_RULE(loss_reported, 0, (length_event && length_known && lengths == '1)
            || (beat_event && beat_known && beats == '1), full || clear)
  `AXM_RULE(distance_exact, 0, first_beat_seen, distance == age && between == gap)
  `AXM_RULE(seen_exact, 0, 1'b1, seen == first_beat_seen)
  `AXM_RULE(beat_extremes, 0, inner_taken, beat_min <= inner && inner <= beat_max)
  `AXM_RULE(gap_extremes, 0, gap_taken, gap_min <= outer && outer <= gap_max)
  `AXM_RULE(recorded_exact, 0, 1'b1,
            recorded == (32'(addresses) < RECORDS ? addresses : 8'(RECORDS)))
  `AXM_RULE(record_exact, 0, chosen_taken, record_stored == chosen)
  `AXM_RULE(reads_lengths, 0, settled && !read_records && read_lengths && length_known,
            read_data == 32'(lengths))
  `AXM_RULE(reads_beats, 0, settled && !read_records && !read_lengths && beat_known,
            read_data == 32'(beats))
  `AXM_RULE(reads_records, 0, settled && read_records,
            read_data == (chosen_taken ? word : '0))

endmodule
