// Registers and machine of a simple master; axm_master_lite and axm_master_full give it its ports.
//
// Purpose      What the two simple masters (block type 10) share; regs/masters.rdl says what software sees.
// Limits       As axm_master_engine. FULL = 0: every burst has one beat.
// Throughput   As axm_master_engine.
// Latency      The first address is valid in the second clock after that of the write to CONTROL.START
//              (the register's effect is in the first).
// Area         see axm_master_full and axm_master_lite.
module axm_master_core #(
    parameter int unsigned ADDR_W = 32,
    parameter int unsigned DATA_W = 32,
    parameter int unsigned ID_W = 1,
    parameter bit AXI3 = 1'b0,
    parameter bit FULL = 1'b1,
    parameter bit IMPROVED = 1'b0,
    parameter int unsigned GAP = 4,
    parameter int unsigned OUTSTANDING = 16
) (
    input logic clk,
    input logic rst,

    input  logic [11:0] s_axil_awaddr,
    input  logic [ 2:0] s_axil_awprot,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [ 1:0] s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic [11:0] s_axil_araddr,
    input  logic [ 2:0] s_axil_arprot,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,

    output logic        busy,
    output logic [3:0]  cache,
    output logic [2:0]  prot,
    output logic [3:0]  qos,

    output logic [ADDR_W-1:0] m_axi_awaddr,
    output logic [       7:0] m_axi_awlen,
    output logic              m_axi_awvalid,
    input  logic              m_axi_awready,
    output logic [DATA_W-1:0] m_axi_wdata,
    output logic              m_axi_wlast,
    output logic              m_axi_wvalid,
    input  logic              m_axi_wready,
    input  logic [  ID_W-1:0] m_axi_bid,
    input  logic [       1:0] m_axi_bresp,
    input  logic              m_axi_bvalid,
    output logic              m_axi_bready,
    output logic [ADDR_W-1:0] m_axi_araddr,
    output logic [       7:0] m_axi_arlen,
    output logic              m_axi_arvalid,
    input  logic              m_axi_arready,
    input  logic [  ID_W-1:0] m_axi_rid,
    input  logic [DATA_W-1:0] m_axi_rdata,
    input  logic [       1:0] m_axi_rresp,
    input  logic              m_axi_rlast,
    input  logic              m_axi_rvalid,
    output logic              m_axi_rready
);

  if (ADDR_W < 32 || ADDR_W > 64) begin : g_check_addr
    $error("%m: ADDR_W is %0d; it must be 32 to 64", ADDR_W);
  end
  if (DATA_W != 32 && DATA_W != 64 && DATA_W != 128 && DATA_W != 256) begin : g_check_data
    $error("%m: DATA_W is %0d; it must be 32, 64, 128 or 256", DATA_W);
  end
  if (ID_W < 1 || ID_W > 8) begin : g_check_id
    $error("%m: ID_W is %0d; it must be 1 to 8", ID_W);
  end

  masters_regs_pkg::axm_masters__in_t  to_regs;
  masters_regs_pkg::axm_masters__out_t from_regs;

  logic draining, saturated;
  logic [3:0] cause;
  logic [63:0] base, fault;
  logic [ADDR_W-1:0] cause_addr;
  logic [31:0] moved, mismatches, cycles;

  assign base = {from_regs.ADDR_HI.VALUE.value, from_regs.ADDR_LO.VALUE.value};
  assign fault = 64'(cause_addr);
  assign cache = from_regs.CONTROL.CACHE.value;
  assign prot = from_regs.CONTROL.PROT.value;
  assign qos = from_regs.CONTROL.QOS.value;
  if (ADDR_W < 64) begin : g_unused
    wire unused = &{1'b0, base[63:ADDR_W]};
  end

  always_comb begin
    to_regs.CAPS.IMPROVED.next = IMPROVED;
    to_regs.CAPS.FULL.next = FULL;
    to_regs.CAPS.AXI3.next = AXI3;
    to_regs.CAPS.GAP.next = 4'(GAP);
    to_regs.CAPS.OUTSTANDING.next = IMPROVED ? 8'(OUTSTANDING) : 8'd1;
    to_regs.CAPS.DATA_BYTES.next = 8'(DATA_W / 8);
    to_regs.CAPS.ADDR_BITS.next = 8'(ADDR_W);
    to_regs.STATUS.BUSY.next = busy;
    to_regs.STATUS.DRAINING.next = draining;
    to_regs.STATUS.CAUSE.next = cause;
    to_regs.STATUS.CYCLES_SATURATED.next = saturated;
    to_regs.FAULT_LO.VALUE.next = fault[31:0];
    to_regs.FAULT_HI.VALUE.next = fault[63:32];
    to_regs.MOVED.VALUE.next = moved;
    to_regs.MISMATCHES.VALUE.next = mismatches;
    to_regs.CYCLES.VALUE.next = cycles;
  end

  masters_regs u_regs (
      .hwif_in (to_regs),
      .hwif_out(from_regs),
      .*
  );

  axm_master_engine #(
      .ADDR_W(ADDR_W),
      .DATA_W(DATA_W),
      .ID_W(ID_W),
      .AXI3(AXI3),
      .IMPROVED(IMPROVED),
      .GAP(GAP),
      .OUTSTANDING(IMPROVED ? OUTSTANDING : 2)
  ) u_engine (
      .start(from_regs.CONTROL.START.value),
      .forget(from_regs.CONTROL.FORGET.value),
      .write(from_regs.CONTROL.WRITE.value),
      .base(base[ADDR_W-1:0]),
      .words(from_regs.WORDS.VALUE.value),
      .burst(FULL ? from_regs.BURST.BEATS.value : 8'd0),
      .seed(from_regs.SEED.VALUE.value),
      .check(from_regs.CONTROL.CHECK.value),
      .timeout(from_regs.TIMEOUT.VALUE.value),
      .*
  );

  // Clocks of the run; the counter stops at its end and says so.
  logic was_busy;

  assign saturated = cycles == '1;

  always_ff @(posedge clk) begin
    was_busy <= busy && !rst;
    if (rst) cycles <= '0;
    else if (busy) cycles <= !was_busy ? 32'd1 : cycles + 32'(!saturated);
  end

endmodule
