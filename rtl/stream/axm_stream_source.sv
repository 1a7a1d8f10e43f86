// Stream source (block type 6): beats without end and without pause, for a writing DMA.
//
// Purpose      What a beat holds is a function of its place in the stream (regs/stream_source.rdl
//              has the formula), so that a receiver, in hardware or software, can check it.
//              With PACKET_BYTES set, `tlast` and `tkeep` cut the stream into packets.
// Limits       The place counts 32-bit words modulo 2^32: the data repeats after 16 GiB.
// Throughput   One beat a clock.
// Latency      The first beat is offered in the second clock after ENABLE is written. `m_axis_avail`
//              is then at its maximum, for the source never runs dry, and so is `m_axis_packets` if
//              there are packets: a writer that waits for whole bursts begins immediately.
// Area         xc7, 64 bit: 174 LUT, 154 FF.
`include "axm_ports.svh"

module axm_stream_source #(
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] COUNT_W = 11,  // of avail and packets
    parameter bit [31:0] KEEP_W = DATA_W / 8  // follows from the others
) (
    output logic [ DATA_W-1:0] m_axis_tdata,
    output logic [ KEEP_W-1:0] m_axis_tkeep,
    output logic               m_axis_tlast,
    output logic               m_axis_tvalid,
    input  logic               m_axis_tready,
    output logic [COUNT_W-1:0] m_axis_avail,
    output logic [COUNT_W-1:0] m_axis_packets,
    `AXM_AXIL_SLAVE(s_axil_, 12, 32)
    input  logic               clk,
    input  logic               rst
);

  genvar k;
  generate
  if (DATA_W != 32 && DATA_W != 64 && DATA_W != 128 && DATA_W != 256) begin : g_check_width
    axm_error_DATA_W_must_be_32_64_128_or_256 u_error ();
  end
  if (COUNT_W < 2 || COUNT_W > 32) begin : g_check_count
    axm_error_COUNT_W_must_be_2_to_32 u_error ();
  end
  endgenerate

  logic from_regs_CTRL_ENABLE;
  logic [31:0] from_regs_SEED_VALUE;
  logic [23:0] packet;

  wire packets = packet != '0;

  logic [31:0] beats;  // sent since the start
  logic [23:0] left;   // bytes of the packet, from this beat on
  logic running;
  wire move = running && m_axis_tready;

  // A beat that is offered stays until it is taken, also when ENABLE goes.
  always_ff @(posedge clk) begin
    if (rst) running <= 1'b0;
    else if (!running || m_axis_tready) running <= from_regs_CTRL_ENABLE;

    if (!running) begin
      if (from_regs_CTRL_ENABLE) beats <= '0;
    end else if (move) begin
      beats <= beats + 1'b1;
    end
    if (!running || (move && m_axis_tlast)) left <= packet;
    else if (move) left <= left - 24'(KEEP_W);
    if (rst) beats <= '0;
  end

  axm_stream_pattern #(
      .DATA_W(DATA_W)
  ) u_pattern (
      .beat(beats), .seed(from_regs_SEED_VALUE), .data(m_axis_tdata)
  );

  assign m_axis_tvalid = running;
  assign m_axis_tlast = packets && left <= 24'(KEEP_W);
  assign m_axis_avail = {COUNT_W{running}};
  assign m_axis_packets = {COUNT_W{running && packets}};
  generate
  for (k = 0; k < KEEP_W; k++) begin : g_keep
    assign m_axis_tkeep[k] = !m_axis_tlast || left > 24'(k);
  end
  endgenerate

  stream_source_regs u_regs (
      `AXM_AXIL_LINK(s_axil_, s_axil_),
      .hwif_in_CAPS_DATA_BYTES(8'(KEEP_W)), .hwif_in_STATUS_RUNNING(running), .hwif_in_BEATS_VALUE(beats),
      .hwif_out_CTRL_ENABLE(from_regs_CTRL_ENABLE), .hwif_out_SEED_VALUE(from_regs_SEED_VALUE),
      .hwif_out_PACKET_BYTES_VALUE(packet), .clk, .rst
  );

endmodule
