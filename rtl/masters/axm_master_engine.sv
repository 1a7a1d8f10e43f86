// The machine of the simple masters: one run of bursts in one direction.
//
// Purpose      Moves WORDS beats from or to contiguous addresses, as the custom masters that Melo and
//              Valinoti measured in 2018: in the plain form one burst at a time, in the improved form
//              without waiting for responses. axm_master_lite and axm_master_full add registers.
// Limits       Addresses aligned to the bus. One ID, 0. Bursts end at 4 KiB. At most OUTSTANDING (2, 4,
//              8, 16, 32 or 64) bursts in flight in the improved form.
// Throughput   Clocks between data, of a slave that is always ready and answers L clocks after the
//              address (read) or the last beat (write):
//              within a burst          1
//              plain, between bursts   4 + L: a response (the first beat of a read) is taken one clock
//                                      after it came, and three clocks later the next burst begins
//              improved, write         GAP between bursts
//              improved, read          addresses GAP apart: GAP for single beats, 1 for bursts of
//                                      GAP beats or more
// Latency      First address valid in the clock after `start`; `busy` falls in the clock after the last
//              beat or response.
// Faults       Records the first, with the address of its burst. Then no further burst begins, and the
//              run ends when all that was begun is complete. A slave that hangs is reported after
//              `timeout` clocks without any handshake; VALID stays, as AXI demands, and the run ends
//              if the slave goes on, or by `forget`, which is for a bus that was reset.
// Area         see axm_master_full.
`include "axm_ports.svh"

module axm_master_engine #(
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] DATA_W = 32,
    parameter bit [31:0] ID_W = 1,
    parameter bit AXI3 = 1'b0,
    parameter bit IMPROVED = 1'b0,
    parameter bit [31:0] GAP = 4,
    parameter bit [31:0] OUTSTANDING = 16,
    parameter bit [31:0] STRB_W = DATA_W / 8  // follows from the others
) (
    input  logic              start,         // ignored while busy
    input  logic              forget,
    input  logic              write,         // these hold while busy
    input  logic [ADDR_W-1:0] base,
    input  logic [      31:0] words,         // beats
    input  logic [       7:0] burst,         // beats of a burst, less one
    input  logic [      31:0] seed,
    input  logic              check,         // compare what is read
    input  logic [      31:0] timeout,       // clocks; 0 is never
    output logic              busy,
    output logic              draining,      // no further burst begins
    output logic [       3:0] cause,         // as masters.rdl has it; 0 is none
    output logic [ADDR_W-1:0] cause_addr,
    output logic [      31:0] moved,         // beats
    output logic [      31:0] mismatches,    // beats

    `AXM_AXI_CORE_WRITE(m_axi_, ID_W, DATA_W)
    `AXM_AXI_CORE_READ(m_axi_, ID_W, DATA_W)
    input logic clk,
    input logic rst
);

  localparam bit [31:0] SHIFT = $clog2(STRB_W);
  localparam bit [31:0] PAGE_W = 12 - SHIFT;  // beats of a 4 KiB page, as a power of two
  localparam bit [31:0] LANES = DATA_W / 32;
  localparam bit [31:0] COUNT_W = $clog2(OUTSTANDING) + 1;

  genvar k;
  generate
  if (GAP < 2 || GAP > 15) begin : g_check_gap
    axm_error_GAP_must_be_2_to_15 u_error ();
  end
  if (OUTSTANDING < 2 || OUTSTANDING > 64 || (OUTSTANDING & (OUTSTANDING - 1)) != 0) begin : g_check_out
    axm_error_OUTSTANDING_must_be_a_power_of_two_from_2_to_64 u_error ();
  end
  endgenerate

  typedef enum logic [1:0] {
    IDLE,   // nothing to begin
    SEND,   // an address, and for a write its data, are offered
    ANSWER, // plain form: waits for the response
    PAUSE   // counts the clocks to the next burst
  } state_t;

  state_t state;
  logic [ADDR_W-1:0] address;  // of the burst that is sent or comes next
  logic [31:0] left;           // beats from `address` on
  logic [7:0] beat;
  logic [3:0] pause;
  logic address_sent, data_sent, recorded;

  // The burst that is sent: the requested beats, the rest, or the page's rest.
  wire [PAGE_W-1:0] to_page_end = ~address[11:SHIFT];
  wire [31:0] left_less_one = left - 32'd1;
  logic [7:0] length;  // less one

  always_comb begin
    length = burst;
    if (left_less_one < 32'(length)) length = left_less_one[7:0];
    if (32'(to_page_end) < 32'(length)) length = 8'(to_page_end);
  end

  assign m_axi_awaddr  = address;
  assign m_axi_araddr  = address;
  assign m_axi_awlen   = length;
  assign m_axi_arlen   = length;
  assign m_axi_awvalid = state == SEND && !address_sent && write;
  assign m_axi_arvalid = state == SEND && !address_sent && !write;
  assign m_axi_wvalid  = state == SEND && !data_sent && write;
  assign m_axi_wlast   = beat == length;

  wire address_moved = (m_axi_arvalid && m_axi_arready) || (m_axi_awvalid && m_axi_awready);
  wire w_moved = m_axi_wvalid && m_axi_wready;
  wire b_moved = m_axi_bvalid && m_axi_bready;
  wire r_moved = m_axi_rvalid && m_axi_rready;
  wire address_done = address_sent || address_moved;
  wire data_done = data_sent || (w_moved && m_axi_wlast);
  wire sent = state == SEND && address_done && (data_done || !write);

  // What is in flight, in order: address and length.
  logic entry_ready, entry_valid;
  logic [ADDR_W-1:0] entry_address;
  logic [7:0] entry_length;
  logic [COUNT_W-1:0] in_flight;

  // The burst that is sent is listed in its first clock, and cannot be answered before it was sent.
  wire expected = entry_valid && !(state == SEND && recorded && in_flight == COUNT_W'(1));
  wire good_b = b_moved && expected && write;
  wire good_r = r_moved && expected && !write;
  logic [7:0] r_beat;
  wire r_full = r_beat == entry_length;
  // A burst ends with its count also if the last is missing.
  wire entry_end = good_b || (good_r && (m_axi_rlast || r_full));

  axm_fifo #(
      .WIDTH(ADDR_W + 8), .DEPTH(OUTSTANDING)
  ) u_in_flight (
      .clk, .rst, .clear(forget), .in_data({address, length}), .in_valid(state == SEND && !recorded),
      .in_ready(entry_ready), .out_data({entry_address, entry_length}), .out_valid(entry_valid),
      .out_ready(entry_end), .count(in_flight)
  );

  // Data are a function of their address.
  logic [ADDR_W-1:0] data_address;
  logic [DATA_W-1:0] pattern;

  generate
  for (k = 0; k < LANES; k++) begin : g_pattern
    assign pattern[32*k+:32] = (data_address[31:0] | 32'(4 * k)) ^ seed;
  end
  endgenerate
  assign m_axi_wdata = pattern;

  // Plain: a response is taken one clock after it was seen. When idle, strays are taken.
  logic seen;
  assign m_axi_bready = IMPROVED || seen || !busy;
  assign m_axi_rready = IMPROVED || seen || !busy;

  wire bad_command = words == '0 || base[SHIFT-1:0] != '0 || (AXI3 && burst[7:4] != '0);
  wire begin_run = start && !busy && !bad_command;
  wire next_wanted = left != '0 && cause == '0;
  wire room = entry_ready || entry_end;

  assign draining = busy && cause != '0;

  always_ff @(posedge clk) begin
    if (rst || forget) begin
      state <= IDLE;
      busy <= 1'b0;
      address_sent <= 1'b0;
      data_sent <= 1'b0;
      recorded <= 1'b0;
      beat <= '0;
      pause <= '0;
      address <= '0;
      left <= '0;
    end else begin
      case (state)
        IDLE:
        if (begin_run) begin
          state <= SEND;
          busy <= 1'b1;
          address <= base;
          left <= words;
        end else if (in_flight == COUNT_W'(entry_end)) begin
          busy <= 1'b0;
        end
        SEND: begin
          recorded <= 1'b1;
          address_sent <= address_done;
          data_sent <= data_done;
          if (w_moved) beat <= beat + 8'd1;
          if (sent) begin
            recorded <= 1'b0;
            address_sent <= 1'b0;
            data_sent <= 1'b0;
            beat <= '0;
            address <= address + (ADDR_W'({1'b0, length} + 9'd1) << SHIFT);
            left <= left_less_one - 32'(length);
            pause <= 4'(GAP - 2);
            if (!IMPROVED) state <= ANSWER;
            else state <= left_less_one == 32'(length) ? IDLE : PAUSE;
          end
        end
        ANSWER:
        if (entry_end) begin
          pause <= 4'd1;
          if (next_wanted) begin
            state <= PAUSE;
          end else begin
            state <= IDLE;
            busy  <= 1'b0;
          end
        end
        default: begin  // PAUSE
          if (pause != '0) pause <= pause - 4'd1;
          else if (!next_wanted) state <= IDLE;
          else if (room) state <= SEND;
        end
      endcase
    end
  end

  always_ff @(posedge clk) begin
    if (rst || forget || !busy) seen <= 1'b0;
    else if (!seen) seen <= m_axi_bvalid || m_axi_rvalid;
    else if (b_moved || (r_moved && (m_axi_rlast || r_full))) seen <= 1'b0;
  end

  always_ff @(posedge clk) begin
    if (begin_run || entry_end) r_beat <= '0;
    else if (good_r) r_beat <= r_beat + 8'd1;

    if (begin_run) begin
      data_address <= base;
      moved <= '0;
      mismatches <= '0;
    end else if (w_moved || good_r) begin
      data_address <= data_address + ADDR_W'(STRB_W);
      moved <= moved + 32'd1;
      if (check && good_r && m_axi_rdata != pattern) mismatches <= mismatches + 32'd1;
    end
    if (rst) begin
      moved <= '0;
      mismatches <= '0;
    end
  end

  axm_master_faults #(
      .ADDR_W(ADDR_W)
  ) u_faults (
      .clk, .rst, .begin_run, .refused(start && !busy && bad_command), .refused_address(base),
      .response((b_moved && m_axi_bresp[1]) || (r_moved && m_axi_rresp[1])),
      .response_code(r_moved ? m_axi_rresp : m_axi_bresp), .bad_last(good_r && m_axi_rlast != r_full),
      .bad_id((b_moved && m_axi_bid != '0) || (r_moved && m_axi_rid != '0)),
      .unexpected((b_moved && !good_b) || (r_moved && !good_r)), .entry_address,
      .waiting(busy && (state != PAUSE || !room)),
      .progress(address_moved || w_moved || b_moved || r_moved),
      .address_waits(m_axi_awvalid || m_axi_arvalid), .data_waits(m_axi_wvalid), .address, .timeout,
      .cause, .cause_addr
  );

endmodule
