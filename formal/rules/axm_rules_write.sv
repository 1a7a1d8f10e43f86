// Rules between AW, W and B: a scoreboard of the write bursts that are open.
//
// Purpose      Data belong to addresses in their order, WLAST is at the last beat and only there,
//              strobes stay in the lanes of the beat, WID is AWID, and every response belongs to a
//              burst whose address and last beat were taken in an earlier clock. Responses of one ID
//              come in order, those of different IDs in any.
// Limits       Passive. The master may have LIMIT bursts open (1 to 256), which is a rule too.
//              With DATA_LEAD = 1 data may come before their address, as AXI allows; with 0 the
//              address is offered no later than the first beat, as all our masters do; WID and
//              strobes of data that lead are not compared with their address.
//              A wait of 0 is not checked.
module axm_rules_write #(
    parameter int unsigned DATA_W = 32,
    parameter int unsigned ID_W = 1,
    parameter int unsigned LIMIT = 4,
    parameter bit DATA_LEAD = 0,
    parameter bit CHECK_WID = 1,
    parameter bit MASTER_ASSUMED = 0,
    parameter bit SLAVE_ASSUMED = 0,
    parameter int unsigned DATA_WAIT = 0,    // next beat offered after address or beat before it
    parameter int unsigned ANSWER_WAIT = 0,  // response after address and last beat
    localparam int unsigned COUNT_W = $clog2(LIMIT + 1)
) (
    input  logic                        clk,
    input  logic                        rst,
    input  logic                        awvalid,
    input  logic                        awready,
    input  logic [            ID_W-1:0] awid,
    input  logic [$clog2(DATA_W/8)-1:0] awaddr,  // lowest bits
    input  logic [                 7:0] awlen,
    input  logic [                 2:0] awsize,
    input  logic [                 1:0] awburst,
    input  logic [                 1:0] awlock,
    input  logic                        wvalid,
    input  logic                        wready,
    input  logic [            ID_W-1:0] wid,
    input  logic [        DATA_W/8-1:0] wstrb,
    input  logic                        wlast,
    input  logic                        bvalid,
    input  logic                        bready,
    input  logic [            ID_W-1:0] bid,
    input  logic [                 1:0] bresp,
    output logic [         COUNT_W-1:0] open     // addresses taken and not yet answered
);

  `include "axm_rules.svh"

  localparam int unsigned LANE_W = $clog2(DATA_W / 8);
  localparam logic [1:0] EXOKAY = 2'd1;

  // Slot 0 holds the oldest burst; a burst that is answered closes the gap. The first `offered` slots
  // know their address, of which `open` were taken; the first `filled` have all their data.
  logic [ID_W-1:0] ids[LIMIT];
  logic [7:0] lens[LIMIT];
  logic [LANE_W-1:0] addrs[LIMIT];
  logic [2:0] sizes[LIMIT];
  logic [1:0] bursts[LIMIT];
  logic exclusive[LIMIT];
  logic [COUNT_W-1:0] offered, filled;
  logic [7:0] beat;    // of the burst whose data is coming
  logic aw_waiting;    // the last address offered was not taken yet

  // ---- address and data ----------------------------------------------------------------------

  wire offer = awvalid && !aw_waiting && offered != COUNT_W'(LIMIT);
  wire here = offer && offered == filled;  // the address of the coming data is offered in this clock
  wire known = filled < offered || here;

  logic [ID_W-1:0] id;
  logic [7:0] len, early_len;
  logic [LANE_W-1:0] addr;
  logic [2:0] size;
  logic [1:0] burst;

  always_comb begin
    id = awid;
    len = awlen;
    addr = awaddr;
    size = awsize;
    burst = awburst;
    early_len = '0;
    for (int k = 0; k < LIMIT; k++) begin
      if (!here && COUNT_W'(k) == filled) begin
        id = ids[k];
        len = lens[k];
        addr = addrs[k];
        size = sizes[k];
        burst = bursts[k];
      end
      if (COUNT_W'(k) == offered) early_len = lens[k];
    end
  end

  wire beat_moved = wvalid && wready && filled != COUNT_W'(LIMIT);
  wire data_ended = beat_moved && wlast;

  // Lanes that the beat may write.
  wire [LANE_W-1:0] container = LANE_W'((9'd1 << size) - 9'd1);
  wire [11:0] wrap_mask = ((12'(len) + 12'd1) << size) - 12'd1;
  wire [LANE_W-1:0] stepped = (addr & ~container) + LANE_W'({4'd0, beat} << size);
  logic [LANE_W-1:0] first;

  always_comb begin
    if (beat == 8'd0 || burst == 2'd0) first = addr;
    else if (burst == 2'd2)
      first = (stepped & wrap_mask[LANE_W-1:0]) | (addr & ~wrap_mask[LANE_W-1:0]);
    else first = stepped;
  end

  logic in_lanes;

  always_comb begin
    in_lanes = 1'b1;
    for (int k = 0; k < DATA_W / 8; k++) begin
      if (wstrb[k] && (LANE_W'(k) < first || LANE_W'(k) > (first | container))) in_lanes = 1'b0;
    end
  end

  // ---- responses -----------------------------------------------------------------------------

  logic found, exclusive_now;
  logic [COUNT_W-1:0] slot;

  always_comb begin
    found = 1'b0;
    slot = '0;
    exclusive_now = 1'b0;
    for (int k = LIMIT - 1; k >= 0; k--) begin
      if (COUNT_W'(k) < open && ids[k] == bid) begin
        found = 1'b1;
        slot = COUNT_W'(k);
        exclusive_now = exclusive[k];
      end
    end
  end

  // Some modes use only part of these.
  wire unused = &{1'b0, early_len, wrap_mask, wid, id};
  wire complete = found && slot < filled;
  wire answered = bvalid && bready && complete;

  wire [COUNT_W-1:0] address_place = offered - COUNT_W'(answered);
  wire [COUNT_W-1:0] data_place = filled - COUNT_W'(answered);

  always_ff @(posedge clk) begin
    for (int k = 0; k < LIMIT; k++) begin
      if (answered && COUNT_W'(k) >= slot && k + 1 < LIMIT) begin
        ids[k] <= ids[k+1];
        lens[k] <= lens[k+1];
        addrs[k] <= addrs[k+1];
        sizes[k] <= sizes[k+1];
        bursts[k] <= bursts[k+1];
        exclusive[k] <= exclusive[k+1];
      end
      if (offer && COUNT_W'(k) == address_place) begin
        ids[k] <= awid;
        lens[k] <= awlen;
        addrs[k] <= awaddr;
        sizes[k] <= awsize;
        bursts[k] <= awburst;
        exclusive[k] <= awlock == 2'd1;
      end else if (DATA_LEAD && !known && data_ended && COUNT_W'(k) == data_place) begin
        lens[k] <= beat;
      end
    end
    if (rst) begin
      offered <= '0;
      filled <= '0;
      beat <= '0;
      open <= '0;
      aw_waiting <= 1'b0;
    end else begin
      offered <= address_place + COUNT_W'(offer);
      filled <= data_place + COUNT_W'(data_ended);
      open <= open - COUNT_W'(answered) + COUNT_W'(awready && (offer || aw_waiting));
      if (data_ended) beat <= '0;
      else if (beat_moved) beat <= beat + 8'd1;
      aw_waiting <= awvalid && !awready && (offer || aw_waiting);
    end
  end

  // Beats and responses are judged when they are first offered; while they wait they may not change
  // (w.stable_..., b.stable_...). In a proof of one
  // side they are judged in every clock, which says the same and is easier to prove.
  localparam bit ALWAYS = MASTER_ASSUMED || SLAVE_ASSUMED;
  logic was_rst, w_waiting, b_waiting;
  wire fresh = wvalid && !was_rst && (ALWAYS || !w_waiting);
  wire fresh_b = bvalid && !was_rst && (ALWAYS || !b_waiting);

  always_ff @(posedge clk) begin
    was_rst   <= rst;
    w_waiting <= wvalid && !wready && !rst;
    b_waiting <= bvalid && !bready && !rst;
  end

  `AXM_RULE(outstanding_limit, MASTER_ASSUMED, awvalid, open < COUNT_W'(LIMIT))
  if (DATA_LEAD) begin : g_lead
    logic fits;

    always_comb begin
      fits = 1'b1;
      if (offered < filled) fits = awlen == early_len;
      else if (offered == filled) begin
        fits = awlen >= beat && (!w_waiting || wlast == (awlen == beat));
      end
    end

    `AXM_RULE(lead_limit, MASTER_ASSUMED, fresh, filled != COUNT_W'(LIMIT))
    `AXM_RULE(len_matches_data, MASTER_ASSUMED, offer, fits)
    `AXM_RULE(beats_at_most, MASTER_ASSUMED, fresh && !known && beat == 8'd255, wlast)
  end else begin : g_no_lead
    `AXM_RULE(data_has_address, MASTER_ASSUMED, fresh, known)
  end
  `AXM_RULE(last_not_early, MASTER_ASSUMED, fresh && known && wlast, beat == len)
  `AXM_RULE(last_not_missing, MASTER_ASSUMED, fresh && known && beat == len, wlast)
  if (CHECK_WID) begin : g_wid
    `AXM_RULE(id_is_address_id, MASTER_ASSUMED, fresh && known, wid == id)
  end
  `AXM_RULE(strobes_in_lanes, MASTER_ASSUMED, fresh && known, in_lanes)
  `AXM_RULE(response_has_address, SLAVE_ASSUMED, fresh_b, found)
  `AXM_RULE(response_has_data, SLAVE_ASSUMED, fresh_b && found, slot < filled)
  `AXM_RULE(exokay_asked, SLAVE_ASSUMED, fresh_b && found && bresp == EXOKAY, exclusive_now)

  axm_rules_wait #(
      .LIMIT(DATA_WAIT),
      .ASSUMED(MASTER_ASSUMED)
  ) data_wait (
      .clk,
      .rst,
      .due (filled < open),
      .done(wvalid)
  );

  axm_rules_wait #(
      .LIMIT(ANSWER_WAIT),
      .ASSUMED(SLAVE_ASSUMED)
  ) answer_wait (
      .clk,
      .rst,
      .due (open != '0 && filled != '0),
      .done(bvalid)
  );

`ifdef FORMAL
  // The rules are worth nothing if no burst can get through.
  always_comb burst_done : cover (!rst && answered && open == COUNT_W'(1));
`endif

endmodule
