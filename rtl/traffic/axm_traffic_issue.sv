// Begins the bursts of one direction of a traffic generator: when, where and how long.
//
// Purpose      The address of burst n is base plus an offset:
//                in steps             0, then + step; after `final_offset` 0 again
//                random               state & step, where the state, 31 bits, begins as SEED (reading)
//                                     or ~SEED (writing), and its bits s[k] become: s[k + 28] for
//                                     k < 3, s[k - 3] ^ s[k] for k from 3 to 30 (28 steps of the
//                                     sequence b[n + 31] = b[n] ^ b[n + 3], which repeats after 2^31 - 1
//                                     states); bits 0 to 2 are old ones: they belong below a burst's
//                                     alignment.
//              A burst that would cross 4 KiB is cut there, without influence on the next ones: bursts
//              have to be aligned to their size, rounded up to a power of two, to be whole. CROSS_4K
//              leaves them whole, against AXI's rule.
// Limits       The last burst of a limit in bursts has beats of its own number, so that software can request
//              for any number of bytes. A limit in clocks: bursts begin in the first LIMIT clocks.
// Throughput   One burst a clock.
// Latency      `valid` in the clock after `go`. Burst n begins in the first clock after n - 1 has been
//              sent in which fewer than `outstanding` bursts are in flight (from `valid` to their end; one
//              that ended in the clock before is not), and the gap is over.
// Area         Part of area.toml (axm_traffic).
module axm_traffic_issue #(
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] OUTSTANDING = 32,  // at most, whatever software sets
    parameter bit          CROSS_4K    = 0    // bursts are not cut
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              go,              // pulse, only if not busy
    input  logic              stop,            // begin no more
    input  logic              load,            // begin with the first burst again
    input  logic [      31:0] limit,           // bursts, or clocks, less 1
    input  logic              nothing,         // no burst at all
    input  logic [      31:0] seed,
    input  logic [ADDR_W-1:0] base,
    input  logic [      31:0] final_offset,    // of the burst before the one at base again
    input  logic [      31:0] step,
    input  logic [       7:0] nominal,         // beats less 1
    input  logic [       7:0] tail,            // those of the last burst
    input  logic [      15:0] gap,             // clocks between bursts, from gap_hold on
    input  logic [       6:0] outstanding,
    input  logic              random,
    input  logic              in_clocks,
    input  logic              unlimited,
    input  logic              sent,            // the burst need not be held any longer
    input  logic              gap_hold,        // the gap has not begun
    input  logic [       6:0] in_flight_next,  // address moved, not ended; after this clock
    output logic              valid,           // a burst is being sent
    output logic              pending,         // there are more
    output logic              begins,          // a burst is valid from the next clock on
    output logic [ADDR_W-1:0] address,
    output logic [       7:0] len
);

  localparam bit [31:0] Shift = $clog2(DATA_W / 8);

  // How far
  logic [31:0] number;
  logic last;
  axm_equal count_over (
      .a(number), .b(limit), .equal(last)
  );
  wire more = !last || unlimited;
  wire counts = in_clocks ? valid || pending : sent;
  always_ff @(posedge clk) begin
    if (load) number <= '0;
    else if (counts) number <= number + 1'b1;
  end

  // When
  logic [15:0] waited;
  logic gap_over;
  axm_equal #(
      .WIDTH(16)
  ) wait_over (
      .a(waited), .b(gap), .equal(gap_over)
  );
  wire pending_next = (go && !nothing) || (pending && !stop && (more || !counts));
  assign begins = pending_next && (sent || !valid) && in_flight_next != outstanding
      && !in_flight_next[$clog2(OUTSTANDING)] && (gap_over || go);

  always_ff @(posedge clk) begin
    if (rst) begin
      valid   <= 1'b0;
      pending <= 1'b0;
    end else begin
      valid   <= (valid && !sent) || begins;
      pending <= pending_next;
    end
  end

  always_ff @(posedge clk) begin
    if (gap_hold || begins) waited <= '0;
    else if (!gap_over) waited <= waited + 1'b1;
  end

  // Where: an offset, or the state of the random sequence. Only the latter has bits below a beat.
  logic [31:0] offset;
  wire [31:Shift] moved = offset[31:Shift] + step[31:Shift];
  wire [31:0] random_next = {1'b0, offset[30:3] ^ offset[27:0], offset[30:28]};
  logic at_end;
  axm_equal #(
      .WIDTH(32 - Shift)
  ) region_over (
      .a(offset[31:Shift]), .b(final_offset[31:Shift]), .equal(at_end)
  );
  wire anew = !random && (load || at_end);
  always_ff @(posedge clk) begin
    if (load || sent) begin
      if (anew) offset[31:Shift] <= '0;
      else if (load) offset[31:Shift] <= {1'b0, seed[30:Shift]};
      else offset[31:Shift] <= random ? random_next[31:Shift] : moved;
      offset[Shift-1:0] <= load ? seed[Shift-1:0] : random_next[Shift-1:0];
    end
  end
  wire [31:Shift] place = random ? offset[31:Shift] & step[31:Shift] : offset[31:Shift];
  assign address = {base[ADDR_W-1:Shift] + (ADDR_W - Shift)'(place), Shift'(0)};
  wire unused = ^{seed[31], base[Shift-1:0], final_offset[Shift-1:0], step[Shift-1:0]};

  // How long
  wire [11-Shift:0] room = ~address[11:Shift];
  wire [7:0] wanted = last && !in_clocks ? tail : nominal;
  wire cut = !CROSS_4K && 12'(wanted) > 12'(room);
  assign len = cut ? 8'(room) : wanted;

endmodule
