// Rules of an AXI data or response channel, W, B or R, by itself: stable payload and reset.
//
// Purpose      Nothing offered is withdrawn or changes; nothing is offered after reset.
// Limits       Passive. KIND is 0 for W, 1 for B, 2 for R; signals that the channel does not have are
//              tied to 0 and not checked.
module axm_rules_data #(
    parameter int unsigned DATA_W = 32,
    parameter int unsigned ID_W = 1,
    parameter int unsigned KIND = 0,
    parameter bit ASSUMED = 0,           // of the side that drives valid
    parameter bit TAKER_ASSUMED = 0,     // of the side that drives ready
    parameter int unsigned READY_WAIT = 0
) (
    input logic                clk,
    input logic                rst,
    input logic                valid,
    input logic                ready,
    input logic [    ID_W-1:0] id,
    input logic [  DATA_W-1:0] data,
    input logic [DATA_W/8-1:0] strb,
    input logic [         1:0] resp,
    input logic                last
);

  `include "axm_rules.svh"

  logic waiting, was_rst, last_q;
  logic [ID_W-1:0] id_q;
  logic [DATA_W-1:0] data_q;
  logic [DATA_W/8-1:0] strb_q;
  logic [1:0] resp_q;

  always_ff @(posedge clk) begin
    was_rst <= rst;
    waiting <= valid && !ready && !rst;
    id_q    <= id;
    data_q  <= data;
    strb_q  <= strb;
    resp_q  <= resp;
    last_q  <= last;
  end

  // Not every channel has all of them.
  wire unused = &{1'b0, data_q, strb_q, resp_q, last_q, data, strb, resp, last};
  wire kept = waiting && valid;
  `AXM_RULE(reset_quiet, ASSUMED, was_rst, !valid)
  `AXM_RULE(held, ASSUMED, waiting, valid)
  `AXM_STAYS(id, ASSUMED)
  if (KIND != 1) begin : g_beats
    `AXM_STAYS(data, ASSUMED)
    `AXM_STAYS(last, ASSUMED)
  end
  if (KIND == 0) begin : g_strobes
    `AXM_STAYS(strb, ASSUMED)
  end else begin : g_responses
    `AXM_STAYS(resp, ASSUMED)
  end

  axm_rules_wait #(
      .LIMIT(READY_WAIT),
      .ASSUMED(TAKER_ASSUMED)
  ) ready_wait (
      .clk,
      .rst,
      .due (valid),
      .done(ready)
  );

endmodule
