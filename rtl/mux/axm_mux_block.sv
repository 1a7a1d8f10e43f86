// Multiplexer with registers (type 12): axm_mux and the register block that reports its faults.
//
// Purpose      The block that a top instantiates; regs/mux.rdl has the software's view.
// Limits       As axm_mux.
// Throughput   As axm_mux.
// Latency      As axm_mux.
// Area         N = 4, 64 bit, ID_W = 4: xc7 710 LUT, 270 FF; Cyclone V 927 ALUT, 288 FF (area.toml).
`include "axm_ports.svh"

module axm_mux_block #(
    parameter bit [31:0] N = 4,
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] ID_W = 4,
    parameter bit [31:0] USER_W = 1,
    parameter bit AXI3 = 1'b0,
    parameter bit REGISTERED = 1'b0,
    parameter bit [31:0] ORDER_DEPTH = 8,
    parameter bit [31:0] LIMIT = 64,
    parameter bit [31:0] TIMEOUT = 65536,
    parameter bit [31:0] NUM_W = $clog2(N),  // follows from the others
    parameter bit [31:0] STRB_W = DATA_W / 8,  // follows from the others
    parameter bit [31:0] M_ID_W = ID_W + NUM_W  // follows from the others
) (
    `AXM_AXIL_SLAVE(s_axil_, 12, 32)
    `AXM_AXI_SLAVES(N, s_axi_, ID_W, DATA_W)
    `AXM_AXI_MASTER(m_axi_, M_ID_W, DATA_W)
    input logic clk,
    input logic rst
);

  logic from_regs_CONTROL_CLEAR;
  logic [7:0] from_regs_CONTROL_READMIT;

  logic clear, fault_valid;
  logic [N-1:0] readmit, isolated_write, isolated_response, isolated_read;
  logic [2:0] fault_cause, fault_master;
  logic [ID_W-1:0] fault_id;
  logic [15:0] fault_count;

  assign clear = from_regs_CONTROL_CLEAR;
  assign readmit = from_regs_CONTROL_READMIT[N-1:0];
  generate
  if (N < 8) begin : g_unused
    wire unused = &{1'b0, from_regs_CONTROL_READMIT[7:N]};
  end
  endgenerate

  mux_regs u_regs (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      .hwif_in_CAPS_MASTERS(4'(N)), .hwif_in_CAPS_REGISTERED(REGISTERED), .hwif_in_CAPS_AXI3(AXI3),
      .hwif_in_CAPS_ID_BITS(4'(ID_W)), .hwif_in_CAPS_DATA_BYTES(8'(STRB_W)),
      .hwif_in_CAPS_LIMIT(8'(LIMIT)), .hwif_in_CAPS2_TIMEOUT(32'(TIMEOUT)),
      .hwif_in_STATUS_WRITE_OFF(8'(isolated_write)), .hwif_in_STATUS_RESPONSE_OFF(8'(isolated_response)),
      .hwif_in_STATUS_READ_OFF(8'(isolated_read)), .hwif_in_FAULT_CAUSE(fault_cause),
      .hwif_in_FAULT_MASTER(fault_master), .hwif_in_FAULT_STRAY_ID(8'(fault_id)),
      .hwif_in_FAULT_VALID(fault_valid), .hwif_in_COUNT_FAULTS(fault_count),
      .hwif_out_CONTROL_CLEAR(from_regs_CONTROL_CLEAR),
      .hwif_out_CONTROL_READMIT(from_regs_CONTROL_READMIT), .clk, .rst
  );

  axm_mux #(
      .N(N), .ADDR_W(ADDR_W), .DATA_W(DATA_W), .ID_W(ID_W), .USER_W(USER_W), .AXI3(AXI3),
      .REGISTERED(REGISTERED), .ORDER_DEPTH(ORDER_DEPTH), .LIMIT(LIMIT), .TIMEOUT(TIMEOUT)
  ) u_mux (
      `AXM_AXI_LINK(s_axi_, s_axi_),
      `AXM_AXI_LINK(m_axi_, m_axi_),
      .clk, .rst, .clear, .readmit, .isolated_write, .isolated_response, .isolated_read, .fault_valid,
      .fault_cause, .fault_master, .fault_id, .fault_count
  );

endmodule
