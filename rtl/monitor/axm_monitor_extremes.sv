// Shortest and longest latency of a direction, and its longest time without a beat.
//
// Purpose      The values of the performance monitor that are no sums.
// Limits       Latencies as they come. The inactivity is the most counted clocks without a beat between
//              two beats, and stays at 2^IDLE_W - 1 from there.
// Throughput   One event of each kind a clock.
// Latency      An event of clock t is in the outputs from t + 1 on.
// Area         50 LUT, 64 FF on xc7 (synthesised alone).
module axm_monitor_extremes #(
    parameter bit [31:0] LATENCY_W = 16,
    parameter bit [31:0] IDLE_W    = 15
) (
    input  logic                 clk,
    input  logic                 clear,          // forgets; events of this clock too
    input  logic                 latency_valid,
    input  logic [LATENCY_W-1:0] latency,
    input  logic                 clock_valid,    // this clock counts
    input  logic                 beat,           // and a beat moved in it
    output logic [LATENCY_W-1:0] latency_min,
    output logic [LATENCY_W-1:0] latency_max,
    output logic [   IDLE_W-1:0] idle_max
);

  logic active;  // a beat has been seen
  logic more;    // idle has passed idle_max: it counts up from 0 by 1, so it was equal once
  logic [IDLE_W-1:0] idle;

  always_ff @(posedge clk) begin
    if (clear) begin
      latency_min <= '1;
      latency_max <= '0;
    end else if (latency_valid) begin
      if (latency < latency_min) latency_min <= latency;
      if (latency > latency_max) latency_max <= latency;
    end
  end

  always_ff @(posedge clk) begin
    if (clear) begin
      active   <= 1'b0;
      idle     <= '0;
      more     <= 1'b0;
      idle_max <= '0;
    end else if (clock_valid) begin
      if (beat) begin
        active <= 1'b1;
        idle   <= '0;
        more   <= 1'b0;
        if (more) idle_max <= idle;
      end else if (active && idle != '1) begin
        idle <= idle + 1'b1;
        if (idle == idle_max) more <= 1'b1;
      end
    end
  end

endmodule
