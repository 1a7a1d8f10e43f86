// Who sends the next burst: streams take turns of a given number of bursts.
//
// Purpose      Round robin by single bursts (turn_log2 = 0), or one buffer filled before the next.
// Limits       A stream begins a turn only if it can complete it (`can`); `can` is not checked again.
// Throughput   A burst a clock.
// Latency      None: `stream` follows `can` in the same clock.
// Area         Part of axm_convolution.
module axm_convolution_turns #(
    parameter  bit [31:0] STREAMS  = 8,
    parameter bit [31:0] STREAM_W = STREAMS > 1 ? $clog2(STREAMS) : 1  // follows from the others
) (
    input  logic                clk,
    input  logic                rst,
    input  logic [         3:0] turn_log2,  // bursts of a turn; holds while a run is under way
    input  logic [ STREAMS-1:0] can,        // begin a turn
    output logic                valid,      // `stream` has a burst to send
    output logic                begins,     // the first of its turn
    output logic [STREAM_W-1:0] stream,
    input  logic                take        // the burst is sent
);

  logic [STREAM_W-1:0] latest, next;
  logic [8:0] left;  // bursts of the turn under way
  logic found;

  // The first that can, after the latest; the latest comes last.
  always_comb begin
    found = 1'b0;
    next  = latest;
    for (int unsigned pass = 0; pass < 2; pass++) begin
      for (int unsigned s = 0; s < STREAMS; s++) begin
        if (!found && can[s] && ((s > 32'(latest)) == (pass == 0))) begin
          found = 1'b1;
          next  = STREAM_W'(s);
        end
      end
    end
  end

  assign begins = left == '0;
  assign valid  = !begins || found;
  assign stream = begins ? next : latest;

  always_ff @(posedge clk) begin
    if (rst) begin
      latest <= STREAM_W'(STREAMS - 1);
      left   <= '0;
    end else if (take) begin
      latest <= stream;
      left   <= (begins ? 9'd1 << turn_log2 : left) - 9'd1;
    end
  end

endmodule
