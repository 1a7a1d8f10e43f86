// AXI4-Lite demultiplexer: one master, N blocks with a window of 4 KiB each.
//
// Purpose      Block k answers at addresses k << 12 and up. Addresses are relative to the design:
//              ADDR_W bits of the master's address are looked at, the rest is the caller's.
// Limits       One transfer at a time; reads and writes take turns. N is 1 to 64. Payload is shared:
//              every block sees the same address and data, its own valid selects it.
//              A window without a block answers DECERR. A block that does not answer within
//              TIMEOUT clocks is given up: the transfer ends with SLVERR, its valid is withdrawn
//              (it had its chance), `dead` shows it, and until reset its window answers SLVERR at
//              once. A late answer of it is taken and dropped. So no block can hang the processor.
//              READY is a register, as AXI demands: a request is passed on in the clock after it came,
//              in which it is taken too, for AXI keeps VALID and payload until then.
// Throughput   One transfer in three clocks with a block that answers in the clock after.
// Latency      One clock to the block, none back.
// Area         xc7, N = 8: 242 LUT, 89 FF. Request registers and the choice among N answers.
`include "axm_ports.svh"

module axm_axil_demux #(
    parameter bit [31:0] N = 2,
    parameter bit [31:0] ADDR_W = 16,
    parameter bit [31:0] TIMEOUT = 1024,
    parameter bit [31:0] SEL_W = ADDR_W - 12  // follows from the others
) (
    output logic [     N-1:0] dead,
    `AXM_AXIL_SLAVE(s_axil_, ADDR_W, 32)
    `AXM_AXIL_MASTERS(N, m_axil_)
    input  logic              clk,
    input  logic              rst
);

  generate
  if (ADDR_W < 13 || ADDR_W > 32) begin : g_check_address
    axm_error_ADDR_W_must_be_13_to_32 u_error ();
  end
  if (N < 1 || N > 64 || N > 2 ** SEL_W) begin : g_check_windows
    axm_error_N_must_be_1_to_64_and_ADDR_W_must_reach_all_windows u_error ();
  end
  if (TIMEOUT < 4 || TIMEOUT > 65536) begin : g_check_timeout
    axm_error_TIMEOUT_must_be_4_to_65536_clocks u_error ();
  end
  endgenerate

  localparam bit [31:0] TIMER_W = $clog2(TIMEOUT);
  localparam bit [31:0] PLACE_W = N == 1 ? 1 : $clog2(N);
  localparam logic [1:0] SLVERR = 2'b10, DECERR = 2'b11;

  logic [11:0] addr;
  logic [2:0] prot;
  logic [31:0] wdata;
  logic [3:0] wstrb;
  logic [N-1:0] chosen;  // one hot: the block that has the transfer
  logic [PLACE_W-1:0] place;  // its number
  logic is_write;
  logic last_was_read;
  logic aw_waits, w_waits, ar_waits;  // not taken by the block yet
  logic refused, no_block;            // the answer is ours: DECERR if no_block, else SLVERR
  logic write_ready, read_ready;      // the master's request is taken in this clock
  logic [TIMER_W-1:0] timer;

  // What follows from a request or a transfer is worked out only while there is one: a simulator
  // then does little at rest.

  // ---- taking a transfer -------------------------------------------------------------------
  wire busy = refused || |chosen;
  logic take_write, take_read;
  logic [SEL_W-1:0] window;
  logic [N-1:0] hit;
  always_comb begin
    take_write = 1'b0;
    take_read = 1'b0;
    if (s_axil_awvalid || s_axil_arvalid) begin
      take_write = !busy && s_axil_awvalid && s_axil_wvalid && !(s_axil_arvalid && !last_was_read);
      take_read = !busy && s_axil_arvalid && !take_write;
    end
  end
  always_comb begin
    window = '0;
    hit = '0;
    if (take_write || take_read) begin
      window = take_write ? s_axil_awaddr[ADDR_W-1:12] : s_axil_araddr[ADDR_W-1:12];
      for (int unsigned i = 0; i < N; i++) hit[i] = window == SEL_W'(i);
    end
  end

  assign s_axil_awready = write_ready;
  assign s_axil_wready  = write_ready;
  assign s_axil_arready = read_ready;

  // ---- the answer --------------------------------------------------------------------------
  logic block_answers;
  always_comb begin
    block_answers = 1'b0;
    if (busy) begin
      for (int unsigned i = 0; i < N; i++)
        if (chosen[i] && (is_write ? m_axil_bvalid[i] : m_axil_rvalid[i])) block_answers = 1'b1;
    end
  end
  wire answered = is_write ? s_axil_bvalid && s_axil_bready : s_axil_rvalid && s_axil_rready;
  wire expired = |chosen && !block_answers && timer == TIMER_W'(TIMEOUT - 1);

  // No answer before its request was taken.
  assign s_axil_bvalid = is_write && !write_ready && (refused || block_answers);
  assign s_axil_rvalid = !is_write && !read_ready && (refused || block_answers);

  // The data of a refused read has no meaning, but must not change while it waits.
  always_comb begin
    s_axil_bresp = no_block ? DECERR : SLVERR;
    s_axil_rresp = no_block ? DECERR : SLVERR;
    if (busy && !refused) begin
      s_axil_bresp = m_axil_bresp[2*place+:2];
      s_axil_rresp = m_axil_rresp[2*place+:2];
    end
  end
  assign s_axil_rdata = refused ? '0 : m_axil_rdata[32*place+:32];

  // ---- towards the blocks ------------------------------------------------------------------
  assign m_axil_awaddr = addr;
  assign m_axil_araddr = addr;
  assign m_axil_awprot = prot;
  assign m_axil_arprot = prot;
  assign m_axil_wdata = wdata;
  assign m_axil_wstrb = wstrb;
  assign m_axil_awvalid = chosen & {N{aw_waits}};
  assign m_axil_wvalid = chosen & {N{w_waits}};
  assign m_axil_arvalid = chosen & {N{ar_waits}};
  assign m_axil_bready = dead | (chosen & {N{is_write && s_axil_bready}});
  assign m_axil_rready = dead | (chosen & {N{!is_write && s_axil_rready}});

  always_ff @(posedge clk) begin
    if (take_write || take_read) begin
      addr <= take_write ? s_axil_awaddr[11:0] : s_axil_araddr[11:0];
      prot <= take_write ? s_axil_awprot : s_axil_arprot;
      wdata <= s_axil_wdata;
      wstrb <= s_axil_wstrb;
      is_write <= take_write;
      no_block <= hit == '0;
      place <= hit == '0 ? '0 : window[PLACE_W-1:0];
      last_was_read <= take_read;
    end
    timer <= busy ? timer + 1'b1 : '0;
    write_ready <= take_write && !rst;
    read_ready <= take_read && !rst;

    if (rst) begin
      chosen <= '0;
      refused <= 1'b0;
      dead <= '0;
      aw_waits <= 1'b0;
      w_waits <= 1'b0;
      ar_waits <= 1'b0;
      last_was_read <= 1'b0;
    end else if (take_write || take_read) begin
      chosen <= hit & ~dead;
      refused <= (hit & ~dead) == '0;
      aw_waits <= take_write;
      w_waits <= take_write;
      ar_waits <= take_read;
    end else if (busy) begin
      if (|(chosen & m_axil_awready)) aw_waits <= 1'b0;
      if (|(chosen & m_axil_wready)) w_waits <= 1'b0;
      if (|(chosen & m_axil_arready)) ar_waits <= 1'b0;
      if (answered) begin
        chosen  <= '0;
        refused <= 1'b0;
      end else if (expired) begin
        chosen <= '0;
        refused <= 1'b1;
        dead <= dead | chosen;
      end
    end
  end

endmodule
