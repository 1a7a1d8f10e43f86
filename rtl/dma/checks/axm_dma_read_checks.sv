// Assertions of axm_dma_read: limits while it works, every counter at rest when it is idle.
module axm_dma_read_checks #(
    parameter int unsigned MAX_OUTSTANDING = 16,
    parameter int unsigned DATA_W = 64,
    parameter bit COPIES = 0,
    parameter bit UNALIGNED = 0,
    localparam int unsigned PTR_W = $clog2(MAX_OUTSTANDING)
) (
    input logic                          clk,
    input logic                          rst,
    input logic                          busy,
    input logic                          dead,
    input logic                          drop_all,
    input logic                          held,
    input logic                          cmd_valid,
    input logic [                   6:0] cfg_outstanding,
    input logic [               PTR_W:0] in_flight,
    input logic [             PTR_W-1:0] newest,
    input logic [             PTR_W-1:0] oldest,
    input logic [                   7:0] beat,
    input logic [31-$clog2(DATA_W/8):0] moved,
    input logic                          m_axi_arvalid,
    input logic                          m_axi_arready,
    input logic [                   7:0] m_axi_arlen,
    input logic                          done_valid,
    input logic [                  31:0] done_bytes,
    input logic [                   3:0] done_code,
    input logic                          m_axis_tvalid
);

  wire idle = !busy && !dead;

  pointers : assert property (@(posedge clk) disable iff (rst) PTR_W'(newest - oldest) == in_flight[PTR_W-1:0]);
  begins_in_limit :
  assert property (@(posedge clk) disable iff (rst)
      m_axi_arvalid && !held |-> in_flight < (PTR_W + 1)'(MAX_OUTSTANDING) && 7'(in_flight) < cfg_outstanding);
  address_kept :
  assert property (@(posedge clk) disable iff (rst || drop_all)
      m_axi_arvalid && !m_axi_arready |=> m_axi_arvalid && $stable(m_axi_arlen));
  at_rest :
  assert property (@(posedge clk) disable iff (rst) idle |-> in_flight == '0 && beat == '0 && !held && !cmd_valid);

  if (!COPIES) begin : g_counted
    nothing_offered : assert property (@(posedge clk) disable iff (rst) idle |-> !m_axis_tvalid);
    none_refused : assert property (@(posedge clk) disable iff (rst)
        done_valid && done_code == dma_regs_pkg::code__BAD_COMMAND |-> done_bytes == '0);
    none_moved : assert property (@(posedge clk) disable iff (rst) idle |-> moved == '0);
    no_room_leaks : assert property (@(posedge clk) disable iff (rst)
        in_flight == '0 && !m_axi_arvalid |-> axm_dma_read.g_counted.pending == '0);
  end

  if (UNALIGNED && !COPIES) begin : g_align
    none_begun : assert property (@(posedge clk) disable iff (rst) idle |-> !axm_dma_read.g_align.some);
  end

endmodule

bind axm_dma_read axm_dma_read_checks #(
    .MAX_OUTSTANDING(MAX_OUTSTANDING), .DATA_W(DATA_W), .COPIES(COPIES), .UNALIGNED(UNALIGNED)
) u_checks (.*);
