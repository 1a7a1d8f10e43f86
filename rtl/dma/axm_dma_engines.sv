// The engines of a DMA: reading, writing, or both; side by side, or joined to copy.
//
// Purpose      Instantiates axm_dma_read and axm_dma_write. COPY joins them by a FIFO in block RAM: both get each
//              transfer together, and the writing half reports it, also if the reading half fails. Signals
//              of a missing half are constant.
// Limits       A copy's transfer is given to both halves, in the same order, with the same length. Neither
//              half of a copy takes up work after a fault before both are clean.
// Throughput   One beat a clock in each direction.
// Latency      Copy: a beat read in clock t is offered to the bus in clock t + 2, if WHOLE_BURST lets it.
`include "axm_ports.svh"

module axm_dma_engines #(
    parameter bit HAS_READ = 1,
    parameter bit HAS_WRITE = 1,
    parameter bit COPY = 0,
    parameter bit UNALIGNED = 0,
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] ID_W = 4,
    parameter bit [31:0] USER_W = 1,
    parameter bit AXI3 = 0,
    parameter bit [31:0] MAX_OUTSTANDING = 16,
    parameter bit [31:0] COPY_FIFO = 512,  // beats
    parameter bit [31:0] COUNT_W = 16      // width of room, avail and packets
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                tick,               // a time-out period ends
    // Reading half
    input  logic [         7:0] rd_cfg_burst,        // longest burst in beats, less one
    input  logic [         6:0] rd_cfg_outstanding,  // most bursts in flight, 1 to MAX_OUTSTANDING
    input  logic [         3:0] rd_cfg_cache,
    input  logic [         2:0] rd_cfg_prot,
    input  logic [         3:0] rd_cfg_qos,
    input  logic                rd_abort,
    input  logic                rd_forget,
    output logic                rd_busy,
    output logic                rd_dead,            // stopped by an abort or a fault
    output logic                rd_draining,
    output logic                rd_reported_early,  // the transfer that waits was reported already
    input  logic                rd_cmd_valid,
    output logic                rd_cmd_ready,
    input  logic [  ADDR_W-1:0] rd_cmd_addr,
    input  logic [        31:0] rd_cmd_bytes,
    input  logic                rd_cmd_last,        // the transfer's last beat carries tlast
    input  logic [$clog2(DATA_W/8)-1:0] rd_cmd_lane, // COPY: of the first byte at the destination
    output logic                rd_done_valid,
    output logic [         3:0] rd_done_code,
    output logic [        31:0] rd_done_bytes,
    // Writing half
    input  logic [         7:0] wr_cfg_burst,        // longest burst in beats, less one
    input  logic [         6:0] wr_cfg_outstanding,  // most bursts in flight, 1 to MAX_OUTSTANDING
    input  logic [         3:0] wr_cfg_cache,
    input  logic [         2:0] wr_cfg_prot,
    input  logic [         3:0] wr_cfg_qos,
    input  logic                wr_cfg_whole_burst,
    input  logic                wr_abort,
    input  logic                wr_forget,
    output logic                wr_busy,
    output logic                wr_dead,            // stopped by an abort or a fault
    output logic                wr_draining,
    output logic                wr_reported_early,  // as rd_reported_early
    input  logic                wr_cmd_valid,
    output logic                wr_cmd_ready,
    input  logic [  ADDR_W-1:0] wr_cmd_addr,
    input  logic [        31:0] wr_cmd_bytes,
    output logic                wr_done_valid,
    output logic [         3:0] wr_done_code,
    output logic                wr_done_source,     // the fault is on the reading side
    output logic                wr_done_packet,     // the transfer ended with tlast
    output logic [        31:0] wr_done_bytes,
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

  // The stream into and out of the engines
  logic [COUNT_W-1:0] room, avail, packets;
  logic [DATA_W-1:0] from_data, to_data;
  logic [DATA_W/8-1:0] from_keep, to_keep;
  logic from_last, to_last, from_valid, to_valid, from_ready, to_ready;
  logic [1:0] from_user, to_user;

  // Ties between the halves of a copy
  logic rd_clean, wr_clean, source_failed, source_stopped;
  logic [3:0] why;
  logic issue, issue_joined, issue_spilled, rd_waiting, rd_held;
  logic [7:0] issue_len;
  // Without an allowed burst a half would never end, nor a copy's other half: they refuse.
  wire rd_none = HAS_READ && rd_cfg_outstanding == '0, wr_none = HAS_WRITE && wr_cfg_outstanding == '0;
  wire resume = !COPY || (rd_clean && wr_clean);

  generate
  if (HAS_READ) begin : g_read
    axm_dma_read #(
        .ADDR_W(ADDR_W), .DATA_W(DATA_W), .ID_W(ID_W), .USER_W(USER_W), .AXI3(AXI3),
        .MAX_OUTSTANDING(MAX_OUTSTANDING), .UNALIGNED(UNALIGNED), .ROOM_W(COUNT_W), .COPIES(COPY)
    ) u_read (
        `AXM_AXI_READ_LINK(m_axi_, m_axi_),
        .cfg_burst(rd_cfg_burst), .cfg_outstanding(rd_cfg_outstanding),
        .blocked(rd_none || (COPY && wr_none)), .cfg_cache(rd_cfg_cache), .cfg_prot(rd_cfg_prot),
        .cfg_qos(rd_cfg_qos), .abort_all(COPY ? wr_abort || rd_abort || wr_dead : rd_abort),
        .forget(rd_forget), .busy(rd_busy), .dead(rd_dead), .draining(rd_draining), .clean(rd_clean),
        .waiting(rd_waiting), .held(rd_held), .reported_early(rd_reported_early),
        .cmd_valid(rd_cmd_valid), .cmd_ready(rd_cmd_ready), .cmd_addr(rd_cmd_addr),
        .cmd_bytes(rd_cmd_bytes), .cmd_last(rd_cmd_last), .cmd_lane(rd_cmd_lane), .done_valid(rd_done_valid),
        .done_code(rd_done_code), .done_bytes(rd_done_bytes), .m_axis_room(room),
        .m_axis_tdata(from_data), .m_axis_tkeep(from_keep), .m_axis_tlast(from_last),
        .m_axis_tuser(from_user), .m_axis_tvalid(from_valid), .m_axis_tready(from_ready), .clk, .rst,
        .tick, .resume, .issue, .issue_len, .issue_joined, .issue_spilled
    );
  end else begin : g_no_read
    assign {rd_busy, rd_dead, rd_draining, rd_cmd_ready, rd_done_valid} = '0;
    assign rd_clean = 1'b1;
    assign rd_done_code = '0;
    assign rd_done_bytes = '0;
    assign {issue, issue_len, issue_joined, issue_spilled, rd_waiting, rd_held, rd_reported_early} = '0;
    assign m_axi_arid = '0;
    assign m_axi_araddr = '0;
    assign m_axi_arlen = '0;
    assign m_axi_arsize = 3'($clog2(DATA_W / 8));  // the other half's ring fetches with it
    assign m_axi_arburst = 2'b01;
    assign m_axi_arlock = '0;
    assign m_axi_arcache = '0;
    assign m_axi_arprot = '0;
    assign m_axi_arqos = '0;
    assign m_axi_aruser = '0;
    assign m_axi_arvalid = 1'b0;
    assign m_axi_rready = 1'b1;  // without an owner: taken and dropped
    assign from_data = '0;
    assign from_keep = '0;
    assign {from_last, from_user, from_valid} = '0;
    wire unused = &{1'b0, rd_cfg_burst, rd_cfg_outstanding, rd_cfg_cache, rd_cfg_prot, rd_cfg_qos,
                    rd_abort, rd_forget, rd_cmd_valid, rd_cmd_addr, rd_cmd_bytes, rd_cmd_last, rd_cmd_lane,
                    m_axi_arready, m_axi_rid, m_axi_rdata, m_axi_rresp, m_axi_rlast, m_axi_rvalid,
                    room, from_ready};
  end
  endgenerate

  generate
  if (HAS_WRITE) begin : g_write
    axm_dma_write #(
        .ADDR_W(ADDR_W), .DATA_W(DATA_W), .ID_W(ID_W), .USER_W(USER_W), .AXI3(AXI3),
        .MAX_OUTSTANDING(MAX_OUTSTANDING), .UNALIGNED(UNALIGNED), .COUNT_W(COUNT_W), .PACKETS(!COPY)
    ) u_write (
        `AXM_AXI_WRITE_LINK(m_axi_, m_axi_),
        .cfg_burst(wr_cfg_burst), .cfg_outstanding(wr_cfg_outstanding),
        .blocked(wr_none || (COPY && rd_none)), .cfg_cache(wr_cfg_cache), .cfg_prot(wr_cfg_prot),
        .cfg_qos(wr_cfg_qos), .cfg_whole_burst(wr_cfg_whole_burst), .abort_all(wr_abort),
        .forget(wr_forget), .source_code(why), .feeding(rd_waiting), .keep_cmd(rd_held), .busy(wr_busy),
        .dead(wr_dead), .draining(wr_draining), .clean(wr_clean), .reported_early(wr_reported_early),
        .cmd_valid(wr_cmd_valid), .cmd_ready(wr_cmd_ready), .cmd_addr(wr_cmd_addr),
        .cmd_bytes(wr_cmd_bytes), .done_valid(wr_done_valid), .done_code(wr_done_code),
        .done_source(wr_done_source), .done_packet(wr_done_packet), .done_bytes(wr_done_bytes),
        .s_axis_avail(avail), .s_axis_packets(packets), .s_axis_tdata(to_data), .s_axis_tkeep(to_keep),
        .s_axis_tlast(to_last), .s_axis_tuser(to_user), .s_axis_tvalid(to_valid),
        .s_axis_tready(to_ready), .clk, .rst, .tick, .resume, .source_stopped, .source_failed
    );
  end else begin : g_no_write
    assign {wr_busy, wr_dead, wr_draining, wr_reported_early, wr_cmd_ready, wr_done_valid} = '0;
    assign wr_clean = 1'b1;
    assign wr_done_code = '0;
    assign {wr_done_source, wr_done_packet} = '0;
    assign wr_done_bytes = '0;
    assign m_axi_awid = '0;
    assign m_axi_awaddr = '0;
    assign m_axi_awlen = '0;
    assign m_axi_awsize = 3'($clog2(DATA_W / 8));  // the other half's ring writes back with it
    assign m_axi_awburst = 2'b01;
    assign m_axi_awlock = '0;
    assign m_axi_awcache = '0;
    assign m_axi_awprot = '0;
    assign m_axi_awqos = '0;
    assign m_axi_awuser = '0;
    assign m_axi_awvalid = 1'b0;
    assign m_axi_wid = '0;
    assign m_axi_wdata = '0;
    assign m_axi_wstrb = '0;
    assign m_axi_wlast = 1'b0;
    assign m_axi_wvalid = 1'b0;
    assign m_axi_bready = 1'b1;
    assign to_ready = 1'b0;
    wire unused = &{1'b0, wr_cfg_burst, wr_cfg_outstanding, wr_cfg_cache, wr_cfg_prot, wr_cfg_qos,
                    wr_cfg_whole_burst, wr_abort, wr_forget, wr_cmd_valid, wr_cmd_addr, wr_cmd_bytes,
                    m_axi_awready, m_axi_wready, m_axi_bid, m_axi_bresp, m_axi_bvalid, source_failed,
                    source_stopped, why, avail, packets, to_data, to_keep, to_last, to_user, to_valid};
  end
  endgenerate

  generate
  if (COPY) begin : g_copy
    localparam bit [31:0] HELD_W = $clog2(COPY_FIFO) + 1;
    logic [HELD_W-1:0] held;
    logic stopped, any_room;
    // Data in the FIFO when both halves are ready to work again have no owner.
    wire clear = (rd_dead || wr_dead) && resume;

    if (HELD_W > COUNT_W) begin : g_check
      axm_error_COUNT_W_must_hold_COPY_FIFO u_error ();
    end

    axm_dma_buffer #(
        .WIDTH(DATA_W + 2), .DEPTH(COPY_FIFO), .SPILLS(UNALIGNED)
    ) u_buffer (
        .clk, .rst, .clear, .announce(issue), .len(issue_len), .joined(issue_joined), .spilled(issue_spilled),
        .room(any_room),
        .in_data({from_user, from_data}), .in_valid(from_valid), .out_data({to_user, to_data}),
        .out_valid(to_valid), .out_ready(to_ready), .held
    );

    assign room = COUNT_W'(any_room);
    assign from_ready = 1'b1;
    assign avail = COUNT_W'(held);
    assign packets = '0;
    assign to_keep = '1;
    assign to_last = 1'b0;

    // When reading has stopped, what it has brought is still written; then this was the reason.
    assign source_failed = stopped && rd_dead;
    assign source_stopped = stopped;
    always_ff @(posedge clk) begin
      stopped <= rd_dead && !rst;  // its last beat is in the FIFO's count
      if (!stopped) why <= rd_done_code;
    end

    assign m_axis_tdata = '0;
    assign m_axis_tkeep = '0;
    assign {m_axis_tlast, m_axis_tvalid, s_axis_tready} = '0;
    wire unused = &{1'b0, m_axis_room, m_axis_tready, s_axis_avail, s_axis_packets, s_axis_tdata,
                    s_axis_tkeep, s_axis_tlast, s_axis_tvalid, from_keep, from_last};
  end else begin : g_apart
    assign room = m_axis_room;
    assign m_axis_tdata = from_data;
    assign m_axis_tkeep = from_keep;
    assign m_axis_tlast = from_last;
    assign m_axis_tvalid = from_valid;
    assign from_ready = m_axis_tready;
    assign avail = s_axis_avail;
    assign packets = s_axis_packets;
    assign to_data = s_axis_tdata;
    assign to_keep = s_axis_tkeep;
    assign to_last = s_axis_tlast;
    assign to_user = '0;
    assign to_valid = s_axis_tvalid;
    assign s_axis_tready = to_ready;
    assign source_failed = 1'b0;
    assign source_stopped = 1'b0;
    assign why = '0;
    wire unused = &{1'b0, issue, issue_len, issue_joined, issue_spilled, from_user, rd_dead, wr_dead, rd_clean,
                    wr_clean, rd_waiting, rd_held};
  end
  endgenerate

endmodule
