// Performance monitor of one AXI port, with registers (block type 4, regs/monitor.rdl).
//
// Purpose      Watches a port, passively, and counts for both directions bursts, beats, bytes, clocks by
//              class, latencies and the longest inactivity. Any number of monitors start and stop
//              together by their pins, or each by its register.
// Limits       See axm_monitor_core.sv and the modules that it names. Address, data and last are not
//              judged: that is for checkers. W beats that go ahead of their address, by up to
//              OUTSTANDING bursts, are understood.
// Throughput   One event of each kind a clock and direction.
// Latency      A start counts from the next clock on. START with CLEAR waits until the counters of the
//              run before have been gathered (STATUS.READY; at most 116 clocks after its end).
// Area         area.toml.
`include "axm_ports.svh"

module axm_monitor #(
    parameter bit [31:0] DATA_W      = 64,
    parameter bit [31:0] ID_W        = 1,
    parameter bit [31:0] OUTSTANDING = 64,  // bursts of a direction followed at a time
    parameter bit [31:0] COUNT_W     = 47,  // bits of a counter
    parameter bit          NARROW      = 0,   // count bytes by the size of each burst
    parameter bit          ORDER       = 1    // report bursts that end out of order
) (
    input  logic            clk,
    input  logic            rst,
    input  logic            start,            // pulses, as those of the register CONTROL
    input  logic            stop,
    input  logic            clear,
    input  logic            snapshot,
    output logic            running,
    `AXM_AXIL_SLAVE(s_axil_, 12, 32)
    input  logic            read_wants,       // the master has reads to do
    input  logic            mon_axi_arvalid,
    input  logic            mon_axi_arready,
    input  logic [ID_W-1:0] mon_axi_arid,
    input  logic [     7:0] mon_axi_arlen,
    input  logic [     2:0] mon_axi_arsize,
    input  logic            mon_axi_rvalid,
    input  logic            mon_axi_rready,
    input  logic            mon_axi_rlast,
    input  logic [ID_W-1:0] mon_axi_rid,
    input  logic            write_wants,      // the master has writes to do
    input  logic            mon_axi_awvalid,
    input  logic            mon_axi_awready,
    input  logic [ID_W-1:0] mon_axi_awid,
    input  logic [     7:0] mon_axi_awlen,
    input  logic [     2:0] mon_axi_awsize,
    input  logic            mon_axi_wvalid,
    input  logic            mon_axi_wready,
    input  logic            mon_axi_wlast,
    input  logic            mon_axi_bvalid,
    input  logic            mon_axi_bready,
    input  logic [ID_W-1:0] mon_axi_bid
);

  generate
  if (ID_W < 1 || ID_W > 8) begin : g_check
    axm_error_ID_W_must_be_1_to_8 u_error ();
  end
  endgenerate

  logic hwif_in_COUNTERS_rd_ack;
  logic [31:0] hwif_in_COUNTERS_rd_data;
  logic hwif_out_CONTROL_START;
  logic hwif_out_CONTROL_STOP;
  logic hwif_out_CONTROL_CLEAR;
  logic hwif_out_CONTROL_SNAPSHOT;
  logic asked;
  logic [8:0] hwif_out_COUNTERS_addr;
  logic hwif_out_COUNTERS_req_is_wr;
  logic [31:0] hwif_out_COUNTERS_wr_data;
  logic [31:0] hwif_out_COUNTERS_wr_biten;

  // Run control
  wire do_start = start || hwif_out_CONTROL_START;
  wire do_stop = stop || hwif_out_CONTROL_STOP;
  wire do_clear = clear || hwif_out_CONTROL_CLEAR;
  wire do_snapshot = snapshot || hwif_out_CONTROL_SNAPSHOT;
  logic ready;
  logic waiting;  // a start with clear came too early
  // From rest, a start with clear has to find nothing of the run before.
  wire both = waiting || (do_start && do_clear && !running);
  wire begins = both ? ready : do_start;

  always_ff @(posedge clk) begin
    if (rst) begin
      running <= 1'b0;
      waiting <= 1'b0;
    end else begin
      running <= (running || begins) && !do_stop;
      waiting <= both && !ready && !do_stop;
    end
  end

  logic snapshot_pending, saturated, disorder, overrun;
  logic [15:0] now;
  logic [1:0] extra, oldest;
  logic [13:0] in_flight, in_flight_next;
  assign extra = '0;

  axm_monitor_core #(
      .DATA_W(DATA_W), .ID_W(ID_W), .OUTSTANDING(OUTSTANDING), .COUNT_W(COUNT_W), .NARROW(NARROW),
      .ORDER(ORDER)
  ) core (
      .clk, .rst, .forget(1'b0), .run({2{running}}), .clear(both ? ready : do_clear),
      .snapshot(do_snapshot), .ready, .snapshot_pending, .saturated, .disorder, .overrun, .now,
      .read(asked && !hwif_out_COUNTERS_req_is_wr), .read_address(hwif_out_COUNTERS_addr[8:2]),
      .read_done(hwif_in_COUNTERS_rd_ack), .read_data(hwif_in_COUNTERS_rd_data), .extra, .oldest,
      .in_flight, .in_flight_next, .read_wants, .arvalid(mon_axi_arvalid), .arready(mon_axi_arready),
      .arid(mon_axi_arid), .arlen(mon_axi_arlen), .arsize(mon_axi_arsize), .rvalid(mon_axi_rvalid),
      .rready(mon_axi_rready), .rlast(mon_axi_rlast), .rid(mon_axi_rid), .write_wants,
      .awvalid(mon_axi_awvalid), .awready(mon_axi_awready), .awid(mon_axi_awid), .awlen(mon_axi_awlen),
      .awsize(mon_axi_awsize), .wvalid(mon_axi_wvalid), .wready(mon_axi_wready), .wlast(mon_axi_wlast),
      .bvalid(mon_axi_bvalid), .bready(mon_axi_bready), .bid(mon_axi_bid)
  );

  // Registers
  wire unused = ^{now, oldest[0], oldest[1], in_flight[0+:7], in_flight[7+:7], in_flight_next[0+:7],
                  in_flight_next[7+:7], hwif_out_COUNTERS_addr[1:0], hwif_out_COUNTERS_wr_data,
                  hwif_out_COUNTERS_wr_biten};

  // Behind the signals that it connects: some tools need declarations first.
  monitor_regs regs (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      .clk, .rst, .hwif_in_CAPS_WIDTH_BYTES(8'(DATA_W / 8)), .hwif_in_CAPS_OUTSTANDING(8'(OUTSTANDING)),
      .hwif_in_CAPS_COUNTER_BITS(8'(COUNT_W)), .hwif_in_CAPS_NARROW(NARROW), .hwif_in_CAPS_ORDER(ORDER),
      .hwif_in_CAPS2_SWEEP_CLOCKS(8'd58), .hwif_in_CAPS2_LATENCY_BITS(8'd15), .hwif_in_CAPS2_BINS(8'd15),
      .hwif_in_STATUS_RUNNING(running), .hwif_in_STATUS_READY(ready),
      .hwif_in_STATUS_SNAPSHOT_PENDING(snapshot_pending), .hwif_in_STATUS_SATURATED(saturated),
      .hwif_in_STATUS_ORDER(disorder), .hwif_in_STATUS_OVERRUN(overrun),
      .hwif_in_COUNTERS_rd_ack(hwif_in_COUNTERS_rd_ack),
      .hwif_in_COUNTERS_rd_data(hwif_in_COUNTERS_rd_data),
      .hwif_in_COUNTERS_wr_ack(asked && hwif_out_COUNTERS_req_is_wr),
      .hwif_out_CONTROL_START(hwif_out_CONTROL_START), .hwif_out_CONTROL_STOP(hwif_out_CONTROL_STOP),
      .hwif_out_CONTROL_CLEAR(hwif_out_CONTROL_CLEAR),
      .hwif_out_CONTROL_SNAPSHOT(hwif_out_CONTROL_SNAPSHOT), .hwif_out_COUNTERS_req(asked),
      .hwif_out_COUNTERS_addr(hwif_out_COUNTERS_addr),
      .hwif_out_COUNTERS_req_is_wr(hwif_out_COUNTERS_req_is_wr),
      .hwif_out_COUNTERS_wr_data(hwif_out_COUNTERS_wr_data),
      .hwif_out_COUNTERS_wr_biten(hwif_out_COUNTERS_wr_biten)
  );

endmodule
