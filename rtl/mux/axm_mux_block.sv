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
    parameter int unsigned NUM_W = $clog2(N),  // follows from the others
    parameter int unsigned STRB_W = DATA_W / 8,  // follows from the others
    parameter int unsigned M_ID_W = ID_W + NUM_W  // follows from the others
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

    input  logic [N*ID_W-1:0]      s_axi_awid,
    input  logic [N*ADDR_W-1:0]    s_axi_awaddr,
    input  logic [N*8-1:0]           s_axi_awlen,
    input  logic [N*3-1:0]           s_axi_awsize,
    input  logic [N*2-1:0]           s_axi_awburst,
    input  logic [N*2-1:0]           s_axi_awlock,
    input  logic [N*4-1:0]           s_axi_awcache,
    input  logic [N*3-1:0]           s_axi_awprot,
    input  logic [N*4-1:0]           s_axi_awqos,
    input  logic [N*USER_W-1:0]    s_axi_awuser,
    input  logic [N-1:0]                s_axi_awvalid,
    output logic [N-1:0]                s_axi_awready,
    input  logic [N*ID_W-1:0]      s_axi_wid,
    input  logic [N*DATA_W-1:0]    s_axi_wdata,
    input  logic [N*DATA_W/8-1:0]  s_axi_wstrb,
    input  logic [N-1:0]                s_axi_wlast,
    input  logic [N-1:0]                s_axi_wvalid,
    output logic [N-1:0]                s_axi_wready,
    output logic [N*ID_W-1:0]      s_axi_bid,
    output logic [N*2-1:0]           s_axi_bresp,
    output logic [N-1:0]                s_axi_bvalid,
    input  logic [N-1:0]                s_axi_bready,
    input  logic [N*ID_W-1:0]      s_axi_arid,
    input  logic [N*ADDR_W-1:0]    s_axi_araddr,
    input  logic [N*8-1:0]           s_axi_arlen,
    input  logic [N*3-1:0]           s_axi_arsize,
    input  logic [N*2-1:0]           s_axi_arburst,
    input  logic [N*2-1:0]           s_axi_arlock,
    input  logic [N*4-1:0]           s_axi_arcache,
    input  logic [N*3-1:0]           s_axi_arprot,
    input  logic [N*4-1:0]           s_axi_arqos,
    input  logic [N*USER_W-1:0]    s_axi_aruser,
    input  logic [N-1:0]                s_axi_arvalid,
    output logic [N-1:0]                s_axi_arready,
    output logic [N*ID_W-1:0]      s_axi_rid,
    output logic [N*DATA_W-1:0]    s_axi_rdata,
    output logic [N*2-1:0]           s_axi_rresp,
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

  logic from_regs_CONTROL_CLEAR;
  logic [7:0] from_regs_CONTROL_READMIT;

  logic clear, fault_valid;
  logic [N-1:0] readmit, isolated_write, deaf_write, isolated_read;
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
      .hwif_in_CAPS_MASTERS(4'(N)), .hwif_in_CAPS_REGISTERED(REGISTERED), .hwif_in_CAPS_AXI3(AXI3),
      .hwif_in_CAPS_ID_BITS(4'(ID_W)), .hwif_in_CAPS_DATA_BYTES(8'(STRB_W)),
      .hwif_in_CAPS_LIMIT(8'(LIMIT)), .hwif_in_CAPS2_TIMEOUT(32'(TIMEOUT)),
      .hwif_in_STATUS_WRITE_OFF(8'(isolated_write)), .hwif_in_STATUS_RESPONSE_OFF(8'(deaf_write)),
      .hwif_in_STATUS_READ_OFF(8'(isolated_read)), .hwif_in_FAULT_CAUSE(fault_cause),
      .hwif_in_FAULT_MASTER(fault_master), .hwif_in_FAULT_STRAY_ID(8'(fault_id)),
      .hwif_in_FAULT_VALID(fault_valid), .hwif_in_COUNT_FAULTS(fault_count),
      .hwif_out_CONTROL_CLEAR(from_regs_CONTROL_CLEAR),
      .hwif_out_CONTROL_READMIT(from_regs_CONTROL_READMIT),
      .clk, .rst, .s_axil_awaddr, .s_axil_awprot, .s_axil_awvalid, .s_axil_awready, .s_axil_wdata,
      .s_axil_wstrb, .s_axil_wvalid, .s_axil_wready, .s_axil_bresp, .s_axil_bvalid, .s_axil_bready,
      .s_axil_araddr, .s_axil_arprot, .s_axil_arvalid, .s_axil_arready, .s_axil_rdata,
      .s_axil_rresp, .s_axil_rvalid, .s_axil_rready
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
      .clk, .rst, .s_axi_awid, .s_axi_awaddr, .s_axi_awlen, .s_axi_awsize, .s_axi_awburst,
      .s_axi_awlock, .s_axi_awcache, .s_axi_awprot, .s_axi_awqos, .s_axi_awuser, .s_axi_awvalid,
      .s_axi_awready, .s_axi_wid, .s_axi_wdata, .s_axi_wstrb, .s_axi_wlast, .s_axi_wvalid,
      .s_axi_wready, .s_axi_bid, .s_axi_bresp, .s_axi_bvalid, .s_axi_bready, .s_axi_arid,
      .s_axi_araddr, .s_axi_arlen, .s_axi_arsize, .s_axi_arburst, .s_axi_arlock, .s_axi_arcache,
      .s_axi_arprot, .s_axi_arqos, .s_axi_aruser, .s_axi_arvalid, .s_axi_arready, .s_axi_rid,
      .s_axi_rdata, .s_axi_rresp, .s_axi_rlast, .s_axi_rvalid, .s_axi_rready, .m_axi_awid,
      .m_axi_awaddr, .m_axi_awlen, .m_axi_awsize, .m_axi_awburst, .m_axi_awlock, .m_axi_awcache,
      .m_axi_awprot, .m_axi_awqos, .m_axi_awuser, .m_axi_awvalid, .m_axi_awready, .m_axi_wid,
      .m_axi_wdata, .m_axi_wstrb, .m_axi_wlast, .m_axi_wvalid, .m_axi_wready, .m_axi_bid,
      .m_axi_bresp, .m_axi_bvalid, .m_axi_bready, .m_axi_arid, .m_axi_araddr, .m_axi_arlen,
      .m_axi_arsize, .m_axi_arburst, .m_axi_arlock, .m_axi_arcache, .m_axi_arprot, .m_axi_arqos,
      .m_axi_aruser, .m_axi_arvalid, .m_axi_arready, .m_axi_rid, .m_axi_rdata, .m_axi_rresp,
      .m_axi_rlast, .m_axi_rvalid, .m_axi_rready, .clear, .readmit, .isolated_write, .deaf_write,
      .isolated_read, .fault_valid, .fault_cause, .fault_master, .fault_id, .fault_count
  );

endmodule
