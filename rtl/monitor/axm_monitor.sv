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
module axm_monitor #(
    parameter int unsigned DATA_W      = 64,
    parameter int unsigned ID_W        = 1,
    parameter int unsigned OUTSTANDING = 64,  // bursts of a direction followed at a time
    parameter int unsigned COUNT_W     = 47,  // bits of a counter
    parameter bit          NARROW      = 0,   // count bytes by the size of each burst
    parameter bit          ORDER       = 1    // tell of bursts that end out of order
) (
    input  logic            clk,
    input  logic            rst,
    input  logic            start,            // pulses, as those of the register CONTROL
    input  logic            stop,
    input  logic            clear,
    input  logic            snapshot,
    output logic            running,
    input  logic [    11:0] s_axil_awaddr,
    input  logic [     2:0] s_axil_awprot,
    input  logic            s_axil_awvalid,
    output logic            s_axil_awready,
    input  logic [    31:0] s_axil_wdata,
    input  logic [     3:0] s_axil_wstrb,
    input  logic            s_axil_wvalid,
    output logic            s_axil_wready,
    output logic [     1:0] s_axil_bresp,
    output logic            s_axil_bvalid,
    input  logic            s_axil_bready,
    input  logic [    11:0] s_axil_araddr,
    input  logic [     2:0] s_axil_arprot,
    input  logic            s_axil_arvalid,
    output logic            s_axil_arready,
    output logic [    31:0] s_axil_rdata,
    output logic [     1:0] s_axil_rresp,
    output logic            s_axil_rvalid,
    input  logic            s_axil_rready,
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

  if (ID_W < 1 || ID_W > 8) begin : g_check
    $error("%m: ID_W is %0d; it must be 1 to 8", ID_W);
  end

  monitor_regs_pkg::axm_monitor__in_t hwif_in;
  monitor_regs_pkg::axm_monitor__out_t hwif_out;

  monitor_regs regs (
      .clk, .rst,
      .s_axil_awaddr, .s_axil_awprot, .s_axil_awvalid, .s_axil_awready,
      .s_axil_wdata, .s_axil_wstrb, .s_axil_wvalid, .s_axil_wready,
      .s_axil_bresp, .s_axil_bvalid, .s_axil_bready,
      .s_axil_araddr, .s_axil_arprot, .s_axil_arvalid, .s_axil_arready,
      .s_axil_rdata, .s_axil_rresp, .s_axil_rvalid, .s_axil_rready,
      .hwif_in, .hwif_out
  );

  // Run control
  wire do_start = start || hwif_out.CONTROL.START.value;
  wire do_stop = stop || hwif_out.CONTROL.STOP.value;
  wire do_clear = clear || hwif_out.CONTROL.CLEAR.value;
  wire do_snapshot = snapshot || hwif_out.CONTROL.SNAPSHOT.value;
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

  wire asked = hwif_out.COUNTERS.req;
  logic snapshot_pending, saturated, disorder, overrun;
  logic [15:0] now;
  logic extra[2], oldest[2];
  logic [6:0] in_flight[2], in_flight_next[2];
  assign extra = '{1'b0, 1'b0};

  axm_monitor_core #(
      .DATA_W(DATA_W), .ID_W(ID_W), .OUTSTANDING(OUTSTANDING), .COUNT_W(COUNT_W), .NARROW(NARROW),
      .ORDER(ORDER)
  ) core (
      .clk, .rst, .forget(1'b0), .run({2{running}}),
      .clear(both ? ready : do_clear), .snapshot(do_snapshot),
      .ready, .snapshot_pending, .saturated, .disorder, .overrun, .now,
      .read(asked && !hwif_out.COUNTERS.req_is_wr), .read_address(hwif_out.COUNTERS.addr[8:2]),
      .read_done(hwif_in.COUNTERS.rd_ack), .read_data(hwif_in.COUNTERS.rd_data),
      .extra, .oldest, .in_flight, .in_flight_next,
      .read_wants, .arvalid(mon_axi_arvalid), .arready(mon_axi_arready), .arid(mon_axi_arid),
      .arlen(mon_axi_arlen), .arsize(mon_axi_arsize),
      .rvalid(mon_axi_rvalid), .rready(mon_axi_rready), .rlast(mon_axi_rlast), .rid(mon_axi_rid),
      .write_wants, .awvalid(mon_axi_awvalid), .awready(mon_axi_awready), .awid(mon_axi_awid),
      .awlen(mon_axi_awlen), .awsize(mon_axi_awsize),
      .wvalid(mon_axi_wvalid), .wready(mon_axi_wready), .wlast(mon_axi_wlast),
      .bvalid(mon_axi_bvalid), .bready(mon_axi_bready), .bid(mon_axi_bid)
  );

  // Registers
  assign hwif_in.COUNTERS.wr_ack = asked && hwif_out.COUNTERS.req_is_wr;
  assign hwif_in.CAPS.WIDTH_BYTES.next = 8'(DATA_W / 8);
  assign hwif_in.CAPS.OUTSTANDING.next = 8'(OUTSTANDING);
  assign hwif_in.CAPS.COUNTER_BITS.next = 8'(COUNT_W);
  assign hwif_in.CAPS.NARROW.next = NARROW;
  assign hwif_in.CAPS.ORDER.next = ORDER;
  assign hwif_in.CAPS2.SWEEP_CLOCKS.next = 8'd58;
  assign hwif_in.CAPS2.LATENCY_BITS.next = 8'd15;
  assign hwif_in.CAPS2.BINS.next = 8'd15;
  assign hwif_in.STATUS.RUNNING.next = running;
  assign hwif_in.STATUS.READY.next = ready;
  assign hwif_in.STATUS.SNAPSHOT_PENDING.next = snapshot_pending;
  assign hwif_in.STATUS.SATURATED.next = saturated;
  assign hwif_in.STATUS.ORDER.next = disorder;
  assign hwif_in.STATUS.OVERRUN.next = overrun;
  wire unused = ^{now, oldest[0], oldest[1], in_flight[0], in_flight[1], in_flight_next[0],
                  in_flight_next[1], hwif_out.COUNTERS.addr[1:0], hwif_out.COUNTERS.wr_data,
                  hwif_out.COUNTERS.wr_biten};

endmodule
