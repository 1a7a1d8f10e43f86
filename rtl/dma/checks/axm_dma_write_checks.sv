// Assertions of axm_dma_write: limits while it works, every counter at rest when it is idle.
module axm_dma_write_checks #(
    parameter int unsigned MAX_OUTSTANDING = 16,
    parameter int unsigned DATA_W = 64,
    parameter bit UNALIGNED = 0,
    parameter bit PACKETS = 1,
    localparam int unsigned SHIFT = $clog2(DATA_W / 8),
    localparam int unsigned CUT = PACKETS || UNALIGNED ? 0 : SHIFT,
    localparam int unsigned PTR_W = $clog2(MAX_OUTSTANDING)
) (
    input logic                clk,
    input logic                rst,
    input logic                busy,
    input logic                dead,
    input logic                drop_all,
    input logic                running,
    input logic                aw_done,
    input logic                w_done,
    input logic                packet_over,
    input logic                quiesced,
    input logic                cmd_valid,
    input logic [         6:0] cfg_outstanding,
    input logic [     PTR_W:0] in_flight,
    input logic [   PTR_W-1:0] newest,
    input logic [   PTR_W-1:0] oldest,
    input logic [         7:0] beat,
    input logic [         7:0] len,
    input logic [ 8+SHIFT:CUT] sent,
    input logic [         1:0] source,
    input logic [      31:CUT] moved,
    input logic                m_axi_awvalid,
    input logic                m_axi_awready,
    input logic                m_axi_wvalid,
    input logic                m_axi_wready,
    input logic                m_axi_wlast,
    input logic [DATA_W/8-1:0] m_axi_wstrb,
    input logic                done_valid,
    input logic [        31:0] done_bytes,
    input logic [         3:0] done_code
);

  wire idle = !busy && !dead;

  pointers : assert property (@(posedge clk) disable iff (rst) PTR_W'(newest - oldest) == in_flight[PTR_W-1:0]);
  begins_in_limit :
  assert property (@(posedge clk) disable iff (rst)
      m_axi_awvalid && !running |-> in_flight < (PTR_W + 1)'(MAX_OUTSTANDING) && 7'(in_flight) < cfg_outstanding);
  with_address : assert property (@(posedge clk) disable iff (rst) m_axi_wvalid |-> m_axi_awvalid || aw_done);
  address_kept :
  assert property (@(posedge clk) disable iff (rst || drop_all) m_axi_awvalid && !m_axi_awready |=> m_axi_awvalid);
  data_kept :
  assert property (@(posedge clk) disable iff (rst || drop_all)
      m_axi_wvalid && !m_axi_wready |=> m_axi_wvalid && $stable(m_axi_wlast) && $stable(m_axi_wstrb));
  beat_in_burst : assert property (@(posedge clk) disable iff (rst) running && !w_done |-> beat <= len);
  counted :
  assert property (@(posedge clk) disable iff (rst)
      running && !w_done |-> (9 + SHIFT)'(sent) << CUT <= (9 + SHIFT)'(beat) << SHIFT);
  at_rest :
  assert property (@(posedge clk) disable iff (rst) idle
      |-> in_flight == '0 && beat == '0 && sent == '0 && source == '0 && moved == '0 && !cmd_valid
          && !running && !aw_done && !w_done && !packet_over && !quiesced);
  none_refused : assert property (@(posedge clk) disable iff (rst)
      done_valid && done_code == dma_regs_pkg::code__BAD_COMMAND |-> done_bytes == '0);

  if (UNALIGNED && PACKETS) begin : g_align
    nothing_kept :
    assert property (@(posedge clk) disable iff (rst) idle
        |-> axm_dma_write.g_align.u_unpack.held_keep == '0 && !axm_dma_write.g_align.left);
  end

endmodule

bind axm_dma_write axm_dma_write_checks #(
    .MAX_OUTSTANDING(MAX_OUTSTANDING), .DATA_W(DATA_W), .UNALIGNED(UNALIGNED), .PACKETS(PACKETS)
) u_checks (.*);
