// One port of axm_dma_top: DMA engine, what its stream goes to or comes from, and a monitor.
//
// Purpose      MODE 0, duplex: a reading and a writing half joined by a loop-back FIFO. MODE 1, PS to
//              PL: a reading half and a sink. MODE 2, PL to PS: a source and a writing half. MODE 3, copy:
//              both halves joined within the engine; the stream block is a source of which nothing takes.
//              The register buses of the three blocks are 0 DMA engine, 1 stream block, 2 monitor.
// Limits       See the blocks. The monitor runs by its own registers; it sees the port as it is.
// Throughput   One beat a clock in each direction.
// Latency      That of the blocks: nothing is between engine, stream block and port.
// Area         The sum of its blocks.
`include "axm_ports.svh"

module axm_dma_port #(
    parameter bit [31:0] MODE = 0,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] ID_W = 4,
    parameter bit [31:0] USER_W = 1,
    parameter bit AXI3 = 1,
    parameter bit [31:0] MAX_OUTSTANDING = 16,
    parameter bit [31:0] FIFO_BEATS = 512,
    parameter bit [31:0] FORWARD_CYCLES = 4,
    parameter bit UNALIGNED = 0,
    parameter bit RINGS = 0,
    parameter bit [31:0] BYTES = DATA_W / 8  // follows from the others
) (
    output logic              irq,

    // Register buses of the three blocks; address and data are common.
    `AXM_AXIL_SLAVES(3, s_axil_)
    `AXM_AXI_MASTER(m_axi_, ID_W, DATA_W)
    input  logic              clk,
    input  logic              rst
);

  generate
  if (MODE > 3) begin : g_check_mode
    axm_error_MODE_must_be_0_duplex_1_PS_to_PL_2_PL_to_PS_or_3_copy u_error ();
  end
  endgenerate

  localparam bit [31:0] COUNT_W = 16;
  localparam bit READS = MODE != 2;
  localparam bit WRITES = MODE != 1;

  // From the reading half, and to the writing half.
  logic [DATA_W-1:0] out_tdata, in_tdata;
  logic [BYTES-1:0] out_tkeep, in_tkeep;
  logic out_tlast, out_tvalid, out_tready, in_tlast, in_tvalid, in_tready;
  logic [COUNT_W-1:0] room, avail, packets;
  logic rd_active, wr_active;

  axm_dma #(
      .HAS_READ(READS), .HAS_WRITE(WRITES), .COPY(MODE == 3), .RINGS(RINGS), .UNALIGNED(UNALIGNED),
      .ADDR_W(ADDR_W), .DATA_W(DATA_W), .ID_W(ID_W), .USER_W(USER_W), .AXI3(AXI3),
      .MAX_OUTSTANDING(MAX_OUTSTANDING), .COUNT_W(COUNT_W)
  ) u_dma (
      `AXM_AXIL_LINK_SOME(s_axil_, s_axil_, 0, 1),
      `AXM_AXI_LINK(m_axi_, m_axi_),
      .clk, .rst, .irq, .rd_active, .wr_active, .m_axis_room(room), .m_axis_tdata(out_tdata),
      .m_axis_tkeep(out_tkeep), .m_axis_tlast(out_tlast), .m_axis_tvalid(out_tvalid),
      .m_axis_tready(out_tready), .s_axis_avail(avail), .s_axis_packets(packets), .s_axis_tdata(in_tdata),
      .s_axis_tkeep(in_tkeep), .s_axis_tlast(in_tlast), .s_axis_tvalid(in_tvalid),
      .s_axis_tready(in_tready)
  );

  generate
  if (MODE == 0) begin : g_duplex
    localparam bit [31:0] FIFO_W = $clog2(FIFO_BEATS) + 1;
    logic [FIFO_W-1:0] fifo_room, fifo_avail, fifo_packets;
    assign room = COUNT_W'(fifo_room);
    assign avail = COUNT_W'(fifo_avail);
    assign packets = COUNT_W'(fifo_packets);
    axm_stream_loopback #(
        .DATA_W(DATA_W), .DEPTH(FIFO_BEATS), .FORWARD_CYCLES(FORWARD_CYCLES)
    ) u_loopback (
        `AXM_AXIL_LINK_SOME(s_axil_, s_axil_, 1, 1),
        .clk, .rst, .s_axis_tdata(out_tdata), .s_axis_tkeep(out_tkeep), .s_axis_tlast(out_tlast),
        .s_axis_tvalid(out_tvalid), .s_axis_tready(out_tready), .s_axis_room(fifo_room),
        .m_axis_tdata(in_tdata), .m_axis_tkeep(in_tkeep), .m_axis_tlast(in_tlast),
        .m_axis_tvalid(in_tvalid), .m_axis_tready(in_tready), .m_axis_avail(fifo_avail),
        .m_axis_packets(fifo_packets)
    );
  end else if (MODE == 1) begin : g_sink
    wire unused = &{1'b0, in_tready};
    assign {in_tdata, in_tkeep, in_tlast, in_tvalid, avail, packets} = '0;
    axm_stream_sink #(.DATA_W(DATA_W), .COUNT_W(COUNT_W)) u_sink (
        `AXM_AXIL_LINK_SOME(s_axil_, s_axil_, 1, 1),
        .clk, .rst, .s_axis_tdata(out_tdata), .s_axis_tkeep(out_tkeep), .s_axis_tlast(out_tlast),
        .s_axis_tvalid(out_tvalid), .s_axis_tready(out_tready), .s_axis_room(room)
    );
  end else begin : g_source
    wire unused = &{1'b0, out_tdata, out_tkeep, out_tlast, out_tvalid};
    assign {out_tready, room} = '0;
    axm_stream_source #(.DATA_W(DATA_W), .COUNT_W(COUNT_W)) u_source (
        `AXM_AXIL_LINK_SOME(s_axil_, s_axil_, 1, 1),
        .clk, .rst, .m_axis_tdata(in_tdata), .m_axis_tkeep(in_tkeep), .m_axis_tlast(in_tlast),
        .m_axis_tvalid(in_tvalid), .m_axis_tready(in_tready), .m_axis_avail(avail),
        .m_axis_packets(packets)
    );
  end
  endgenerate

  logic watching;
  wire unused_watching = &{1'b0, watching};
  axm_monitor #(.DATA_W(DATA_W), .ID_W(ID_W)) u_monitor (
      `AXM_AXIL_LINK_SOME(s_axil_, s_axil_, 2, 1),
      .clk, .rst, .start(1'b0), .stop(1'b0), .clear(1'b0), .snapshot(1'b0), .running(watching),
      .read_wants(rd_active), .mon_axi_arvalid(m_axi_arvalid), .mon_axi_arready(m_axi_arready),
      .mon_axi_arid(m_axi_arid), .mon_axi_arlen(m_axi_arlen), .mon_axi_arsize(m_axi_arsize),
      .mon_axi_rvalid(m_axi_rvalid), .mon_axi_rready(m_axi_rready), .mon_axi_rlast(m_axi_rlast),
      .mon_axi_rid(m_axi_rid), .write_wants(wr_active), .mon_axi_awvalid(m_axi_awvalid),
      .mon_axi_awready(m_axi_awready), .mon_axi_awid(m_axi_awid), .mon_axi_awlen(m_axi_awlen),
      .mon_axi_awsize(m_axi_awsize), .mon_axi_wvalid(m_axi_wvalid), .mon_axi_wready(m_axi_wready),
      .mon_axi_wlast(m_axi_wlast), .mon_axi_bvalid(m_axi_bvalid), .mon_axi_bready(m_axi_bready),
      .mon_axi_bid(m_axi_bid)
  );

endmodule
