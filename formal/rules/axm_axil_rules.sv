// All rules of one AXI4-Lite port.
//
// Purpose      Put beside any register port, in a proof (one side proven, the other assumed) or in a
//              simulation (both checked).
// Limits       Passive. LIMIT is what the master may have open in each direction. ANSWER_WAIT and
//              READY_WAIT are in clocks, of the slave; 0: not checked.
module axm_axil_rules #(
    parameter int unsigned ADDR_W = 12,
    parameter int unsigned DATA_W = 32,
    parameter int unsigned LIMIT = 2,
    parameter bit MASTER_ASSUMED = 0,
    parameter bit SLAVE_ASSUMED = 0,
    parameter int unsigned READY_WAIT = 0,
    parameter int unsigned ANSWER_WAIT = 0
) (
    input logic                clk,
    input logic                rst,
    input logic [  ADDR_W-1:0] awaddr,
    input logic [         2:0] awprot,
    input logic                awvalid,
    input logic                awready,
    input logic [  DATA_W-1:0] wdata,
    input logic [DATA_W/8-1:0] wstrb,
    input logic                wvalid,
    input logic                wready,
    input logic [         1:0] bresp,
    input logic                bvalid,
    input logic                bready,
    input logic [  ADDR_W-1:0] araddr,
    input logic [         2:0] arprot,
    input logic                arvalid,
    input logic                arready,
    input logic [  DATA_W-1:0] rdata,
    input logic [         1:0] rresp,
    input logic                rvalid,
    input logic                rready
);

  `include "axm_rules.svh"

  localparam int unsigned COUNT_W = $clog2(LIMIT + 1);
  localparam logic [1:0] EXOKAY = 2'd1;

  logic was_rst, aw_waiting, w_waiting, b_waiting, ar_waiting, r_waiting;
  logic [ADDR_W-1:0] awaddr_q, araddr_q;
  logic [2:0] awprot_q, arprot_q;
  logic [DATA_W-1:0] wdata_q, rdata_q;
  logic [DATA_W/8-1:0] wstrb_q;
  logic [1:0] bresp_q, rresp_q;

  // Taken, and not yet answered.
  logic [COUNT_W-1:0] addresses, data, reads;
  wire answered = bvalid && bready;
  wire read_answered = rvalid && rready;

  always_ff @(posedge clk) begin
    was_rst    <= rst;
    aw_waiting <= awvalid && !awready && !rst;
    w_waiting  <= wvalid && !wready && !rst;
    b_waiting  <= bvalid && !bready && !rst;
    ar_waiting <= arvalid && !arready && !rst;
    r_waiting  <= rvalid && !rready && !rst;
    awaddr_q   <= awaddr;
    awprot_q   <= awprot;
    wdata_q    <= wdata;
    wstrb_q    <= wstrb;
    bresp_q    <= bresp;
    araddr_q   <= araddr;
    arprot_q   <= arprot;
    rdata_q    <= rdata;
    rresp_q    <= rresp;
    if (rst) begin
      addresses <= '0;
      data <= '0;
      reads <= '0;
    end else begin
      addresses <= addresses + COUNT_W'(awvalid && awready) - COUNT_W'(answered);
      data <= data + COUNT_W'(wvalid && wready) - COUNT_W'(answered);
      reads <= reads + COUNT_W'(arvalid && arready) - COUNT_W'(read_answered);
    end
  end

  // Rules of every channel C, and of each of its signals.
`define AXM_CHANNEL(C, ASSUMED) \
  `AXM_RULE(C``_reset_quiet, ASSUMED, was_rst, !C``valid) \
  `AXM_RULE(C``_held, ASSUMED, C``_waiting, C``valid)
`define AXM_STABLE(C, SIGNAL, ASSUMED) \
  `AXM_RULE(C``_stable_``SIGNAL, ASSUMED, C``_waiting && C``valid, C``SIGNAL == C``SIGNAL``_q)
  // Of a channel that the master drives: OPEN is what it has taken and not answered.
`define AXM_LIMIT(C, OPEN) \
  `AXM_RULE(C``_limit, MASTER_ASSUMED, C``valid, OPEN < COUNT_W'(LIMIT))
  // Of an answer.
`define AXM_NO_EXOKAY(C) \
  `AXM_RULE(C``_no_exokay, SLAVE_ASSUMED, C``valid, C``resp != EXOKAY)

  `AXM_CHANNEL(aw, MASTER_ASSUMED)
  `AXM_STABLE(aw, addr, MASTER_ASSUMED)
  `AXM_STABLE(aw, prot, MASTER_ASSUMED)
  `AXM_LIMIT(aw, addresses)
  `AXM_CHANNEL(w, MASTER_ASSUMED)
  `AXM_STABLE(w, data, MASTER_ASSUMED)
  `AXM_STABLE(w, strb, MASTER_ASSUMED)
  `AXM_LIMIT(w, data)
  `AXM_CHANNEL(b, SLAVE_ASSUMED)
  `AXM_STABLE(b, resp, SLAVE_ASSUMED)
  `AXM_NO_EXOKAY(b)
  `AXM_RULE(b_has_address, SLAVE_ASSUMED, bvalid && !was_rst, addresses != '0)
  `AXM_RULE(b_has_data, SLAVE_ASSUMED, bvalid && !was_rst, data != '0)
  `AXM_CHANNEL(ar, MASTER_ASSUMED)
  `AXM_STABLE(ar, addr, MASTER_ASSUMED)
  `AXM_STABLE(ar, prot, MASTER_ASSUMED)
  `AXM_LIMIT(ar, reads)
  `AXM_CHANNEL(r, SLAVE_ASSUMED)
  `AXM_STABLE(r, data, SLAVE_ASSUMED)
  `AXM_STABLE(r, resp, SLAVE_ASSUMED)
  `AXM_NO_EXOKAY(r)
  `AXM_RULE(r_has_address, SLAVE_ASSUMED, rvalid && !was_rst, reads != '0)

`undef AXM_CHANNEL
`undef AXM_STABLE
`undef AXM_LIMIT
`undef AXM_NO_EXOKAY

  // A slave may wait for both halves of a write before it takes one.
  axm_rules_wait #(
      .LIMIT(READY_WAIT),
      .ASSUMED(SLAVE_ASSUMED)
  ) aw_ready_wait (
      .clk,
      .rst,
      .due (awvalid && (wvalid || data > addresses)),
      .done(awready)
  );

  axm_rules_wait #(
      .LIMIT(READY_WAIT),
      .ASSUMED(SLAVE_ASSUMED)
  ) w_ready_wait (
      .clk,
      .rst,
      .due (wvalid && (awvalid || addresses > data)),
      .done(wready)
  );

  axm_rules_wait #(
      .LIMIT(READY_WAIT),
      .ASSUMED(SLAVE_ASSUMED)
  ) ar_ready_wait (
      .clk,
      .rst,
      .due (arvalid),
      .done(arready)
  );

  axm_rules_wait #(
      .LIMIT(ANSWER_WAIT),
      .ASSUMED(SLAVE_ASSUMED)
  ) b_wait (
      .clk,
      .rst,
      .due (addresses != '0 && data != '0),
      .done(bvalid)
  );

  axm_rules_wait #(
      .LIMIT(ANSWER_WAIT),
      .ASSUMED(SLAVE_ASSUMED)
  ) r_wait (
      .clk,
      .rst,
      .due (reads != '0),
      .done(rvalid)
  );

`ifdef FORMAL
  // The rules are worth nothing if nothing can get through.
  always_comb write_done : cover (!rst && answered);
  always_comb read_done : cover (!rst && read_answered);
`endif

endmodule
