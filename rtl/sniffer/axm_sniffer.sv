// Burst sniffer (block type 5): how bursts on AXI ports look, without touching them.
//
// Purpose      SLOTS slots, each the reads (AR and R) or the writes (AW and W) of one port: burst
//              lengths, clocks between beats and between bursts, first transactions with times. The
//              definitions are in regs/sniffer.rdl.
// Limits       SLOTS is 1 to 8. Start it while the ports rest: a beat whose address came before is
//              counted all the same. Read it after it is stopped.
// Throughput   Every clock an address and a beat on every slot; nothing is lost.
// Latency      64 clocks from RUN to armed; counts are complete two clocks after RUN is cleared.
// Area         xc7: 998 LUT, 401 FF with two slots; 1864 LUT, 693 FF with four. A quarter of it is
//              the histograms and records, in distributed RAM.
module axm_sniffer #(
    parameter int unsigned SLOTS = 4,
    parameter bit [7:0] WRITES = 8'b1010_1010,  // bit k: slot k watches writes (CAPS2 tells)
    parameter int unsigned ADDR_W = 32,
    parameter int unsigned RECORDS = 64,        // transactions kept for each slot
    parameter int unsigned COUNT_W = 32         // bits of a bin's count
) (
    input  logic                    clk,
    input  logic                    rst,

    input  logic [       SLOTS-1:0] addr_valid,  // AR or AW of each slot
    input  logic [       SLOTS-1:0] addr_ready,
    input  logic [ADDR_W*SLOTS-1:0] addr_addr,
    input  logic [     8*SLOTS-1:0] addr_len,
    input  logic [       SLOTS-1:0] data_valid,  // R or W of each slot
    input  logic [       SLOTS-1:0] data_ready,
    input  logic [       SLOTS-1:0] data_last,

    input  logic [            11:0] s_axil_awaddr,
    input  logic [             2:0] s_axil_awprot,
    input  logic                    s_axil_awvalid,
    output logic                    s_axil_awready,
    input  logic [            31:0] s_axil_wdata,
    input  logic [             3:0] s_axil_wstrb,
    input  logic                    s_axil_wvalid,
    output logic                    s_axil_wready,
    output logic [             1:0] s_axil_bresp,
    output logic                    s_axil_bvalid,
    input  logic                    s_axil_bready,
    input  logic [            11:0] s_axil_araddr,
    input  logic [             2:0] s_axil_arprot,
    input  logic                    s_axil_arvalid,
    output logic                    s_axil_arready,
    output logic [            31:0] s_axil_rdata,
    output logic [             1:0] s_axil_rresp,
    output logic                    s_axil_rvalid,
    input  logic                    s_axil_rready
);

  if (SLOTS < 1 || SLOTS > 8) begin : g_check_slots
    $error("%m: SLOTS is %0d; it must be 1 to 8", SLOTS);
  end

  sniffer_regs_pkg::axm_sniffer__in_t  to_regs;
  sniffer_regs_pkg::axm_sniffer__out_t from_regs;

  // ---- run: forget, then count ----------------------------------------------------------------
  logic clear, armed, triggered, saturated;
  logic [5:0] sweep;
  logic [31:0] now;
  logic [SLOTS-1:0] address_taken, beat_taken, full;
  wire run = from_regs.CTRL.RUN.value && armed;

  always_ff @(posedge clk) begin
    if (rst || !from_regs.CTRL.RUN.value) begin
      armed <= 1'b0;
      clear <= 1'b0;
      sweep <= '0;
    end else if (!armed) begin
      clear <= !(clear && sweep == '1);
      armed <= clear && sweep == '1;
      sweep <= clear ? sweep + 1'b1 : '0;
    end
    address_taken <= addr_valid & addr_ready;
    beat_taken <= data_valid & data_ready;

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
  logic [31:0] read_data[SLOTS];
  logic [7:0] recorded[SLOTS];
  logic [15:0] beat_min[SLOTS], beat_max[SLOTS], gap_min[SLOTS], gap_max[SLOTS];
  logic [SLOTS-1:0] seen;
  logic [8:0] read_word;
  logic read_records, read_lengths, read_gaps, asked;

  for (genvar k = 0; k < SLOTS; k++) begin : g_slot
    logic [ADDR_W-1:0] address;
    logic [7:0] len;
    logic last;

    always_ff @(posedge clk) begin
      address <= addr_addr[ADDR_W*k+:ADDR_W];
      len <= addr_len[8*k+:8];
      last <= data_last[k];
    end

    axm_sniffer_slot #(
        .ADDR_W(ADDR_W),
        .RECORDS(RECORDS),
        .COUNT_W(COUNT_W)
    ) u_slot (
        .address_taken(address_taken[k]),
        .beat_taken(beat_taken[k]),
        .full(full[k]),
        .read_data(read_data[k]),
        .recorded(recorded[k]),
        .seen(seen[k]),
        .beat_min(beat_min[k]),
        .beat_max(beat_max[k]),
        .gap_min(gap_min[k]),
        .gap_max(gap_max[k]),
        .*
    );
  end

  // ---- registers: a memory is looked up in the clock after it was asked ------------------------
  always_ff @(posedge clk) begin
    read_records <= from_regs.RECORDS.req;
    read_lengths <= from_regs.LENGTHS.req;
    read_gaps <= from_regs.GAPS.req;
    read_word <= from_regs.RECORDS.addr[10:2];
    asked <= !rst && (from_regs.RECORDS.req || from_regs.LENGTHS.req || from_regs.BEATS.req
        || from_regs.GAPS.req);
  end

  localparam int unsigned SELECT_W = SLOTS == 1 ? 1 : $clog2(SLOTS);
  wire [SELECT_W-1:0] slot = from_regs.SELECT.SLOT.value[SELECT_W-1:0];

  always_comb begin
    to_regs.CAPS.SLOTS.next = 8'(SLOTS);
    to_regs.CAPS.RECORDS.next = 8'(RECORDS);
    to_regs.CAPS.ADDRESS_BITS.next = 8'(ADDR_W);
    to_regs.CAPS2.WRITES.next = WRITES & 8'((1 << SLOTS) - 1);
    to_regs.STATUS.ARMED.next = armed;
    to_regs.STATUS.TRIGGERED.next = triggered;
    to_regs.STATUS.SATURATED.next = saturated;
    to_regs.TIME.VALUE.next = now;
    to_regs.SLOT.RECORDED.next = recorded[slot];
    to_regs.SLOT.SEEN.next = seen[slot];
    to_regs.BEAT_RANGE.MIN.next = beat_min[slot];
    to_regs.BEAT_RANGE.MAX.next = beat_max[slot];
    to_regs.GAP_RANGE.MIN.next = gap_min[slot];
    to_regs.GAP_RANGE.MAX.next = gap_max[slot];
    to_regs.LENGTHS.rd_ack = asked && read_lengths;
    to_regs.BEATS.rd_ack = asked && !read_lengths && !read_gaps && !read_records;
    to_regs.GAPS.rd_ack = asked && read_gaps;
    to_regs.RECORDS.rd_ack = asked && read_records;
    to_regs.LENGTHS.rd_data = read_data[slot];
    to_regs.BEATS.rd_data = read_data[slot];
    to_regs.GAPS.rd_data = read_data[slot];
    to_regs.RECORDS.rd_data = read_data[slot];
    to_regs.LENGTHS.wr_ack = 1'b0;
    to_regs.BEATS.wr_ack = 1'b0;
    to_regs.GAPS.wr_ack = 1'b0;
    to_regs.RECORDS.wr_ack = 1'b0;
  end

  sniffer_regs u_regs (
      .hwif_in (to_regs),
      .hwif_out(from_regs),
      .*
  );

endmodule
