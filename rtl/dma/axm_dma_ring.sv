// A ring of descriptors in memory, for one half of a DMA engine.
//
// Purpose      Fetches descriptors ahead, gives their transfers to the engine, writes back the result of
//              each, then counts it as done. regs/dma.rdl has the form of a descriptor.
// Limits       The ring is aligned to its size; up to DEPTH descriptors are between fetch and write-back.
//              A fault of a fetch or write-back stops the ring, and so does an engine that stops (`fault`):
//              no descriptor goes to the engine any more, fetched ones are dropped; the engine's are
//              finished, or reported as aborted, and written back. `enable` = 0 fetches no more, and
//              restarts as soon as nothing is under way; descriptors requested by then are done.
//              `forget`: as a fault, and nothing is written back.
// Throughput   A descriptor costs the bus 32 bytes of reading and one beat of writing (two if 32 bit wide).
// Latency      From the tail to the transfer: the memory's latency and 32 bytes, three clocks more.
module axm_dma_ring #(
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] DATA_W = 64,
    parameter bit COPY = 0,
    parameter bit UNALIGNED = 0,
    parameter bit [31:0] DEPTH = 16
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                enable,
    input  logic [         3:0] log2_entries,
    input  logic [  ADDR_W-1:0] base,
    input  logic [        15:0] posted,         // descriptors, ever
    output logic [        15:0] finished,       // ... and written back
    output logic [         3:0] fault,
    output logic                idle,           // none is under way or to be written back
    output logic                draining,       // stopped by a fault, and not idle
    input  logic                stop,           // the engine was aborted, or had a fault
    input  logic                engine_busy,
    input  logic                forget,         // the bus was reset
    input  logic                tick,           // a time-out period ends
    input  logic                bus_moves,      // the slave gives or takes data, whosever they are
    output logic                notify,         // a transfer with an interrupt was finished
    // Transfers
    output logic                cmd_valid,
    input  logic                cmd_ready,
    output logic [  ADDR_W-1:0] cmd_addr,
    output logic [        31:0] cmd_bytes,
    output logic                cmd_last,
    output logic                source_valid,   // COPY: the same transfer, for the reading half
    input  logic                source_ready,
    output logic [  ADDR_W-1:0] source_addr,
    output logic [        31:0] source_bytes,
    output logic [$clog2(DATA_W/8)-1:0] source_lane, // of its first byte at the destination
    input  logic                done_valid,
    input  logic [         5:0] done_word,      // packet_end, source, code
    input  logic [        31:0] done_bytes,
    // Bus; bursts of `r_len` + 1 and `w_len` + 1 beats
    output logic [  ADDR_W-1:0] araddr,
    output logic                arvalid,
    input  logic                arready,
    input  logic [  DATA_W-1:0] rdata,
    input  logic [         1:0] rresp,
    input  logic                rlast,
    input  logic                rvalid,
    output logic                fetching,       // beats of fetches are to come
    output logic [  ADDR_W-1:0] awaddr,
    output logic                awvalid,
    input  logic                awready,
    output logic [  DATA_W-1:0] wdata,
    output logic [DATA_W/8-1:0] wstrb,
    output logic                wlast,
    output logic                wvalid,
    input  logic                wready,
    input  logic [         1:0] bresp,
    input  logic                bvalid,
    output logic                returning       // answers to write-backs are to come
);

  localparam bit [31:0] BEATS = 256 / DATA_W;  // of a descriptor
  localparam bit [31:0] BEAT_W = BEATS > 1 ? $clog2(BEATS) : 1;
  localparam bit [31:0] COUNT_W = $clog2(DEPTH) + 1;
  localparam bit [31:0] ENTRY_W = ADDR_W + 32 + 1;

  logic [15:0] fetched, written;  // descriptors, ever
  logic [COUNT_W-1:0] reading, answering;  // fetches and write-backs in flight
  logic held;  // a fetch's address waits for the slave
  logic discarding;  // the bus was reset: what the engine still has ends unseen
  logic suspect;  // a fetch without an end: the number of outstanding answers is unknown
  logic lost;  // ... and nothing came in a time-out period
  logic clear;

  wire [15:0] mask = 16'((32'd1 << log2_entries) - 1);
  function automatic logic [ADDR_W-1:0] place(input logic [15:0] number, input logic [4:0] offset);
    place = base | (ADDR_W'(number & mask) << 5) | ADDR_W'(offset);
  endfunction

  // Fetch. The words of a descriptor fall into place as their beats come.
  logic [COUNT_W-1:0] commands_head, commands_tail, flags_head, flags_tail, reports_head, reports_tail;
  wire no_fault = fault == '0;
  wire [15:0] under_way = fetched - finished;
  wire fetch = enable && no_fault && fetched != posted && under_way < 16'(DEPTH);
  wire begun = arvalid && arready;
  wire read_end = rvalid && rlast && reading != '0;
  logic [255:0] words, words_now;
  logic [BEAT_W-1:0] beat;
  logic entry_bad;
  wire bad_last = rvalid && rlast != (32'(beat) == BEATS - 1);
  wire push = read_end && !entry_bad && !rresp[1] && !bad_last && no_fault && !stop && !forget;

  assign arvalid = held;
  assign araddr = place(fetched, 5'd0);
  assign clear = !enable && idle;

  always_comb begin
    words_now = words;
    words_now[32'(beat)*DATA_W+:DATA_W] = rdata;
  end

  always_ff @(posedge clk) begin
    if (rvalid) words <= words_now;
    if (rst || clear) fetched <= '0;
    else if (begun) fetched <= fetched + 1'b1;
    if (rst || clear || forget) begin
      held <= 1'b0;
      reading <= '0;
      beat <= '0;
      entry_bad <= 1'b0;
      suspect <= 1'b0;
    end else begin
      held <= held ? !arready : fetch;
      reading <= lost ? COUNT_W'(begun) : reading + COUNT_W'(begun) - COUNT_W'(read_end);
      suspect <= (suspect || bad_last) && !lost;
      if (rvalid) beat <= rlast || BEATS == 1 ? '0 : beat + 1'b1;
      if (rvalid) entry_bad <= !rlast && (entry_bad || rresp[1] || bad_last);
    end
  end

  // Transfers. As in the registers' queue, address bit 0 represents all that an aligned engine refuses.
  localparam bit [31:0] LOW_W = $clog2(DATA_W / 8);
  wire [ADDR_W-1:0] addr = ADDR_W'(words_now[63:0]);
  wire [ADDR_W-1:0] source = ADDR_W'(words_now[191:128]);
  wire [31:0] bytes = words_now[95:64];
  wire odd = COPY && !UNALIGNED && (addr[LOW_W-1:0] | source[LOW_W-1:0] | bytes[LOW_W-1:0]) != '0;
  logic flags_valid, quiet;

  axm_dma_list #(
      .WIDTH(ENTRY_W), .DEPTH(DEPTH)
  ) u_commands (
      .clk, .rst(rst || clear), .in_data({words_now[96], bytes, addr | ADDR_W'(odd)}), .in_valid(push),
      .out_data({cmd_last, cmd_bytes, cmd_addr}), .out_valid(cmd_valid), .out_ready(cmd_ready),
      .head(commands_head), .tail(commands_tail)
  );

  generate
  if (COPY) begin : g_source
    logic [COUNT_W-1:0] sources_head, sources_tail;
    axm_dma_list #(
        .WIDTH(ADDR_W + 32 + LOW_W), .DEPTH(DEPTH)
    ) u_sources (
        .clk, .rst(rst || clear), .in_data({addr[LOW_W-1:0], bytes, source | ADDR_W'(odd)}),
        .in_valid(push), .out_data({source_lane, source_bytes, source_addr}),
        .out_valid(source_valid), .out_ready(source_ready), .head(sources_head), .tail(sources_tail)
    );
    wire unused = &{1'b0, sources_head, sources_tail, words_now[127:98], words_now[255:192]};
  end else begin : g_no_source
    assign {source_lane, source_bytes, source_addr} = '0;
    assign source_valid = 1'b0;
    wire unused = &{1'b0, source_ready, source, words_now[127:98], words_now[255:192]};
  end
  endgenerate

  // One for each descriptor from its fetch to the answer to its write-back
  axm_dma_list #(
      .WIDTH(1), .DEPTH(DEPTH)
  ) u_flags (
      .clk, .rst(rst || clear || forget), .in_data(words_now[97]), .in_valid(push), .out_data(quiet),
      .out_valid(flags_valid), .out_ready(bvalid), .head(flags_head), .tail(flags_tail)
  );

  // Write-back: two words, in as many lanes of one beat, or in two beats.
  localparam bit [31:0] PARTS = DATA_W == 32 ? 2 : 1;
  logic report_valid, aw_done, w_done, part;
  logic [5:0] word;
  logic [31:0] moved;
  wire both = report_valid && (aw_done || awready) && (w_done || (wvalid && wready && wlast));

  axm_dma_list #(
      .WIDTH(38), .DEPTH(DEPTH)
  ) u_reports (
      .clk, .rst(rst || clear || forget || discarding), .in_data({done_word, done_bytes}),
      .in_valid(done_valid), .out_data({word, moved}), .out_valid(report_valid), .out_ready(both),
      .head(reports_head), .tail(reports_tail)
  );

  wire [63:0] report = {moved, 1'b1, 25'd0, word};
  assign awvalid = report_valid && !aw_done;
  assign awaddr = place(written, 5'd24) & ~(ADDR_W'(32'(DATA_W / 8 - 1)));
  assign wvalid = report_valid && !w_done;
  generate
  if (DATA_W == 32) begin : g_two
    assign wdata = part ? report[63:32] : report[31:0];
    assign wstrb = '1;
    assign wlast = part;
  end else begin : g_one
    assign wdata = {DATA_W / 64{report}};
    assign wstrb = {8'hFF, {DATA_W / 8 - 8{1'b0}}};
    assign wlast = 1'b1;
  end
  endgenerate

  always_ff @(posedge clk) begin
    if (rst || clear || forget || both) {aw_done, w_done} <= '0;
    else begin
      aw_done <= aw_done || (awvalid && awready);
      w_done <= w_done || (wvalid && wready && wlast);
    end
    if (rst || clear) begin
      written <= '0;
      finished <= '0;
    end else begin
      if (both) written <= written + 1'b1;
      if (bvalid && answering != '0) finished <= finished + 1'b1;
    end
    if (rst || clear || forget) begin
      part <= 1'b0;
      answering <= '0;
    end else begin
      if (wvalid && wready) part <= PARTS == 2 && !part;
      answering <= answering + COUNT_W'(both) - COUNT_W'(bvalid && answering != '0);
    end
  end

  assign fetching = reading != '0;
  assign returning = answering != '0;
  assign notify = bvalid && answering != '0 && !quiet;
  assign idle = !held && reading == '0 && !flags_valid && !(discarding && engine_busy);
  assign draining = !no_fault && !idle;

  // Faults
  logic seen;
  wire waiting = arvalid || reading != '0 || awvalid || wvalid || answering != '0;
  // A slave that answers in order has others' answers to give before ours.
  wire moving = begun || bus_moves || (awvalid && awready);
  wire stuck = waiting && !moving;
  assign lost = suspect && tick && stuck && !seen;

  always_ff @(posedge clk) begin
    if (rst || tick) seen <= 1'b0;
    else if (!stuck) seen <= 1'b1;
    if (rst || clear) discarding <= 1'b0;
    else if (forget && !idle) discarding <= 1'b1;
    if (rst || clear) fault <= '0;
    else if (no_fault) begin
      if (rvalid && rresp[1]) fault <= {2'b00, rresp};
      else if (bvalid && bresp[1]) fault <= {2'b00, bresp};
      else if (bad_last) fault <= dma_regs_pkg::code__BAD_LAST;
      else if (tick && stuck && !seen)
        fault <= arvalid || awvalid ? dma_regs_pkg::code__TIMEOUT_ADDRESS
            : reading != '0 || wvalid ? dma_regs_pkg::code__TIMEOUT_DATA : dma_regs_pkg::code__TIMEOUT_RESPONSE;
      else if (stop || (forget && !idle)) fault <= dma_regs_pkg::code__ABORTED;
    end
  end

  wire unused_here = &{1'b0, commands_head, commands_tail, flags_head, flags_tail, reports_head,
                       reports_tail, rresp[0], bresp[0]};

endmodule
