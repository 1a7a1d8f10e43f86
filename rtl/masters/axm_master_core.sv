// Registers and machine of a simple master; axm_master_lite and axm_master_full give it its ports.
//
// Purpose      What the two simple masters (block type 10) share; regs/masters.rdl has the software's view.
// Limits       As axm_master_engine. FULL = 0: every burst has one beat.
// Throughput   As axm_master_engine.
// Latency      The first address is valid in the second clock after that of the write to CONTROL.START
//              (the register's effect is in the first).
// Area         see axm_master_full and axm_master_lite.
`include "axm_ports.svh"

module axm_master_core #(
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] DATA_W = 32,
    parameter bit [31:0] ID_W = 1,
    parameter bit AXI3 = 1'b0,
    parameter bit FULL = 1'b1,
    parameter bit IMPROVED = 1'b0,
    parameter bit [31:0] GAP = 4,
    parameter bit [31:0] OUTSTANDING = 16
) (
    `AXM_AXIL_SLAVE(s_axil_, 12, 32)
    output logic        busy,
    output logic [3:0]  cache,
    output logic [2:0]  prot,
    output logic [3:0]  qos,
    `AXM_AXI_CORE_WRITE(m_axi_, ID_W, DATA_W)
    `AXM_AXI_CORE_READ(m_axi_, ID_W, DATA_W)
    input logic clk,
    input logic rst
);

  generate
  if (ADDR_W < 32 || ADDR_W > 64) begin : g_check_addr
    axm_error_ADDR_W_must_be_32_to_64 u_error ();
  end
  if (DATA_W != 32 && DATA_W != 64 && DATA_W != 128 && DATA_W != 256) begin : g_check_data
    axm_error_DATA_W_must_be_32_64_128_or_256 u_error ();
  end
  if (ID_W < 1 || ID_W > 8) begin : g_check_id
    axm_error_ID_W_must_be_1_to_8 u_error ();
  end
  endgenerate

  logic from_regs_CONTROL_START;
  logic from_regs_CONTROL_FORGET;
  logic from_regs_CONTROL_WRITE;
  logic from_regs_CONTROL_CHECK;
  logic [3:0] from_regs_CONTROL_CACHE;
  logic [2:0] from_regs_CONTROL_PROT;
  logic [3:0] from_regs_CONTROL_QOS;
  logic [31:0] from_regs_ADDR_LO_VALUE;
  logic [31:0] from_regs_ADDR_HI_VALUE;
  logic [31:0] from_regs_WORDS_VALUE;
  logic [7:0] from_regs_BURST_BEATS;
  logic [31:0] from_regs_SEED_VALUE;
  logic [31:0] from_regs_TIMEOUT_VALUE;

  logic draining, saturated;
  logic [3:0] cause;
  logic [63:0] base, fault;
  logic [ADDR_W-1:0] cause_addr;
  logic [31:0] moved, mismatches, cycles;

  assign base = {from_regs_ADDR_HI_VALUE, from_regs_ADDR_LO_VALUE};
  assign fault = 64'(cause_addr);
  assign cache = from_regs_CONTROL_CACHE;
  assign prot = from_regs_CONTROL_PROT;
  assign qos = from_regs_CONTROL_QOS;
  generate
  if (ADDR_W < 64) begin : g_unused
    wire unused = &{1'b0, base[63:ADDR_W]};
  end
  endgenerate

  masters_regs u_regs (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      .hwif_in_CAPS_IMPROVED(IMPROVED), .hwif_in_CAPS_FULL(FULL), .hwif_in_CAPS_AXI3(AXI3),
      .hwif_in_CAPS_GAP(4'(GAP)), .hwif_in_CAPS_OUTSTANDING(IMPROVED ? 8'(OUTSTANDING) : 8'd1),
      .hwif_in_CAPS_DATA_BYTES(8'(DATA_W / 8)), .hwif_in_CAPS_ADDR_BITS(8'(ADDR_W)),
      .hwif_in_STATUS_BUSY(busy), .hwif_in_STATUS_DRAINING(draining), .hwif_in_STATUS_CAUSE(cause),
      .hwif_in_STATUS_CYCLES_SATURATED(saturated), .hwif_in_FAULT_LO_VALUE(fault[31:0]),
      .hwif_in_FAULT_HI_VALUE(fault[63:32]), .hwif_in_MOVED_VALUE(moved),
      .hwif_in_MISMATCHES_VALUE(mismatches), .hwif_in_CYCLES_VALUE(cycles),
      .hwif_out_CONTROL_START(from_regs_CONTROL_START),
      .hwif_out_CONTROL_FORGET(from_regs_CONTROL_FORGET),
      .hwif_out_CONTROL_WRITE(from_regs_CONTROL_WRITE), .hwif_out_CONTROL_CHECK(from_regs_CONTROL_CHECK),
      .hwif_out_CONTROL_CACHE(from_regs_CONTROL_CACHE), .hwif_out_CONTROL_PROT(from_regs_CONTROL_PROT),
      .hwif_out_CONTROL_QOS(from_regs_CONTROL_QOS), .hwif_out_ADDR_LO_VALUE(from_regs_ADDR_LO_VALUE),
      .hwif_out_ADDR_HI_VALUE(from_regs_ADDR_HI_VALUE), .hwif_out_WORDS_VALUE(from_regs_WORDS_VALUE),
      .hwif_out_BURST_BEATS(from_regs_BURST_BEATS), .hwif_out_SEED_VALUE(from_regs_SEED_VALUE),
      .hwif_out_TIMEOUT_VALUE(from_regs_TIMEOUT_VALUE), .clk, .rst
  );

  axm_master_engine #(
      .ADDR_W(ADDR_W), .DATA_W(DATA_W), .ID_W(ID_W), .AXI3(AXI3), .IMPROVED(IMPROVED), .GAP(GAP),
      .OUTSTANDING(IMPROVED ? OUTSTANDING : 2)
  ) u_engine (
      `AXM_AXI_CORE_WRITE_LINK(m_axi_, m_axi_),
      `AXM_AXI_CORE_READ_LINK(m_axi_, m_axi_),
      .start(from_regs_CONTROL_START), .forget(from_regs_CONTROL_FORGET), .write(from_regs_CONTROL_WRITE),
      .base(base[ADDR_W-1:0]), .words(from_regs_WORDS_VALUE), .burst(FULL ? from_regs_BURST_BEATS : 8'd0),
      .seed(from_regs_SEED_VALUE), .check(from_regs_CONTROL_CHECK), .timeout(from_regs_TIMEOUT_VALUE),
      .clk, .rst, .busy, .draining, .cause, .cause_addr, .moved, .mismatches
  );

  // Clocks of the run; the counter stops at its end and reports that.
  logic was_busy;

  assign saturated = cycles == '1;

  always_ff @(posedge clk) begin
    was_busy <= busy && !rst;
    if (rst) cycles <= '0;
    else if (busy) cycles <= !was_busy ? 32'd1 : cycles + 32'(!saturated);
  end

endmodule
