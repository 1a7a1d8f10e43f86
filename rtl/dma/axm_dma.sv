// DMA engine with registers, queues, interrupt and, optionally, descriptor rings.
//
// Purpose      Memory to stream (HAS_READ), stream to memory (HAS_WRITE), both side by side, or joined to copy
//              memory (COPY). regs/dma.rdl describes the registers, and the descriptors of a ring (RINGS).
// Timing       docs/hardware.md, "When an engine acts". A submission's register write takes effect in the
//              clock after its handshake; the address can be valid in the clock after that. A completion can be read
//              in the clock after the last beat or response.
// Limits       DATA_W 32, 64, 128 or 256; ADDR_W 32 to 64; ID_W 1 to 8 (2 at least with RINGS: IDs 1 and 2 are
//              the rings', 0 is the data's); MAX_OUTSTANDING a power of two from 2 to 64; QUEUE one from 2
//              to 128; COPY_FIFO one from 512 to 32768. UNALIGNED allows any byte address and length.
//              AxUSER is 0. A copy's FIFO holds at least 256 beats free before a burst is announced.
// Throughput   One beat a clock in each direction without gaps; transfers of 64 bytes at latency 100 too, if
//              16 bursts may be in flight (lab/bench/rtl/dma_rates.py). Registers: a write in two clocks.
// Latency      See axm_dma_read, axm_dma_write; a copy adds two clocks.
// Area         64 bit, xc7, mapped for 100 MHz: copy 688 LUT, 596 FF, 1 BRAM; memory to stream 441 LUT, 380 FF;
//              stream to memory 525 LUT, 387 FF; more in area.toml.
`include "axm_ports.svh"

module axm_dma #(
    parameter bit HAS_READ = 1,
    parameter bit HAS_WRITE = 1,
    parameter bit COPY = 0,
    parameter bit RINGS = 0,
    parameter bit UNALIGNED = 0,
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] ID_W = 4,
    parameter bit [31:0] USER_W = 1,
    parameter bit AXI3 = 0,
    parameter bit [31:0] MAX_OUTSTANDING = 16,
    parameter bit [31:0] QUEUE = 16,       // transfers a half
    parameter bit [31:0] COPY_FIFO = 512,  // beats
    parameter bit [31:0] COUNT_W = 16      // width of room, avail and packets
) (
    input  logic                clk,
    input  logic                rst,
    output logic                irq,
    output logic                rd_active,      // transfers are queued or in flight, as STATUS.BUSY
    output logic                wr_active,
    // Registers
    `AXM_AXIL_SLAVE(s_axil_, 12, 32)
    // AXI
    `AXM_AXI_MASTER(m_axi_, ID_W, DATA_W)
    // Stream from memory
    input  logic [ COUNT_W-1:0] m_axis_room,    // beats that are surely taken from now on
    output logic [  DATA_W-1:0] m_axis_tdata,
    output logic [DATA_W/8-1:0] m_axis_tkeep,
    output logic                m_axis_tlast,
    output logic                m_axis_tvalid,
    input  logic                m_axis_tready,
    // Stream to memory
    input  logic [ COUNT_W-1:0] s_axis_avail,   // beats that are available now
    input  logic [ COUNT_W-1:0] s_axis_packets, // tlasts among them
    input  logic [  DATA_W-1:0] s_axis_tdata,
    input  logic [DATA_W/8-1:0] s_axis_tkeep,
    input  logic                s_axis_tlast,
    input  logic                s_axis_tvalid,
    output logic                s_axis_tready
);

  generate
  if (!HAS_READ && !HAS_WRITE) begin : g_check_halves
    axm_error_HAS_READ_or_HAS_WRITE_must_be_1 u_error ();
  end
  if (DATA_W != 32 && DATA_W != 64 && DATA_W != 128 && DATA_W != 256) begin : g_check_data
    axm_error_DATA_W_must_be_32_64_128_or_256 u_error ();
  end
  if (ADDR_W < 32 || ADDR_W > 64) begin : g_check_addr
    axm_error_ADDR_W_must_be_32_to_64 u_error ();
  end
  if (ID_W < 1 || ID_W > 8 || USER_W < 1) begin : g_check_id
    axm_error_ID_W_must_be_1_to_8_and_USER_W_at_least_1 u_error ();
  end
  if (QUEUE < 2 || QUEUE > 128 || (QUEUE & (QUEUE - 1)) != 0) begin : g_check_queue
    axm_error_QUEUE_must_be_a_power_of_two_from_2_to_128 u_error ();
  end
  if (COPY && !(HAS_READ && HAS_WRITE)) begin : g_check_copy
    axm_error_COPY_needs_HAS_READ_and_HAS_WRITE u_error ();
  end
  endgenerate

  // What the registers show (from_hw) and what software has set (to_hw)
  logic from_hw_RD_DONE_VALID, from_hw_WR_DONE_SOURCE, from_hw_WR_DONE_PACKET_END,
      from_hw_WR_DONE_VALID;
  logic [3:0] from_hw_RD_DONE_CODE, from_hw_WR_DONE_CODE, from_hw_RD_RING_STATUS_CODE,
      from_hw_WR_RING_STATUS_CODE;
  logic [7:0] from_hw_RD_STATUS_FREE, from_hw_RD_STATUS_WAITING, from_hw_WR_STATUS_FREE,
      from_hw_WR_STATUS_WAITING;
  logic [15:0] from_hw_RD_RING_HEAD_COUNT, from_hw_WR_RING_HEAD_COUNT;
  logic [31:0] from_hw_RD_DONE_BYTES_VALUE, from_hw_WR_DONE_BYTES_VALUE;
  logic to_hw_IRQ_STATUS_DONE, to_hw_IRQ_STATUS_FAULT, to_hw_IRQ_ENABLE_DONE,
      to_hw_IRQ_ENABLE_FAULT, to_hw_RD_CONTROL_ABORT, to_hw_RD_CONTROL_FORGET,
      to_hw_RD_SUBMIT_LAST_swmod, to_hw_RD_DONE_CODE_swacc, to_hw_WR_CONTROL_ABORT,
      to_hw_WR_CONTROL_FORGET, to_hw_WR_CONTROL_WHOLE_BURST, to_hw_WR_SUBMIT_LAST_swmod,
      to_hw_WR_DONE_CODE_swacc, to_hw_RD_RING_CONTROL_ENABLE, to_hw_WR_RING_CONTROL_ENABLE;
  logic [2:0] to_hw_RD_CONFIG_PROT, to_hw_WR_CONFIG_PROT, to_hw_RING_CONFIG_PROT;
  logic [3:0] to_hw_RING_CONFIG_CACHE, to_hw_RD_CONFIG_CACHE, to_hw_RD_CONFIG_QOS, to_hw_WR_CONFIG_CACHE,
      to_hw_WR_CONFIG_QOS, to_hw_RD_RING_CONTROL_LOG2_ENTRIES, to_hw_WR_RING_CONTROL_LOG2_ENTRIES;
  logic [6:0] to_hw_RD_CONFIG_OUTSTANDING, to_hw_WR_CONFIG_OUTSTANDING;
  logic [7:0] to_hw_COALESCE_COUNT, to_hw_COALESCE_TIME, to_hw_RD_CONFIG_BURST,
      to_hw_WR_CONFIG_BURST;
  logic [15:0] to_hw_TIMEOUT_LIMIT, to_hw_RD_RING_TAIL_COUNT, to_hw_WR_RING_TAIL_COUNT;
  logic [31:0] to_hw_RD_ADDR_LO_VALUE, to_hw_RD_ADDR_HI_VALUE, to_hw_RD_LENGTH_VALUE,
      to_hw_WR_ADDR_LO_VALUE, to_hw_WR_ADDR_HI_VALUE, to_hw_WR_LENGTH_VALUE, to_hw_RD_RING_BASE_LO_VALUE,
      to_hw_RD_RING_BASE_HI_VALUE, to_hw_WR_RING_BASE_LO_VALUE, to_hw_WR_RING_BASE_HI_VALUE;

  // A register of a missing part is beyond the map: its storage is never written and vanishes.
  function automatic logic [11:0] present(input logic [11:0] address);
    logic missing;
    missing = (!RINGS && address[8]) || (!HAS_READ && address[6]) || (!HAS_WRITE && address[7]);
    present = {address[11:10], address[9] || missing, address[8] && RINGS, address[7] && HAS_WRITE,
            address[6] && HAS_READ, address[5:0]};
  endfunction

  // Time and interrupt
  logic tick, raise;
  logic rd_works, wr_works, rd_dead, wr_dead, rd_stops, wr_stops;
  logic rd_idle, wr_idle, rd_stopping, wr_stopping;  // of the rings
  wire rd_busy = rd_works || !rd_idle;
  wire wr_busy = wr_works || !wr_idle;
  wire rd_draining = rd_stops || rd_stopping;
  wire wr_draining = wr_stops || wr_stopping;
  logic rd_done_valid, wr_done_valid, rd_fault, wr_fault;
  logic rd_by_ring, wr_by_ring, rd_notify, wr_notify, ring_fault;
  wire rd_counts = rd_by_ring ? rd_notify : rd_done_valid && !COPY;
  wire wr_counts = wr_by_ring ? wr_notify : wr_done_valid;

  axm_dma_irq u_irq (
      .clk, .rst, .idle(!rd_busy && !wr_busy), .done(2'(rd_counts) + 2'(wr_counts)),
      .count_limit(to_hw_COALESCE_COUNT), .time_limit(to_hw_COALESCE_TIME),
      .timeout_limit(to_hw_TIMEOUT_LIMIT), .raise, .tick
  );

  always_ff @(posedge clk) begin
    irq <= ((to_hw_IRQ_STATUS_DONE && to_hw_IRQ_ENABLE_DONE)
        || (to_hw_IRQ_STATUS_FAULT && to_hw_IRQ_ENABLE_FAULT)) && !rst;
  end

  // From the queues, and what the engines get: that, or what comes from a ring
  logic rd_queue_valid, rd_queue_last, wr_queue_valid;
  logic [$clog2(DATA_W/8)-1:0] rd_queue_lane, rd_cmd_lane;
  logic [ADDR_W-1:0] rd_queue_addr, wr_queue_addr;
  logic [31:0] rd_queue_bytes, wr_queue_bytes;
  logic rd_cmd_valid, rd_cmd_ready, rd_cmd_last, wr_cmd_valid, wr_cmd_ready;
  logic [ADDR_W-1:0] rd_cmd_addr, wr_cmd_addr;
  logic [31:0] rd_cmd_bytes, wr_cmd_bytes;
  logic [3:0] rd_done_code, wr_done_code;
  logic wr_done_source, wr_done_packet, rd_reported_early, wr_reported_early;
  logic [31:0] rd_done_bytes, wr_done_bytes;
  wire unused_regs = &{
    1'b0, to_hw_RING_CONFIG_CACHE, to_hw_RING_CONFIG_PROT, to_hw_RD_RING_CONTROL_ENABLE,
    to_hw_RD_RING_CONTROL_LOG2_ENTRIES, to_hw_RD_RING_TAIL_COUNT,
    to_hw_RD_RING_BASE_LO_VALUE, to_hw_RD_RING_BASE_HI_VALUE, to_hw_WR_RING_CONTROL_ENABLE,
    to_hw_WR_RING_CONTROL_LOG2_ENTRIES, to_hw_WR_RING_TAIL_COUNT, to_hw_WR_RING_BASE_LO_VALUE,
    to_hw_WR_RING_BASE_HI_VALUE, to_hw_RD_CONTROL_FORGET, to_hw_WR_CONTROL_FORGET
  };

  assign rd_fault = rd_done_valid && !COPY && rd_done_code != '0;
  assign wr_fault = wr_done_valid && wr_done_code != '0;

  axm_dma_queues #(
      .HAS_READ(HAS_READ), .HAS_WRITE(HAS_WRITE), .COPY(COPY), .UNALIGNED(UNALIGNED),
      .ADDR_W(ADDR_W), .DATA_W(DATA_W), .QUEUE(QUEUE)
  ) u_queues (
      .clk, .rst, .rd_submit(to_hw_RD_SUBMIT_LAST_swmod),
      .rd_addr(ADDR_W'({to_hw_RD_ADDR_HI_VALUE, to_hw_RD_ADDR_LO_VALUE})),
      .rd_bytes(to_hw_RD_LENGTH_VALUE), .rd_last(s_axil_wdata[0]), .rd_free(from_hw_RD_STATUS_FREE),
      .rd_queue_valid, .rd_queue_ready(rd_cmd_ready && !rd_by_ring), .rd_queue_addr, .rd_queue_bytes,
      .rd_queue_last, .rd_queue_lane, .rd_reported_early, .rd_done_valid(rd_done_valid && !rd_by_ring), .rd_done_code,
      .rd_done_bytes, .rd_oldest_valid(from_hw_RD_DONE_VALID), .rd_oldest_read(to_hw_RD_DONE_CODE_swacc),
      .rd_oldest_code(from_hw_RD_DONE_CODE), .rd_oldest_bytes(from_hw_RD_DONE_BYTES_VALUE),
      .rd_waiting(from_hw_RD_STATUS_WAITING), .wr_submit(to_hw_WR_SUBMIT_LAST_swmod),
      .wr_addr(ADDR_W'({to_hw_WR_ADDR_HI_VALUE, to_hw_WR_ADDR_LO_VALUE})),
      .wr_bytes(to_hw_WR_LENGTH_VALUE), .wr_free(from_hw_WR_STATUS_FREE), .wr_queue_valid,
      .wr_queue_ready(wr_cmd_ready && !wr_by_ring), .wr_queue_addr, .wr_queue_bytes, .wr_reported_early,
      .wr_done_valid(wr_done_valid && !wr_by_ring), .wr_done_code, .wr_done_source, .wr_done_packet,
      .wr_done_bytes, .wr_oldest_valid(from_hw_WR_DONE_VALID), .wr_oldest_read(to_hw_WR_DONE_CODE_swacc),
      .wr_oldest_code(from_hw_WR_DONE_CODE), .wr_oldest_source(from_hw_WR_DONE_SOURCE),
      .wr_oldest_packet(from_hw_WR_DONE_PACKET_END), .wr_oldest_bytes(from_hw_WR_DONE_BYTES_VALUE),
      .wr_waiting(from_hw_WR_STATUS_WAITING)
  );

  // Where the stream to memory stands, whatever became of the transfers that took it.
  logic in_packet;
  always_ff @(posedge clk) begin
    if (s_axis_tvalid && s_axis_tready) in_packet <= !s_axis_tlast;
    if (rst || !HAS_WRITE || COPY || (to_hw_WR_CONTROL_FORGET && !wr_busy)) in_packet <= 1'b0;
  end

  assign rd_active = rd_busy;
  assign wr_active = wr_busy;

  // The bus as the halves see it
  logic [ID_W-1:0] half_arid, half_awid, half_wid;
  logic [ADDR_W-1:0] half_araddr, half_awaddr;
  logic [7:0] half_arlen, half_awlen;
  logic [DATA_W-1:0] half_wdata;
  logic [DATA_W/8-1:0] half_wstrb;
  logic [3:0] half_arcache, half_awcache;
  logic [2:0] half_arprot, half_awprot;
  logic half_arvalid, half_arready, half_rvalid, half_rready, half_awvalid, half_awready;
  logic half_wlast, half_wvalid, half_wready, half_bvalid, half_bready;

  generate
  if (RINGS) begin : g_rings
    axm_dma_rings #(
        .HAS_READ(HAS_READ && !COPY), .HAS_WRITE(HAS_WRITE), .COPY(COPY), .UNALIGNED(UNALIGNED),
        .ADDR_W(ADDR_W), .DATA_W(DATA_W), .ID_W(ID_W), .DEPTH(QUEUE)
    ) u_rings (
        `AXM_AXI_HALF_LINK(half_, half_),
        `AXM_AXI_HALF_LINK(m_axi_, m_axi_),
        `AXM_AXI_IDS_LINK(m_axi_, m_axi_),
        .cfg_cache(to_hw_RING_CONFIG_CACHE), .cfg_prot(to_hw_RING_CONFIG_PROT),
        .rd_enable(to_hw_RD_RING_CONTROL_ENABLE), .rd_log2(to_hw_RD_RING_CONTROL_LOG2_ENTRIES),
        .rd_base(ADDR_W'({to_hw_RD_RING_BASE_HI_VALUE, to_hw_RD_RING_BASE_LO_VALUE})),
        .rd_posted(to_hw_RD_RING_TAIL_COUNT), .rd_finished(from_hw_RD_RING_HEAD_COUNT),
        .rd_code(from_hw_RD_RING_STATUS_CODE), .rd_forget(to_hw_RD_CONTROL_FORGET),
        .wr_enable(to_hw_WR_RING_CONTROL_ENABLE), .wr_log2(to_hw_WR_RING_CONTROL_LOG2_ENTRIES),
        .wr_base(ADDR_W'({to_hw_WR_RING_BASE_HI_VALUE, to_hw_WR_RING_BASE_LO_VALUE})),
        .wr_posted(to_hw_WR_RING_TAIL_COUNT), .wr_finished(from_hw_WR_RING_HEAD_COUNT),
        .wr_code(from_hw_WR_RING_STATUS_CODE), .wr_forget(to_hw_WR_CONTROL_FORGET), .clk, .rst, .tick,
        .ring_fault, .rd_idle, .rd_stopping, .rd_works, .wr_idle, .wr_stopping, .wr_works, .rd_dead,
        .rd_by_ring, .rd_notify, .rd_queue_valid, .rd_queue_addr, .rd_queue_bytes, .rd_queue_last,
        .rd_queue_lane, .rd_cmd_lane, .rd_cmd_last, .rd_cmd_valid,
        .rd_cmd_ready, .rd_cmd_addr, .rd_cmd_bytes, .rd_done_valid,
        .rd_done_code, .rd_done_bytes, .wr_dead, .wr_by_ring, .wr_notify, .wr_queue_valid, .wr_queue_addr,
        .wr_queue_bytes, .wr_cmd_valid, .wr_cmd_ready, .wr_cmd_addr, .wr_cmd_bytes, .wr_done_valid,
        .wr_done_code, .wr_done_source, .wr_done_packet, .wr_done_bytes,
        .m_axi_rdata, .m_axi_rresp, .m_axi_rlast, .m_axi_bresp
    );
    wire unused_ids = &{1'b0, half_arid, half_awid, half_wid};
  end else begin : g_no_rings
    assign {rd_by_ring, wr_by_ring, rd_notify, wr_notify, ring_fault, rd_stopping, wr_stopping} = '0;
    assign {rd_idle, wr_idle} = '1;
    assign {rd_cmd_valid, rd_cmd_bytes, rd_cmd_addr} = {rd_queue_valid, rd_queue_bytes, rd_queue_addr};
    assign {wr_cmd_valid, wr_cmd_bytes, wr_cmd_addr} = {wr_queue_valid, wr_queue_bytes, wr_queue_addr};
    assign {rd_cmd_last, rd_cmd_lane} = {rd_queue_last, rd_queue_lane};
    assign {from_hw_RD_RING_STATUS_CODE, from_hw_RD_RING_HEAD_COUNT} = '0;
    assign {from_hw_WR_RING_STATUS_CODE, from_hw_WR_RING_HEAD_COUNT} = '0;
    assign {m_axi_arid, m_axi_araddr, m_axi_arlen} = {half_arid, half_araddr, half_arlen};
    assign {m_axi_arcache, m_axi_arprot} = {half_arcache, half_arprot};
    assign {m_axi_arvalid, half_arready} = {half_arvalid, m_axi_arready};
    assign {half_rvalid, m_axi_rready} = {m_axi_rvalid, half_rready};
    assign {m_axi_awid, m_axi_awaddr, m_axi_awlen} = {half_awid, half_awaddr, half_awlen};
    assign {m_axi_awcache, m_axi_awprot} = {half_awcache, half_awprot};
    assign {m_axi_awvalid, half_awready} = {half_awvalid, m_axi_awready};
    assign {m_axi_wid, m_axi_wdata, m_axi_wstrb} = {half_wid, half_wdata, half_wstrb};
    assign {m_axi_wlast, m_axi_wvalid, half_wready} = {half_wlast, half_wvalid, m_axi_wready};
    assign {half_bvalid, m_axi_bready} = {m_axi_bvalid, half_bready};
  end
  endgenerate

  axm_dma_engines #(
      .HAS_READ(HAS_READ), .HAS_WRITE(HAS_WRITE), .COPY(COPY), .UNALIGNED(UNALIGNED),
      .ADDR_W(ADDR_W), .DATA_W(DATA_W), .ID_W(ID_W), .USER_W(USER_W), .AXI3(AXI3),
      .MAX_OUTSTANDING(MAX_OUTSTANDING), .COPY_FIFO(COPY_FIFO), .COUNT_W(COUNT_W)
  ) u_engines (
      .rd_cfg_burst(to_hw_RD_CONFIG_BURST), .rd_cfg_outstanding(to_hw_RD_CONFIG_OUTSTANDING),
      .rd_cfg_cache(to_hw_RD_CONFIG_CACHE), .rd_cfg_prot(to_hw_RD_CONFIG_PROT),
      .rd_cfg_qos(to_hw_RD_CONFIG_QOS), .rd_abort(to_hw_RD_CONTROL_ABORT),
      .rd_forget(to_hw_RD_CONTROL_FORGET), .wr_cfg_burst(to_hw_WR_CONFIG_BURST),
      .wr_cfg_outstanding(to_hw_WR_CONFIG_OUTSTANDING), .wr_cfg_cache(to_hw_WR_CONFIG_CACHE),
      .wr_cfg_prot(to_hw_WR_CONFIG_PROT), .wr_cfg_qos(to_hw_WR_CONFIG_QOS),
      .wr_cfg_whole_burst(to_hw_WR_CONTROL_WHOLE_BURST), .wr_abort(to_hw_WR_CONTROL_ABORT),
      .wr_forget(to_hw_WR_CONTROL_FORGET), .m_axi_arid(half_arid), .m_axi_araddr(half_araddr),
      .m_axi_arlen(half_arlen), .m_axi_arcache(half_arcache), .m_axi_arprot(half_arprot),
      .m_axi_arvalid(half_arvalid), .m_axi_arready(half_arready),
      .m_axi_rvalid(half_rvalid), .m_axi_rready(half_rready), .m_axi_awid(half_awid),
      .m_axi_awaddr(half_awaddr), .m_axi_awlen(half_awlen), .m_axi_awcache(half_awcache),
      .m_axi_awprot(half_awprot), .m_axi_awvalid(half_awvalid),
      .m_axi_awready(half_awready), .m_axi_wid(half_wid), .m_axi_wdata(half_wdata),
      .m_axi_wstrb(half_wstrb), .m_axi_wlast(half_wlast), .m_axi_wvalid(half_wvalid),
      .m_axi_wready(half_wready), .m_axi_bvalid(half_bvalid), .m_axi_bready(half_bready), .clk,
      .rst, .tick, .rd_busy(rd_works), .rd_dead, .rd_draining(rd_stops), .rd_cmd_valid, .rd_cmd_ready, .rd_cmd_addr,
      .rd_cmd_bytes, .rd_cmd_last, .rd_cmd_lane, .rd_done_valid, .rd_done_code, .rd_done_bytes, .wr_busy(wr_works),
      .wr_dead, .wr_draining(wr_stops), .wr_cmd_valid, .wr_cmd_ready, .wr_cmd_addr, .wr_cmd_bytes,
      .wr_done_valid, .wr_done_code, .wr_done_source, .wr_done_packet, .wr_done_bytes,
      .m_axi_awsize, .m_axi_awburst, .m_axi_awlock, .m_axi_awqos,
      .m_axi_awuser, .m_axi_bid, .m_axi_bresp, .m_axi_arsize, .m_axi_arburst, .m_axi_arlock,
      .m_axi_arqos, .m_axi_aruser, .m_axi_rid, .m_axi_rdata,
      .m_axi_rresp, .m_axi_rlast, .m_axis_room, .m_axis_tdata, .m_axis_tkeep, .m_axis_tlast,
      .m_axis_tvalid, .m_axis_tready, .s_axis_avail, .s_axis_packets, .s_axis_tdata, .s_axis_tkeep,
      .rd_reported_early, .wr_reported_early, .s_axis_tlast, .s_axis_tvalid, .s_axis_tready
  );

  // Behind the signals that it connects: some tools need declarations first.
  dma_regs u_regs (
      .clk, .rst, .s_axil_awaddr(present(s_axil_awaddr)), .s_axil_awprot, .s_axil_awvalid,
      .s_axil_awready, .s_axil_wdata, .s_axil_wstrb, .s_axil_wvalid, .s_axil_wready, .s_axil_bresp,
      .s_axil_bvalid, .s_axil_bready, .s_axil_araddr(present(s_axil_araddr)), .s_axil_arprot,
      .s_axil_arvalid, .s_axil_arready, .s_axil_rdata, .s_axil_rresp, .s_axil_rvalid, .s_axil_rready,
      .hwif_in_CAPS_HAS_READ(HAS_READ), .hwif_in_CAPS_HAS_WRITE(HAS_WRITE), .hwif_in_CAPS_COPY(COPY),
      .hwif_in_CAPS_RINGS(RINGS), .hwif_in_CAPS_UNALIGNED(UNALIGNED), .hwif_in_CAPS_AXI3(AXI3),
      .hwif_in_CAPS_WIDTH(2'($clog2(DATA_W / 32))), .hwif_in_CAPS_OUTSTANDING(8'(MAX_OUTSTANDING)),
      .hwif_in_CAPS_QUEUE(8'(QUEUE)), .hwif_in_CAPS_ADDR_BITS(8'(ADDR_W)),
      .hwif_in_CAPS2_FIFO(COPY ? 16'(COPY_FIFO) : '0), .hwif_in_IRQ_STATUS_DONE_hwset(raise),
      .hwif_in_IRQ_STATUS_FAULT_hwset(rd_fault || wr_fault || ring_fault || rd_dead || wr_dead),
      .hwif_in_RD_STATUS_BUSY(rd_busy), .hwif_in_RD_STATUS_DRAINING(rd_draining),
      .hwif_in_RD_STATUS_IN_PACKET(1'b0),
      .hwif_in_RD_STATUS_FREE(from_hw_RD_STATUS_FREE),
      .hwif_in_RD_STATUS_WAITING(from_hw_RD_STATUS_WAITING), .hwif_in_RD_DONE_CODE(from_hw_RD_DONE_CODE),
      .hwif_in_RD_DONE_SOURCE(1'b0), .hwif_in_RD_DONE_PACKET_END(1'b0),
      .hwif_in_RD_DONE_VALID(from_hw_RD_DONE_VALID),
      .hwif_in_RD_DONE_BYTES_VALUE(from_hw_RD_DONE_BYTES_VALUE), .hwif_in_WR_STATUS_BUSY(wr_busy),
      .hwif_in_WR_STATUS_DRAINING(wr_draining), .hwif_in_WR_STATUS_IN_PACKET(in_packet),
      .hwif_in_WR_STATUS_FREE(from_hw_WR_STATUS_FREE),
      .hwif_in_WR_STATUS_WAITING(from_hw_WR_STATUS_WAITING), .hwif_in_WR_DONE_CODE(from_hw_WR_DONE_CODE),
      .hwif_in_WR_DONE_SOURCE(from_hw_WR_DONE_SOURCE),
      .hwif_in_WR_DONE_PACKET_END(from_hw_WR_DONE_PACKET_END),
      .hwif_in_WR_DONE_VALID(from_hw_WR_DONE_VALID),
      .hwif_in_WR_DONE_BYTES_VALUE(from_hw_WR_DONE_BYTES_VALUE),
      .hwif_in_RD_RING_STATUS_CODE(from_hw_RD_RING_STATUS_CODE),
      .hwif_in_RD_RING_HEAD_COUNT(from_hw_RD_RING_HEAD_COUNT),
      .hwif_in_WR_RING_STATUS_CODE(from_hw_WR_RING_STATUS_CODE),
      .hwif_in_WR_RING_HEAD_COUNT(from_hw_WR_RING_HEAD_COUNT),
      .hwif_out_IRQ_STATUS_DONE(to_hw_IRQ_STATUS_DONE),
      .hwif_out_IRQ_STATUS_FAULT(to_hw_IRQ_STATUS_FAULT),
      .hwif_out_IRQ_ENABLE_DONE(to_hw_IRQ_ENABLE_DONE),
      .hwif_out_IRQ_ENABLE_FAULT(to_hw_IRQ_ENABLE_FAULT), .hwif_out_COALESCE_COUNT(to_hw_COALESCE_COUNT),
      .hwif_out_COALESCE_TIME(to_hw_COALESCE_TIME), .hwif_out_TIMEOUT_LIMIT(to_hw_TIMEOUT_LIMIT),
      .hwif_out_RD_CONTROL_ABORT(to_hw_RD_CONTROL_ABORT),
      .hwif_out_RD_CONTROL_FORGET(to_hw_RD_CONTROL_FORGET), .hwif_out_RD_CONTROL_WHOLE_BURST(),
      .hwif_out_RD_CONFIG_BURST(to_hw_RD_CONFIG_BURST),
      .hwif_out_RD_CONFIG_OUTSTANDING(to_hw_RD_CONFIG_OUTSTANDING),
      .hwif_out_RD_CONFIG_CACHE(to_hw_RD_CONFIG_CACHE), .hwif_out_RD_CONFIG_PROT(to_hw_RD_CONFIG_PROT),
      .hwif_out_RD_CONFIG_QOS(to_hw_RD_CONFIG_QOS), .hwif_out_RD_ADDR_LO_VALUE(to_hw_RD_ADDR_LO_VALUE),
      .hwif_out_RD_ADDR_HI_VALUE(to_hw_RD_ADDR_HI_VALUE),
      .hwif_out_RD_LENGTH_VALUE(to_hw_RD_LENGTH_VALUE), .hwif_out_RD_SUBMIT_LAST(),
      .hwif_out_RD_SUBMIT_LAST_swmod(to_hw_RD_SUBMIT_LAST_swmod),
      .hwif_out_RD_DONE_CODE_swacc(to_hw_RD_DONE_CODE_swacc),
      .hwif_out_WR_CONTROL_ABORT(to_hw_WR_CONTROL_ABORT),
      .hwif_out_WR_CONTROL_FORGET(to_hw_WR_CONTROL_FORGET),
      .hwif_out_WR_CONTROL_WHOLE_BURST(to_hw_WR_CONTROL_WHOLE_BURST),
      .hwif_out_WR_CONFIG_BURST(to_hw_WR_CONFIG_BURST),
      .hwif_out_WR_CONFIG_OUTSTANDING(to_hw_WR_CONFIG_OUTSTANDING),
      .hwif_out_WR_CONFIG_CACHE(to_hw_WR_CONFIG_CACHE), .hwif_out_WR_CONFIG_PROT(to_hw_WR_CONFIG_PROT),
      .hwif_out_WR_CONFIG_QOS(to_hw_WR_CONFIG_QOS), .hwif_out_WR_ADDR_LO_VALUE(to_hw_WR_ADDR_LO_VALUE),
      .hwif_out_WR_ADDR_HI_VALUE(to_hw_WR_ADDR_HI_VALUE),
      .hwif_out_WR_LENGTH_VALUE(to_hw_WR_LENGTH_VALUE), .hwif_out_WR_SUBMIT_LAST(),
      .hwif_out_WR_SUBMIT_LAST_swmod(to_hw_WR_SUBMIT_LAST_swmod),
      .hwif_out_WR_DONE_CODE_swacc(to_hw_WR_DONE_CODE_swacc),
      .hwif_out_RING_CONFIG_CACHE(to_hw_RING_CONFIG_CACHE), .hwif_out_RING_CONFIG_PROT(to_hw_RING_CONFIG_PROT),
      .hwif_out_RD_RING_CONTROL_ENABLE(to_hw_RD_RING_CONTROL_ENABLE),
      .hwif_out_RD_RING_CONTROL_LOG2_ENTRIES(to_hw_RD_RING_CONTROL_LOG2_ENTRIES),
      .hwif_out_RD_RING_BASE_LO_VALUE(to_hw_RD_RING_BASE_LO_VALUE),
      .hwif_out_RD_RING_BASE_HI_VALUE(to_hw_RD_RING_BASE_HI_VALUE),
      .hwif_out_RD_RING_TAIL_COUNT(to_hw_RD_RING_TAIL_COUNT),
      .hwif_out_WR_RING_CONTROL_ENABLE(to_hw_WR_RING_CONTROL_ENABLE),
      .hwif_out_WR_RING_CONTROL_LOG2_ENTRIES(to_hw_WR_RING_CONTROL_LOG2_ENTRIES),
      .hwif_out_WR_RING_BASE_LO_VALUE(to_hw_WR_RING_BASE_LO_VALUE),
      .hwif_out_WR_RING_BASE_HI_VALUE(to_hw_WR_RING_BASE_HI_VALUE),
      .hwif_out_WR_RING_TAIL_COUNT(to_hw_WR_RING_TAIL_COUNT)
  );

endmodule
