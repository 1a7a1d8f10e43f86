// Traffic generator: a reading and a writing engine, and a monitor of what they do (block type 3).
//
// Purpose      Loads an AXI3 or AXI4 port with reads, writes or both, each contiguous, strided or random
//              (axm_traffic_issue.sv), with data that is a function of its address and can be checked
//              (axm_traffic_send.sv), and counts bursts, beats, clocks by class and latencies
//              (axm_monitor_core.sv). Registers: regs/traffic.rdl.
// Limits       INCR bursts of full width, one ID (0), in order. Bursts have at most 256 beats (AXI3: 16)
//              and never cross 4 KiB: one that would is cut. With CROSS_4K it is not, which AXI forbids
//              and some published test blocks do: only for slaves that take it. Regions up to 4 GiB, anywhere in the
//              address space. OUTSTANDING bursts in flight for each direction, a power of two.
//              valid never waits for ready and never falls before it, but for CONTROL.RESET.
// Throughput   An address a clock and a beat a clock in each direction, also with bursts of one beat.
// Latency      First address in the clock after the start, busy until the clock of the last beat
//              (reading) or response (writing). A start from rest waits for STATUS.READY, which comes
//              within 140 clocks after a run or a change of the configuration.
// Area         area.toml.
`include "axm_ports.svh"

module axm_traffic #(
    parameter bit [31:0] ADDR_W      = 32,
    parameter bit [31:0] DATA_W      = 64,
    parameter bit [31:0] ID_W        = 1,
    parameter bit [31:0] USER_W      = 1,
    parameter bit          AXI3        = 0,
    parameter bit [31:0] OUTSTANDING = 32,  // bursts in flight for each direction: 2 to 64
    parameter bit [31:0] COUNT_W     = 47,  // bits of the monitor's counters
    parameter bit          CROSS_4K    = 0    // bursts may cross 4 KiB
) (
    input  logic                start,        // pulse: starts the directions whose MODE.PIN is set
    output logic                busy,
    `AXM_AXIL_SLAVE(s_axil_, 12, 32)
    `AXM_AXI_MASTER(m_axi_, ID_W, DATA_W)
    input  logic                clk,
    input  logic                rst
);

  localparam bit [31:0] Shift = $clog2(DATA_W / 8);
  localparam bit [31:0] ExtraW = 40 - Shift;  // record of a burst: beats, address

  genvar d;
  generate
  if (ADDR_W < 32 || ADDR_W > 64) begin : g_check_address
    axm_error_ADDR_W_must_be_32_to_64 u_error ();
  end
  if (DATA_W != 32 && DATA_W != 64 && DATA_W != 128 && DATA_W != 256) begin : g_check_data
    axm_error_DATA_W_must_be_32_64_128_or_256 u_error ();
  end
  if (ID_W < 1 || ID_W > 8) begin : g_check_id
    axm_error_ID_W_must_be_1_to_8 u_error ();
  end
  if (USER_W < 1 || USER_W > 32) begin : g_check_user
    axm_error_USER_W_must_be_1_to_32 u_error ();
  end
  endgenerate

  logic hwif_out_CONTROL_START_READ;
  logic hwif_out_CONTROL_START_WRITE;
  logic hwif_out_CONTROL_STOP_READ;
  logic hwif_out_CONTROL_STOP_WRITE;
  logic hwif_out_CONTROL_SNAPSHOT;
  logic hwif_out_CONTROL_RESET;
  logic hwif_out_TIMEOUT_req;
  logic hwif_out_TIMEOUT_req_is_wr;
  logic hwif_out_SEED_req;
  logic hwif_out_SEED_req_is_wr;
  logic hwif_out_READ_req;
  logic [5:0] hwif_out_READ_addr;
  logic hwif_out_READ_req_is_wr;
  logic [31:0] hwif_out_READ_wr_data;
  logic hwif_out_WRITE_req;
  logic hwif_out_WRITE_req_is_wr;
  logic hwif_out_COUNTERS_req;
  logic [8:0] hwif_out_COUNTERS_addr;
  logic hwif_out_COUNTERS_req_is_wr;
  // Each external register has its own copy of address and data; one copy is used.
  wire unused_bits = &{1'b0, hwif_out_READ_addr[1:0], hwif_out_COUNTERS_addr[1:0]};

  // What software has set; direction 0 reads, 1 writes.
  logic [1:0] run, ended, stale, nothing, load;
  logic [1:0] random, in_clocks, unlimited, check, by_pin;
  logic [ADDR_W*2-1:0] base, address;
  logic [63:0] final_offset, step, limit;
  logic [31:0] seed;
  logic [15:0] nominal, tail, len;
  logic [31:0] gap;
  logic [13:0] outstanding;
  logic [1:0] blocked, refused;
  logic [7:0] cache, qos;
  logic [5:0] prot;
  logic [USER_W*2-1:0] user;
  logic [9:0] timeout;
  // The register file gives each external register and group its own request; write data are the same.
  wire request_read = hwif_out_READ_req, request_write = hwif_out_WRITE_req;
  wire request_timeout = hwif_out_TIMEOUT_req != '0, request_seed = hwif_out_SEED_req != '0;
  wire request_side = request_read || request_write;
  wire request_config = request_side ? !hwif_out_READ_addr[5] : request_timeout || request_seed;
  wire reset = rst || hwif_out_CONTROL_RESET;

  axm_traffic_config #(
      .ADDR_W(ADDR_W), .DATA_W(DATA_W), .USER_W(USER_W), .AXI3(AXI3)
  ) settings (
      .clk, .rst, .store(request_config && hwif_out_READ_req_is_wr),
      .address(request_side ? {1'b1, request_write, hwif_out_READ_addr[4:2]}
               : {4'b0, request_seed}),
      .write_data(hwif_out_READ_wr_data), .busy(run), .ended, .stale, .timeout, .seed, .base,
      .final_offset, .step, .limit, .len(nominal), .tail, .gap, .outstanding, .blocked, .random,
      .in_clocks, .unlimited, .check, .by_pin, .cache, .prot, .qos, .user, .nothing, .load
  );

  // Start: from rest, together with the monitor, whose counters have to be ready.
  logic [1:0] wanted, asked, was_run, go;
  logic ready, clear;
  wire rest = run == '0;
  assign asked = wanted | {hwif_out_CONTROL_START_WRITE, hwif_out_CONTROL_START_READ}
      | (by_pin & {2{start}});
  assign go = asked & ~run & ~was_run & ~stale & {2{ready || !rest}};
  assign clear = rest && go != '0;
  always_ff @(posedge clk) refused <= go & blocked;  // the clock behind what it clears
  assign ended = was_run & ~run;
  assign busy = !rest;

  wire [1:0] stops = {hwif_out_CONTROL_STOP_WRITE, hwif_out_CONTROL_STOP_READ};
  always_ff @(posedge clk) begin
    if (reset) begin
      wanted  <= '0;
      was_run <= '0;
    end else begin
      wanted  <= asked & ~go & ~run & ~stops;
      was_run <= run;
    end
  end

  logic [1:0] valid, pending, begins, sent, fault_stop, suspect, gap_hold, moves, open;
  logic [13:0] in_flight, in_flight_next, errors;
  logic [5:0] waits;
  logic [15:0] error_count;
  logic [21:0] error_kinds;
  logic [63:0] error_address, report_address, error_high;
  logic [ExtraW*2-1:0] extra, oldest;
  logic [15:0] now;

  generate
  for (d = 0; d < 2; d++) begin : g_direction
    axm_traffic_issue #(
        .ADDR_W(ADDR_W), .DATA_W(DATA_W), .OUTSTANDING(OUTSTANDING), .CROSS_4K(CROSS_4K)
    ) issue (
        .clk, .rst(reset), .go(go[d]), .stop(stops[d] || fault_stop[d]), .load(load[d]),
        .limit(limit[32*d+:32]), .nothing(nothing[d] || blocked[d]), .seed(d == 1 ? ~seed : seed),
        .base(base[ADDR_W*d+:ADDR_W]), .final_offset(final_offset[32*d+:32]), .step(step[32*d+:32]),
        .nominal(nominal[8*d+:8]), .tail(tail[8*d+:8]), .gap(gap[16*d+:16]),
        .outstanding(outstanding[7*d+:7]), .random(random[d]), .in_clocks(in_clocks[d]),
        .unlimited(unlimited[d]), .sent(sent[d]), .gap_hold(gap_hold[d]),
        .in_flight_next(in_flight_next[7*d+:7]), .valid(valid[d]), .pending(pending[d]),
        .begins(begins[d]), .address(address[ADDR_W*d+:ADDR_W]), .len(len[8*d+:8])
    );

    axm_traffic_faults faults (
        .clk, .rst(reset), .clear, .tick(now[5:0] == '1), .limit(timeout),
        .refused(refused[d]), .busy(run[d]), .open(open[d]), .moves(moves[d]),
        .errors(errors[7*d+:7]), .waits(waits[3*d+:3]), .address(report_address[32*d+:32]),
        .stop(fault_stop[d]), .suspect(suspect[d]),
        .count(error_count[8*d+:8]), .kinds(error_kinds[11*d+:11]), .first(error_address[32*d+:32])
    );

    assign open[d] = valid[d] || in_flight[7*d+:7] != '0;
    assign run[d] = open[d] || pending[d] || suspect[d];
    // Responses need no length.
    assign extra[ExtraW*d+:ExtraW] = {d == 1 ? 8'd0 : len[8*d+:8], address[ADDR_W*d+Shift+:31-Shift+1]};
  end
  endgenerate

  // Reading
  logic read_ends, read_middle;
  assign m_axi_arvalid = valid[0];
  assign m_axi_araddr = address[0+:ADDR_W];
  assign m_axi_arlen = len[0+:8];
  assign m_axi_rready = 1'b1;
  assign sent[0] = valid[0] && m_axi_arready;
  assign gap_hold[0] = 1'b0;
  assign moves[0] = sent[0] || m_axi_rvalid;
  assign waits[0+:3] = valid[0] ? 3'b001 : read_middle ? 3'b010 : 3'b100;

  axm_traffic_receive #(
      .DATA_W(DATA_W), .ID_W(ID_W), .CROSS_4K(CROSS_4K)
  ) receive (
      .clk, .rst(reset), .check(check[0]), .seed, .none(in_flight[0+:7] == '0),
      .address({oldest[0+:(ExtraW-8)], Shift'(0)}), .len(oldest[ExtraW-1-:8]), .rvalid(m_axi_rvalid),
      .rid(m_axi_rid), .rdata(m_axi_rdata), .rresp(m_axi_rresp), .rlast(m_axi_rlast), .ends(read_ends),
      .middle(read_middle), .beat_address(report_address[0+:32]), .errors(errors[0+:7])
  );

  // Writing
  logic addressed;  // the burst that is being sent is in flight already
  assign m_axi_awaddr = address[ADDR_W+:ADDR_W];
  assign m_axi_awlen = len[8+:8];
  assign m_axi_wstrb = '1;
  assign m_axi_bready = 1'b1;
  assign addressed = valid[1] && !m_axi_awvalid;
  assign moves[1] = (m_axi_awvalid && m_axi_awready) || (m_axi_wvalid && m_axi_wready)
      || m_axi_bvalid;
  assign waits[3+:3] = m_axi_awvalid ? 3'b001 : m_axi_wvalid ? 3'b010 : 3'b100;
  assign report_address[32+:32] = {oldest[ExtraW+:(ExtraW-8)], Shift'(0)};
  wire unused_oldest = &{1'b0, oldest[ExtraW+:ExtraW]};
  assign errors[7+:7] = !m_axi_bvalid ? '0 : {
    in_flight[7+:7] == 7'(addressed), 1'b0, m_axi_bid != '0, 2'b00, m_axi_bresp == 2'd3,
    m_axi_bresp == 2'd2
  };

  axm_traffic_send #(
      .DATA_W(DATA_W), .CROSS_4K(CROSS_4K)
  ) send (
      .clk, .rst(reset), .valid(valid[1]), .address(address[ADDR_W+:32]), .len(len[8+:8]), .seed,
      .sent(sent[1]), .gap_hold(gap_hold[1]), .awvalid(m_axi_awvalid), .awready(m_axi_awready),
      .wdata(m_axi_wdata), .wlast(m_axi_wlast), .wvalid(m_axi_wvalid), .wready(m_axi_wready)
  );

  assign m_axi_arid = '0;
  assign m_axi_arsize = 3'(Shift);
  assign m_axi_arburst = 2'b01;
  assign m_axi_arlock = '0;
  assign m_axi_arcache = cache[0+:4];
  assign m_axi_arprot = prot[0+:3];
  assign m_axi_arqos = qos[0+:4];
  assign m_axi_aruser = user[0+:USER_W];
  assign m_axi_awid = '0;
  assign m_axi_awsize = 3'(Shift);
  assign m_axi_awburst = 2'b01;
  assign m_axi_awlock = '0;
  assign m_axi_awcache = cache[4+:4];
  assign m_axi_awprot = prot[3+:3];
  assign m_axi_awqos = qos[4+:4];
  assign m_axi_awuser = user[USER_W+:USER_W];
  assign m_axi_wid = '0;

  // The monitor tracks the bursts in flight. A burst that was ended by count counts as
  // ended although its last beat was not marked.
  logic snapshot_pending, saturated, disorder, overrun;
  logic read_done;
  logic [31:0] counter_data;

  axm_monitor_core #(
      .DATA_W(DATA_W), .ID_W(ID_W), .OUTSTANDING(OUTSTANDING), .COUNT_W(COUNT_W), .ORDER(0),
      .EXTRA_W(ExtraW)
  ) monitor (
      .clk, .rst, .forget(reset), .run, .clear, .snapshot(hwif_out_CONTROL_SNAPSHOT), .ready,
      .snapshot_pending, .saturated, .disorder, .overrun, .now,
      .read(hwif_out_COUNTERS_req && !hwif_out_COUNTERS_req_is_wr),
      .read_address(hwif_out_COUNTERS_addr[8:2]), .read_done, .read_data(counter_data), .extra, .oldest,
      .in_flight, .in_flight_next, .read_wants(1'b0), .arvalid(m_axi_arvalid), .arready(m_axi_arready),
      .arid(m_axi_arid), .arlen(m_axi_arlen), .arsize(m_axi_arsize), .rvalid(m_axi_rvalid),
      .rready(m_axi_rready), .rid(m_axi_rid), .rlast(read_ends || in_flight[0+:7] == '0),
      .write_wants(1'b0), .awvalid(m_axi_awvalid), .awready(m_axi_awready), .awid(m_axi_awid),
      .awlen(m_axi_awlen), .awsize(m_axi_awsize), .wvalid(m_axi_wvalid), .wready(m_axi_wready),
      .wlast(m_axi_wlast), .bvalid(m_axi_bvalid), .bready(m_axi_bready), .bid(m_axi_bid)
  );

  // Registers
  logic [31:0] error_word;
  always_comb begin
    case (hwif_out_READ_addr[3:2])
      2'd0: error_word = {5'b0, error_kinds[11*request_write+:11], 8'b0, error_count[8*request_write+:8]};
      2'd1: error_word = error_address[32*request_write+:32];
      default: error_word = error_high[32*request_write+:32];
    endcase
  end

  // An error's address is stored as its low word: the region is not larger than 4 GiB.
  generate
  for (d = 0; d < 2; d++) begin : g_error_high
    if (ADDR_W > 32) begin : g_high
      assign error_high[32*d+:32] =
          32'(base[ADDR_W*d+32+:ADDR_W-32]) + 32'(error_address[32*d+:32] < base[ADDR_W*d+:32]);
    end else begin : g_none
      assign error_high[32*d+:32] = '0;
    end
  end
  endgenerate

  wire unused = ^{disorder, begins, check[1], now};

  // Behind the signals that it connects: some tools need declarations first.
  traffic_regs regs (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      .clk, .rst, .hwif_in_CAPS_WIDTH_BYTES(8'(DATA_W / 8)), .hwif_in_CAPS_OUTSTANDING(8'(OUTSTANDING)),
      .hwif_in_CAPS_ADDRESS_BITS(7'(ADDR_W)), .hwif_in_CAPS_AXI3(AXI3),
      .hwif_in_CAPS_USER_BITS(6'(USER_W)), .hwif_in_CAPS2_SWEEP_CLOCKS(8'd58),
      .hwif_in_CAPS2_LATENCY_BITS(8'd15), .hwif_in_CAPS2_BINS(8'd15),
      .hwif_in_CAPS2_COUNTER_BITS(8'(COUNT_W)), .hwif_in_STATUS_READ_BUSY(run[0]),
      .hwif_in_STATUS_WRITE_BUSY(run[1]), .hwif_in_STATUS_READ_ERROR(error_kinds[0+:11] != '0),
      .hwif_in_STATUS_WRITE_ERROR(error_kinds[11+:11] != '0),
      .hwif_in_STATUS_READY(ready && stale == '0 && was_run == '0),
      .hwif_in_STATUS_SNAPSHOT_PENDING(snapshot_pending), .hwif_in_STATUS_SATURATED(saturated),
      .hwif_in_STATUS_OVERRUN(overrun),
      .hwif_in_TIMEOUT_wr_ack(hwif_out_TIMEOUT_req && hwif_out_TIMEOUT_req_is_wr),
      .hwif_in_SEED_wr_ack(hwif_out_SEED_req && hwif_out_SEED_req_is_wr),
      .hwif_in_READ_rd_ack(hwif_out_READ_req && !hwif_out_READ_req_is_wr),
      .hwif_in_READ_rd_data(error_word),
      .hwif_in_READ_wr_ack(hwif_out_READ_req && hwif_out_READ_req_is_wr),
      .hwif_in_WRITE_rd_ack(hwif_out_WRITE_req && !hwif_out_WRITE_req_is_wr),
      .hwif_in_WRITE_rd_data(error_word),
      .hwif_in_WRITE_wr_ack(hwif_out_WRITE_req && hwif_out_WRITE_req_is_wr),
      .hwif_in_COUNTERS_rd_ack(read_done), .hwif_in_COUNTERS_rd_data(counter_data),
      .hwif_in_COUNTERS_wr_ack(hwif_out_COUNTERS_req && hwif_out_COUNTERS_req_is_wr),
      .hwif_out_CONTROL_START_READ(hwif_out_CONTROL_START_READ),
      .hwif_out_CONTROL_START_WRITE(hwif_out_CONTROL_START_WRITE),
      .hwif_out_CONTROL_STOP_READ(hwif_out_CONTROL_STOP_READ),
      .hwif_out_CONTROL_STOP_WRITE(hwif_out_CONTROL_STOP_WRITE),
      .hwif_out_CONTROL_SNAPSHOT(hwif_out_CONTROL_SNAPSHOT),
      .hwif_out_CONTROL_RESET(hwif_out_CONTROL_RESET), .hwif_out_TIMEOUT_req(hwif_out_TIMEOUT_req),
      .hwif_out_TIMEOUT_req_is_wr(hwif_out_TIMEOUT_req_is_wr), .hwif_out_TIMEOUT_wr_data(),
      .hwif_out_TIMEOUT_wr_biten(), .hwif_out_SEED_req(hwif_out_SEED_req),
      .hwif_out_SEED_req_is_wr(hwif_out_SEED_req_is_wr), .hwif_out_SEED_wr_data(),
      .hwif_out_SEED_wr_biten(), .hwif_out_READ_req(hwif_out_READ_req),
      .hwif_out_READ_addr(hwif_out_READ_addr), .hwif_out_READ_req_is_wr(hwif_out_READ_req_is_wr),
      .hwif_out_READ_wr_data(hwif_out_READ_wr_data), .hwif_out_READ_wr_biten(),
      .hwif_out_WRITE_req(hwif_out_WRITE_req), .hwif_out_WRITE_addr(),
      .hwif_out_WRITE_req_is_wr(hwif_out_WRITE_req_is_wr), .hwif_out_WRITE_wr_data(),
      .hwif_out_WRITE_wr_biten(), .hwif_out_COUNTERS_req(hwif_out_COUNTERS_req),
      .hwif_out_COUNTERS_addr(hwif_out_COUNTERS_addr),
      .hwif_out_COUNTERS_req_is_wr(hwif_out_COUNTERS_req_is_wr), .hwif_out_COUNTERS_wr_data(),
      .hwif_out_COUNTERS_wr_biten()
  );

endmodule
