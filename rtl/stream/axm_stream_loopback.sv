// Loop-back FIFO (block type 8): joins a reading and a writing DMA, with counts of room and data for them.
//
// Purpose      `s_axis_room` promises the reader how many beats are surely taken; `m_axis_avail` and
//              `m_axis_packets` count the beats and packets available now. So bursts are begun only
//              when they can run without a pause.
// Limits       DEPTH is a power of two from 16 to 1024 beats. FORWARD_CYCLES is 2 to 64 (storage
//              with registered reads needs two). LIMIT, a register, can make it shorter.
// Throughput   One beat a clock in and one out, also when full or empty.
// Latency      A beat that enters in clock t can leave, and counts in `avail`, from clock
//              t + FORWARD_CYCLES; one that leaves in t is room from t + 1. One that enters in t is
//              room no more from t + 1.
// Area         xc7: 64 bit, 256 beats: 142 LUT, 119 FF, 1 RAMB36; 128 bit, 1024 beats: 221 LUT,
//              134 FF, 4 RAMB36. Data and keep are in block RAM (9 bits a byte); last is aside, so
//              that 72 bits stay 72.
`include "axm_ports.svh"

module axm_stream_loopback #(
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] DEPTH = 256,
    parameter bit [31:0] FORWARD_CYCLES = 4,
    parameter bit [31:0] COUNT_W = $clog2(DEPTH) + 1,  // follows from the others
    parameter bit [31:0] KEEP_W = DATA_W / 8  // follows from the others
) (
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
    output logic [COUNT_W-1:0] m_axis_avail,    // beats that are available now without waiting
    output logic [COUNT_W-1:0] m_axis_packets,  // complete packets among them

    `AXM_AXIL_SLAVE(s_axil_, 12, 32)
    input  logic               clk,
    input  logic               rst
);

  generate
  if (DATA_W != 32 && DATA_W != 64 && DATA_W != 128 && DATA_W != 256) begin : g_check_width
    axm_error_DATA_W_must_be_32_64_128_or_256 u_error ();
  end
  if (DEPTH < 16 || DEPTH > 1024 || (DEPTH & (DEPTH - 1)) != 0) begin : g_check_depth
    axm_error_DEPTH_must_be_a_power_of_two_from_16_to_1024 u_error ();
  end
  if (FORWARD_CYCLES < 2 || FORWARD_CYCLES > 64) begin : g_check_forward
    axm_error_FORWARD_CYCLES_must_be_2_to_64 u_error ();
  end
  endgenerate

  localparam bit [31:0] PTR_W = COUNT_W - 1;

  logic clear;
  logic [15:0] from_regs_LIMIT_VALUE;

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
      if (push) head <= head + 1'b1;
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
  logic [COUNT_W-1:0] limit, held, peak;

  always_ff @(posedge clk) begin
    limit <= from_regs_LIMIT_VALUE > 16'(DEPTH)
        ? COUNT_W'(DEPTH) : COUNT_W'(from_regs_LIMIT_VALUE);
    if (rst || clear) begin
      held <= '0;
      peak <= '0;
      m_axis_avail <= '0;
      m_axis_packets <= '0;
    end else begin
      if (push != pop) held <= held + COUNT_W'(push) - COUNT_W'(pop);
      if (held > peak) peak <= held;
      m_axis_avail <= m_axis_avail + COUNT_W'(came[FORWARD_CYCLES-1]) - COUNT_W'(pop);
      m_axis_packets <= m_axis_packets + COUNT_W'(came_last[FORWARD_CYCLES-1])
          - COUNT_W'(pop && m_axis_tlast);
    end
    if (rst) limit <= '0;
  end

  assign s_axis_room   = limit > held ? limit - held : '0;
  assign s_axis_tready = limit > held;
  assign m_axis_tvalid = m_axis_avail != '0;

  // ---- registers ---------------------------------------------------------------------------

  stream_loopback_regs u_regs (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      .hwif_in_CAPS_DEPTH(16'(DEPTH)), .hwif_in_CAPS_DATA_BYTES(8'(KEEP_W)),
      .hwif_in_CAPS_FORWARD_CYCLES(8'(FORWARD_CYCLES)), .hwif_in_LEVEL_HELD(16'(held)),
      .hwif_in_LEVEL_PEAK(16'(peak)), .hwif_in_PACKETS_VALUE(16'(m_axis_packets)),
      .hwif_out_CTRL_CLEAR(clear), .hwif_out_LIMIT_VALUE(from_regs_LIMIT_VALUE), .clk, .rst
  );

endmodule
