// All rules of one AXI4-Lite port.
//
// Purpose      Put beside any register port, in a proof (one side proven, the other assumed) or in a
//              simulation (both checked).
// Limits       Passive. LIMIT is what the master may have open in each direction. ANSWER_WAIT and
//              READY_WAIT are in clocks, of the slave; 0 does not ask.
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

  `AXM_RULE(aw_reset_quiet, MASTER_ASSUMED, was_rst, !awvalid)
  `AXM_RULE(aw_held, MASTER_ASSUMED, aw_waiting, awvalid)
  `AXM_RULE(aw_stable_addr, MASTER_ASSUMED, aw_waiting && awvalid, awaddr == awaddr_q)
  `AXM_RULE(aw_stable_prot, MASTER_ASSUMED, aw_waiting && awvalid, awprot == awprot_q)
  `AXM_RULE(aw_limit, MASTER_ASSUMED, awvalid, addresses < COUNT_W'(LIMIT))
  `AXM_RULE(w_reset_quiet, MASTER_ASSUMED, was_rst, !wvalid)
  `AXM_RULE(w_held, MASTER_ASSUMED, w_waiting, wvalid)
  `AXM_RULE(w_stable_data, MASTER_ASSUMED, w_waiting && wvalid, wdata == wdata_q)
  `AXM_RULE(w_stable_strb, MASTER_ASSUMED, w_waiting && wvalid, wstrb == wstrb_q)
  `AXM_RULE(w_limit, MASTER_ASSUMED, wvalid, data < COUNT_W'(LIMIT))
  `AXM_RULE(b_reset_quiet, SLAVE_ASSUMED, was_rst, !bvalid)
  `AXM_RULE(b_held, SLAVE_ASSUMED, b_waiting, bvalid)
  `AXM_RULE(b_stable_resp, SLAVE_ASSUMED, b_waiting && bvalid, bresp == bresp_q)
  `AXM_RULE(b_has_address, SLAVE_ASSUMED, bvalid && !was_rst, addresses != '0)
  `AXM_RULE(b_has_data, SLAVE_ASSUMED, bvalid && !was_rst, data != '0)
  `AXM_RULE(b_no_exokay, SLAVE_ASSUMED, bvalid, bresp != EXOKAY)
  `AXM_RULE(ar_reset_quiet, MASTER_ASSUMED, was_rst, !arvalid)
  `AXM_RULE(ar_held, MASTER_ASSUMED, ar_waiting, arvalid)
  `AXM_RULE(ar_stable_addr, MASTER_ASSUMED, ar_waiting && arvalid, araddr == araddr_q)
  `AXM_RULE(ar_stable_prot, MASTER_ASSUMED, ar_waiting && arvalid, arprot == arprot_q)
  `AXM_RULE(ar_limit, MASTER_ASSUMED, arvalid, reads < COUNT_W'(LIMIT))
  `AXM_RULE(r_reset_quiet, SLAVE_ASSUMED, was_rst, !rvalid)
  `AXM_RULE(r_held, SLAVE_ASSUMED, r_waiting, rvalid)
  `AXM_RULE(r_stable_data, SLAVE_ASSUMED, r_waiting && rvalid, rdata == rdata_q)
  `AXM_RULE(r_stable_resp, SLAVE_ASSUMED, r_waiting && rvalid, rresp == rresp_q)
  `AXM_RULE(r_has_address, SLAVE_ASSUMED, rvalid && !was_rst, reads != '0)
  `AXM_RULE(r_no_exokay, SLAVE_ASSUMED, rvalid, rresp != EXOKAY)

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
