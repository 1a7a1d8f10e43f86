// Round-robin choice among N requests, held until the chosen one was served.
//
// Purpose      The choice of one address channel of axm_mux.
// Limits       N is 2 to 8. A request that waits on `done` must stay.
// Throughput   One choice a clock: the last chosen has the last turn in the next.
// Latency      None: the choice is made in the clock of the request.
// Area         Part of axm_mux.
module axm_mux_arbiter #(
    parameter bit [31:0] N = 4
) (
    input  logic         clk,
    input  logic         rst,
    input  logic [N-1:0] request,
    output logic [N-1:0] grant,    // at most one bit
    output logic         fresh,    // this choice was made in this clock
    input  logic         done      // the chosen one is served in this clock
);

  generate
  if (N < 2 || N > 8) begin : g_check
    axm_error_N_must_be_2_to_8 u_error ();
  end
  endgenerate

  logic         hold;
  logic [N-1:0] held;
  logic [N-1:0] after;  // those that come after the one chosen last

  wire [N-1:0] first = request & after;
  wire [N-1:0] among = first != '0 ? first : request;
  wire [N-1:0] choice = among & (~among + N'(1));

  assign grant = hold ? held : choice;
  assign fresh = !hold && request != '0;

  always_ff @(posedge clk) begin
    if (rst) begin
      hold  <= 1'b0;
      held  <= '0;
      after <= '0;
    end else begin
      hold <= grant != '0 && !done;
      held <= grant;
      // All bits above the chosen one.
      if (grant != '0) after <= ~(grant | (grant - N'(1)));
    end
  end

endmodule
