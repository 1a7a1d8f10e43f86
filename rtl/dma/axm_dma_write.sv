// Writing engine: stream to memory.
//
// Purpose      Takes transfers (address, length), writes the beats of a stream there in bursts with many in
//              flight, and reports each: `done_code` (dma_regs_pkg::code_e), `done_bytes` (those before the
//              first fault), and `done_packet` if the transfer ended with the stream's tlast, which it does
//              also before its length; the rest of a burst that was announced has no strobes. Reports come
//              in the order of the transfers. A transfer is taken at the end of the last burst of the one
//              before.
// Timing       docs/hardware.md, "When an engine acts", rules 2, 3 and 5: address and first beat are valid in
//              the same clock; a report is valid in the clock of the transfer's last response.
// Limits       One ID; answers in order. UNALIGNED = 0: transfers of whole, aligned beats; others are reported
//              as BAD_COMMAND. A transfer takes whole beats of the stream. cfg_burst + 1 beats at most in a
//              burst (16 if AXI3). PACKETS = 0: the stream has neither tlast nor partial beats.
// Throughput   One beat a clock, without gaps between bursts or transfers, also for bursts of one beat.
// Latency      The first address is valid in the clock after the transfer was taken.
//              A beat is on the bus in the clock in which the stream offers it, if its burst may begin.
// Area         64 bit, 16 in flight: 337 LUT, 157 FF (xc7); more in area.toml.
`include "axm_ports.svh"

module axm_dma_write #(
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] ID_W = 4,
    parameter bit [31:0] USER_W = 1,
    parameter bit AXI3 = 0,
    parameter bit [31:0] MAX_OUTSTANDING = 16,
    parameter bit UNALIGNED = 0,
    parameter bit [31:0] COUNT_W = 16,
    parameter bit PACKETS = 1,
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
    input  logic                cfg_whole_burst,  // begin a burst only when its data is there
    // Control
    input  logic                abort_all,        // end all transfers
    input  logic                forget,
    input  logic                tick,             // a time-out period ends
    input  logic                resume,           // may return to work: the other half of a copy is clean too
    input  logic                source_stopped,   // the stream changes no more (PACKETS = 0)
    input  logic                source_failed,    // the stream brings nothing more: as abort, if waiting
    input  logic [         3:0] source_code,
    input  logic                feeding,          // PACKETS = 0: the other half waits for its slave
    input  logic                keep_cmd,         // ... and holds an address: no transfer may be dropped before
    output logic                busy,
    output logic                dead,
    output logic                draining,
    output logic                clean,
    output logic                reported_early,   // the transfer that waits was reported already
    // Transfers
    input  logic                cmd_valid,
    output logic                cmd_ready,
    input  logic [  ADDR_W-1:0] cmd_addr,
    input  logic [        31:0] cmd_bytes,
    // Completions
    output logic                done_valid,
    output logic [         3:0] done_code,
    output logic                done_source,      // the fault came with the stream
    output logic                done_packet,      // the transfer ended with tlast
    output logic [        31:0] done_bytes,
    // AXI
    `AXM_AXI_MASTER_WRITE(m_axi_, ID_W, DATA_W)
    // Stream
    input  logic [ COUNT_W-1:0] s_axis_avail,
    input  logic [ COUNT_W-1:0] s_axis_packets,
    input  logic [  DATA_W-1:0] s_axis_tdata,
    input  logic [DATA_W/8-1:0] s_axis_tkeep,
    input  logic                s_axis_tlast,
    input  logic [         1:0] s_axis_tuser,     // a faulty beat (an rresp): not written, and reported
    input  logic                s_axis_tvalid,
    output logic                s_axis_tready
);

  localparam bit [31:0] SHIFT = $clog2(DATA_W / 8);
  localparam bit [31:0] PTR_W = MAX_OUTSTANDING > 1 ? $clog2(MAX_OUTSTANDING) : 1;  // 1: refused below
  localparam bit [31:0] FLIGHT_W = PTR_W + 1;

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
  logic standing, bad, first, last;
  logic [ADDR_W-1:0] addr;
  logic [7:0] len;
  logic [SHIFT-1:0] shift, last_lane;
  // Record of a burst whose response is awaited. PACKETS = 0: the stream has neither tlast nor
  // tkeep, so that some of it is constant; counts of bytes have no bits that are always 0.
  localparam bit [31:0] CUT = PACKETS || UNALIGNED ? 0 : SHIFT;
  logic [FLIGHT_W-1:0] in_flight;
  logic full_flight;  // cfg_outstanding are
  logic [PTR_W-1:0] newest, oldest;
  // Of each, highest bit first:
  //   last  of its transfer
  //   packet  ... which ended with tlast
  //   sent  bytes that were written, before any fault
  //   source  fault that came with the stream
  (* ram_style = "distributed", ramstyle = "MLAB" *) logic [12+SHIFT-CUT:0] bursts[MAX_OUTSTANDING];
  logic running;  // the burst has begun in a clock before
  logic aw_done, w_done;  // ... and its address, its last beat was taken
  logic [7:0] beat;
  logic packet_over;  // tlast came: the rest of the burst is padding
  logic quiesce;  // padding may begin, for
  logic quiesced;  // padding, because of an abort
  logic drop_all, report, pop, no_fault;
  logic [4:0] code;
  logic [31:CUT] moved;  // bytes of the oldest transfer before any fault

  // The beats as the bus takes them.
  logic data_valid, data_last;
  logic [1:0] data_user;
  logic [DATA_W-1:0] data;
  logic [DATA_W/8-1:0] keep;
  logic enough;  // for the burst to begin

  // Addresses and data: the burst begins with both in the same clock.
  logic go, take, over, step, begun, reject;
  wire none = in_flight == '0;
  // One burst more is all that may be in flight.
  wire more_fills = &in_flight[PTR_W-1:0] || 8'(in_flight) + 1'b1 == 8'(cfg_outstanding);
  wire pad = packet_over || quiesced;
  wire feed = go && !w_done;
  // What is rare, or needs a comparison, is worked out below its condition: a simulator passes over it.
  always_comb begin
    go = running;
    if (!go && standing && !full_flight) go = !bad && !dead && enough;
    reject = bad;
    if (reject) reject = standing && none && !running && !dead;
  end
  always_comb begin
    {take, step, begun} = '0;
    over = packet_over;
    if (go) begin
      take = m_axi_wvalid && m_axi_wready;
      over = packet_over || (take && !pad && data_last);
      step = (aw_done || m_axi_awready) && (w_done || (take && m_axi_wlast));
      begun = step && (last || over) && !dead;
    end
  end

  assign m_axi_awvalid = go && !aw_done;
  assign m_axi_awaddr = addr;
  assign m_axi_awlen = len;
  assign m_axi_awid = ID_W'(AXI_ID);
  assign m_axi_awsize = 3'(SHIFT);
  assign m_axi_awburst = 2'b01;
  assign m_axi_awlock = '0;
  assign m_axi_awcache = cfg_cache;
  assign m_axi_awprot = cfg_prot;
  assign m_axi_awqos = cfg_qos;
  assign m_axi_awuser = '0;
  assign m_axi_wid = ID_W'(AXI_ID);
  // Steady while it waits, which a stream that is not taken from need not be.
  assign m_axi_wdata = PACKETS && pad ? '0 : data;
  assign m_axi_wstrb = pad || data_user[1] ? '0 : keep;
  assign m_axi_wlast = beat == len;
  assign m_axi_wvalid = feed && (pad || data_valid);
  assign m_axi_bready = 1'b1;

  axm_dma_bursts #(
      .ADDR_W(ADDR_W), .DATA_W(DATA_W), .UNALIGNED(UNALIGNED), .SMALL(!PACKETS)
  ) u_bursts (
      .clk, .rst, .cfg_burst(AXI3 ? {4'd0, cfg_burst[3:0]} : cfg_burst), .cmd_valid, .cmd_ready,
      .cmd_addr, .cmd_bytes, .blocked, .over(begun || reject || pop), .dropped(dead && !running), .step,
      .valid(standing), .bad, .addr, .len, .first, .last, .shift, .last_lane
  );

  always_ff @(posedge clk) begin
    quiesce <= dead && (PACKETS || source_stopped);
    if (rst || drop_all || step) begin
      running <= 1'b0;
      aw_done <= 1'b0;
      w_done <= 1'b0;
      packet_over <= 1'b0;
      quiesced <= 1'b0;
    end else begin
      running <= go;
      aw_done <= aw_done || (m_axi_awvalid && m_axi_awready);
      w_done <= w_done || (take && m_axi_wlast);
      packet_over <= over;
      // A beat that the slave has seen must stay as it is until it is taken.
      quiesced <= quiesced || (quiesce && go && (take || !m_axi_wvalid));
    end
  end

  always_ff @(posedge clk) begin
    if (rst || drop_all || (take && m_axi_wlast)) beat <= '0;
    else if (take) beat <= beat + 1'b1;
  end

  // The written part of the burst; each of its beats is recorded as if it were the last.
  logic [8+SHIFT:CUT] sent;
  logic [1:0] source;

  function automatic logic [SHIFT:0] ones(input logic [DATA_W/8-1:0] mask);
    ones = '0;
    for (int unsigned k = 0; k < DATA_W / 8; k++) ones += (SHIFT + 1)'(mask[k]);
  endfunction

  always_ff @(posedge clk) begin : record
    logic [SHIFT-CUT:0] given;  // in units of 2 ** CUT bytes, of which a beat is one if it has no partial strobes
    logic [8+SHIFT:CUT] sent_now;
    logic [1:0] source_now;
    logic unused_sent;
    if (take) begin
      given = CUT == 0 ? (SHIFT - CUT + 1)'(ones(keep)) : '1;
      source_now = !source[1] && !pad && data_user[1] ? data_user : source;  // the first one
      {sent_now, unused_sent} = {sent, 1'b0}
          - {~(pad || source_now[1] ? '0 : (9 + SHIFT - CUT)'(given)), 1'b1};
      bursts[newest] <= {last || packet_over || (!pad && data_last), packet_over || (!pad && data_last),
                         sent_now, source_now};
      sent <= sent_now;
      source <= source_now;
    end
    if (rst || drop_all || step) begin
      sent <= '0;
      source <= '0;
    end
  end

  // Responses
  logic current_last, current_packet;
  logic [8+SHIFT:CUT] current_sent;
  logic [1:0] current_source;
  assign {current_last, current_packet, current_sent, current_source} = bursts[oldest];
  wire mine = m_axi_bid == ID_W'(AXI_ID);
  logic burst_end, broken, faulty, ended, good;
  logic [4:0] faulty_code;
  always_comb begin
    {burst_end, broken, faulty, faulty_code, ended, good} = '0;
    if (m_axi_bvalid) begin
      burst_end = !none;
      broken = none || !mine;
      faulty = burst_end && (m_axi_bresp[1] || current_source[1]) && !dead;
      faulty_code = m_axi_bresp[1] ? {3'b000, m_axi_bresp} : {3'b100, current_source};
      ended = burst_end && current_last && !broken && !dead;
      good = burst_end && no_fault && !m_axi_bresp[1] && !broken && !dead;
    end
  end
  // A sum; one whose first operand is a register costs an FPGA half as much as one that is not.
  function automatic logic [31:CUT] sum(input logic [31:CUT] so_far, input logic [31:CUT] more);
    logic unused_sum;
    {sum, unused_sum} = {so_far, 1'b0} - {~more, 1'b1};
  endfunction
  wire [31:CUT] more_moved = good ? (32 - CUT)'(current_sent) : '0;

  assign done_valid = ended || reject || report;
  assign done_code = reject ? dma_regs_pkg::code__BAD_COMMAND : code[3:0];
  assign done_source = code[4];
  assign done_packet = ended && current_packet;
  assign done_bytes = 32'(sum(moved, more_moved)) << CUT;

  // A plain register, the records' address of reading: see axm_dma_list.
  wire [PTR_W-1:0] oldest_next = rst || drop_all ? '0 : oldest + PTR_W'(burst_end);
  always_ff @(posedge clk) oldest <= oldest_next;

  always_ff @(posedge clk) begin
    if (rst || drop_all) begin
      in_flight <= '0;
      full_flight <= 1'b0;
      newest <= '0;
    end else begin
      if (step != burst_end) full_flight <= step && more_fills;
      if (step != burst_end) in_flight <= in_flight - {{PTR_W{!burst_end}}, 1'b1};
      if (step) newest <= newest + 1'b1;
    end
  end

  always_ff @(posedge clk) begin
    if (rst || done_valid) moved <= '0;
    else if (good) moved <= sum(moved, more_moved);
  end

  // A stream may come when it likes; a copy's comes from a slave. If neither half waits for its own, the
  // engine itself stalls.
  wire stands = !PACKETS && standing && !feeding;
  wire starved = running ? !pad && !w_done && !data_valid : !go;
  wire underrun = source_failed && standing && !bad && !dead && none && starved;  // what was written is answered

  axm_dma_guard #(
      .OPEN_W(FLIGHT_W)
  ) u_guard (
      .clk, .rst,
      .abort_all, .underrun,
      .underrun_code({1'b1, source_code}),
      .forget, .tick,
      .moving(m_axi_bvalid || take || (m_axi_awvalid && m_axi_awready)),
      .going_on(m_axi_bvalid || (running && ((!w_done && (pad || data_valid) && m_axi_wready)
          || (!aw_done && m_axi_awready)))),
      .waiting(m_axi_awvalid || m_axi_wvalid || !none || stands),
      .wait_code(m_axi_awvalid ? dma_regs_pkg::code__TIMEOUT_ADDRESS : m_axi_wvalid ? dma_regs_pkg::code__TIMEOUT_DATA
          : !none || PACKETS ? dma_regs_pkg::code__TIMEOUT_RESPONSE : dma_regs_pkg::code__TIMEOUT_INTERNAL),
      .faulty, .faulty_code,
      .broken,
      .broken_code(none ? dma_regs_pkg::code__UNEXPECTED : dma_regs_pkg::code__BAD_ID),
      .begun, .ended,
      .cmd_valid(standing),
      .cmd_next(cmd_valid),
      .cmd_held(running || (!PACKETS && keep_cmd)),
      .bus_idle(none && !running),
      .resume,
      .dead, .draining, .clean, .drop_all, .report, .pop, .reported_early, .no_fault, .code
  );

  assign busy = !clean || dead;

  // Stream
  generate
  if (UNALIGNED && PACKETS) begin : g_align
    logic spare, left;
    wire unused = &{1'b0, first};

    axm_dma_unpack #(
        .DATA_W(DATA_W)
    ) u_unpack (
        .clk, .rst,
        .clear(dead && !running),  // until then a beat that is held may wait on the bus
        .in_data(s_axis_tdata),
        .in_keep(s_axis_tkeep),
        .in_last(s_axis_tlast),
        .in_user(s_axis_tuser),
        .in_valid(s_axis_tvalid),
        .in_ready(s_axis_tready),
        .over(begun),
        .out_end(last && m_axi_wlast),
        .shift, .last_lane, .spare, .left,
        .out_data(data),
        .out_keep(keep),
        .out_last(data_last),
        .out_user(data_user),
        .out_valid(data_valid),
        .out_ready(feed && !pad && m_axi_wready)
    );

    assign enough = cfg_whole_burst
        ? (COUNT_W + 1)'(s_axis_avail) + (COUNT_W + 1)'(last && spare) > (COUNT_W + 1)'(len)
            || s_axis_packets != '0 || left
        : data_valid;
  end else begin : g_straight
    // A copy's beats are the bus's, without bytes before the first and behind the last.
    if (UNALIGNED) begin : g_lanes
      wire begins = first && beat == '0, ends = last && m_axi_wlast;
      always_comb
        for (int unsigned lane = 0; lane < DATA_W / 8; lane++)
          keep[lane] = !(begins && lane < 32'(shift)) && !(ends && lane > 32'(last_lane));
      wire unused = &{1'b0, s_axis_tkeep};
    end else begin : g_whole
      assign keep = s_axis_tkeep;
      wire unused = &{1'b0, first, shift, last_lane};
    end
    assign data_user = s_axis_tuser;
    assign data_valid = s_axis_tvalid;
    assign data_last = s_axis_tlast;
    assign data = s_axis_tdata;
    assign s_axis_tready = feed && !pad && m_axi_wready;
    logic more;  // than len
    logic [COUNT_W-1:0] unused_sum;
    assign {more, unused_sum} = {1'b0, COUNT_W'(len)} - {1'b0, s_axis_avail};
    assign enough = cfg_whole_burst ? more || s_axis_packets != '0 : s_axis_tvalid;
  end
  endgenerate

endmodule
