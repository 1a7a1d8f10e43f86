// Faults and recovery of one half of a DMA engine: abort, time-out and protocol faults.
//
// Purpose      Counts transfers that are begun and not reported, records the first fault of the oldest, and
//              brings the half to a stop and back to work. Shared by axm_dma_read and axm_dma_write.
//
// A bad response (SLVERR, DECERR) is only noted: the transfer goes on to its end and is reported with the
// fault. An abort, a time-out or a break of the protocol makes the half `dead`: it announces nothing more,
// reports all of its transfers (the oldest with the fault, the others as aborted), and completes its
// announced bursts. It leaves that state when the bus is clean. After a break of the protocol the number
// of outstanding answers is unknown: then the bus is clean when one time-out period was silent.
// `forget` declares it clean.
//
// Limits       Without time-outs (no `tick`) only `forget` leads out after a break of the protocol.
// Latency      `dead` from the clock after the fault on; a report in each clock from then on.
module axm_dma_guard #(
    parameter bit [31:0] OPEN_W = 7,
    parameter bit REPORTS = 1  // 0: ends of transfers are not reported
) (
    input logic clk,
    input logic rst,
    input logic abort_all,   // end all transfers
    input logic underrun,    // the stream ended: as abort, with this fault
    input logic [4:0] underrun_code,
    input logic forget,
    input logic tick,        // a time-out period ends
    input logic moving,      // the slave gives or takes something
    input logic going_on,    // ... of earlier requests: all, if dead, and known earlier in a clock
    input logic waiting,     // something is announced that it has not answered
    input logic [3:0] wait_code,  // what it waits for
    input logic faulty,        // a bad response
    input logic [4:0] faulty_code,
    input logic broken,        // a break of the protocol
    input logic [3:0] broken_code,
    input logic begun,       // the last burst of a transfer was announced
    input logic ended,       // a transfer ends as it should
    input logic cmd_valid,   // another transfer is valid
    input logic cmd_next,    // one more waits to be taken
    input logic cmd_held,    // ... whose burst the bus still sees: it cannot be dropped yet
    input logic bus_idle,    // no burst is announced
    input logic resume,      // may return to work
    output logic dead,
    output logic draining,   // dead, and the bus is not clean
    output logic clean,      // nothing to report, nothing on the bus
    output logic drop_all,       // forget bursts in flight
    output logic report,     // a transfer ends because of a fault
    output logic pop,        // drop the transfer that waits
    output logic reported_early,  // the transfer that waits was reported, and still has its place in a queue
    output logic no_fault,       // no fault of the oldest transfer was known before this clock
    output logic [4:0] code  // of the transfer that ends; [4]: the fault came with the stream
);

  logic [OPEN_W-1:0] open;  // transfers that are announced and not reported
  logic seen;  // the bus moved in this period
  logic suspect;  // the number of outstanding answers is unknown
  logic [4:0] first_fault;  // first fault of the oldest transfer

  // What is rare is worked out below its condition: a simulator then passes over it.
  logic quiet, timed_out, none_left, given_up;
  wire none_open = open == '0;
  wire back = clean && resume;

  assign no_fault = first_fault == '0;
  assign clean = none_open && !cmd_valid && !cmd_next && bus_idle && !suspect;
  assign draining = dead && (!bus_idle || suspect);

  always_comb begin
    {quiet, timed_out} = '0;
    if (tick) begin
      quiet = !moving && waiting && !seen;
      timed_out = quiet && !dead;
    end
    {none_left, report, pop, given_up, drop_all} = '0;
    if (dead) begin
      none_left = none_open && cmd_valid;
      report = !none_open || (none_left && !reported_early);
      pop = none_left && !cmd_held;
      given_up = suspect && tick && !going_on && !seen;
      drop_all = forget || given_up;
    end
  end

  always_ff @(posedge clk) begin
    if (rst || tick) seen <= 1'b0;
    else if (!seen) seen <= moving || !(dead || waiting);
  end

  // When the half is dead, the transfers that are open are reported, then those that wait, one a clock.
  // One that cannot be dropped yet is reported all the same, once.
  generate
  if (REPORTS) begin : g_reports
    wire closed = ended || (dead && !none_open);
    always_ff @(posedge clk) begin
      if (rst) open <= '0;
      else if (begun != closed) open <= open - {{OPEN_W - 1{begun}}, 1'b1};
      if (dead || rst) reported_early <= none_left && cmd_held && !rst;
    end
  end else begin : g_no_reports
    wire unused = begun;
    assign open = '0;
    assign reported_early = 1'b0;
  end
  endgenerate

  always_ff @(posedge clk) begin
    if (rst) begin
      dead <= 1'b0;
      suspect <= 1'b0;
    end else if (dead) begin
      dead <= !back || abort_all;
      suspect <= (suspect || broken) && !drop_all;
    end else if (broken || timed_out || underrun || abort_all) begin
      dead <= 1'b1;
      suspect <= suspect || broken;
    end
  end

  // What stopped the half is the fault of the transfer that was the oldest then. Others are aborted.
  always_comb begin
    code = first_fault;
    if (code == '0) begin
      if (dead) code = 5'(dma_regs_pkg::code__ABORTED);
      else if (faulty) code = faulty_code;
    end
  end

  always_ff @(posedge clk) begin
    if (rst || ended || report || (dead && back)) first_fault <= '0;
    else if (no_fault && !dead) begin
      if (faulty) first_fault <= faulty_code;
      else if (broken) first_fault <= 5'(broken_code);
      else if (timed_out) first_fault <= 5'(wait_code);
      else if (underrun) first_fault <= underrun_code;
    end
  end

endmodule
