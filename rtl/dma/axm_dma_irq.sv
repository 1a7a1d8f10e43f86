// Interrupt coalescing and the time-out clock of a DMA engine.
//
// Purpose      `raise` when `count_limit` completions came since the last one, or when the oldest of fewer
//              is `time_limit` units old. `tick` ends a time-out period of `timeout_limit` units; the first begins
//              with the work.
// Limits       A unit is 64 clocks. Limits of 0: every completion raises; no time limit; no tick. A limit may
//              change at any time: what waits is measured with the new one from its own beginning on.
// Latency      `raise` comes in the clock of the completion that fills the count, or in the clock after a limit
//              fell to what waits; `raise` by age, and `tick`, at the end of a unit.
module axm_dma_irq (
    input  logic        clk,
    input  logic        rst,
    input  logic        idle,           // nothing to time
    input  logic [ 1:0] done,           // completions in this clock
    input  logic [ 7:0] count_limit,
    input  logic [ 7:0] time_limit,
    input  logic [15:0] timeout_limit,
    output logic        raise,
    output logic        tick
);

  logic [5:0] clocks;
  logic [7:0] count;  // with the completion that comes next
  logic [8:0] age;  // these two stop at their highest bit, which no limit has
  logic [16:0] period;
  logic unit, some;  // some: completions were counted

  // Known before completions come, which come late in a clock.
  wire one_raises = count >= count_limit;
  wire two_raise = 9'(count) + 1'b1 >= 9'(count_limit);
  wire over = some && one_raises && count != count_limit;  // the limit fell
  logic old;
  always_comb begin
    old = unit;
    if (old) old = some && time_limit != '0 && age >= {1'b0, time_limit};
    tick = unit;
    if (tick) tick = timeout_limit != '0 && period >= {1'b0, timeout_limit};
    raise = over || old;
    if (done != '0) raise = raise || (done[0] && one_raises) || (done[1] && two_raise);
  end

  always_ff @(posedge clk) begin
    if (rst) {unit, clocks} <= '0;
    else {unit, clocks} <= 7'(clocks) + 1'b1;
  end

  always_ff @(posedge clk) begin
    some <= (some || done != '0) && !raise && !rst;
    if (rst || raise) count <= 8'd1;
    else if (done != '0) count <= count + 8'(done);
    if (!some) age <= 9'd1;
    else if (unit && !age[8]) age <= age + 1'b1;
    if (rst || idle || tick) period <= 17'd1;
    else if (unit && !period[16]) period <= period + 1'b1;
  end

endmodule
