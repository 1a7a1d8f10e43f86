// Multiplexer with registers (type 12): axm_mux and the register block that reports its faults.
//
// Purpose      What a top instantiates; regs/mux.rdl says what software sees.
// Limits       As axm_mux.
// Throughput   As axm_mux.
// Latency      As axm_mux.
// Area         N = 4, 64 bit, ID_W = 4: xc7 646 LUT, 227 FF; Cyclone V 711 ALUT, 227 FF (area.toml).
module axm_mux_block #(
    parameter int unsigned N = 4,
    parameter int unsigned ADDR_W = 32,
    parameter int unsigned DATA_W = 64,
    parameter int unsigned ID_W = 4,
    parameter int unsigned USER_W = 1,
    parameter bit AXI3 = 1'b0,
    parameter bit REGISTERED = 1'b0,
    parameter int unsigned ORDER_DEPTH = 8,
    parameter int unsigned LIMIT = 64,
    parameter int unsigned TIMEOUT = 65536,
    localparam int unsigned NUM_W = $clog2(N),
    localparam int unsigned STRB_W = DATA_W / 8,
    localparam int unsigned M_ID_W = ID_W + NUM_W
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

    input  logic [N-1:0][ID_W-1:0]      s_axi_awid,
    input  logic [N-1:0][ADDR_W-1:0]    s_axi_awaddr,
    input  logic [N-1:0][7:0]           s_axi_awlen,
    input  logic [N-1:0][2:0]           s_axi_awsize,
    input  logic [N-1:0][1:0]           s_axi_awburst,
    input  logic [N-1:0][1:0]           s_axi_awlock,
    input  logic [N-1:0][3:0]           s_axi_awcache,
    input  logic [N-1:0][2:0]           s_axi_awprot,
    input  logic [N-1:0][3:0]           s_axi_awqos,
    input  logic [N-1:0][USER_W-1:0]    s_axi_awuser,
    input  logic [N-1:0]                s_axi_awvalid,
    output logic [N-1:0]                s_axi_awready,
    input  logic [N-1:0][ID_W-1:0]      s_axi_wid,
    input  logic [N-1:0][DATA_W-1:0]    s_axi_wdata,
    input  logic [N-1:0][DATA_W/8-1:0]  s_axi_wstrb,
    input  logic [N-1:0]                s_axi_wlast,
    input  logic [N-1:0]                s_axi_wvalid,
    output logic [N-1:0]                s_axi_wready,
    output logic [N-1:0][ID_W-1:0]      s_axi_bid,
    output logic [N-1:0][1:0]           s_axi_bresp,
    output logic [N-1:0]                s_axi_bvalid,
    input  logic [N-1:0]                s_axi_bready,
    input  logic [N-1:0][ID_W-1:0]      s_axi_arid,
    input  logic [N-1:0][ADDR_W-1:0]    s_axi_araddr,
    input  logic [N-1:0][7:0]           s_axi_arlen,
    input  logic [N-1:0][2:0]           s_axi_arsize,
    input  logic [N-1:0][1:0]           s_axi_arburst,
    input  logic [N-1:0][1:0]           s_axi_arlock,
    input  logic [N-1:0][3:0]           s_axi_arcache,
    input  logic [N-1:0][2:0]           s_axi_arprot,
    input  logic [N-1:0][3:0]           s_axi_arqos,
    input  logic [N-1:0][USER_W-1:0]    s_axi_aruser,
    input  logic [N-1:0]                s_axi_arvalid,
    output logic [N-1:0]                s_axi_arready,
    output logic [N-1:0][ID_W-1:0]      s_axi_rid,
    output logic [N-1:0][DATA_W-1:0]    s_axi_rdata,
    output logic [N-1:0][1:0]           s_axi_rresp,
    output logic [N-1:0]                s_axi_rlast,
    output logic [N-1:0]                s_axi_rvalid,
    input  logic [N-1:0]                s_axi_rready,
    output logic [M_ID_W-1:0]           m_axi_awid,
    output logic [ADDR_W-1:0]           m_axi_awaddr,
    output logic [7:0]                  m_axi_awlen,
    output logic [2:0]                  m_axi_awsize,
    output logic [1:0]                  m_axi_awburst,
    output logic [1:0]                  m_axi_awlock,
    output logic [3:0]                  m_axi_awcache,
    output logic [2:0]                  m_axi_awprot,
    output logic [3:0]                  m_axi_awqos,
    output logic [USER_W-1:0]           m_axi_awuser,
    output logic                        m_axi_awvalid,
    input  logic                        m_axi_awready,
    output logic [M_ID_W-1:0]           m_axi_wid,
    output logic [DATA_W-1:0]           m_axi_wdata,
    output logic [DATA_W/8-1:0]         m_axi_wstrb,
    output logic                        m_axi_wlast,
    output logic                        m_axi_wvalid,
    input  logic                        m_axi_wready,
    input  logic [M_ID_W-1:0]           m_axi_bid,
    input  logic [1:0]                  m_axi_bresp,
    input  logic                        m_axi_bvalid,
    output logic                        m_axi_bready,
    output logic [M_ID_W-1:0]           m_axi_arid,
    output logic [ADDR_W-1:0]           m_axi_araddr,
    output logic [7:0]                  m_axi_arlen,
    output logic [2:0]                  m_axi_arsize,
    output logic [1:0]                  m_axi_arburst,
    output logic [1:0]                  m_axi_arlock,
    output logic [3:0]                  m_axi_arcache,
    output logic [2:0]                  m_axi_arprot,
    output logic [3:0]                  m_axi_arqos,
    output logic [USER_W-1:0]           m_axi_aruser,
    output logic                        m_axi_arvalid,
    input  logic                        m_axi_arready,
    input  logic [M_ID_W-1:0]           m_axi_rid,
    input  logic [DATA_W-1:0]           m_axi_rdata,
    input  logic [1:0]                  m_axi_rresp,
    input  logic                        m_axi_rlast,
    input  logic                        m_axi_rvalid,
    output logic                        m_axi_rready
);

  mux_regs_pkg::axm_mux__in_t  to_regs;
  mux_regs_pkg::axm_mux__out_t from_regs;

  logic clear, fault_valid;
  logic [N-1:0] readmit, isolated_write, deaf_write, isolated_read;
  logic [2:0] fault_cause, fault_master;
  logic [ID_W-1:0] fault_id;
  logic [15:0] fault_count;

  assign clear = from_regs.CONTROL.CLEAR.value;
  assign readmit = from_regs.CONTROL.READMIT.value[N-1:0];
  if (N < 8) begin : g_unused
    wire unused = &{1'b0, from_regs.CONTROL.READMIT.value[7:N]};
  end

  always_comb begin
    to_regs.CAPS.MASTERS.next = 4'(N);
    to_regs.CAPS.REGISTERED.next = REGISTERED;
    to_regs.CAPS.AXI3.next = AXI3;
    to_regs.CAPS.ID_BITS.next = 4'(ID_W);
    to_regs.CAPS.DATA_BYTES.next = 8'(STRB_W);
    to_regs.CAPS.LIMIT.next = 8'(LIMIT);
    to_regs.CAPS2.TIMEOUT.next = 32'(TIMEOUT);
    to_regs.STATUS.WRITE_OFF.next = 8'(isolated_write);
    to_regs.STATUS.RESPONSE_OFF.next = 8'(deaf_write);
    to_regs.STATUS.READ_OFF.next = 8'(isolated_read);
    to_regs.FAULT.CAUSE.next = fault_cause;
    to_regs.FAULT.MASTER.next = fault_master;
    to_regs.FAULT.STRAY_ID.next = 8'(fault_id);
    to_regs.FAULT.VALID.next = fault_valid;
    to_regs.COUNT.FAULTS.next = fault_count;
  end

  mux_regs u_regs (
      .hwif_in (to_regs),
      .hwif_out(from_regs),
      .*
  );

  axm_mux #(
      .N(N),
      .ADDR_W(ADDR_W),
      .DATA_W(DATA_W),
      .ID_W(ID_W),
      .USER_W(USER_W),
      .AXI3(AXI3),
      .REGISTERED(REGISTERED),
      .ORDER_DEPTH(ORDER_DEPTH),
      .LIMIT(LIMIT),
      .TIMEOUT(TIMEOUT)
  ) u_mux (
      .*
  );

endmodule
