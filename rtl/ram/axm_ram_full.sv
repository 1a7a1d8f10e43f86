// On-chip RAM behind an AXI slave port with bursts (block type 11).
//
// Purpose      The custom AXI-Full slave behind a GP port (Melo and Valinoti 2018), and the ideal memory
//              that experiments and tests compare with. `extra_read` and `extra_write` add latency.
// Limits       AXI3 or AXI4; INCR, WRAP and FIXED, narrow and unaligned transfers. BYTES is a power of
//              two from 64 to 2^20; address bits above it are ignored, so the memory repeats. QUEUE
//              bursts (a power of two, 2 to 64) wait in each direction. Locks are ignored: an
//              exclusive access gets OKAY. Illegal bursts (too wide, reserved type, WRAP of another
//              length than 2, 4, 8, 16; FIXED or AXI3 above 16) get SLVERR and change nothing; a write
//              whose WLAST is early or late gets SLVERR. A read sees the writes of earlier clocks.
// Throughput   A beat a clock in both directions together, without a gap between bursts of any
//              length, as long as QUEUE holds the bursts that come in 2 + extra clocks.
// Latency      Read: 2 + extra_read clocks from the address to the first beat. Write: 1 + extra_write
//              from the last beat to the response; the first beat is taken from the clock after the address.
// Area         64 bit, 4 KiB: xc7 478 LUT, 124 FF, 1 block RAM; Cyclone V 556 ALUT, 225 FF
//              (area.toml).
`include "axm_ports.svh"

module axm_ram_full #(
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] ID_W = 4,
    parameter bit [31:0] USER_W = 1,
    parameter bit AXI3 = 1'b0,
    parameter bit [31:0] BYTES = 4096,
    parameter bit [31:0] QUEUE = 8,
    parameter bit [31:0] STRB_W = DATA_W / 8  // follows from the others
) (
    input logic [7:0] extra_read,   // clocks
    input logic [7:0] extra_write,
    `AXM_AXI_SLAVE(s_axi_, ID_W, DATA_W)
    input logic clk,
    input logic rst
);

  generate
  if (ADDR_W < 32 || ADDR_W > 64) begin : g_check_addr
    axm_error_ADDR_W_must_be_32_to_64 u_error ();
  end
  if (DATA_W != 32 && DATA_W != 64 && DATA_W != 128 && DATA_W != 256) begin : g_check_data
    axm_error_DATA_W_must_be_32_64_128_or_256 u_error ();
  end
  if (ID_W < 1 || ID_W > 16) begin : g_check_id
    axm_error_ID_W_must_be_1_to_16 u_error ();
  end
  if (USER_W < 1) begin : g_check_user
    axm_error_USER_W_must_be_at_least_1 u_error ();
  end
  if (BYTES < 64 || BYTES > 1048576 || (BYTES & (BYTES - 1)) != 0) begin : g_check_bytes
    axm_error_BYTES_must_be_a_power_of_two_from_64_to_1048576 u_error ();
  end
  if (QUEUE < 2 || QUEUE > 64 || (QUEUE & (QUEUE - 1)) != 0) begin : g_check_queue
    axm_error_QUEUE_must_be_a_power_of_two_from_2_to_64 u_error ();
  end
  endgenerate

  localparam bit [31:0] PLACE_W = $clog2(BYTES);
  localparam bit [31:0] SHIFT = $clog2(STRB_W);
  localparam logic [1:0] OKAY = 2'b00, SLVERR = 2'b10;

  wire unused = &{
    1'b0, s_axi_awaddr[ADDR_W-1:PLACE_W], s_axi_araddr[ADDR_W-1:PLACE_W], s_axi_wid,
    s_axi_awlock, s_axi_awcache, s_axi_awprot, s_axi_awqos, s_axi_awuser,
    s_axi_arlock, s_axi_arcache, s_axi_arprot, s_axi_arqos, s_axi_aruser
  };

  // Write: the burst at the head of the queue takes data.
  logic [ID_W-1:0] aw_in_id, aw_id;
  logic [PLACE_W-1:0] aw_in_place, aw_place;
  logic [7:0] aw_in_len, aw_len;
  logic [2:0] aw_in_size, aw_size;
  logic [1:0] aw_in_burst, aw_burst;
  logic aw_valid, aw_done, b_room, w_legal, w_bad, w_wrong_last;
  logic [PLACE_W-1:0] w_later, w_place, w_next;
  logic [7:0] w_beat;
  logic [$clog2(QUEUE):0] aw_count;
  wire unused_count = &{1'b0, aw_count};

  assign aw_in_id = s_axi_awid;
  assign aw_in_place = s_axi_awaddr[PLACE_W-1:0];
  assign aw_in_len = s_axi_awlen;
  assign aw_in_size = s_axi_awsize;
  assign aw_in_burst = s_axi_awburst;

  axm_fifo #(
      .WIDTH(ID_W + PLACE_W + 13), .DEPTH(QUEUE)
  ) u_aw (
      .clk, .rst, .clear(1'b0), .in_data({aw_in_id, aw_in_place, aw_in_len, aw_in_size, aw_in_burst}),
      .in_valid(s_axi_awvalid), .in_ready(s_axi_awready),
      .out_data({aw_id, aw_place, aw_len, aw_size, aw_burst}), .out_valid(aw_valid), .out_ready(aw_done),
      .count(aw_count)
  );

  assign w_place = w_beat == '0 ? aw_place : w_later;

  axm_ram_address #(
      .ADDR_W(PLACE_W), .DATA_W(DATA_W), .AXI3(AXI3)
  ) u_w_address (
      .current(w_place), .len(aw_len), .size(aw_size), .burst(aw_burst), .next(w_next), .legal(w_legal)
  );

  wire w_last = w_beat == aw_len;
  wire w_moved = s_axi_wvalid && s_axi_wready;

  assign s_axi_wready = aw_valid && b_room;
  assign aw_done = w_moved && w_last;
  assign w_wrong_last = w_moved && s_axi_wlast != w_last;

  always_ff @(posedge clk) begin
    if (rst) begin
      w_beat <= '0;
      w_bad  <= 1'b0;
    end else if (w_moved) begin
      w_beat <= w_last ? '0 : w_beat + 8'd1;
      w_bad  <= !w_last && (w_bad || w_wrong_last);
    end
    if (w_moved) w_later <= w_next;
  end

  axm_ram_delay #(
      .WIDTH(ID_W + 2), .DEPTH(QUEUE)
  ) u_b (
      .clk, .rst, .extra(extra_write),
      .in_data({aw_id, w_bad || w_wrong_last || !w_legal ? SLVERR : OKAY}), .in_valid(aw_done),
      .in_ready(b_room), .out_data({s_axi_bid, s_axi_bresp}), .out_valid(s_axi_bvalid),
      .out_ready(s_axi_bready)
  );

  // Read: the burst at the head of the queue reads a word a clock into the output.
  logic [ID_W-1:0] ar_in_id, ar_id;
  logic [PLACE_W-1:0] ar_in_place, ar_place;
  logic [7:0] ar_in_len, ar_len;
  logic [2:0] ar_in_size, ar_size;
  logic [1:0] ar_in_burst, ar_burst;
  logic ar_valid, ar_done, r_legal;
  logic [PLACE_W-1:0] r_later, r_place, r_next;
  logic [7:0] r_beat;
  logic [DATA_W-1:0] r_word;
  logic r_good;

  assign ar_in_id = s_axi_arid;
  assign ar_in_place = s_axi_araddr[PLACE_W-1:0];
  assign ar_in_len = s_axi_arlen;
  assign ar_in_size = s_axi_arsize;
  assign ar_in_burst = s_axi_arburst;

  axm_ram_delay #(
      .WIDTH(ID_W + PLACE_W + 13), .DEPTH(QUEUE)
  ) u_ar (
      .clk, .rst, .extra(extra_read),
      .in_data({ar_in_id, ar_in_place, ar_in_len, ar_in_size, ar_in_burst}), .in_valid(s_axi_arvalid),
      .in_ready(s_axi_arready), .out_data({ar_id, ar_place, ar_len, ar_size, ar_burst}),
      .out_valid(ar_valid), .out_ready(ar_done)
  );

  assign r_place = r_beat == '0 ? ar_place : r_later;

  axm_ram_address #(
      .ADDR_W(PLACE_W), .DATA_W(DATA_W), .AXI3(AXI3)
  ) u_r_address (
      .current(r_place), .len(ar_len), .size(ar_size), .burst(ar_burst), .next(r_next), .legal(r_legal)
  );

  wire r_free = !s_axi_rvalid || s_axi_rready;
  wire r_fetch = ar_valid && r_free;
  wire r_last = r_beat == ar_len;

  assign ar_done = r_fetch && r_last;

  always_ff @(posedge clk) begin
    if (rst) begin
      s_axi_rvalid <= 1'b0;
      r_beat <= '0;
    end else begin
      if (r_free) s_axi_rvalid <= ar_valid;
      if (r_fetch) r_beat <= r_last ? '0 : r_beat + 8'd1;
    end
    if (r_fetch) begin
      r_later <= r_next;
      s_axi_rid <= ar_id;
      s_axi_rlast <= r_last;
      r_good <= r_legal;
    end
  end

  assign s_axi_rdata = r_good ? r_word : '0;
  assign s_axi_rresp = r_good ? OKAY : SLVERR;

  axm_ram_memory #(
      .WORDS(BYTES / STRB_W), .DATA_W(DATA_W)
  ) u_memory (
      .clk, .write(w_moved && w_legal ? s_axi_wstrb : '0), .write_index(w_place[PLACE_W-1:SHIFT]),
      .write_data(s_axi_wdata), .read(r_fetch), .read_index(r_place[PLACE_W-1:SHIFT]), .read_data(r_word)
  );

endmodule
