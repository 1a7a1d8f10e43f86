// Convolution accelerators behind one AXI port (block type 13).
//
// Purpose      LANES accelerators that convolve 4 x 4 matrices of 32-bit integers: each convolution moves
//              192 bytes, two matrices in and one out, with little arithmetic, as the case study of Manev,
//              Vaishnav and Koch 2019 has it. Streams share the port in turns of one burst (round robin)
//              or of a whole buffer (one buffer filled before the next); regs/convolution.rdl.
// Limits       128 bit, AXI4, one ID (0). LANES 1 to 8. BEATS, of each of a lane's three buffers: 64, 128
//              or 256 (4 KiB). OUTSTANDING (2 to 64, a power of two) bursts in flight in each direction.
//              Bursts have 4 to 256 beats, a power of two, and are aligned to their length. There is no
//              time-out: where a slave hangs, BUSY stays until FORGET.
//              A run may also end by the clock (CLOCKS).
// Throughput   A convolution in max(8, 26 / LANES) clocks: 8 beats are read for it.
// Latency      First address LANES + 2 clocks after the clock of the write to CONTROL.START.
// Faults       Records the first, with its burst's address. No further burst begins then; the run ends when
//              all begun bursts are complete. Results of data read in a faulty burst are never written.
// Area         LANES = 1 (4): xc7 3557 LUT, 3113 FF, 6 BRAM, 48 DSP (11298, 10145, 24, 192); area.toml.
`include "axm_ports.svh"

module axm_convolution #(
    parameter bit [31:0] LANES = 4,
    parameter bit [31:0] BEATS = 256,
    parameter bit [31:0] OUTSTANDING = 64,
    parameter bit [31:0] ADDR_W = 40,
    parameter bit [31:0] ID_W = 1,
    parameter bit [31:0] USER_W = 1
) (
    `AXM_AXIL_SLAVE(s_axil_, 12, 32)
    output logic              busy,
    `AXM_AXI_MASTER(m_axi_, ID_W, 128)
    input logic clk,
    input logic rst
);

  genvar k;
  generate
  if (LANES < 1 || LANES > 8) begin : g_check_lanes
    axm_error_LANES_must_be_1_to_8 u_error ();
  end
  if (BEATS != 64 && BEATS != 128 && BEATS != 256) begin : g_check_beats
    axm_error_BEATS_must_be_64_128_or_256 u_error ();
  end
  if (OUTSTANDING < 2 || OUTSTANDING > 64 || (OUTSTANDING & (OUTSTANDING - 1)) != 0) begin : g_check_out
    axm_error_OUTSTANDING_must_be_a_power_of_two_from_2_to_64 u_error ();
  end
  if (ADDR_W < 32 || ADDR_W > 64) begin : g_check_addr
    axm_error_ADDR_W_must_be_32_to_64 u_error ();
  end
  if (ID_W < 1 || ID_W > 8) begin : g_check_id
    axm_error_ID_W_must_be_1_to_8 u_error ();
  end
  if (USER_W < 1) begin : g_check_user
    axm_error_USER_W_must_be_at_least_1 u_error ();
  end
  endgenerate

  localparam bit [31:0] LANE_W = LANES > 1 ? $clog2(LANES) : 1;
  localparam logic [3:0] BEATS_LOG2 = 4'($clog2(BEATS));
  localparam logic [3:0] RESP_ID = 4'd5, RESP_LAST = 4'd4, RESP_NONE = 4'd6, REFUSED = 4'd7;

  logic from_regs_CONTROL_START;
  logic from_regs_CONTROL_FORGET;
  logic [3:0] from_regs_CONTROL_CACHE;
  logic [2:0] from_regs_CONTROL_PROT;
  logic [3:0] from_regs_CONTROL_READ_QOS;
  logic [3:0] from_regs_CONTROL_WRITE_QOS;
  logic [31:0] from_regs_A_LO_VALUE;
  logic [31:0] from_regs_A_HI_VALUE;
  logic [31:0] from_regs_B_LO_VALUE;
  logic [31:0] from_regs_B_HI_VALUE;
  logic [31:0] from_regs_C_LO_VALUE;
  logic [31:0] from_regs_C_HI_VALUE;
  logic [31:0] lane_step;
  logic [31:0] blocks;
  logic [3:0] beats_log2;
  logic [3:0] turn_log2;
  logic [6:0] reads;
  logic [6:0] writes;
  logic [31:0] clocks;

  typedef enum logic [1:0] {
    IDLE,
    SETUP,  // a lane's addresses a clock
    RUN
  } state_t;

  state_t state;
  logic [LANE_W-1:0] setup_lane;
  logic [ADDR_W-1:0] a, b, c, cause_addr;
  logic [3:0] cause;
  logic [31:0] done, cycles;
  logic saturated, good_command, begin_run, clear, go, over;

  logic [3:0] response;  // of reads (0) and writes (1), as all that follows
  logic [ADDR_W*2-1:0] address;
  logic [1:0] bad_response, bad_id, unexpected, idle;
  logic bad_last, finished, answered;

  logic [2*LANES-1:0] in_write;
  logic [LANES-1:0] consumed, produced, out_read;
  logic [127:0] in_data;
  logic [128*LANES-1:0] out_data;

  wire [63:0] a_base = {from_regs_A_HI_VALUE, from_regs_A_LO_VALUE};
  wire [63:0] b_base = {from_regs_B_HI_VALUE, from_regs_B_LO_VALUE};
  wire [63:0] c_base = {from_regs_C_HI_VALUE, from_regs_C_LO_VALUE};
  wire [31:0] bursts = 32'(blocks[23:0]) << (BEATS_LOG2 - beats_log2);
  wire [12:0] burst_bytes = 13'd16 << beats_log2;
  wire [11:0] burst_mask = 12'(burst_bytes - 13'd1);
  wire [11:0] offsets = a_base[11:0] | b_base[11:0] | c_base[11:0] | lane_step[11:0];
  wire [63:0] fault = 64'(cause_addr);
  wire unused = &{1'b0, blocks[31:24]};
  generate
  if (ADDR_W < 64) begin : g_unused
    wire unused_high = &{1'b0, a_base[63:ADDR_W], b_base[63:ADDR_W], c_base[63:ADDR_W]};
  end
  endgenerate

  assign good_command = beats_log2 >= 4'd2 && 5'(beats_log2) + 5'(turn_log2) <= 5'(BEATS_LOG2)
      && (offsets & burst_mask) == '0 && blocks[23:0] != '0
      && reads != '0 && 32'(reads) <= OUTSTANDING && writes != '0 && 32'(writes) <= OUTSTANDING;
  assign begin_run = from_regs_CONTROL_START && state == IDLE;
  assign clear = rst || from_regs_CONTROL_FORGET || (begin_run && good_command);
  assign busy = state != IDLE;
  assign over = cause != '0 || (clocks != '0 && cycles >= clocks);
  assign go = state == RUN && !over;
  assign saturated = cycles == '1;

  convolution_regs u_regs (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      .hwif_in_CAPS_LANES(4'(LANES)), .hwif_in_CAPS_OUTSTANDING(7'(OUTSTANDING)),
      .hwif_in_CAPS_BUFFER_BEATS(9'(BEATS)), .hwif_in_CAPS_ADDR_BITS(6'(ADDR_W - 32)),
      .hwif_in_STATUS_BUSY(busy), .hwif_in_STATUS_CAUSE(cause),
      .hwif_in_STATUS_CYCLES_SATURATED(saturated), .hwif_in_FAULT_LO_VALUE(fault[31:0]),
      .hwif_in_FAULT_HI_VALUE(fault[63:32]), .hwif_in_DONE_VALUE(done), .hwif_in_CYCLES_VALUE(cycles),
      .hwif_out_CONTROL_START(from_regs_CONTROL_START),
      .hwif_out_CONTROL_FORGET(from_regs_CONTROL_FORGET),
      .hwif_out_CONTROL_CACHE(from_regs_CONTROL_CACHE), .hwif_out_CONTROL_PROT(from_regs_CONTROL_PROT),
      .hwif_out_CONTROL_READ_QOS(from_regs_CONTROL_READ_QOS),
      .hwif_out_CONTROL_WRITE_QOS(from_regs_CONTROL_WRITE_QOS),
      .hwif_out_A_LO_VALUE(from_regs_A_LO_VALUE), .hwif_out_A_HI_VALUE(from_regs_A_HI_VALUE),
      .hwif_out_B_LO_VALUE(from_regs_B_LO_VALUE), .hwif_out_B_HI_VALUE(from_regs_B_HI_VALUE),
      .hwif_out_C_LO_VALUE(from_regs_C_LO_VALUE), .hwif_out_C_HI_VALUE(from_regs_C_HI_VALUE),
      .hwif_out_LANE_STEP_VALUE(lane_step), .hwif_out_BLOCKS_VALUE(blocks),
      .hwif_out_BURST_BEATS_LOG2(beats_log2), .hwif_out_BURST_TURN_LOG2(turn_log2),
      .hwif_out_LIMITS_READS(reads), .hwif_out_LIMITS_WRITES(writes), .hwif_out_CLOCKS_VALUE(clocks),
      .clk, .rst
  );

  always_ff @(posedge clk) begin
    if (rst || from_regs_CONTROL_FORGET) state <= IDLE;
    else begin
      case (state)
        IDLE: if (begin_run && good_command) state <= SETUP;
        SETUP: if (setup_lane == LANE_W'(LANES - 1)) state <= RUN;
        default: if (finished || (over && idle == '1)) state <= IDLE;
      endcase
    end
    if (state == IDLE) begin
      setup_lane <= '0;
      a <= a_base[ADDR_W-1:0];
      b <= b_base[ADDR_W-1:0];
      c <= c_base[ADDR_W-1:0];
    end else begin
      setup_lane <= setup_lane + LANE_W'(1);
      a <= a + ADDR_W'(lane_step);
      b <= b + ADDR_W'(lane_step);
      c <= c + ADDR_W'(lane_step);
    end
  end

  always_ff @(posedge clk) begin
    if (rst || begin_run) done <= '0;
    else if (answered && !bad_response[1]) done <= done + (32'd1 << (beats_log2 - 4'd2));
    if (rst || begin_run) cycles <= '0;
    else if (busy && !saturated) cycles <= cycles + 32'd1;
  end

  // The first fault; of several in one clock, reads before writes.
  always_ff @(posedge clk) begin
    if (rst || begin_run) begin
      cause <= begin_run && !rst && !good_command ? REFUSED : '0;
      cause_addr <= '0;
    end else if (cause == '0 && (busy || unexpected != '0)) begin
      for (int unsigned d = 2; d > 0; d--) begin
        if (unexpected[d-1] || bad_id[d-1] || bad_response[d-1] || (d == 1 && bad_last)) begin
          cause <= unexpected[d-1] ? RESP_NONE : bad_id[d-1] ? RESP_ID
              : bad_response[d-1] ? {2'b00, response[2*(d-1)+:2]} : RESP_LAST;
          cause_addr <= unexpected[d-1] ? '0 : address[ADDR_W*(d-1)+:ADDR_W];
        end
      end
    end
  end

  generate
  for (k = 0; k < LANES; k++) begin : g_lane
    axm_convolution_lane #(
        .BEATS(BEATS)
    ) u_lane (
        .clk(clk), .rst(clear), .in_write(in_write[2*k+:2]), .in_data(in_data), .consumed(consumed[k]),
        .produced(produced[k]), .out_read(out_read[k]), .out_data(out_data[128*k+:128])
    );
  end
  endgenerate

  axm_convolution_read #(
      .LANES(LANES), .BEATS(BEATS), .OUTSTANDING(OUTSTANDING), .ADDR_W(ADDR_W), .ID_W(ID_W)
  ) u_read (
      `AXM_AXI_CORE_READ_LINK(m_axi_, m_axi_),
      .clk(clk), .rst(clear), .setup(state == SETUP), .setup_lane(setup_lane), .setup_a(a), .setup_b(b),
      .bursts(bursts), .beats_log2(beats_log2), .turn_log2(turn_log2), .limit(reads), .run(go),
      .idle(idle[0]), .write(in_write), .data(in_data), .consumed(consumed),
      .bad_response(bad_response[0]), .response(response[0+:2]), .bad_last(bad_last), .bad_id(bad_id[0]),
      .unexpected(unexpected[0]), .address(address[0+:ADDR_W])
  );

  axm_convolution_write #(
      .LANES(LANES), .BEATS(BEATS), .OUTSTANDING(OUTSTANDING), .ADDR_W(ADDR_W), .ID_W(ID_W)
  ) u_write (
      `AXM_AXI_CORE_WRITE_LINK(m_axi_, m_axi_),
      .clk(clk), .rst(clear), .setup(state == SETUP), .setup_lane(setup_lane), .setup_c(c),
      .bursts(bursts), .beats_log2(beats_log2), .turn_log2(turn_log2), .limit(writes), .run(go),
      .idle(idle[1]), .finished(finished), .answered(answered), .produced(produced), .read(out_read),
      .data(out_data), .bad_response(bad_response[1]), .response(response[2+:2]), .bad_id(bad_id[1]),
      .unexpected(unexpected[1]), .address(address[ADDR_W+:ADDR_W])
  );

  localparam logic [2:0] SIZE = 3'd4;

  assign m_axi_awid = '0;
  assign m_axi_awsize = SIZE;
  assign m_axi_awburst = 2'b01;
  assign m_axi_awlock = '0;
  assign m_axi_awcache = from_regs_CONTROL_CACHE;
  assign m_axi_awprot = from_regs_CONTROL_PROT;
  assign m_axi_awqos = from_regs_CONTROL_WRITE_QOS;
  assign m_axi_awuser = '0;
  assign m_axi_wid = '0;
  assign m_axi_wstrb = '1;
  assign m_axi_arid = '0;
  assign m_axi_arsize = SIZE;
  assign m_axi_arburst = 2'b01;
  assign m_axi_arlock = '0;
  assign m_axi_arcache = from_regs_CONTROL_CACHE;
  assign m_axi_arprot = from_regs_CONTROL_PROT;
  assign m_axi_arqos = from_regs_CONTROL_READ_QOS;
  assign m_axi_aruser = '0;

endmodule
