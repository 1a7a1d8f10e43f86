// One slot of the burst sniffer: the reads or the writes of one port.
//
// Purpose      Histograms of burst lengths (address channel) and of the clocks between data beats,
//              inside a burst and between bursts (data channel), with the extremes of both; and the
//              first transactions with their time. Only watches; drives nothing.
// Limits       RECORDS is 2 to 128. The two channels are looked at independently: any order of
//              address and data, AXI3 or AXI4.
// Throughput   Every clock an address and a beat.
// Latency      Counted in the second clock after.
// Area         xc7: 378 LUT, 103 FF, of which 120 LUT are memory.
module axm_sniffer_slot #(
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] RECORDS = 64,
    parameter bit [31:0] COUNT_W = 32
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              clear,           // level, while all bins are swept
    input  logic [       5:0] sweep,
    input  logic              run,
    input  logic [      31:0] now,             // clocks since the first address of any slot
    output logic              full,            // a bin could not count an event

    input  logic              address_taken,   // handshakes
    input  logic [ADDR_W-1:0] address,
    input  logic [       7:0] len,
    input  logic              beat_taken,
    input  logic              last,

    input  logic [       8:0] read_word,       // which word of a memory
    input  logic              read_records,    // which memory
    input  logic              read_lengths,
    input  logic              read_gaps,
    output logic [      31:0] read_data,       // while not run
    output logic [       7:0] recorded,
    output logic              seen,
    output logic [      15:0] beat_min,
    output logic [      15:0] beat_max,
    output logic [      15:0] gap_min,
    output logic [      15:0] gap_max
);

  generate
  if (ADDR_W < 32 || ADDR_W > 64) begin : g_check_address
    axm_error_ADDR_W_must_be_32_to_64 u_error ();
  end
  if (RECORDS < 2 || RECORDS > 128 || (RECORDS & (RECORDS - 1)) != 0) begin : g_check_records
    axm_error_RECORDS_must_be_a_power_of_two_from_2_to_128 u_error ();
  end
  if (COUNT_W < 2 || COUNT_W > 32) begin : g_check_count
    axm_error_COUNT_W_must_be_2_to_32 u_error ();
  end
  endgenerate

  // The bin of a value: exact below 16, then four bins an octave, and all from 224 on in bin 31.
  function automatic logic [4:0] bin_of(input logic [15:0] value);
    if (value >= 16'd256) bin_of = 5'd31;
    else if (value[7]) bin_of = {3'd7, value[6:5]};
    else if (value[6]) bin_of = {3'd6, value[5:4]};
    else if (value[5]) bin_of = {3'd5, value[4:3]};
    else if (value[4]) bin_of = {3'd4, value[3:2]};
    else bin_of = value[4:0];
  endfunction

  // ---- lengths -------------------------------------------------------------------------------
  logic length_hit, length_full;
  logic [4:0] length_bin;
  logic [COUNT_W-1:0] length_count;

  always_ff @(posedge clk) begin
    length_hit <= address_taken && run && !rst;
    if (address_taken) length_bin <= bin_of(16'(len));
  end

  axm_sniffer_histogram #(
      .BINS(32), .COUNT_W(COUNT_W)
  ) u_lengths (
      .clk, .clear, .sweep(sweep[4:0]), .hit(length_hit), .bin(length_bin), .read_bin(read_word[4:0]),
      .count(length_count), .full(length_full)
  );

  // ---- clocks between beats: those inside a burst in the lower half of the bins ---------------
  logic [15:0] distance;  // clocks since the last beat, without it
  logic between;          // that beat was the last of its burst
  logic beat_hit, beat_full;
  logic [5:0] beat_bin;
  logic [COUNT_W-1:0] beat_count;

  always_ff @(posedge clk) begin
    beat_hit <= beat_taken && run && seen && !rst;
    if (beat_taken) begin
      beat_bin <= {between, bin_of(distance)};
      distance <= '0;
      between  <= last;
    end else if (distance != '1) begin
      distance <= distance + 1'b1;
    end
    if (rst || clear) begin
      seen <= 1'b0;
      beat_min <= '1;
      beat_max <= '0;
      gap_min <= '1;
      gap_max <= '0;
    end else begin
      if (beat_taken && run) seen <= 1'b1;
      if (beat_taken && run) begin
        if (seen && !between) begin
          if (distance < beat_min) beat_min <= distance;
          if (distance > beat_max) beat_max <= distance;
        end else if (seen) begin
          if (distance < gap_min) gap_min <= distance;
          if (distance > gap_max) gap_max <= distance;
        end
      end
    end
  end

  axm_sniffer_histogram #(
      .BINS(64), .COUNT_W(COUNT_W)
  ) u_beats (
      .clk, .clear, .sweep, .hit(beat_hit), .bin(beat_bin), .read_bin({read_gaps, read_word[4:0]}),
      .count(beat_count), .full(beat_full)
  );

  assign full = length_full || beat_full;

  // ---- the first transactions: one port of memory, for they are read when all is over ---------
  localparam bit [31:0] PLACE_W = $clog2(RECORDS);

  wire [ADDR_W+40-1:0] chosen_record;
  wire keep = address_taken && run && recorded != 8'(RECORDS);
  wire [PLACE_W-1:0] place = run ? recorded[PLACE_W-1:0] : read_word[2+:PLACE_W];

  always_ff @(posedge clk) begin
    if (rst || clear) recorded <= '0;
    else if (keep) recorded <= recorded + 1'b1;
  end

  axm_small_ram #(
      .WIDTH(ADDR_W + 40), .DEPTH(RECORDS), .BYPASS(0)
  ) u_records (
      .clk, .write(keep), .write_place(place), .write_word({now, len, address}), .read_place(place),
      .word(chosen_record)
  );

  // ---- reading -------------------------------------------------------------------------------
  always_comb begin : read
    logic [31:0] record_time;
    logic [7:0] record_len;
    logic [ADDR_W-1:0] record_address;
    logic [63:0] wide_address;
    {record_time, record_len, record_address, wide_address} = '0;
    if (!read_records) read_data = 32'(read_lengths ? length_count : beat_count);
    else begin
      {record_time, record_len, record_address} = chosen_record;
      wide_address = 64'(record_address);
      if (read_word[1:0] == 2'd0) read_data = wide_address[31:0];
      else if (read_word[1:0] == 2'd1) read_data = {record_len, wide_address[55:32]};
      else if (read_word[1:0] == 2'd2) read_data = record_time;
      else read_data = {24'd0, wide_address[63:56]};
      // Beyond the last record there is nothing.
      if ({1'b0, read_word[8:2]} >= recorded) read_data = '0;
    end
  end

endmodule
