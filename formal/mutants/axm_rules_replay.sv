// Plays signals from a file past all checkers and prints which rules break, and when.
//
// Purpose      The bench of formal/mutants: a legal exchange with one fault must break one rule.
// Limits       Simulation alone. The file has one word a clock: the vector below, its last field
//              lowest. The first clocks of each exchange are a reset, so exchanges follow each other.
`define AXM_RULE_BROKEN(NAME) $display("%0d %m", $time / 2)

module axm_rules_replay (
    input logic clk
);

  localparam int unsigned CLOCKS = 65536;

  int unsigned clock = 0;
  int unsigned clocks;
  string file;

  // The order of these fields is that of the file: formal/mutants/exchange.py reads it from here.
  typedef struct packed {
    logic        rst;
    logic        awvalid, awready;
    logic [ 1:0] awid;
    logic [31:0] awaddr;
    logic [ 7:0] awlen;
    logic [ 2:0] awsize;
    logic [ 1:0] awburst;
    logic [ 1:0] awlock;
    logic [ 3:0] awcache;
    logic [ 2:0] awprot;
    logic [ 3:0] awqos;
    logic [ 0:0] awuser;
    logic        wvalid, wready;
    logic [ 1:0] wid;
    logic [31:0] wdata;
    logic [ 3:0] wstrb;
    logic        wlast;
    logic        bvalid, bready;
    logic [ 1:0] bid;
    logic [ 1:0] bresp;
    logic        arvalid, arready;
    logic [ 1:0] arid;
    logic [31:0] araddr;
    logic [ 7:0] arlen;
    logic [ 2:0] arsize;
    logic [ 1:0] arburst;
    logic [ 1:0] arlock;
    logic [ 3:0] arcache;
    logic [ 2:0] arprot;
    logic [ 3:0] arqos;
    logic [ 0:0] aruser;
    logic        rvalid, rready;
    logic [ 1:0] rid;
    logic [31:0] rdata;
    logic [ 1:0] rresp;
    logic        rlast;
    logic        tvalid, tready;
    logic [31:0] tdata;
    logic [ 3:0] tkeep;
    logic        tlast;
    logic [ 7:0] room;
    logic [ 7:0] avail;
    logic [ 7:0] packets;
    logic        slot_clear, slot_run;
    logic [ 5:0] slot_sweep;
    logic [31:0] slot_now;
    logic        slot_asked, slot_beat, slot_last;
    logic [31:0] slot_address;
    logic [ 7:0] slot_len;
    logic [ 8:0] slot_word;
    logic        slot_records, slot_lengths, slot_gaps;
    logic [ 1:0] length_stored;
    logic [ 1:0] beat_stored;
    logic [71:0] record_stored;
    logic [15:0] distance;
    logic        between, full;
    logic [31:0] read_data;
    logic [ 7:0] recorded;
    logic        seen;
    logic [15:0] beat_min;
    logic [15:0] beat_max;
    logic [15:0] gap_min;
    logic [15:0] gap_max;
  } signals_t;

  logic [$bits(signals_t)-1:0] words[CLOCKS];
  signals_t s;

  `define AXI_PORT \
    .clk, .rst(s.rst), \
    .awvalid(s.awvalid), .awready(s.awready), .awid(s.awid), .awaddr(s.awaddr), .awlen(s.awlen), \
    .awsize(s.awsize), .awburst(s.awburst), .awlock(s.awlock), .awcache(s.awcache), \
    .awprot(s.awprot), .awqos(s.awqos), .awuser(s.awuser), \
    .wvalid(s.wvalid), .wready(s.wready), .wid(s.wid), .wdata(s.wdata), .wstrb(s.wstrb), \
    .wlast(s.wlast), .bvalid(s.bvalid), .bready(s.bready), .bid(s.bid), .bresp(s.bresp), \
    .arvalid(s.arvalid), .arready(s.arready), .arid(s.arid), .araddr(s.araddr), .arlen(s.arlen), \
    .arsize(s.arsize), .arburst(s.arburst), .arlock(s.arlock), .arcache(s.arcache), \
    .arprot(s.arprot), .arqos(s.arqos), .aruser(s.aruser), \
    .rvalid(s.rvalid), .rready(s.rready), .rid(s.rid), .rdata(s.rdata), .rresp(s.rresp), \
    .rlast(s.rlast)

  axm_axi_rules #(
      .ID_W(2),
      .LIMIT(2),
      .REQUEST_WAIT(8),
      .WREADY_WAIT(8),
      .WVALID_WAIT(8),
      .ANSWER_WAIT(8),
      .TAKE_WAIT(8)
  ) axi4 (
      `AXI_PORT
  );

  axm_axi_rules #(
      .ID_W(2),
      .LIMIT(2),
      .AXI3(1)
  ) axi3 (
      `AXI_PORT
  );

  axm_axi_rules #(
      .ID_W(2),
      .LIMIT(2),
      .DATA_LEAD(1)
  ) lead (
      `AXI_PORT
  );

  axm_axil_rules #(
      .ADDR_W(32),
      .LIMIT(2),
      .READY_WAIT(4),
      .ANSWER_WAIT(4)
  ) axil (
      .clk,
      .rst(s.rst),
      .awaddr(s.awaddr),
      .awprot(s.awprot),
      .awvalid(s.awvalid),
      .awready(s.awready),
      .wdata(s.wdata),
      .wstrb(s.wstrb),
      .wvalid(s.wvalid),
      .wready(s.wready),
      .bresp(s.bresp),
      .bvalid(s.bvalid),
      .bready(s.bready),
      .araddr(s.araddr),
      .arprot(s.arprot),
      .arvalid(s.arvalid),
      .arready(s.arready),
      .rdata(s.rdata),
      .rresp(s.rresp),
      .rvalid(s.rvalid),
      .rready(s.rready)
  );

  axm_stream_rules #(
      .COUNT_W(8),
      .ROOM(1),
      .AVAIL(1),
      .READY_WAIT(8)
  ) stream (
      .clk,
      .rst(s.rst),
      .tdata(s.tdata),
      .tkeep(s.tkeep),
      .tlast(s.tlast),
      .tvalid(s.tvalid),
      .tready(s.tready),
      .room(s.room),
      .avail(s.avail),
      .packets(s.packets)
  );

  axm_sniffer_rules slot (
      .clk,
      .rst(s.rst),
      .clear(s.slot_clear),
      .sweep(s.slot_sweep),
      .run(s.slot_run),
      .now(s.slot_now),
      .address_taken(s.slot_asked),
      .address(s.slot_address),
      .len(s.slot_len),
      .beat_taken(s.slot_beat),
      .last(s.slot_last),
      .read_word(s.slot_word),
      .read_records(s.slot_records),
      .read_lengths(s.slot_lengths),
      .read_gaps(s.slot_gaps),
      .length_stored(s.length_stored),
      .beat_stored(s.beat_stored),
      .record_stored(s.record_stored),
      .distance(s.distance),
      .between(s.between),
      .full(s.full),
      .read_data(s.read_data),
      .recorded(s.recorded),
      .seen(s.seen),
      .beat_min(s.beat_min),
      .beat_max(s.beat_max),
      .gap_min(s.gap_min),
      .gap_max(s.gap_max)
  );

  assign s = words[clock];

  always_ff @(negedge clk) begin
    clock <= clock + 1;
    if (clock + 1 == clocks) $finish;
  end

  initial begin
    if (!$value$plusargs("file=%s", file) || !$value$plusargs("clocks=%d", clocks)) begin
      $fatal(1, "usage: +file=<words in hex, one a clock> +clocks=<their number>");
    end
    $readmemh(file, words, 0, clocks - 1);
  end

endmodule
