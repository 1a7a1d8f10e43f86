// Loop-back FIFO (block type 8): joins a reading and a writing DMA, and tells each what to expect.
//
// Purpose      `s_axis_room` promises the reader how many beats are surely taken; `m_axis_avail` and
//              `m_axis_packets` tell the writer what can be had at once. So bursts are begun only
//              when they can run without a pause.
// Limits       DEPTH is a power of two from 16 to 1024 beats. FORWARD_CYCLES is 2 to 64 (storage
//              with registered reads needs two). LIMIT, a register, can make it shorter.
// Throughput   One beat a clock in and one out, also when full or empty.
// Latency      A beat that enters in clock t can leave, and counts in `avail`, from clock
//              t + FORWARD_CYCLES; one that leaves in t is room from t + 1. One that enters in t is
//              room no more from t + 1.
// Area         xc7: 64 bit, 256 beats: 145 LUT, 116 FF, 1 RAMB36; 128 bit, 1024 beats: 224 LUT,
//              131 FF, 4 RAMB36. Data and keep are in block RAM (9 bits a byte); last is aside, so
//              that 72 bits stay 72.
module axm_stream_loopback #(
    parameter int unsigned DATA_W = 64,
    parameter int unsigned DEPTH = 256,
    parameter int unsigned FORWARD_CYCLES = 4,
    localparam int unsigned COUNT_W = $clog2(DEPTH) + 1,
    localparam int unsigned KEEP_W = DATA_W / 8
) (
    input  logic               clk,
    input  logic               rst,

    input  logic [ DATA_W-1:0] s_axis_tdata,
    input  logic [ KEEP_W-1:0] s_axis_tkeep,
    input  logic               s_axis_tlast,
    input  logic               s_axis_tvalid,
    output logic               s_axis_tready,
    output logic [COUNT_W-1:0] s_axis_room,     // beats surely taken from now on

    output logic [ DATA_W-1:0] m_axis_tdata,
    output logic [ KEEP_W-1:0] m_axis_tkeep,
    output logic               m_axis_tlast,
    output logic               m_axis_tvalid,
    input  logic               m_axis_tready,
    output logic [COUNT_W-1:0] m_axis_avail,    // beats that can be had now without waiting
    output logic [COUNT_W-1:0] m_axis_packets,  // complete packets among them

    input  logic [       11:0] s_axil_awaddr,
    input  logic [        2:0] s_axil_awprot,
    input  logic               s_axil_awvalid,
    output logic               s_axil_awready,
    input  logic [       31:0] s_axil_wdata,
    input  logic [        3:0] s_axil_wstrb,
    input  logic               s_axil_wvalid,
    output logic               s_axil_wready,
    output logic [        1:0] s_axil_bresp,
    output logic               s_axil_bvalid,
    input  logic               s_axil_bready,
    input  logic [       11:0] s_axil_araddr,
    input  logic [        2:0] s_axil_arprot,
    input  logic               s_axil_arvalid,
    output logic               s_axil_arready,
    output logic [       31:0] s_axil_rdata,
    output logic [        1:0] s_axil_rresp,
    output logic               s_axil_rvalid,
    input  logic               s_axil_rready
);

  if (DATA_W != 32 && DATA_W != 64 && DATA_W != 128 && DATA_W != 256) begin : g_check_width
    $error("%m: DATA_W is %0d; it must be 32, 64, 128 or 256", DATA_W);
  end
  if (DEPTH < 16 || DEPTH > 1024 || (DEPTH & (DEPTH - 1)) != 0) begin : g_check_depth
    $error("%m: DEPTH is %0d; it must be a power of two from 16 to 1024", DEPTH);
  end
  if (FORWARD_CYCLES < 2 || FORWARD_CYCLES > 64) begin : g_check_forward
    $error("%m: FORWARD_CYCLES is %0d; it must be 2 to 64", FORWARD_CYCLES);
  end

  localparam int unsigned PTR_W = COUNT_W - 1;
  typedef logic [COUNT_W-1:0] count_t;

  stream_loopback_regs_pkg::axm_stream_loopback__in_t  to_regs;
  stream_loopback_regs_pkg::axm_stream_loopback__out_t from_regs;

  wire clear = from_regs.CTRL.CLEAR.value;
  wire push = s_axis_tvalid && s_axis_tready;
  wire pop = m_axis_tvalid && m_axis_tready;

  // ---- storage: read again in every clock, from where the next beat to leave will be --------
  (* ram_style = "block" *)
  logic [DATA_W+KEEP_W-1:0] memory[DEPTH];
  (* ram_style = "distributed" *)
  logic memory_last[DEPTH];
  logic [PTR_W-1:0] head, tail;
  wire [PTR_W-1:0] tail_next = tail + PTR_W'(pop);

  always_ff @(posedge clk) begin
    if (push) memory[head] <= {s_axis_tkeep, s_axis_tdata};
    {m_axis_tkeep, m_axis_tdata} <= memory[tail_next];
  end

  always_ff @(posedge clk) begin
    if (push) memory_last[head] <= s_axis_tlast;
    m_axis_tlast <= memory_last[tail_next];
  end

  always_ff @(posedge clk) begin
    if (rst || clear) begin
      head <= '0;
      tail <= '0;
    end else begin
      head <= head + PTR_W'(push);
      tail <= tail_next;
    end
  end

  // ---- a beat becomes available FORWARD_CYCLES after it entered -----------------------------
  logic [FORWARD_CYCLES-1:1] came, came_last;

  always_ff @(posedge clk) begin
    if (rst || clear) begin
      came <= '0;
      came_last <= '0;
    end else begin
      came <= (FORWARD_CYCLES - 1)'({came, push});
      came_last <= (FORWARD_CYCLES - 1)'({came_last, push && s_axis_tlast});
    end
  end

  // ---- counts ------------------------------------------------------------------------------
  // LIMIT as it counts; a register, for its comparison need not be in the path to `room`.
  count_t limit, held, peak;

  always_ff @(posedge clk) begin
    limit <= from_regs.LIMIT.VALUE.value > 16'(DEPTH)
        ? count_t'(DEPTH) : count_t'(from_regs.LIMIT.VALUE.value);
    if (rst || clear) begin
      held <= '0;
      peak <= '0;
      m_axis_avail <= '0;
      m_axis_packets <= '0;
    end else begin
      held <= held + count_t'(push) - count_t'(pop);
      if (held > peak) peak <= held;
      m_axis_avail <= m_axis_avail + count_t'(came[FORWARD_CYCLES-1]) - count_t'(pop);
      m_axis_packets <= m_axis_packets + count_t'(came_last[FORWARD_CYCLES-1])
          - count_t'(pop && m_axis_tlast);
    end
    if (rst) limit <= '0;
  end

  assign s_axis_room   = limit > held ? limit - held : '0;
  assign s_axis_tready = limit > held;
  assign m_axis_tvalid = m_axis_avail != '0;

  // ---- registers ---------------------------------------------------------------------------
  always_comb begin
    to_regs.CAPS.DEPTH.next = 16'(DEPTH);
    to_regs.CAPS.DATA_BYTES.next = 8'(KEEP_W);
    to_regs.CAPS.FORWARD_CYCLES.next = 8'(FORWARD_CYCLES);
    to_regs.LEVEL.HELD.next = 16'(held);
    to_regs.LEVEL.PEAK.next = 16'(peak);
    to_regs.PACKETS.VALUE.next = 16'(m_axis_packets);
  end

  stream_loopback_regs u_regs (
      .hwif_in (to_regs),
      .hwif_out(from_regs),
      .*
  );

endmodule
