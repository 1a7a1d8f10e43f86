// Rules between AR and R: a scoreboard of the read bursts that are open.
//
// Purpose      Every beat belongs to a requested burst; RLAST is at its last beat and only
//              there; so beats are never more than requested. Bursts of one ID are answered in order,
//              those of different IDs in any, also interleaved.
// Limits       Passive. The master may have LIMIT bursts open (1 to 256), which is a rule too.
//              ANSWER_WAIT: with bursts open, a beat is offered within so many clocks; 0: not checked.
module axm_rules_read #(
    parameter int unsigned ID_W = 1,
    parameter int unsigned LIMIT = 4,
    parameter bit MASTER_ASSUMED = 0,
    parameter bit SLAVE_ASSUMED = 0,
    parameter int unsigned ANSWER_WAIT = 0,
    localparam int unsigned COUNT_W = $clog2(LIMIT + 1)
) (
    input  logic               clk,
    input  logic               rst,
    input  logic               arvalid,
    input  logic               arready,
    input  logic [   ID_W-1:0] arid,
    input  logic [        7:0] arlen,
    input  logic [        1:0] arlock,
    input  logic               rvalid,
    input  logic               rready,
    input  logic [   ID_W-1:0] rid,
    input  logic [        1:0] rresp,
    input  logic               rlast,
    output logic [COUNT_W-1:0] open     // bursts accepted whose last beat has not moved
);

  `include "axm_rules.svh"

  localparam logic [1:0] EXOKAY = 2'd1;

  // Slot 0 holds the oldest burst; a burst that ends closes the gap.
  logic [ID_W-1:0] ids[LIMIT];
  logic [7:0] left[LIMIT];  // beats still to come, less one
  logic exclusive[LIMIT];

  // The burst that the beat belongs to.
  logic found;
  logic [COUNT_W-1:0] slot;

  always_comb begin
    found = 1'b0;
    slot  = '0;
    for (int k = LIMIT - 1; k >= 0; k--) begin
      if (COUNT_W'(k) < open && ids[k] == rid) begin
        found = 1'b1;
        slot  = COUNT_W'(k);
      end
    end
  end

  logic [7:0] left_now;
  logic exclusive_now;

  always_comb begin
    left_now = '0;
    exclusive_now = 1'b0;
    for (int k = 0; k < LIMIT; k++) begin
      if (COUNT_W'(k) == slot) begin
        left_now = left[k];
        exclusive_now = exclusive[k];
      end
    end
  end

  wire request = arvalid && arready;
  wire moved = rvalid && rready && found;
  wire ended = moved && rlast;
  wire [COUNT_W-1:0] place = open - COUNT_W'(ended);  // where a new burst goes

  always_ff @(posedge clk) begin
    for (int k = 0; k < LIMIT; k++) begin
      if (moved && COUNT_W'(k) == slot) left[k] <= left[k] - 8'd1;
      if (ended && COUNT_W'(k) >= slot && k + 1 < LIMIT) begin
        ids[k] <= ids[k+1];
        left[k] <= left[k+1];
        exclusive[k] <= exclusive[k+1];
      end
      if (request && COUNT_W'(k) == place) begin
        ids[k] <= arid;
        left[k] <= arlen;
        exclusive[k] <= arlock == 2'd1;
      end
    end
    if (rst) open <= '0;
    else if (request && place != COUNT_W'(LIMIT)) open <= place + 1'b1;
    else open <= place;
  end

  // A beat is judged when it is first offered; while it waits it may not change (r.stable_...). In a proof of one
  // side they are judged in every clock, which says the same and is easier to prove.
  localparam bit ALWAYS = MASTER_ASSUMED || SLAVE_ASSUMED;
  logic was_rst, waiting;
  wire fresh = rvalid && !was_rst && (ALWAYS || !waiting);

  always_ff @(posedge clk) begin
    was_rst <= rst;
    waiting <= rvalid && !rready && !rst;
  end

  `AXM_RULE(outstanding_limit, MASTER_ASSUMED, arvalid, open < COUNT_W'(LIMIT))
  `AXM_RULE(beat_has_address, SLAVE_ASSUMED, fresh, found)
  `AXM_RULE(last_not_early, SLAVE_ASSUMED, fresh && found && rlast, left_now == 8'd0)
  `AXM_RULE(last_not_missing, SLAVE_ASSUMED, fresh && found && left_now == 8'd0, rlast)
  `AXM_RULE(exokay_asked, SLAVE_ASSUMED, fresh && found && rresp == EXOKAY, exclusive_now)

  axm_rules_wait #(
      .LIMIT(ANSWER_WAIT),
      .ASSUMED(SLAVE_ASSUMED)
  ) answer_wait (
      .clk,
      .rst,
      .due (open != '0),
      .done(rvalid)
  );

`ifdef FORMAL
  // The rules are worth nothing if no burst can get through.
  always_comb burst_done : cover (!rst && ended && open == COUNT_W'(1));
`endif

endmodule
