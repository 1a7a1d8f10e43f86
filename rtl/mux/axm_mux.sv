// Multiplexer: 2 to 8 AXI masters on one port.
//
// Purpose      Lets several traffic generators or DMA engines share a port of the processor. Each
//              direction chooses by round robin, a burst at a time. The number of the master is put
//              above its ID, and responses go back by it.
// Limits       Masters have ID_W bits of ID, the port ID_W + $clog2(N). W is in the order of AW (no
//              interleaving, in AXI3 neither). Bursts without data: ORDER_DEPTH (a power of two, 2 to
//              64); bursts of a master in flight in a direction: LIMIT (1 to 255). A master holds
//              VALID until READY, as AXI demands.
// Throughput   One address, beat and response a clock in each direction, none lost between bursts.
// Latency      REGISTERED = 0: none, all channels are combinational. REGISTERED = 1: one clock a
//              channel, and no combinational path from the masters to the port or back; while an
//              address waits for the port, its first beats may be there before it, as AXI allows.
// Faults       A failing master is cut off and the others go on; see axm_mux_write and axm_mux_read. A
//              response without a waiting master is dropped. Causes: 1 B, 2 R without a master, 3 no
//              W data for TIMEOUT clocks, 4 WLAST early or late, 5 wrong WID, 6 B and 7 R not taken for
//              TIMEOUT clocks. The first since `clear` is recorded; all are counted, up to 2^16 - 1.
// Area         N = 4, 64 bit, ID_W = 4: xc7 663 LUT, 231 FF; Cyclone V 889 ALUT, 249 FF (area.toml).
`include "axm_ports.svh"

module axm_mux #(
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
    input logic clk,
    input logic rst,
    `AXM_AXI_SLAVES(N, s_axi_, ID_W, DATA_W)
    `AXM_AXI_MASTER(m_axi_, M_ID_W, DATA_W)

    input  logic              clear,            // clears the recorded fault, and the count
    input  logic [     N-1:0] readmit,          // held until the master's bits below are 0
    output logic [     N-1:0] isolated_write,
    output logic [     N-1:0] isolated_response,
    output logic [     N-1:0] isolated_read,
    output logic              fault_valid,
    output logic [       2:0] fault_cause,
    output logic [       2:0] fault_master,     // or the same bits of a stray ID
    output logic [  ID_W-1:0] fault_id,         // of a stray response
    output logic [      15:0] fault_count
);

  genvar k;
  generate
  if (N < 2 || N > 8) begin : g_check_n
    axm_error_N_must_be_2_to_8 u_error ();
  end
  if (ADDR_W < 32 || ADDR_W > 64) begin : g_check_addr
    axm_error_ADDR_W_must_be_32_to_64 u_error ();
  end
  if (DATA_W != 32 && DATA_W != 64 && DATA_W != 128 && DATA_W != 256) begin : g_check_data
    axm_error_DATA_W_must_be_32_64_128_or_256 u_error ();
  end
  if (ID_W < 1 || ID_W > 8) begin : g_check_id
    axm_error_ID_W_must_be_1_to_8 u_error ();
  end
  if (USER_W < 1) begin : g_check_user
    axm_error_USER_W_must_be_at_least_1 u_error ();
  end
  if (ORDER_DEPTH < 2 || ORDER_DEPTH > 64 || (ORDER_DEPTH & (ORDER_DEPTH - 1)) != 0) begin : g_check_order
    axm_error_ORDER_DEPTH_must_be_a_power_of_two_from_2_to_64 u_error ();
  end
  if (LIMIT < 1 || LIMIT > 255) begin : g_check_limit
    axm_error_LIMIT_must_be_1_to_255 u_error ();
  end
  endgenerate

  // The part of an address that is only passed on.
  localparam bit [31:0] PASS_W = ADDR_W + 3 + 2 + 2 + 4 + 3 + 4 + USER_W;

  logic [N*PASS_W-1:0] aw;
  logic [N*(PASS_W+8)-1:0] ar;

  generate
  for (k = 0; k < N; k++) begin : g_pack
    assign aw[PASS_W*k+:PASS_W] = {
      s_axi_awaddr[ADDR_W*k+:ADDR_W], s_axi_awsize[3*k+:3], s_axi_awburst[2*k+:2], s_axi_awlock[2*k+:2],
      s_axi_awcache[4*k+:4], s_axi_awprot[3*k+:3], s_axi_awqos[4*k+:4], s_axi_awuser[USER_W*k+:USER_W]
    };
    assign ar[(PASS_W+8)*k+:(PASS_W+8)] = {
      s_axi_arlen[8*k+:8], s_axi_araddr[ADDR_W*k+:ADDR_W], s_axi_arsize[3*k+:3], s_axi_arburst[2*k+:2],
      s_axi_arlock[2*k+:2],
      s_axi_arcache[4*k+:4], s_axi_arprot[3*k+:3], s_axi_arqos[4*k+:4], s_axi_aruser[USER_W*k+:USER_W]
    };
  end
  endgenerate

  logic [PASS_W-1:0] i_aw;
  logic [PASS_W+7:0] i_ar;
  logic [7:0] i_awlen;
  logic [M_ID_W-1:0] i_awid, i_wid, i_bid, i_arid, i_rid;
  logic [DATA_W-1:0] i_wdata, i_rdata;
  logic [STRB_W-1:0] i_wstrb;
  logic [1:0] i_bresp, i_rresp;
  logic i_wlast, i_rlast;
  logic i_awvalid, i_awready, i_wvalid, i_wready, i_bvalid, i_bready;
  logic i_arvalid, i_arready, i_rvalid, i_rready;

  logic stray_b, stray_r;
  logic [N-1:0] late_w, bad_last, bad_wid, late_b, late_r;

  axm_mux_write #(
      .N(N), .AW_W(PASS_W), .ID_W(ID_W), .DATA_W(DATA_W), .AXI3(AXI3), .ORDER_DEPTH(ORDER_DEPTH),
      .LIMIT(LIMIT), .TIMEOUT(TIMEOUT)
  ) u_write (
      `AXM_AXI_WRITE_DATA_LINK(s_, s_axi_),
      `AXM_AXI_WRITE_DATA_LINK(m_, i_),
      .clk, .rst, .s_aw(aw), .s_awid(s_axi_awid), .s_awlen(s_axi_awlen), .s_awvalid(s_axi_awvalid),
      .s_awready(s_axi_awready), .m_aw(i_aw), .m_awid(i_awid), .m_awlen(i_awlen),
      .m_awvalid(i_awvalid), .m_awready(i_awready), .release_one(readmit),
      .isolated(isolated_write), .isolated_response(isolated_response), .stray(stray_b),
      .late_data(late_w), .bad_last, .bad_wid, .late_response(late_b)
  );

  axm_mux_read #(
      .N(N), .AR_W(PASS_W + 8), .ID_W(ID_W), .DATA_W(DATA_W), .LIMIT(LIMIT), .TIMEOUT(TIMEOUT)
  ) u_read (
      `AXM_AXI_READ_DATA_LINK(s_, s_axi_),
      `AXM_AXI_READ_DATA_LINK(m_, i_),
      .clk, .rst, .s_ar(ar), .s_arid(s_axi_arid), .s_arvalid(s_axi_arvalid), .s_arready(s_axi_arready),
      .m_ar(i_ar), .m_arid(i_arid), .m_arvalid(i_arvalid), .m_arready(i_arready), .release_one(readmit),
      .isolated(isolated_read), .stray(stray_r), .late_data(late_r)
  );

  // The port's side of each channel: a register slice, or nothing.
  axm_skid #(
      .WIDTH(PASS_W + 8 + M_ID_W), .PASS(!REGISTERED)
  ) u_aw (
      .clk, .rst, .in_data({i_aw, i_awlen, i_awid}), .in_valid(i_awvalid), .in_ready(i_awready),
      .out_data({
        m_axi_awaddr, m_axi_awsize, m_axi_awburst, m_axi_awlock, m_axi_awcache, m_axi_awprot,
        m_axi_awqos, m_axi_awuser, m_axi_awlen, m_axi_awid
      }),
      .out_valid(m_axi_awvalid), .out_ready(m_axi_awready)
  );
  axm_skid #(
      .WIDTH(M_ID_W + DATA_W + STRB_W + 1), .PASS(!REGISTERED)
  ) u_w (
      .clk, .rst, .in_data({i_wid, i_wdata, i_wstrb, i_wlast}), .in_valid(i_wvalid), .in_ready(i_wready),
      .out_data({m_axi_wid, m_axi_wdata, m_axi_wstrb, m_axi_wlast}), .out_valid(m_axi_wvalid),
      .out_ready(m_axi_wready)
  );
  axm_skid #(
      .WIDTH(M_ID_W + 2), .PASS(!REGISTERED)
  ) u_b (
      .clk, .rst, .in_data({m_axi_bid, m_axi_bresp}), .in_valid(m_axi_bvalid), .in_ready(m_axi_bready),
      .out_data({i_bid, i_bresp}), .out_valid(i_bvalid), .out_ready(i_bready)
  );
  axm_skid #(
      .WIDTH(PASS_W + 8 + M_ID_W), .PASS(!REGISTERED)
  ) u_ar (
      .clk, .rst, .in_data({i_ar, i_arid}), .in_valid(i_arvalid), .in_ready(i_arready),
      .out_data({
        m_axi_arlen, m_axi_araddr, m_axi_arsize, m_axi_arburst, m_axi_arlock, m_axi_arcache,
        m_axi_arprot, m_axi_arqos, m_axi_aruser, m_axi_arid
      }),
      .out_valid(m_axi_arvalid), .out_ready(m_axi_arready)
  );
  axm_skid #(
      .WIDTH(M_ID_W + DATA_W + 3), .PASS(!REGISTERED)
  ) u_r (
      .clk, .rst, .in_data({m_axi_rid, m_axi_rdata, m_axi_rresp, m_axi_rlast}), .in_valid(m_axi_rvalid),
      .in_ready(m_axi_rready), .out_data({i_rid, i_rdata, i_rresp, i_rlast}), .out_valid(i_rvalid),
      .out_ready(i_rready)
  );

  axm_mux_log #(
      .N(N), .ID_W(ID_W)
  ) u_log (
      .clk, .rst, .clear, .stray_b, .stray_b_id(i_bid), .stray_r, .stray_r_id(i_rid), .late_w, .bad_last,
      .bad_wid, .late_b, .late_r, .fault_valid, .fault_cause, .fault_master, .fault_id, .fault_count
  );

endmodule
