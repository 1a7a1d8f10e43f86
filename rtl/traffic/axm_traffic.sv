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
module axm_traffic #(
    parameter int unsigned ADDR_W      = 32,
    parameter int unsigned DATA_W      = 64,
    parameter int unsigned ID_W        = 1,
    parameter int unsigned USER_W      = 1,
    parameter bit          AXI3        = 0,
    parameter int unsigned OUTSTANDING = 32,  // bursts in flight for each direction: 2 to 64
    parameter int unsigned COUNT_W     = 47,  // bits of the monitor's counters
    parameter bit          CROSS_4K    = 0    // bursts may cross 4 KiB
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                start,        // pulse: starts the directions whose MODE.PIN is set
    output logic                busy,
    input  logic [        11:0] s_axil_awaddr,
    input  logic [         2:0] s_axil_awprot,
    input  logic                s_axil_awvalid,
    output logic                s_axil_awready,
    input  logic [        31:0] s_axil_wdata,
    input  logic [         3:0] s_axil_wstrb,
    input  logic                s_axil_wvalid,
    output logic                s_axil_wready,
    output logic [         1:0] s_axil_bresp,
    output logic                s_axil_bvalid,
    input  logic                s_axil_bready,
    input  logic [        11:0] s_axil_araddr,
    input  logic [         2:0] s_axil_arprot,
    input  logic                s_axil_arvalid,
    output logic                s_axil_arready,
    output logic [        31:0] s_axil_rdata,
    output logic [         1:0] s_axil_rresp,
    output logic                s_axil_rvalid,
    input  logic                s_axil_rready,
    output logic [    ID_W-1:0] m_axi_awid,
    output logic [  ADDR_W-1:0] m_axi_awaddr,
    output logic [         7:0] m_axi_awlen,
    output logic [         2:0] m_axi_awsize,
    output logic [         1:0] m_axi_awburst,
    output logic [         1:0] m_axi_awlock,
    output logic [         3:0] m_axi_awcache,
    output logic [         2:0] m_axi_awprot,
    output logic [         3:0] m_axi_awqos,
    output logic [  USER_W-1:0] m_axi_awuser,
    output logic                m_axi_awvalid,
    input  logic                m_axi_awready,
    output logic [    ID_W-1:0] m_axi_wid,
    output logic [  DATA_W-1:0] m_axi_wdata,
    output logic [DATA_W/8-1:0] m_axi_wstrb,
    output logic                m_axi_wlast,
    output logic                m_axi_wvalid,
    input  logic                m_axi_wready,
    input  logic [    ID_W-1:0] m_axi_bid,
    input  logic [         1:0] m_axi_bresp,
    input  logic                m_axi_bvalid,
    output logic                m_axi_bready,
    output logic [    ID_W-1:0] m_axi_arid,
    output logic [  ADDR_W-1:0] m_axi_araddr,
    output logic [         7:0] m_axi_arlen,
    output logic [         2:0] m_axi_arsize,
    output logic [         1:0] m_axi_arburst,
    output logic [         1:0] m_axi_arlock,
    output logic [         3:0] m_axi_arcache,
    output logic [         2:0] m_axi_arprot,
    output logic [         3:0] m_axi_arqos,
    output logic [  USER_W-1:0] m_axi_aruser,
    output logic                m_axi_arvalid,
    input  logic                m_axi_arready,
    input  logic [    ID_W-1:0] m_axi_rid,
    input  logic [  DATA_W-1:0] m_axi_rdata,
    input  logic [         1:0] m_axi_rresp,
    input  logic                m_axi_rlast,
    input  logic                m_axi_rvalid,
    output logic                m_axi_rready
);

  localparam int unsigned Shift = $clog2(DATA_W / 8);
  localparam int unsigned ExtraW = 40 - Shift;  // what is kept of a burst: beats, address

  if (ADDR_W < 32 || ADDR_W > 64) begin : g_check_address
    $error("%m: ADDR_W is %0d; it must be 32 to 64", ADDR_W);
  end
  if (!(DATA_W inside {32, 64, 128, 256})) begin : g_check_data
    $error("%m: DATA_W is %0d; it must be 32, 64, 128 or 256", DATA_W);
  end
  if (ID_W < 1 || ID_W > 8) begin : g_check_id
    $error("%m: ID_W is %0d; it must be 1 to 8", ID_W);
  end
  if (USER_W < 1 || USER_W > 32) begin : g_check_user
    $error("%m: USER_W is %0d; it must be 1 to 32", USER_W);
  end

  traffic_regs_pkg::axm_traffic__in_t hwif_in;
  // Each external register has its own copy of address and data; one copy is used.
  // verilator lint_off UNUSEDSIGNAL
  traffic_regs_pkg::axm_traffic__out_t hwif_out;
  // verilator lint_on UNUSEDSIGNAL

  traffic_regs regs (
      .clk, .rst,
      .s_axil_awaddr, .s_axil_awprot, .s_axil_awvalid, .s_axil_awready,
      .s_axil_wdata, .s_axil_wstrb, .s_axil_wvalid, .s_axil_wready,
      .s_axil_bresp, .s_axil_bvalid, .s_axil_bready,
      .s_axil_araddr, .s_axil_arprot, .s_axil_arvalid, .s_axil_arready,
      .s_axil_rdata, .s_axil_rresp, .s_axil_rvalid, .s_axil_rready,
      .hwif_in, .hwif_out
  );

  // What software has set; direction 0 reads, 1 writes.
  logic [1:0] run, ended, stale, nothing, load;
  logic [1:0] random, in_clocks, unlimited, check, by_pin;
  logic [ADDR_W-1:0] base[2], address[2];
  logic [31:0] final_offset[2], step[2], limit[2], seed;
  logic [7:0] nominal[2], tail[2], len[2];
  logic [15:0] gap[2];
  logic [6:0] outstanding[2];
  logic [1:0] barred, refused;
  logic [3:0] cache[2], qos[2];
  logic [2:0] prot[2];
  logic [USER_W-1:0] user[2];
  logic [9:0] patience;
  // The register file gives each external register and group its own request; write data are the same.
  wire request_read = hwif_out.READ.req, request_write = hwif_out.WRITE.req;
  wire request_timeout = hwif_out.TIMEOUT.req != '0, request_seed = hwif_out.SEED.req != '0;
  wire request_side = request_read || request_write;
  wire request_config = request_side ? !hwif_out.READ.addr[5] : request_timeout || request_seed;
  wire reset = rst || hwif_out.CONTROL.RESET.value;

  axm_traffic_config #(
      .ADDR_W(ADDR_W), .DATA_W(DATA_W), .USER_W(USER_W), .AXI3(AXI3)
  ) settings (
      .clk, .rst, .store(request_config && hwif_out.READ.req_is_wr),
      .address(request_side ? {1'b1, request_write, hwif_out.READ.addr[4:2]}
               : {4'b0, request_seed}),
      .write_data(hwif_out.READ.wr_data), .busy(run), .ended, .stale,
      .patience, .seed, .base, .final_offset, .step, .limit, .len(nominal), .tail, .gap, .outstanding,
      .barred,
      .random, .in_clocks, .unlimited, .check, .by_pin, .cache, .prot, .qos, .user, .nothing, .load
  );

  // Start: from rest, together with the monitor, whose counters have to be ready.
  logic [1:0] wanted, asked, was_run, go;
  logic ready, clear;
  wire rest = run == '0;
  assign asked = wanted | {hwif_out.CONTROL.START_WRITE.value, hwif_out.CONTROL.START_READ.value}
      | (by_pin & {2{start}});
  assign go = asked & ~run & ~was_run & ~stale & {2{ready || !rest}};
  assign clear = rest && go != '0;
  always_ff @(posedge clk) refused <= go & barred;  // the clock behind what it clears
  assign ended = was_run & ~run;
  assign busy = !rest;

  wire [1:0] stops = {hwif_out.CONTROL.STOP_WRITE.value, hwif_out.CONTROL.STOP_READ.value};
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
  logic [6:0] in_flight[2], in_flight_next[2], errors[2];
  logic [2:0] waits[2];
  logic [7:0] error_count[2];
  logic [10:0] error_kinds[2];
  logic [31:0] error_address[2], report_address[2], error_high[2];
  logic [ExtraW-1:0] extra[2], oldest[2];
  logic [15:0] now;

  for (genvar d = 0; d < 2; d++) begin : g_direction
    axm_traffic_issue #(
        .ADDR_W(ADDR_W), .DATA_W(DATA_W), .OUTSTANDING(OUTSTANDING), .CROSS_4K(CROSS_4K)
    ) issue (
        .clk, .rst(reset), .go(go[d]), .stop(stops[d] || fault_stop[d]),
        .load(load[d]), .limit(limit[d]), .nothing(nothing[d] || barred[d]), .seed(d == 1 ? ~seed : seed), .base(base[d]),
        .final_offset(final_offset[d]), .step(step[d]),
        .nominal(nominal[d]), .tail(tail[d]), .gap(gap[d]), .outstanding(outstanding[d]),
        .random(random[d]), .in_clocks(in_clocks[d]),
        .unlimited(unlimited[d]), .sent(sent[d]), .gap_hold(gap_hold[d]),
        .in_flight_next(in_flight_next[d]), .valid(valid[d]), .pending(pending[d]),
        .begins(begins[d]), .address(address[d]), .len(len[d])
    );

    axm_traffic_faults faults (
        .clk, .rst(reset), .clear, .tick(now[5:0] == '1), .limit(patience),
        .refused(refused[d]), .busy(run[d]), .open(open[d]), .moves(moves[d]), .errors(errors[d]), .waits(waits[d]),
        .address(report_address[d]), .stop(fault_stop[d]), .suspect(suspect[d]),
        .count(error_count[d]), .kinds(error_kinds[d]), .first(error_address[d])
    );

    assign open[d] = valid[d] || in_flight[d] != '0;
    assign run[d] = open[d] || pending[d] || suspect[d];
    // Responses need no length.
    assign extra[d] = {d == 1 ? 8'd0 : len[d], address[d][31:Shift]};
  end

  // Reading
  logic read_ends, read_middle;
  assign m_axi_arvalid = valid[0];
  assign m_axi_araddr = address[0];
  assign m_axi_arlen = len[0];
  assign m_axi_rready = 1'b1;
  assign sent[0] = valid[0] && m_axi_arready;
  assign gap_hold[0] = 1'b0;
  assign moves[0] = sent[0] || m_axi_rvalid;
  assign waits[0] = valid[0] ? 3'b001 : read_middle ? 3'b010 : 3'b100;

  axm_traffic_receive #(
      .DATA_W(DATA_W), .ID_W(ID_W), .CROSS_4K(CROSS_4K)
  ) receive (
      .clk, .rst(reset), .check(check[0]), .seed, .none(in_flight[0] == '0),
      .address({oldest[0][ExtraW-9:0], Shift'(0)}), .len(oldest[0][ExtraW-1-:8]),
      .rvalid(m_axi_rvalid), .rid(m_axi_rid), .rdata(m_axi_rdata), .rresp(m_axi_rresp),
      .rlast(m_axi_rlast), .ends(read_ends), .middle(read_middle),
      .beat_address(report_address[0]), .errors(errors[0])
  );

  // Writing
  logic addressed;  // the burst that is being sent is in flight already
  assign m_axi_awaddr = address[1];
  assign m_axi_awlen = len[1];
  assign m_axi_wstrb = '1;
  assign m_axi_bready = 1'b1;
  assign addressed = valid[1] && !m_axi_awvalid;
  assign moves[1] = (m_axi_awvalid && m_axi_awready) || (m_axi_wvalid && m_axi_wready)
      || m_axi_bvalid;
  assign waits[1] = m_axi_awvalid ? 3'b001 : m_axi_wvalid ? 3'b010 : 3'b100;
  assign report_address[1] = {oldest[1][ExtraW-9:0], Shift'(0)};
  assign errors[1] = !m_axi_bvalid ? '0 : {
    in_flight[1] == 7'(addressed), 1'b0, m_axi_bid != '0, 2'b00, m_axi_bresp == 2'd3,
    m_axi_bresp == 2'd2
  };

  axm_traffic_send #(
      .DATA_W(DATA_W), .CROSS_4K(CROSS_4K)
  ) send (
      .clk, .rst(reset), .valid(valid[1]), .address(address[1][31:0]), .len(len[1]), .seed,
      .sent(sent[1]), .gap_hold(gap_hold[1]), .awvalid(m_axi_awvalid), .awready(m_axi_awready),
      .wdata(m_axi_wdata), .wlast(m_axi_wlast), .wvalid(m_axi_wvalid), .wready(m_axi_wready)
  );

  assign m_axi_arid = '0;
  assign m_axi_arsize = 3'(Shift);
  assign m_axi_arburst = 2'b01;
  assign m_axi_arlock = '0;
  assign m_axi_arcache = cache[0];
  assign m_axi_arprot = prot[0];
  assign m_axi_arqos = qos[0];
  assign m_axi_aruser = user[0];
  assign m_axi_awid = '0;
  assign m_axi_awsize = 3'(Shift);
  assign m_axi_awburst = 2'b01;
  assign m_axi_awlock = '0;
  assign m_axi_awcache = cache[1];
  assign m_axi_awprot = prot[1];
  assign m_axi_awqos = qos[1];
  assign m_axi_awuser = user[1];
  assign m_axi_wid = '0;

  // The monitor keeps the books of the bursts in flight. A burst that was ended by count counts as
  // ended although its last beat was not marked.
  logic snapshot_pending, saturated, disorder, overrun;
  logic read_done;
  logic [31:0] counter_data;

  axm_monitor_core #(
      .DATA_W(DATA_W), .ID_W(ID_W), .OUTSTANDING(OUTSTANDING), .COUNT_W(COUNT_W), .ORDER(0),
      .EXTRA_W(ExtraW)
  ) monitor (
      .clk, .rst, .forget(reset), .run, .clear, .snapshot(hwif_out.CONTROL.SNAPSHOT.value), .ready,
      .snapshot_pending, .saturated, .disorder, .overrun, .now,
      .read(hwif_out.COUNTERS.req && !hwif_out.COUNTERS.req_is_wr),
      .read_address(hwif_out.COUNTERS.addr[8:2]), .read_done, .read_data(counter_data),
      .extra, .oldest, .in_flight, .in_flight_next,
      .read_wants(1'b0), .arvalid(m_axi_arvalid), .arready(m_axi_arready), .arid(m_axi_arid),
      .arlen(m_axi_arlen), .arsize(m_axi_arsize),
      .rvalid(m_axi_rvalid), .rready(m_axi_rready), .rid(m_axi_rid),
      .rlast(read_ends || in_flight[0] == '0),
      .write_wants(1'b0), .awvalid(m_axi_awvalid), .awready(m_axi_awready), .awid(m_axi_awid),
      .awlen(m_axi_awlen), .awsize(m_axi_awsize),
      .wvalid(m_axi_wvalid), .wready(m_axi_wready), .wlast(m_axi_wlast),
      .bvalid(m_axi_bvalid), .bready(m_axi_bready), .bid(m_axi_bid)
  );

  // Registers
  logic [31:0] error_word;
  always_comb begin
    case (hwif_out.READ.addr[3:2])
      2'd0: error_word = {5'b0, error_kinds[request_write], 8'b0, error_count[request_write]};
      2'd1: error_word = error_address[request_write];
      default: error_word = error_high[request_write];
    endcase
  end
  assign hwif_in.READ.rd_data = error_word;
  assign hwif_in.READ.rd_ack = hwif_out.READ.req && !hwif_out.READ.req_is_wr;
  assign hwif_in.READ.wr_ack = hwif_out.READ.req && hwif_out.READ.req_is_wr;
  assign hwif_in.WRITE.rd_data = error_word;
  assign hwif_in.WRITE.rd_ack = hwif_out.WRITE.req && !hwif_out.WRITE.req_is_wr;
  assign hwif_in.WRITE.wr_ack = hwif_out.WRITE.req && hwif_out.WRITE.req_is_wr;
  assign hwif_in.COUNTERS.rd_data = counter_data;
  assign hwif_in.COUNTERS.rd_ack = read_done;
  assign hwif_in.COUNTERS.wr_ack = hwif_out.COUNTERS.req && hwif_out.COUNTERS.req_is_wr;
  assign hwif_in.TIMEOUT.wr_ack = hwif_out.TIMEOUT.req && hwif_out.TIMEOUT.req_is_wr;
  assign hwif_in.SEED.wr_ack = hwif_out.SEED.req && hwif_out.SEED.req_is_wr;
  assign hwif_in.CAPS.WIDTH_BYTES.next = 8'(DATA_W / 8);
  assign hwif_in.CAPS.OUTSTANDING.next = 8'(OUTSTANDING);
  assign hwif_in.CAPS.ADDRESS_BITS.next = 7'(ADDR_W);
  assign hwif_in.CAPS.AXI3.next = AXI3;
  assign hwif_in.CAPS.USER_BITS.next = 6'(USER_W);
  assign hwif_in.CAPS2.SWEEP_CLOCKS.next = 8'd58;
  assign hwif_in.CAPS2.LATENCY_BITS.next = 8'd15;
  assign hwif_in.CAPS2.BINS.next = 8'd15;
  assign hwif_in.CAPS2.COUNTER_BITS.next = 8'(COUNT_W);
  assign hwif_in.STATUS.READ_BUSY.next = run[0];
  assign hwif_in.STATUS.WRITE_BUSY.next = run[1];
  assign hwif_in.STATUS.READ_ERROR.next = error_kinds[0] != '0;
  assign hwif_in.STATUS.WRITE_ERROR.next = error_kinds[1] != '0;
  assign hwif_in.STATUS.READY.next = ready && stale == '0 && was_run == '0;
  assign hwif_in.STATUS.SNAPSHOT_PENDING.next = snapshot_pending;
  assign hwif_in.STATUS.SATURATED.next = saturated;
  assign hwif_in.STATUS.OVERRUN.next = overrun;

  // An error's address is kept as its low word: the region is not larger than 4 GiB.
  for (genvar d = 0; d < 2; d++) begin : g_error_high
    if (ADDR_W > 32) begin : g_high
      assign error_high[d] =
          32'(base[d][ADDR_W-1:32]) + 32'(error_address[d] < base[d][31:0]);
    end else begin : g_none
      assign error_high[d] = '0;
    end
  end

  wire unused = ^{disorder, begins, check[1], now};

endmodule
