// Burst sniffer (block type 5): how bursts on AXI ports look, without touching them.
//
// Purpose      SLOTS slots, each the reads (AR and R) or the writes (AW and W) of one port: burst
//              lengths, clocks between beats and between bursts, first transactions with times. The
//              definitions are in regs/sniffer.rdl.
// Limits       SLOTS is 1 to 8. Start it while the ports rest: a beat whose address came before is
//              counted all the same. Read it after it is stopped.
// Throughput   Every clock an address and a beat on every slot; nothing is lost.
// Latency      64 clocks from RUN to armed; counts are complete two clocks after RUN is cleared.
// Area         xc7: 978 LUT, 402 FF with two slots; 1841 LUT, 694 FF with four. A quarter of it is
//              the histograms and records, in distributed RAM.
`include "axm_ports.svh"

module axm_sniffer #(
    parameter bit [31:0] SLOTS = 4,
    parameter bit [7:0] WRITES = 8'b1010_1010,  // bit k: slot k watches writes (CAPS2 tells)
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] RECORDS = 64,        // transactions recorded for each slot
    parameter bit [31:0] COUNT_W = 32         // bits of a bin's count
) (
    input  logic [       SLOTS-1:0] addr_valid,  // AR or AW of each slot
    input  logic [       SLOTS-1:0] addr_ready,
    input  logic [ADDR_W*SLOTS-1:0] addr_addr,
    input  logic [     8*SLOTS-1:0] addr_len,
    input  logic [       SLOTS-1:0] data_valid,  // R or W of each slot
    input  logic [       SLOTS-1:0] data_ready,
    input  logic [       SLOTS-1:0] data_last,
    `AXM_AXIL_SLAVE(s_axil_, 12, 32)
    input  logic                    clk,
    input  logic                    rst
);

  genvar k;
  generate
  if (SLOTS < 1 || SLOTS > 8) begin : g_check_slots
    axm_error_SLOTS_must_be_1_to_8 u_error ();
  end
  endgenerate

  logic from_regs_CTRL_RUN;
  logic [2:0] from_regs_SELECT_SLOT;
  logic from_regs_LENGTHS_req;
  logic from_regs_BEATS_req;
  logic from_regs_GAPS_req;
  logic from_regs_RECORDS_req;
  logic [10:0] from_regs_RECORDS_addr;

  // ---- run: forget, then count ----------------------------------------------------------------
  logic clear, armed, triggered, saturated;
  logic [5:0] sweep;
  logic [31:0] now;
  logic [SLOTS-1:0] address_taken, full;
  wire run = from_regs_CTRL_RUN && armed;

  always_ff @(posedge clk) begin
    if (rst || !from_regs_CTRL_RUN) begin
      armed <= 1'b0;
      clear <= 1'b0;
      sweep <= '0;
    end else if (!armed) begin
      clear <= !(clear && sweep == '1);
      armed <= clear && sweep == '1;
      sweep <= clear ? sweep + 1'b1 : '0;
    end

    if (rst || clear) begin
      triggered <= 1'b0;
      saturated <= 1'b0;
      now <= '0;
    end else begin
      if (run && |address_taken) triggered <= 1'b1;
      if (run && (triggered || |address_taken) && now != '1) now <= now + 1'b1;
      if (|full || now == '1) saturated <= 1'b1;
    end
  end

  // ---- slots; what they see is registered, so that they are no load on the bus -----------------
  logic [32*SLOTS-1:0] read_data;
  logic [8*SLOTS-1:0] recorded;
  logic [16*SLOTS-1:0] beat_min, beat_max, gap_min, gap_max;
  logic [SLOTS-1:0] seen;
  logic [8:0] read_word;
  logic read_records, read_lengths, read_gaps, asked;

  generate
  for (k = 0; k < SLOTS; k++) begin : g_slot
    logic [ADDR_W-1:0] address;
    logic [7:0] len;
    logic last, addressed, moved;
    // Wires of one slot: a simulator need not put together those of all slots.
    wire [ADDR_W-1:0] here_address = addr_addr[ADDR_W*k+:ADDR_W];
    wire [7:0] here_len = addr_len[8*k+:8];
    wire here_last = data_last[k];
    wire here_addressed = addr_valid[k] && addr_ready[k];
    wire here_moved = data_valid[k] && data_ready[k];

    assign address_taken[k] = addressed;
    always_ff @(posedge clk) begin
      addressed <= here_addressed;
      moved <= here_moved;
      if (here_addressed) begin
        address <= here_address;
        len <= here_len;
      end
      if (here_moved) last <= here_last;
    end

    axm_sniffer_slot #(
        .ADDR_W(ADDR_W), .RECORDS(RECORDS), .COUNT_W(COUNT_W)
    ) u_slot (
        .address_taken(addressed), .beat_taken(moved), .full(full[k]),
        .read_data(read_data[32*k+:32]), .recorded(recorded[8*k+:8]), .seen(seen[k]),
        .beat_min(beat_min[16*k+:16]), .beat_max(beat_max[16*k+:16]), .gap_min(gap_min[16*k+:16]),
        .gap_max(gap_max[16*k+:16]), .clk, .rst, .clear, .sweep, .run, .now, .address, .len, .last,
        .read_word, .read_records, .read_lengths, .read_gaps
    );
  end
  endgenerate

  // ---- registers: a memory is read in the clock after the request ------------------------------
  always_ff @(posedge clk) begin
    read_records <= from_regs_RECORDS_req;
    read_lengths <= from_regs_LENGTHS_req;
    read_gaps <= from_regs_GAPS_req;
    read_word <= from_regs_RECORDS_addr[10:2];
    asked <= !rst && (from_regs_RECORDS_req || from_regs_LENGTHS_req || from_regs_BEATS_req
        || from_regs_GAPS_req);
  end

  localparam bit [31:0] SELECT_W = SLOTS == 1 ? 1 : $clog2(SLOTS);
  wire [SELECT_W-1:0] slot = from_regs_SELECT_SLOT[SELECT_W-1:0];
  wire unused_bits = &{1'b0, from_regs_SELECT_SLOT, from_regs_RECORDS_addr[1:0]};

  sniffer_regs u_regs (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      .hwif_in_CAPS_SLOTS(8'(SLOTS)), .hwif_in_CAPS_RECORDS(8'(RECORDS)),
      .hwif_in_CAPS_ADDRESS_BITS(8'(ADDR_W)), .hwif_in_CAPS2_WRITES(WRITES & 8'((1 << SLOTS) - 1)),
      .hwif_in_STATUS_ARMED(armed), .hwif_in_STATUS_TRIGGERED(triggered),
      .hwif_in_STATUS_SATURATED(saturated), .hwif_in_TIME_VALUE(now),
      .hwif_in_SLOT_RECORDED(recorded[8*slot+:8]), .hwif_in_SLOT_SEEN(seen[slot]),
      .hwif_in_BEAT_RANGE_MIN(beat_min[16*slot+:16]), .hwif_in_BEAT_RANGE_MAX(beat_max[16*slot+:16]),
      .hwif_in_GAP_RANGE_MIN(gap_min[16*slot+:16]), .hwif_in_GAP_RANGE_MAX(gap_max[16*slot+:16]),
      .hwif_in_LENGTHS_rd_ack(asked && read_lengths), .hwif_in_LENGTHS_rd_data(read_data[32*slot+:32]),
      .hwif_in_LENGTHS_wr_ack(1'b0),
      .hwif_in_BEATS_rd_ack(asked && !read_lengths && !read_gaps && !read_records),
      .hwif_in_BEATS_rd_data(read_data[32*slot+:32]), .hwif_in_BEATS_wr_ack(1'b0),
      .hwif_in_GAPS_rd_ack(asked && read_gaps), .hwif_in_GAPS_rd_data(read_data[32*slot+:32]),
      .hwif_in_GAPS_wr_ack(1'b0), .hwif_in_RECORDS_rd_ack(asked && read_records),
      .hwif_in_RECORDS_rd_data(read_data[32*slot+:32]), .hwif_in_RECORDS_wr_ack(1'b0),
      .hwif_out_CTRL_RUN(from_regs_CTRL_RUN), .hwif_out_SELECT_SLOT(from_regs_SELECT_SLOT),
      .hwif_out_LENGTHS_req(from_regs_LENGTHS_req), .hwif_out_LENGTHS_addr(),
      .hwif_out_LENGTHS_req_is_wr(), .hwif_out_LENGTHS_wr_data(), .hwif_out_LENGTHS_wr_biten(),
      .hwif_out_BEATS_req(from_regs_BEATS_req), .hwif_out_BEATS_addr(), .hwif_out_BEATS_req_is_wr(),
      .hwif_out_BEATS_wr_data(), .hwif_out_BEATS_wr_biten(), .hwif_out_GAPS_req(from_regs_GAPS_req),
      .hwif_out_GAPS_addr(), .hwif_out_GAPS_req_is_wr(), .hwif_out_GAPS_wr_data(),
      .hwif_out_GAPS_wr_biten(), .hwif_out_RECORDS_req(from_regs_RECORDS_req),
      .hwif_out_RECORDS_addr(from_regs_RECORDS_addr), .hwif_out_RECORDS_req_is_wr(),
      .hwif_out_RECORDS_wr_data(), .hwif_out_RECORDS_wr_biten(), .clk, .rst
  );

endmodule
