// The descriptor rings of a DMA engine, and their place between queues, engines and bus.
//
// Purpose      One ring a half (a copy: one, of the writing half). While a ring is enabled, or has transfers
//              under way, its transfers go to the engine instead of the queue's.
// Limits       A ring is to be enabled while its half is idle.
// Throughput   See axm_dma_ring and axm_dma_share.
`include "axm_ports.svh"

module axm_dma_rings #(
    parameter bit HAS_READ = 1,
    parameter bit HAS_WRITE = 1,
    parameter bit COPY = 0,
    parameter bit UNALIGNED = 0,
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] ID_W = 4,
    parameter bit [31:0] DEPTH = 16
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                tick,
    output logic                ring_fault,
    input  logic [         3:0] cfg_cache,       // of descriptors
    input  logic [         2:0] cfg_prot,
    output logic                rd_idle,         // of its ring
    output logic                rd_stopping,     // a fault is pending, and the ring is not idle
    input  logic                rd_works,        // the engine is busy
    output logic                wr_idle,
    output logic                wr_stopping,
    input  logic                wr_works,
    // Reading half; in a copy it follows the ring of the writing half
    input  logic                rd_enable,
    input  logic [         3:0] rd_log2,
    input  logic [  ADDR_W-1:0] rd_base,
    input  logic [        15:0] rd_posted,
    output logic [        15:0] rd_finished,
    output logic [         3:0] rd_code,
    input  logic                rd_dead,
    input  logic                rd_forget,
    output logic                rd_by_ring,      // transfers come from the ring
    output logic                rd_notify,
    input  logic                rd_queue_valid,
    input  logic [  ADDR_W-1:0] rd_queue_addr,
    input  logic [        31:0] rd_queue_bytes,
    input  logic                rd_queue_last,
    input  logic [$clog2(DATA_W/8)-1:0] rd_queue_lane,
    output logic                rd_cmd_last,
    output logic [$clog2(DATA_W/8)-1:0] rd_cmd_lane,
    output logic                rd_cmd_valid,
    input  logic                rd_cmd_ready,
    output logic [  ADDR_W-1:0] rd_cmd_addr,
    output logic [        31:0] rd_cmd_bytes,
    input  logic                rd_done_valid,
    input  logic [         3:0] rd_done_code,
    input  logic [        31:0] rd_done_bytes,
    // Writing half
    input  logic                wr_enable,
    input  logic [         3:0] wr_log2,
    input  logic [  ADDR_W-1:0] wr_base,
    input  logic [        15:0] wr_posted,
    output logic [        15:0] wr_finished,
    output logic [         3:0] wr_code,
    input  logic                wr_dead,
    input  logic                wr_forget,
    output logic                wr_by_ring,      // transfers come from the ring
    output logic                wr_notify,
    input  logic                wr_queue_valid,
    input  logic [  ADDR_W-1:0] wr_queue_addr,
    input  logic [        31:0] wr_queue_bytes,
    output logic                wr_cmd_valid,
    input  logic                wr_cmd_ready,
    output logic [  ADDR_W-1:0] wr_cmd_addr,
    output logic [        31:0] wr_cmd_bytes,
    input  logic                wr_done_valid,
    input  logic [         3:0] wr_done_code,
    input  logic                wr_done_source,
    input  logic                wr_done_packet,
    input  logic [        31:0] wr_done_bytes,
    // The bus as the halves see it, and the bus
    `AXM_AXI_HALF(input, output, half_, DATA_W)
    `AXM_AXI_HALF(output, input, m_axi_, DATA_W)
    `AXM_AXI_IDS(output, input, m_axi_, ID_W)
    input  logic [  DATA_W-1:0] m_axi_rdata,
    input  logic [         1:0] m_axi_rresp,
    input  logic                m_axi_rlast,
    input  logic [         1:0] m_axi_bresp
);

  logic [ADDR_W*2-1:0] ring_araddr, ring_awaddr;
  logic [1:0] ring_arvalid, ring_arready, ring_rvalid;
  logic [1:0] ring_awvalid, ring_awready, ring_bvalid;
  logic [1:0] ring_fetching, ring_returning;
  logic [DATA_W*2-1:0] ring_wdata;
  logic [DATA_W/8*2-1:0] ring_wstrb;
  logic [1:0] ring_wlast, ring_wvalid, ring_wready;
  wire bus_moves = m_axi_rvalid || m_axi_bvalid || (m_axi_wvalid && m_axi_wready);

  axm_dma_share #(
      .ADDR_W(ADDR_W), .DATA_W(DATA_W), .ID_W(ID_W)
  ) u_share (
      `AXM_AXI_HALF_LINK(half_, half_),
      `AXM_AXI_HALF_LINK(m_axi_, m_axi_),
      `AXM_AXI_IDS_LINK(m_axi_, m_axi_),
      .rst(rst || rd_forget || wr_forget), .clk, .ring_cache(cfg_cache), .ring_prot(cfg_prot),
      .ring_araddr, .ring_arvalid, .ring_arready, .ring_rvalid,
      .ring_fetching, .ring_awaddr, .ring_awvalid, .ring_awready, .ring_wdata, .ring_wstrb, .ring_wlast,
      .ring_wvalid, .ring_wready, .ring_bvalid, .ring_returning
  );

  // A ring's transfers, and those that go to the engines
  logic rd_ring_valid, wr_ring_valid, source_valid;
  logic rd_ring_last, wr_ring_last, source_last;
  logic [31:0] rd_ring_bytes, wr_ring_bytes, source_bytes;
  logic [ADDR_W-1:0] rd_ring_addr, wr_ring_addr, source_addr;
  logic [$clog2(DATA_W/8)-1:0] source_lane;
  logic [3:0] rd_before, wr_before;

  // A ring begins only while enabled; that it rests may be seen a clock late.
  logic rd_worked, wr_worked;
  assign rd_by_ring = COPY ? wr_by_ring : HAS_READ && (rd_enable || rd_worked);
  assign wr_by_ring = HAS_WRITE && (wr_enable || wr_worked);
  always_ff @(posedge clk) begin
    rd_worked <= !rd_idle && !rst;
    wr_worked <= !wr_idle && !rst;
  end
  logic rd_granted_valid;
  logic rd_granted_last;
  logic [31:0] rd_granted_bytes;
  logic [ADDR_W-1:0] rd_granted_addr;
  assign rd_granted_valid = COPY ? source_valid : rd_ring_valid;
  assign rd_granted_last = COPY ? source_last : rd_ring_last;
  assign rd_granted_bytes = COPY ? source_bytes : rd_ring_bytes;
  assign rd_granted_addr = COPY ? source_addr : rd_ring_addr;
  assign rd_cmd_valid = rd_by_ring ? rd_granted_valid : rd_queue_valid;
  assign rd_cmd_lane = rd_by_ring ? source_lane : rd_queue_lane;
  assign rd_cmd_last = rd_by_ring ? rd_granted_last : rd_queue_last;
  assign rd_cmd_addr = rd_by_ring ? rd_granted_addr : rd_queue_addr;
  assign rd_cmd_bytes = rd_by_ring ? rd_granted_bytes : rd_queue_bytes;
  assign wr_cmd_valid = wr_by_ring ? wr_ring_valid : wr_queue_valid;
  assign wr_cmd_addr = wr_by_ring ? wr_ring_addr : wr_queue_addr;
  assign wr_cmd_bytes = wr_by_ring ? wr_ring_bytes : wr_queue_bytes;

  always_ff @(posedge clk) begin
    rd_before <= rst ? '0 : rd_code;
    wr_before <= rst ? '0 : wr_code;
  end
  assign ring_fault = (rd_code != '0 && rd_before == '0) || (wr_code != '0 && wr_before == '0);

  generate
  if (HAS_READ) begin : g_read
    logic none_valid;
    logic none_last;
    logic [31:0] none_bytes;
    logic [ADDR_W-1:0] none_addr;
    logic [$clog2(DATA_W/8)-1:0] none_lane;
    axm_dma_ring #(
        .ADDR_W(ADDR_W), .DATA_W(DATA_W), .COPY(0), .UNALIGNED(UNALIGNED), .DEPTH(DEPTH)
    ) u_ring (
        .clk, .rst, .tick, .bus_moves, .enable(rd_enable), .log2_entries(rd_log2), .base(rd_base),
        .posted(rd_posted), .finished(rd_finished), .fault(rd_code), .idle(rd_idle),
        .draining(rd_stopping), .stop(rd_dead), .engine_busy(rd_works), .forget(rd_forget),
        .notify(rd_notify), .cmd_valid(rd_ring_valid), .cmd_ready(rd_cmd_ready && rd_by_ring),
        .cmd_addr(rd_ring_addr), .cmd_bytes(rd_ring_bytes), .cmd_last(rd_ring_last),
        .source_valid(none_valid), .source_ready(1'b0), .source_addr(none_addr),
        .source_bytes(none_bytes), .source_lane(none_lane), .done_valid(rd_done_valid && rd_by_ring),
        .done_word({2'b00, rd_done_code}), .done_bytes(rd_done_bytes), .araddr(ring_araddr[0+:ADDR_W]),
        .arvalid(ring_arvalid[0]), .arready(ring_arready[0]), .rvalid(ring_rvalid[0]),
        .fetching(ring_fetching[0]), .awaddr(ring_awaddr[0+:ADDR_W]), .awvalid(ring_awvalid[0]),
        .awready(ring_awready[0]), .wdata(ring_wdata[0+:DATA_W]), .wstrb(ring_wstrb[0+:DATA_W/8]),
        .wlast(ring_wlast[0]), .wvalid(ring_wvalid[0]), .wready(ring_wready[0]), .bvalid(ring_bvalid[0]),
        .returning(ring_returning[0]), .rdata(m_axi_rdata), .rresp(m_axi_rresp), .rlast(m_axi_rlast),
        .bresp(m_axi_bresp)
    );
    assign none_last = 1'b0;
    wire unused = &{1'b0, {none_valid, none_last, none_lane, none_bytes, none_addr}};
  end else begin : g_no_read
    assign {rd_ring_valid, rd_ring_last, rd_ring_bytes, rd_ring_addr} = '0;
    assign rd_idle = 1'b1;
    assign rd_stopping = 1'b0;
    assign rd_code = '0;
    assign rd_finished = '0;
    assign rd_notify = 1'b0;
    assign ring_araddr[0+:ADDR_W] = '0;
    assign ring_arvalid[0] = '0;
    assign ring_fetching[0] = '0;
    assign ring_returning[0] = '0;
    assign ring_awaddr[0+:ADDR_W] = '0;
    assign ring_awvalid[0] = '0;
    assign ring_wdata[0+:DATA_W] = '0;
    assign ring_wstrb[0+:DATA_W/8] = '0;
    assign ring_wlast[0] = '0;
    assign ring_wvalid[0] = '0;
    wire unused = &{1'b0, rd_enable, rd_log2, rd_base, rd_posted, rd_dead, rd_works, rd_done_valid, rd_done_code,
                    rd_done_bytes, rd_idle, rd_ring_valid, rd_ring_last, rd_ring_bytes, rd_ring_addr,
                    ring_arready[0], ring_rvalid[0],
                    ring_awready[0], ring_wready[0], ring_bvalid[0], rd_cmd_ready};
  end
  endgenerate

  generate
  if (HAS_WRITE) begin : g_write
    axm_dma_ring #(
        .ADDR_W(ADDR_W), .DATA_W(DATA_W), .COPY(COPY), .UNALIGNED(UNALIGNED), .DEPTH(DEPTH)
    ) u_ring (
        .clk, .rst, .tick, .bus_moves, .enable(wr_enable), .log2_entries(wr_log2), .base(wr_base),
        .posted(wr_posted), .finished(wr_finished), .fault(wr_code), .idle(wr_idle),
        .draining(wr_stopping), .stop(wr_dead || (COPY && rd_dead)), .engine_busy(wr_works),
        .forget(wr_forget), .notify(wr_notify), .cmd_valid(wr_ring_valid),
        .cmd_ready(wr_cmd_ready && wr_by_ring), .cmd_addr(wr_ring_addr), .cmd_bytes(wr_ring_bytes),
        .cmd_last(wr_ring_last), .source_valid(source_valid), .source_ready(rd_cmd_ready && wr_by_ring),
        .source_addr(source_addr), .source_bytes(source_bytes), .source_lane(source_lane),
        .done_valid(wr_done_valid && wr_by_ring),
        .done_word({wr_done_packet, wr_done_source, wr_done_code}), .done_bytes(wr_done_bytes),
        .araddr(ring_araddr[ADDR_W+:ADDR_W]), .arvalid(ring_arvalid[1]), .arready(ring_arready[1]),
        .rvalid(ring_rvalid[1]), .fetching(ring_fetching[1]), .awaddr(ring_awaddr[ADDR_W+:ADDR_W]),
        .awvalid(ring_awvalid[1]), .awready(ring_awready[1]), .wdata(ring_wdata[DATA_W+:DATA_W]),
        .wstrb(ring_wstrb[DATA_W/8+:DATA_W/8]), .wlast(ring_wlast[1]), .wvalid(ring_wvalid[1]),
        .wready(ring_wready[1]), .bvalid(ring_bvalid[1]), .returning(ring_returning[1]),
        .rdata(m_axi_rdata), .rresp(m_axi_rresp), .rlast(m_axi_rlast), .bresp(m_axi_bresp)
    );
    assign source_last = 1'b0;
    wire unused = &{1'b0, wr_ring_last, {source_valid, source_last, source_bytes, source_addr}};
  end else begin : g_no_write
    assign {wr_ring_valid, wr_ring_last, wr_ring_bytes, wr_ring_addr} = '0;
    assign {source_valid, source_last, source_lane, source_bytes, source_addr} = '0;
    assign wr_idle = 1'b1;
    assign wr_stopping = 1'b0;
    assign wr_code = '0;
    assign wr_finished = '0;
    assign wr_notify = 1'b0;
    assign ring_araddr[ADDR_W+:ADDR_W] = '0;
    assign ring_arvalid[1] = '0;
    assign ring_fetching[1] = '0;
    assign ring_returning[1] = '0;
    assign ring_awaddr[ADDR_W+:ADDR_W] = '0;
    assign ring_awvalid[1] = '0;
    assign ring_wdata[DATA_W+:DATA_W] = '0;
    assign ring_wstrb[DATA_W/8+:DATA_W/8] = '0;
    assign ring_wlast[1] = '0;
    assign ring_wvalid[1] = '0;
    wire unused = &{1'b0, wr_enable, wr_log2, wr_base, wr_posted, wr_dead, wr_works, wr_done_valid, wr_done_code,
                    wr_done_source, wr_done_packet, wr_done_bytes, wr_idle, wr_ring_valid, wr_ring_last,
                    wr_ring_bytes, wr_ring_addr, source_valid, source_last, source_bytes, source_addr,
                    ring_arready[1], ring_rvalid[1], ring_awready[1], ring_wready[1],
                    ring_bvalid[1], wr_cmd_ready};
  end
  endgenerate

endmodule
