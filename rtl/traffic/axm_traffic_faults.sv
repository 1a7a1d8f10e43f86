// Records the errors of one direction of a traffic generator, and its time-out.
//
// Purpose      Counts errors, records their kinds and the address of the first; signals when nothing has moved
//              for too long, when to begin no more, and when the bus may not be clean yet.
//              After a wrong last or an unexpected answer, more unexpected answers may come:
//              the direction stays busy (`suspect`) until nothing has moved for the time-out.
// Limits       Errors of one clock count once. A time-out is given to within 64 clocks.
// Throughput   An error a clock.
// Latency      An error of clock t is in the outputs from t + 1 on.
// Area         Part of area.toml (axm_traffic).
module axm_traffic_faults #(
    parameter bit [31:0] TIME_W = 10
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              clear,
    input  logic              tick,           // one clock in 64
    input  logic [TIME_W-1:0] limit,          // ticks; 0 is never
    input  logic              refused,        // a start that cannot be
    input  logic              busy,
    input  logic              open,           // bursts are being sent or in flight
    input  logic              moves,          // a handshake in this direction
    input  logic [       6:0] errors,         // as axm_traffic_receive gives them
    input  logic [       2:0] waits,          // for {response, data, address}: the time-out's name
    input  logic [      31:0] address,
    output logic              stop,           // begin no more
    output logic              suspect,
    output logic [       7:0] count,
    output logic [      10:0] kinds,          // as the register has them, from SLVERR on
    output logic [      31:0] first
);

  logic [TIME_W-1:0] waited;
  logic reported;
  wire over = waited >= limit && limit != '0;
  wire late = over && !reported && open;
  wire any = errors != '0 || late || refused;
  wire fatal = errors[6] || errors[3] || errors[2];

  assign stop = fatal || late;

  always_ff @(posedge clk) begin
    if (!busy || moves) waited <= '0;
    else if (tick && !over) waited <= waited + 1'b1;
    reported <= over;
  end

  always_ff @(posedge clk) begin
    if (rst) suspect <= 1'b0;
    else suspect <= busy && (suspect || fatal) && !(suspect && !open && (over || limit == '0));
  end

  always_ff @(posedge clk) begin
    if (rst || clear) begin
      count <= '0;
      kinds <= '0;
    end else begin
      if (any && count != '1) count <= count + 1'b1;
      kinds <= kinds | {late ? waits : 3'd0, refused, errors};
    end
    if (any && kinds == '0) first <= address;
  end

endmodule
