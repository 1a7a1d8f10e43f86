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
// Faults       The first is kept with its burst's address. No further burst begins then; the run ends when
//              what was begun is complete. Results of what was read in a faulty burst are never written.
// Area         LANES = 1 (4): xc7 3557 LUT, 3113 FF, 6 BRAM, 48 DSP (11298, 10145, 24, 192); area.toml.
module axm_convolution #(
    parameter int unsigned LANES = 4,
    parameter int unsigned BEATS = 256,
    parameter int unsigned OUTSTANDING = 64,
    parameter int unsigned ADDR_W = 40,
    parameter int unsigned ID_W = 1,
    parameter int unsigned USER_W = 1
) (
    input logic clk,
    input logic rst,

    input  logic [11:0] s_axil_awaddr,
    input  logic [ 2:0] s_axil_awprot,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [ 1:0] s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic [11:0] s_axil_araddr,
    input  logic [ 2:0] s_axil_arprot,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,

    output logic              busy,

    output logic [ID_W-1:0]           m_axi_awid,
    output logic [ADDR_W-1:0]           m_axi_awaddr,
    output logic [7:0]                  m_axi_awlen,
    output logic [2:0]                  m_axi_awsize,
    output logic [1:0]                  m_axi_awburst,
    output logic [1:0]                  m_axi_awlock,
    output logic [3:0]                  m_axi_awcache,
    output logic [2:0]                  m_axi_awprot,
    output logic [3:0]                  m_axi_awqos,
    output logic [USER_W-1:0]           m_axi_awuser,
    output logic                        m_axi_awvalid,
    input  logic                        m_axi_awready,
    output logic [ID_W-1:0]           m_axi_wid,
    output logic [127:0]           m_axi_wdata,
    output logic [15:0]         m_axi_wstrb,
    output logic                        m_axi_wlast,
    output logic                        m_axi_wvalid,
    input  logic                        m_axi_wready,
    input  logic [ID_W-1:0]           m_axi_bid,
    input  logic [1:0]                  m_axi_bresp,
    input  logic                        m_axi_bvalid,
    output logic                        m_axi_bready,
    output logic [ID_W-1:0]           m_axi_arid,
    output logic [ADDR_W-1:0]           m_axi_araddr,
    output logic [7:0]                  m_axi_arlen,
    output logic [2:0]                  m_axi_arsize,
    output logic [1:0]                  m_axi_arburst,
    output logic [1:0]                  m_axi_arlock,
    output logic [3:0]                  m_axi_arcache,
    output logic [2:0]                  m_axi_arprot,
    output logic [3:0]                  m_axi_arqos,
    output logic [USER_W-1:0]           m_axi_aruser,
    output logic                        m_axi_arvalid,
    input  logic                        m_axi_arready,
    input  logic [ID_W-1:0]           m_axi_rid,
    input  logic [127:0]           m_axi_rdata,
    input  logic [1:0]                  m_axi_rresp,
    input  logic                        m_axi_rlast,
    input  logic                        m_axi_rvalid,
    output logic                        m_axi_rready
);

  if (LANES < 1 || LANES > 8) begin : g_check_lanes
    $error("%m: LANES is %0d; it must be 1 to 8", LANES);
  end
  if (BEATS != 64 && BEATS != 128 && BEATS != 256) begin : g_check_beats
    $error("%m: BEATS is %0d; it must be 64, 128 or 256", BEATS);
  end
  if (OUTSTANDING < 2 || OUTSTANDING > 64 || $countones(OUTSTANDING) != 1) begin : g_check_out
    $error("%m: OUTSTANDING is %0d; it must be a power of two from 2 to 64", OUTSTANDING);
  end
  if (ADDR_W < 32 || ADDR_W > 64) begin : g_check_addr
    $error("%m: ADDR_W is %0d; it must be 32 to 64", ADDR_W);
  end
  if (ID_W < 1 || ID_W > 8) begin : g_check_id
    $error("%m: ID_W is %0d; it must be 1 to 8", ID_W);
  end
  if (USER_W < 1) begin : g_check_user
    $error("%m: USER_W is %0d; it must be at least 1", USER_W);
  end

  localparam int unsigned LANE_W = LANES > 1 ? $clog2(LANES) : 1;
  localparam logic [3:0] BEATS_LOG2 = 4'($clog2(BEATS));
  localparam logic [3:0] RESP_ID = 4'd5, RESP_LAST = 4'd4, RESP_NONE = 4'd6, REFUSED = 4'd7;

  convolution_regs_pkg::axm_convolution__in_t  to_regs;
  convolution_regs_pkg::axm_convolution__out_t from_regs;

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

  logic [1:0] response[2];  // of reads (0) and writes (1), as all that follows
  logic [ADDR_W-1:0] address[2];
  logic [1:0] bad_response, bad_id, unexpected, idle;
  logic bad_last, finished, answered;

  logic [2*LANES-1:0] in_write;
  logic [LANES-1:0] consumed, produced, out_read;
  logic [127:0] in_data;
  logic [127:0] out_data[LANES];

  wire [3:0] beats_log2 = from_regs.BURST.BEATS_LOG2.value;
  wire [3:0] turn_log2 = from_regs.BURST.TURN_LOG2.value;
  wire [6:0] reads = from_regs.LIMITS.READS.value;
  wire [6:0] writes = from_regs.LIMITS.WRITES.value;
  wire [31:0] lane_step = from_regs.LANE_STEP.VALUE.value;
  wire [31:0] blocks = from_regs.BLOCKS.VALUE.value;
  wire [31:0] clocks = from_regs.CLOCKS.VALUE.value;
  wire [63:0] a_base = {from_regs.A_HI.VALUE.value, from_regs.A_LO.VALUE.value};
  wire [63:0] b_base = {from_regs.B_HI.VALUE.value, from_regs.B_LO.VALUE.value};
  wire [63:0] c_base = {from_regs.C_HI.VALUE.value, from_regs.C_LO.VALUE.value};
  wire [31:0] bursts = 32'(blocks[23:0]) << (BEATS_LOG2 - beats_log2);
  wire [12:0] burst_bytes = 13'd16 << beats_log2;
  wire [11:0] burst_mask = 12'(burst_bytes - 13'd1);
  wire [11:0] offsets = a_base[11:0] | b_base[11:0] | c_base[11:0] | lane_step[11:0];
  wire [63:0] fault = 64'(cause_addr);
  wire unused = &{1'b0, blocks[31:24]};
  if (ADDR_W < 64) begin : g_unused
    wire unused_high = &{1'b0, a_base[63:ADDR_W], b_base[63:ADDR_W], c_base[63:ADDR_W]};
  end

  assign good_command = beats_log2 >= 4'd2 && 5'(beats_log2) + 5'(turn_log2) <= 5'(BEATS_LOG2)
      && (offsets & burst_mask) == '0 && blocks[23:0] != '0
      && reads != '0 && 32'(reads) <= OUTSTANDING && writes != '0 && 32'(writes) <= OUTSTANDING;
  assign begin_run = from_regs.CONTROL.START.value && state == IDLE;
  assign clear = rst || from_regs.CONTROL.FORGET.value || (begin_run && good_command);
  assign busy = state != IDLE;
  assign over = cause != '0 || (clocks != '0 && cycles >= clocks);
  assign go = state == RUN && !over;
  assign saturated = cycles == '1;

  always_comb begin
    to_regs.CAPS.LANES.next = 4'(LANES);
    to_regs.CAPS.OUTSTANDING.next = 7'(OUTSTANDING);
    to_regs.CAPS.BUFFER_BEATS.next = 9'(BEATS);
    to_regs.CAPS.ADDR_BITS.next = 6'(ADDR_W - 32);
    to_regs.STATUS.BUSY.next = busy;
    to_regs.STATUS.CAUSE.next = cause;
    to_regs.STATUS.CYCLES_SATURATED.next = saturated;
    to_regs.FAULT_LO.VALUE.next = fault[31:0];
    to_regs.FAULT_HI.VALUE.next = fault[63:32];
    to_regs.DONE.VALUE.next = done;
    to_regs.CYCLES.VALUE.next = cycles;
  end

  convolution_regs u_regs (
      .hwif_in (to_regs),
      .hwif_out(from_regs),
      .*
  );

  always_ff @(posedge clk) begin
    if (rst || from_regs.CONTROL.FORGET.value) state <= IDLE;
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
              : bad_response[d-1] ? {2'b00, response[d-1]} : RESP_LAST;
          cause_addr <= unexpected[d-1] ? '0 : address[d-1];
        end
      end
    end
  end

  for (genvar k = 0; k < LANES; k++) begin : g_lane
    axm_convolution_lane #(
        .BEATS(BEATS)
    ) u_lane (
        .clk(clk),
        .rst(clear),
        .in_write(in_write[2*k+:2]),
        .in_data(in_data),
        .consumed(consumed[k]),
        .produced(produced[k]),
        .out_read(out_read[k]),
        .out_data(out_data[k])
    );
  end

  axm_convolution_read #(
      .LANES(LANES),
      .BEATS(BEATS),
      .OUTSTANDING(OUTSTANDING),
      .ADDR_W(ADDR_W),
      .ID_W(ID_W)
  ) u_read (
      .clk(clk),
      .rst(clear),
      .setup(state == SETUP),
      .setup_lane(setup_lane),
      .setup_a(a),
      .setup_b(b),
      .bursts(bursts),
      .beats_log2(beats_log2),
      .turn_log2(turn_log2),
      .limit(reads),
      .run(go),
      .idle(idle[0]),
      .write(in_write),
      .data(in_data),
      .consumed(consumed),
      .bad_response(bad_response[0]),
      .response(response[0]),
      .bad_last(bad_last),
      .bad_id(bad_id[0]),
      .unexpected(unexpected[0]),
      .address(address[0]),
      .*
  );

  axm_convolution_write #(
      .LANES(LANES),
      .BEATS(BEATS),
      .OUTSTANDING(OUTSTANDING),
      .ADDR_W(ADDR_W),
      .ID_W(ID_W)
  ) u_write (
      .clk(clk),
      .rst(clear),
      .setup(state == SETUP),
      .setup_lane(setup_lane),
      .setup_c(c),
      .bursts(bursts),
      .beats_log2(beats_log2),
      .turn_log2(turn_log2),
      .limit(writes),
      .run(go),
      .idle(idle[1]),
      .finished(finished),
      .answered(answered),
      .produced(produced),
      .read(out_read),
      .data(out_data),
      .bad_response(bad_response[1]),
      .response(response[1]),
      .bad_id(bad_id[1]),
      .unexpected(unexpected[1]),
      .address(address[1]),
      .*
  );

  localparam logic [2:0] SIZE = 3'd4;

  assign m_axi_awid = '0;
  assign m_axi_awsize = SIZE;
  assign m_axi_awburst = 2'b01;
  assign m_axi_awlock = '0;
  assign m_axi_awcache = from_regs.CONTROL.CACHE.value;
  assign m_axi_awprot = from_regs.CONTROL.PROT.value;
  assign m_axi_awqos = from_regs.CONTROL.WRITE_QOS.value;
  assign m_axi_awuser = '0;
  assign m_axi_wid = '0;
  assign m_axi_wstrb = '1;
  assign m_axi_arid = '0;
  assign m_axi_arsize = SIZE;
  assign m_axi_arburst = 2'b01;
  assign m_axi_arlock = '0;
  assign m_axi_arcache = from_regs.CONTROL.CACHE.value;
  assign m_axi_arprot = from_regs.CONTROL.PROT.value;
  assign m_axi_arqos = from_regs.CONTROL.READ_QOS.value;
  assign m_axi_aruser = '0;

endmodule
