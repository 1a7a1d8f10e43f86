// Bounded liveness: what is due is done within LIMIT clocks.
//
// Purpose      `due` may be up, without a clock of `done`, in at most LIMIT clocks in a row.
// Limits       LIMIT = 0: not checked.
module axm_rules_wait #(
    parameter int unsigned LIMIT = 0,
    parameter bit ASSUMED = 0
) (
    input logic clk,
    input logic rst,
    input logic due,
    input logic done
);

  `include "axm_rules.svh"

  wire unused = &{1'b0, clk, rst, due, done};

  if (LIMIT != 0) begin : g_limit
    localparam int unsigned COUNT_W = $clog2(LIMIT + 1);

    logic [COUNT_W-1:0] waited;

    always_ff @(posedge clk) begin
      if (rst || !due || done) waited <= '0;
      else if (waited != COUNT_W'(LIMIT)) waited <= waited + 1'b1;
    end

    `AXM_RULE(in_time, ASSUMED, waited == COUNT_W'(LIMIT), done || !due)
  end

endmodule
