// Reading engine: memory to stream.
//
// Purpose      Takes transfers (address, length), reads them in bursts with many in flight, gives their bytes
//              to a stream, and reports each: `done_code` (dma_regs_pkg::code_e) and `done_bytes`, those
//              before the first fault, so that the faulty burst begins at address + done_bytes. Reports come
//              in the order of the transfers. A transfer is taken with the last address of the one before.
// Timing       docs/hardware.md, "When an engine acts", rules 1, 3 and 5: an address is valid in the clock in
//              which there are a transfer, room and fewer than `cfg_outstanding` bursts in flight; a report
//              is valid in the clock of the transfer's last beat.
// Limits       One ID; answers in order. UNALIGNED = 0: transfers of whole, aligned beats; others are reported
//              as BAD_COMMAND. Every transfer begins with a new beat of the stream: one of odd length that ends no
//              packet leaves a partial beat in it. An abort withdraws a beat that the stream has not taken.
//              cfg_burst + 1 beats at most in a burst (16 if AXI3). COPIES: the other half reports; room is one bit.
// Throughput   One beat a clock and one address a clock, without gaps between bursts or transfers.
// Latency      The first address is valid in the clock after the transfer was taken.
//              A beat is on the stream in the clock in which it is on the bus.
// Area         64 bit, 16 in flight: 244 LUT, 148 FF (xc7); more in area.toml.
`include "axm_ports.svh"

module axm_dma_read #(
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] ID_W = 4,
    parameter bit [31:0] USER_W = 1,
    parameter bit AXI3 = 0,
    parameter bit [31:0] MAX_OUTSTANDING = 16,
    parameter bit UNALIGNED = 0,
    parameter bit [31:0] ROOM_W = 16,
    parameter bit COPIES = 0,
    parameter bit [31:0] AXI_ID = 0
) (
    input  logic                clk,
    input  logic                rst,
    // Configuration, constant while busy
    input  logic [         7:0] cfg_burst,        // longest burst in beats, less one
    input  logic [         6:0] cfg_outstanding,  // most bursts in flight, 1 to MAX_OUTSTANDING
    input  logic                blocked,           // it is 0 (of either half of a copy): transfers are refused
    input  logic [         3:0] cfg_cache,
    input  logic [         2:0] cfg_prot,
    input  logic [         3:0] cfg_qos,
    // Control
    input  logic                abort_all,        // end all transfers
    input  logic                forget,
    input  logic                tick,             // a time-out period ends
    input  logic                resume,           // may return to work: the other half of a copy is clean too
    output logic                busy,
    output logic                dead,
    output logic                draining,
    output logic                clean,
    output logic                waiting,          // for the slave
    output logic                held,             // ... which has seen an address and not taken it
    output logic                reported_early,   // the transfer that waits was reported already
    // Transfers
    input  logic                cmd_valid,
    output logic                cmd_ready,
    input  logic [  ADDR_W-1:0] cmd_addr,
    input  logic [        31:0] cmd_bytes,
    input  logic                cmd_last,
    input  logic [$clog2(DATA_W/8)-1:0] cmd_lane, // COPIES: of the first byte at the destination
    // Completions
    output logic                done_valid,
    output logic [         3:0] done_code,
    output logic [        31:0] done_bytes,
    // What is announced, for who counts the room in beats of the stream
    output logic                issue,
    output logic [         7:0] issue_len,
    output logic                issue_joined,     // with this burst the transfer gives a beat less,
    output logic                issue_spilled,    // ... and a beat more
    // AXI
    `AXM_AXI_MASTER_READ(m_axi_, ID_W, DATA_W)
    // Stream
    input  logic [  ROOM_W-1:0] m_axis_room,
    output logic [  DATA_W-1:0] m_axis_tdata,
    output logic [DATA_W/8-1:0] m_axis_tkeep,
    output logic                m_axis_tlast,
    output logic [         1:0] m_axis_tuser,     // the beat's rresp
    output logic                m_axis_tvalid,
    input  logic                m_axis_tready
);

  localparam bit [31:0] SHIFT = $clog2(DATA_W / 8);
  localparam bit [31:0] PTR_W = $clog2(MAX_OUTSTANDING);
  localparam bit [31:0] COUNT_W = PTR_W + 1;

  generate
  if (DATA_W != 32 && DATA_W != 64 && DATA_W != 128 && DATA_W != 256) begin : g_check_data
    axm_error_DATA_W_must_be_32_64_128_or_256 u_error ();
  end
  if (ADDR_W < 32 || ADDR_W > 64) begin : g_check_addr
    axm_error_ADDR_W_must_be_32_to_64 u_error ();
  end
  if (MAX_OUTSTANDING < 2 || MAX_OUTSTANDING > 64
      || (MAX_OUTSTANDING & (MAX_OUTSTANDING - 1)) != 0) begin : g_check_outstanding
    axm_error_MAX_OUTSTANDING_must_be_a_power_of_two_from_2_to_64 u_error ();
  end
  endgenerate

  // The current transfer, and its next burst
  logic standing, bad, first, last, packet_end;
  logic [ADDR_W-1:0] addr;
  logic [7:0] len;
  logic [SHIFT-1:0] shift, last_lane;
  // Record of a burst in flight.
  logic [COUNT_W-1:0] in_flight;
  logic full_flight;  // cfg_outstanding are
  logic [PTR_W-1:0] newest, oldest;
  // Of each, highest bit first:
  //   len
  //   last  of its transfer
  //   tlast  ... which ends a packet
  (* ram_style = "distributed", ramstyle = "MLAB" *) logic [9:0] bursts[MAX_OUTSTANDING];
  logic [7:0] beat;  // of the burst that comes back
  logic [31-SHIFT:0] moved;  // beats of the oldest transfer before any fault
  logic room, ready, tail, drop_all, report, pop, no_fault;
  logic [3:0] code;
  logic unused_source;  // a fault of the writing half only

  // Addresses. One that the slave has seen stays until it is taken.
  wire none = in_flight == '0;
  // One burst more is all that may be in flight.
  wire more_fills = &in_flight[PTR_W-1:0] || 8'(in_flight) + 1'b1 == 8'(cfg_outstanding);
  wire begun = issue && last && !dead;
  logic reject;

  assign waiting = m_axi_arvalid || !none;
  assign issue = m_axi_arvalid && m_axi_arready;
  assign issue_len = len;
  assign m_axi_araddr = addr;
  assign m_axi_arlen = len;
  assign m_axi_arid = ID_W'(AXI_ID);
  assign m_axi_arsize = 3'(SHIFT);
  assign m_axi_arburst = 2'b01;
  assign m_axi_arlock = '0;
  assign m_axi_arcache = cfg_cache;
  assign m_axi_arprot = cfg_prot;
  assign m_axi_arqos = cfg_qos;
  assign m_axi_aruser = '0;

  // What is rare, or needs a comparison, is worked out below its condition: a simulator passes over it.
  always_comb begin
    m_axi_arvalid = held;
    if (!m_axi_arvalid && standing && !full_flight) m_axi_arvalid = !bad && !dead && room;
    reject = bad;
    if (reject) reject = standing && none && !dead;
  end

  axm_dma_bursts #(
      .ADDR_W(ADDR_W), .DATA_W(DATA_W), .UNALIGNED(UNALIGNED), .SMALL(COPIES)
  ) u_bursts (
      .clk, .rst, .cfg_burst(AXI3 ? {4'd0, cfg_burst[3:0]} : cfg_burst), .cmd_valid, .cmd_ready,
      .cmd_addr, .cmd_bytes, .blocked, .over(begun || reject || pop), .dropped(dead && !held),
      .step(issue), .valid(standing), .bad, .addr, .len, .first, .last, .shift, .last_lane
  );

  always_ff @(posedge clk) begin
    if (cmd_ready) packet_end <= cmd_last;
  end

  always_ff @(posedge clk) begin
    held <= m_axi_arvalid && !m_axi_arready && !rst && !drop_all;
  end

  // Data
  logic [7:0] current_len;
  logic current_last;
  logic current_tlast;
  assign {current_len, current_last, current_tlast} = bursts[oldest];
  wire full = beat == current_len;  // the burst's last beat, as we count
  wire mine = m_axi_rid == ID_W'(AXI_ID);
  logic offered, take, burst_end, broken, faulty, ended, good;

  assign m_axi_rready = dead || none || ready;  // whatever the beat's ID: AXI has no path from input to output

  always_comb begin
    {offered, take, burst_end, broken, faulty, ended, good} = '0;
    if (m_axi_rvalid) begin
      offered = !dead && !none && mine;
      take = m_axi_rready;
      faulty = !COPIES && take && m_axi_rresp[1] && !dead;
      burst_end = take && full && !none;
      broken = take && (none || m_axi_rlast != full || !mine);
      ended = burst_end && current_last && !broken && !dead;
      good = take && !m_axi_rresp[1] && no_fault && !broken && !dead;
    end
  end

  always_ff @(posedge clk) begin
    if (issue) bursts[newest] <= {len, last, packet_end};
  end

  // A plain register, the records' address of reading: see axm_dma_list.
  wire [PTR_W-1:0] oldest_next = rst || drop_all ? '0 : oldest + PTR_W'(burst_end);
  always_ff @(posedge clk) oldest <= oldest_next;

  always_ff @(posedge clk) begin
    if (rst || drop_all) begin
      in_flight <= '0;
      full_flight <= 1'b0;
      newest <= '0;
    end else begin
      if (issue != burst_end) full_flight <= issue && more_fills;
      if (issue != burst_end) in_flight <= in_flight - {{PTR_W{!burst_end}}, 1'b1};
      if (issue) newest <= newest + 1'b1;
    end
  end

  always_ff @(posedge clk) begin
    if (rst || drop_all || burst_end) beat <= '0;
    else if (take && !none) beat <= beat + 1'b1;
  end

  // Completions
  function automatic logic [31-SHIFT:0] sum(input logic [31-SHIFT:0] so_far, input logic more);
    sum = so_far + (32 - SHIFT)'(more);
  endfunction
  wire [31-SHIFT:0] moved_now = sum(moved, good);

  assign done_valid = ended || reject || report;
  assign done_code = reject ? dma_regs_pkg::code__BAD_COMMAND : code;

  always_ff @(posedge clk) begin
    if (rst || done_valid) moved <= '0;
    else if (good) moved <= sum(moved, good);
  end

  axm_dma_guard #(
      .OPEN_W(COUNT_W), .REPORTS(!COPIES)
  ) u_guard (
      .clk, .rst, .abort_all, .underrun(1'b0), .underrun_code(5'd0), .forget, .tick,
      .moving(m_axi_rvalid || issue), .going_on(m_axi_rvalid || (held && m_axi_arready)), .waiting,
      .wait_code(none ? dma_regs_pkg::code__TIMEOUT_ADDRESS : dma_regs_pkg::code__TIMEOUT_DATA),
      .faulty, .faulty_code({3'b000, m_axi_rresp}),
      .broken(broken),
      .broken_code(none ? dma_regs_pkg::code__UNEXPECTED
          : !mine ? dma_regs_pkg::code__BAD_ID : dma_regs_pkg::code__BAD_LAST),
      .begun, .ended(!COPIES && ended), .cmd_valid(standing), .cmd_next(cmd_valid), .cmd_held(held),
      .bus_idle(none && !held), .resume, .dead, .draining, .clean, .drop_all, .report, .pop,
      .reported_early, .no_fault, .code({unused_source, code})
  );

  // Room: that of the stream less what was requested and has not moved. COPIES: the caller counts,
  // and m_axis_room is only yes (1) or no.
  generate
  if (COPIES) begin : g_asked
    wire unused = &{1'b0, tail, m_axis_room};
    assign room = m_axis_room[0];
  end else begin : g_counted
    localparam bit [31:0] PENDING_W = PTR_W + 9;
    localparam bit [31:0] SUM_W = (PENDING_W > ROOM_W ? PENDING_W : ROOM_W) + 1;
    logic [PENDING_W-1:0] pending;
    assign room = SUM_W'(m_axis_room) > SUM_W'(pending) + SUM_W'(len) + SUM_W'(tail);
    always_ff @(posedge clk) begin
      if (rst || drop_all) pending <= '0;
      else
        pending <= pending + (issue ? PENDING_W'(len) + 1'b1 : PENDING_W'(0))
            - PENDING_W'(take && !none);
    end
  end
  endgenerate

  // Stream
  generate
  if (UNALIGNED && COPIES) begin : g_turn
    // Beats of the stream are the destination's.
    logic [SHIFT-1:0] turn;  // from lanes of the source to lanes of the destination
    logic skips;  // its first beat fills none of the destination
    // Of each, highest bit first:
    //   skip   its first beat fills none
    //   spill  its last beat's last bytes go to one beat more
    //   turn
    (* ram_style = "distributed", ramstyle = "MLAB" *) logic [SHIFT+1:0] edges[MAX_OUTSTANDING];
    logic here_skip, here_spill;
    logic [SHIFT-1:0] here_turn;
    logic [SHIFT-1:0] unused_lane;
    logic spills;
    assign {spills, unused_lane} = {1'b0, last_lane} + {1'b0, turn};
    assign {here_skip, here_spill, here_turn} = edges[oldest];
    assign issue_joined = first && skips;
    assign issue_spilled = last && spills;

    always_ff @(posedge clk) begin
      if (cmd_ready) {skips, turn} <= {1'b0, cmd_lane} - {1'b0, cmd_addr[SHIFT-1:0]};
      if (issue) edges[newest] <= {first && skips, last && spills, turn};
    end

    axm_dma_turn #(
        .DATA_W(DATA_W)
    ) u_turn (
        .clk, .rst, .clear(dead), .in_valid(offered), .in_ready(ready),
        .in_data(m_axi_rdata), .in_user(m_axi_rresp), .in_skip(here_skip && beat == '0),
        .in_last(full && current_last), .in_spill(full && here_spill), .turn(here_turn),
        .out_data(m_axis_tdata), .out_user(m_axis_tuser), .out_valid(m_axis_tvalid)
    );

    assign m_axis_tkeep = '1;
    assign m_axis_tlast = 1'b0;
    assign tail = 1'b0;
    assign busy = !clean || dead;
    assign done_bytes = 32'(moved_now) << SHIFT;
    wire unused = &{1'b0, shift, current_tlast, m_axis_tready, unused_lane};
  end else if (UNALIGNED) begin : g_align
    // Of each, highest bit first:
    //   first  burst of its transfer
    //   shift
    //   last_lane
    (* ram_style = "distributed", ramstyle = "MLAB" *) logic [2*SHIFT:0] edges[MAX_OUTSTANDING];
    logic here_first;
    logic [SHIFT-1:0] here_shift;
    logic [SHIFT-1:0] here_last_lane;
    assign {here_first, here_shift, here_last_lane} = edges[oldest];
    assign {issue_joined, issue_spilled} = '0;
    wire unused = &{1'b0, cmd_lane};
    logic [SHIFT-1:0] moved_shift;  // of the transfer whose beats are in `moved`
    wire [SHIFT-1:0] shift_now = good ? here_shift : moved_shift;
    logic some;  // beats were moved: nearly 4 GiB begun inside a beat are 2^32 bytes, and `moved` is 0 again
    wire some_now = some || good;
    wire whole = ended && good;
    wire [SHIFT-1:0] missing = ~here_last_lane;  // lanes of the last beat

    always_ff @(posedge clk) begin
      if (issue)
        edges[newest] <= {first, shift, last_lane};
      moved_shift <= shift_now;
      some <= some_now && !done_valid && !rst;
    end

    // The last bytes may be in the realigner when the transfer is reported, until the stream takes them.
    assign busy = !clean || dead || tail;

    // Beats of the bus, less what the first and the last one hold of others.
    assign done_bytes = !some_now ? '0
        : {moved_now, SHIFT'(0)} - 32'(shift_now) - (whole ? 32'(missing) : 32'd0);

    axm_dma_pack #(
        .DATA_W(DATA_W)
    ) u_pack (
        .clk, .rst, .clear(dead), .in_valid(offered), .in_ready(ready),
        .in_data(m_axi_rdata), .in_user(m_axi_rresp), .in_first(here_first && beat == '0),
        .in_last(full && current_last), .shift(here_shift), .last_lane(here_last_lane),
        .in_tlast(current_tlast), .holding(tail), .out_data(m_axis_tdata), .out_keep(m_axis_tkeep),
        .out_last(m_axis_tlast), .out_user(m_axis_tuser), .out_valid(m_axis_tvalid),
        .out_ready(m_axis_tready)
    );
  end else begin : g_straight
    wire unused = &{1'b0, first, shift, last_lane, cmd_lane};
    assign {issue_joined, issue_spilled} = '0;
    assign tail = 1'b0;
    assign busy = !clean || dead;
    assign ready = m_axis_tready;
    assign m_axis_tdata = m_axi_rdata;
    assign m_axis_tkeep = '1;
    assign m_axis_tlast = full && current_last && current_tlast;
    assign m_axis_tuser = m_axi_rresp;
    assign m_axis_tvalid = offered;
    assign done_bytes = {moved_now, SHIFT'(0)};
  end
  endgenerate

endmodule
