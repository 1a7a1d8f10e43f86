// All rules of one AXI4-Stream, with the side-band counts of docs/hardware.md.
//
// Purpose      Stable payload, reset, kept bytes, and the promises: a receiver with room for n beats
//              takes the next n without waiting, and a sender with n beats available offers them in
//              the next clocks without a gap.
// Limits       Passive. COUNT_W is the width of the counts. Streams without room or counts of what is
//              available leave ROOM or AVAIL at 0. Every transfer carries at least one byte, and null
//              bytes are above the kept ones and only in a last beat, unless LOOSE_KEEP.
module axm_stream_rules #(
    parameter int unsigned DATA_W = 32,
    parameter int unsigned COUNT_W = 16,
    parameter bit ROOM = 0,
    parameter bit AVAIL = 0,
    parameter bit LOOSE_KEEP = 0,
    parameter bit SENDER_ASSUMED = 0,
    parameter bit TAKER_ASSUMED = 0,
    parameter int unsigned READY_WAIT = 0
) (
    input logic                clk,
    input logic                rst,
    input logic [  DATA_W-1:0] tdata,
    input logic [DATA_W/8-1:0] tkeep,
    input logic                tlast,
    input logic                tvalid,
    input logic                tready,
    input logic [ COUNT_W-1:0] room,
    input logic [ COUNT_W-1:0] avail,
    input logic [ COUNT_W-1:0] packets
);

  `include "axm_rules.svh"

  logic waiting, was_rst, moved, tlast_q;
  logic [DATA_W-1:0] tdata_q;
  logic [DATA_W/8-1:0] tkeep_q;
  logic [COUNT_W-1:0] room_q, avail_q, packets_q;

  always_ff @(posedge clk) begin
    was_rst   <= rst;
    waiting   <= tvalid && !tready && !rst;
    moved     <= tvalid && tready;
    tdata_q   <= tdata;
    tkeep_q   <= tkeep;
    tlast_q   <= tlast;
    room_q    <= room;
    avail_q   <= avail;
    packets_q <= packets;
  end

  // Used with ROOM or AVAIL.
  wire unused = &{1'b0, moved, room, avail, packets, room_q, avail_q, packets_q};
  wire kept = waiting && tvalid;
  `AXM_RULE(reset_quiet, SENDER_ASSUMED, was_rst, !tvalid)
  `AXM_RULE(held, SENDER_ASSUMED, waiting, tvalid)
  `AXM_RULE(stable_data, SENDER_ASSUMED, kept, tdata == tdata_q)
  `AXM_RULE(stable_keep, SENDER_ASSUMED, kept, tkeep == tkeep_q)
  `AXM_RULE(stable_last, SENDER_ASSUMED, kept, tlast == tlast_q)
  if (!LOOSE_KEEP) begin : g_keep
    `AXM_RULE(keep_from_lane_0, SENDER_ASSUMED, tvalid,
              (tkeep & (tkeep + 1'b1)) == '0 && tkeep != '0)
    `AXM_RULE(keep_whole_beats, SENDER_ASSUMED, tvalid && !tlast, tkeep[DATA_W/8-1])
  end

  if (ROOM) begin : g_room
    `AXM_RULE(room_is_ready, TAKER_ASSUMED, tvalid && room != '0, tready)
    `AXM_RULE(room_kept, TAKER_ASSUMED, !was_rst && room_q > COUNT_W'(moved),
              room >= room_q - COUNT_W'(moved))
  end

  if (AVAIL) begin : g_avail
    `AXM_RULE(avail_is_valid, SENDER_ASSUMED, avail != '0, tvalid)
    `AXM_RULE(avail_kept, SENDER_ASSUMED, !was_rst && avail_q > COUNT_W'(moved),
              avail >= avail_q - COUNT_W'(moved))
    `AXM_RULE(packets_in_avail, SENDER_ASSUMED, 1'b1, packets <= avail)
    `AXM_RULE(packets_kept, SENDER_ASSUMED, !was_rst && packets_q > COUNT_W'(moved && tlast_q),
              packets >= packets_q - COUNT_W'(moved && tlast_q))
  end

  axm_rules_wait #(
      .LIMIT(READY_WAIT),
      .ASSUMED(TAKER_ASSUMED)
  ) ready_wait (
      .clk,
      .rst,
      .due (tvalid),
      .done(tready)
  );

`ifdef FORMAL
  // The rules are worth nothing if no beat can get through.
  always_comb beat_done : cover (!rst && tvalid && tready && tlast);
`endif

endmodule
