// Splits a transfer into bursts.
//
// Purpose      Takes a transfer, and gives its bursts one after the other: address, length, whether it is the
//              last one. Outputs are registers: during a burst the next one, or that of the next transfer, is
//              computed. Shared by axm_dma_read and axm_dma_write.
// Limits       Bursts are INCR of full width, end after `cfg_burst` + 1 beats, at 4 KiB boundaries, and at the
//              end of the transfer. The address is that of a whole beat also if the transfer begins inside
//              of one. UNALIGNED = 0: such a transfer, and any of length 0, is `bad` and has no bursts.
// Throughput   One burst a clock; the next transfer follows the last burst without a gap, but one clock after
//              a transfer that is over before its last burst.
// Latency      The first burst is valid in the clock after the transfer was taken.
module axm_dma_bursts #(
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] DATA_W = 64,
    parameter bit UNALIGNED = 0,
    parameter bit SMALL = 0,  // fewer LUTs, and a slower clock
    parameter bit [31:0] SHIFT = $clog2(DATA_W / 8)  // follows from the others
) (
    input  logic              clk,
    input  logic              rst,
    input  logic [       7:0] cfg_burst,  // longest burst in beats, less one
    input  logic              cmd_valid,
    output logic              cmd_ready,  // the transfer is taken
    input  logic [ADDR_W-1:0] cmd_addr,
    input  logic [      31:0] cmd_bytes,
    input  logic              blocked,     // none can be done
    input  logic              over,       // the current one is: with its last burst, or it was dropped
    input  logic              dropped,    // it has no more bursts, and waits to be dropped
    input  logic              step,       // on to the next burst
    output logic              valid,      // a transfer is valid
    output logic              bad,        // it cannot be done
    output logic [ADDR_W-1:0] addr,
    output logic [       7:0] len,        // beats less one
    output logic              first,      // the transfer's first burst
    output logic              last,       // its last one
    output logic [ SHIFT-1:0] shift,      // lane of its first byte
    output logic [ SHIFT-1:0] last_lane   // lane of its last byte
);

  localparam bit [31:0] BEAT_W = ADDR_W - SHIFT;
  localparam bit [31:0] LEFT_W = 32 - SHIFT + (UNALIGNED ? 1 : 0);
  localparam bit [31:0] PAGE_W = 12 - SHIFT;  // beats of a 4 KiB page, as a power of two
  localparam bit [31:0] SPAN_W = PAGE_W > 8 ? PAGE_W : 8;
  localparam bit [31:0] HIGH_W = LEFT_W - SPAN_W;

  logic [BEAT_W-1:0] beat;  // address of the burst
  logic [LEFT_W-1:0] behind;  // -(beats from the burst's first to the transfer's end)

  // What a transfer begins with: -beats is ~whole + 1, less the one or two that its bytes beside them need.
  logic none_beside, two_beside;

  // The next burst: of the next transfer if this one has no more, which is known without waiting for
  // the bus; only when to go on depends on it.
  wire fresh = !valid || last || dropped;  // `last` of those that are bad, too
  wire load = !valid || over;

  assign cmd_ready = fresh && load;
  assign addr = {beat, SHIFT'(0)};

  always_ff @(posedge clk) begin
    if (rst) valid <= 1'b0;
    else if (load) valid <= fresh && cmd_valid;
  end

  // All that leads to the next burst is worked out in this block, so that a simulator passes over it in
  // the clocks without one.
  always_ff @(posedge clk) begin : next_burst
    logic [ADDR_W-1:0] from;
    logic [31:0] bytes;
    logic [LEFT_W-1:0] whole;
    logic [7:0] begun;
    logic [BEAT_W-1:0] beat_from, beat_next;
    logic [LEFT_W-1:0] behind_from;
    logic [SPAN_W-1:0] behind_low, page, longest, limit;
    logic [HIGH_W-1:0] high, behind_high;
    logic odd, whole_beats, less, carried, top_ones, near, refused, crosses, in_page, in_longest, in_limit, last_next;
    logic unused_bit;
    logic [SPAN_W-1:0] unused_span;
    logic [SPAN_W:0] unused_sum;
    if (load || step) begin
      from = cmd_addr;
      bytes = cmd_bytes;
      whole = LEFT_W'(bytes[31:SHIFT]);
      whole_beats = !UNALIGNED || bytes[SHIFT-1:0] == '0;
      odd = !UNALIGNED && (from[SHIFT-1:0] != '0 || bytes[SHIFT-1:0] != '0);
      begun = fresh ? 8'd0 : len;
      beat_from = fresh ? from[ADDR_W-1:SHIFT] : beat;
      {beat_next, unused_bit} = {beat_from, 1'b1} + {BEAT_W'(begun), !fresh};
      behind_from = fresh ? ~whole : behind;
      less = fresh && two_beside;
      {carried, behind_low, unused_bit} = {1'b0, SPAN_W'(begun) | {SPAN_W{less}}, !fresh || none_beside}
          - {1'b1, ~behind_from[SPAN_W-1:0], 1'b1};
      high = behind_from[LEFT_W-1:SPAN_W];
      {behind_high, unused_bit} = {{HIGH_W{less}}, carried} - {~high, 1'b1};

      // Beats up to each limit, less one: to the end of the page ~page, of the longest burst cfg_burst,
      // of the transfer ~behind, if its high bits are 0. Comparisons are carries and borrows of sums: no
      // operand has to be inverted before one.
      top_ones = !UNALIGNED ? &high[HIGH_W-1:1]
          : fresh ? bytes[31:SHIFT+SPAN_W+1] == '0 : &behind[LEFT_W-1:SPAN_W+1];
      near = top_ones && high[0] == (carried == less) && (carried || !less);
      refused = odd || blocked || (top_ones && high[0] && (&behind_from[SPAN_W-1:0]) && whole_beats);
      page = ~(SPAN_W'(PAGE_W'(~beat_next[PAGE_W-1:0])));
      longest = SPAN_W'(cfg_burst);
      {crosses, unused_span} = {1'b0, longest} + {1'b0, page};
      if (SMALL) begin  // one limit after the other
        limit = crosses ? ~page : longest;
        {in_limit, unused_sum} = {1'b0, behind_low, 1'b1} + {1'b0, limit, 1'b1};
      end else begin
        {in_page, unused_sum} = {1'b0, behind_low, 1'b1} - {1'b1, page, 1'b0};
        {in_longest, unused_sum} = {1'b0, longest, 1'b1} + {1'b0, behind_low, 1'b1};
        in_limit = in_page && in_longest;
      end
      last_next = near && in_limit;

      beat <= beat_next;
      behind <= {behind_high, behind_low};
      len <= last_next ? ~behind_low[7:0] : crosses ? ~page[7:0] : cfg_burst;
      last <= last_next || (fresh && refused);
      if (fresh) bad <= refused;
    end
  end

  generate
  if (UNALIGNED) begin : g_unaligned
    logic [SHIFT-1:0] end_lane;
    wire [SHIFT:0] beside = (SHIFT + 1)'(cmd_bytes[SHIFT-1:0]) + (SHIFT + 1)'(cmd_addr[SHIFT-1:0]);
    assign end_lane = SHIFT'(beside - 1'b1);
    assign none_beside = beside == '0;
    assign two_beside = beside > (SHIFT + 1)'(DATA_W / 8);
    always_ff @(posedge clk) begin
      if (load || step) begin
        first <= fresh;
        if (fresh) begin
          shift <= cmd_addr[SHIFT-1:0];
          last_lane <= end_lane;
        end
      end
    end
  end else begin : g_aligned
    assign none_beside = 1'b1;
    assign two_beside = 1'b0;
    assign {first, shift, last_lane} = '0;
  end
  endgenerate

endmodule
