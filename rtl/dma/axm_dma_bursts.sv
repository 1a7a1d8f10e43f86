// Splits a transfer into bursts.
//
// Purpose      Says the next burst of the transfer that waits: address, length, whether it is the last one.
//              Shared by axm_dma_read and axm_dma_write.
// Limits       Bursts are INCR of full width, end after `cfg_burst` + 1 beats, at 4 KiB boundaries, and at the
//              end of the transfer. The address is that of a whole beat also if the transfer begins inside
//              of one. UNALIGNED = 0: such a transfer, and any of length 0, is `bad` and has no bursts.
// Throughput   One burst a clock; the next transfer follows the last burst without a gap.
// Latency      None: the first burst is there in the clock in which the transfer is.
module axm_dma_bursts #(
    parameter int unsigned ADDR_W = 32,
    parameter int unsigned DATA_W = 64,
    parameter bit UNALIGNED = 0,
    parameter int unsigned SHIFT = $clog2(DATA_W / 8)  // follows from the others
) (
    input  logic              clk,
    input  logic              rst,
    input  logic [       7:0] cfg_burst,  // longest burst in beats, less one
    input  logic [ADDR_W-1:0] cmd_addr,   // stays until the transfer was taken
    input  logic [      31:0] cmd_bytes,
    input  logic              take,       // the transfer is over: its last burst, or it was dropped
    input  logic              step,       // on to the next burst
    output logic              bad,        // the transfer cannot be done
    output logic [ADDR_W-1:0] addr,
    output logic [       7:0] len,        // beats less one
    output logic              first,      // the transfer's first burst
    output logic              last        // its last one
);

  localparam int unsigned LEFT_W = 32 - SHIFT + (UNALIGNED ? 1 : 0);
  localparam int unsigned PAGE_W = 12 - SHIFT;  // beats of a 4 KiB page, as a power of two
  localparam int unsigned SPAN_W = PAGE_W > 8 ? PAGE_W : 8;

  logic [LEFT_W-1:0] offset;  // beats of the transfer that were announced
  logic [LEFT_W-1:0] beats;   // of the transfer; UNALIGNED: less one
  logic [SPAN_W-1:0] left;    // beats not announced yet, less one; its low bits
  logic near;                 // the others are 0

  wire [ADDR_W-SHIFT-1:0] beat = cmd_addr[ADDR_W-1:SHIFT] + (ADDR_W - SHIFT)'(offset);

  // Beats up to each limit, less one: to the end of the page ~page, of the longest burst cfg_burst, of
  // the transfer left. Comparisons are carries of a sum (a > b is the carry of a + ~b), with the simple
  // operand first: in an FPGA the other one then costs nothing.
  wire [SPAN_W-1:0] page = ~(SPAN_W'(PAGE_W'(~beat[PAGE_W-1:0])));
  wire [SPAN_W-1:0] longest = SPAN_W'(cfg_burst);
  logic crosses, beyond;
  logic [SPAN_W-1:0] unused_page, unused_left;
  assign {crosses, unused_page} = {1'b0, longest} + {1'b0, page};
  wire [SPAN_W-1:0] nlimit = crosses ? page : ~longest;
  assign {beyond, unused_left} = {1'b0, left} + {1'b0, nlimit};

  assign first = offset == '0;
  assign last = near && !beyond;
  assign len = last ? left[7:0] : ~nlimit[7:0];
  assign addr = {beat, SHIFT'(0)};

  // left = beats - offset - 1. Of the high bits only their being 0 is of interest: they are equal and
  // nothing was borrowed from them, or differ by the 1 that was borrowed. To borrow it from equal ones
  // is what a transfer without beats does.
  localparam int unsigned HIGH_W = LEFT_W - SPAN_W;
  logic kept;  // nothing was borrowed
  wire [HIGH_W-1:0] high = beats[LEFT_W-1:SPAN_W], high_offset = offset[LEFT_W-1:SPAN_W];
  wire equal = high == high_offset;
  wire one_more = high == high_offset + 1'b1;
  assign near = kept ? equal : one_more;

  generate
  if (UNALIGNED) begin : g_unaligned
    assign beats = LEFT_W'((33'(cmd_bytes) + 33'(cmd_addr[SHIFT-1:0]) - 33'd1) >> SHIFT);
    assign {kept, left} = {1'b1, beats[SPAN_W-1:0]} - {1'b0, offset[SPAN_W-1:0]};
    assign bad = cmd_bytes == '0;
  end else begin : g_aligned
    assign beats = LEFT_W'(cmd_bytes[31:SHIFT]);
    assign {kept, left} = {1'b0, beats[SPAN_W-1:0]} + {1'b0, ~offset[SPAN_W-1:0]};
    assign bad = (equal && !kept) || cmd_addr[SHIFT-1:0] != '0 || cmd_bytes[SHIFT-1:0] != '0;
  end
  endgenerate

  // offset - ~len is offset + len + 1 in one adder.
  always_ff @(posedge clk) begin
    if (rst || take) offset <= '0;
    else if (step) offset <= offset - ~(LEFT_W'(len));
  end

  wire unused = &{1'b0, unused_page, unused_left};

endmodule
