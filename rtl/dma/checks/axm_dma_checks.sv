// Assertions of axm_dma: AxCACHE and AxPROT are those of whom the request is for; `irq` is a register.
//
// Purpose      IDs 1 and 2 are the rings'; all others are data. Registers may change while nothing is
//              requested.
module axm_dma_checks #(
    parameter int unsigned ID_W = 4,
    parameter bit RINGS = 0
) (
    input logic            clk,
    input logic            rst,
    input logic            irq,
    input logic            to_hw_IRQ_STATUS_DONE,
    input logic            to_hw_IRQ_STATUS_FAULT,
    input logic            to_hw_IRQ_ENABLE_DONE,
    input logic            to_hw_IRQ_ENABLE_FAULT,
    input logic [ID_W-1:0] m_axi_arid,
    input logic [     3:0] m_axi_arcache,
    input logic [     2:0] m_axi_arprot,
    input logic            m_axi_arvalid,
    input logic [ID_W-1:0] m_axi_awid,
    input logic [     3:0] m_axi_awcache,
    input logic [     2:0] m_axi_awprot,
    input logic            m_axi_awvalid,
    input logic [     3:0] to_hw_RD_CONFIG_CACHE,
    input logic [     2:0] to_hw_RD_CONFIG_PROT,
    input logic [     3:0] to_hw_WR_CONFIG_CACHE,
    input logic [     2:0] to_hw_WR_CONFIG_PROT,
    input logic [     3:0] to_hw_RING_CONFIG_CACHE,
    input logic [     2:0] to_hw_RING_CONFIG_PROT
);

  wire [6:0] ring = {to_hw_RING_CONFIG_CACHE, to_hw_RING_CONFIG_PROT};
  wire [6:0] reading = RINGS && m_axi_arid != '0 ? ring : {to_hw_RD_CONFIG_CACHE, to_hw_RD_CONFIG_PROT};
  wire [6:0] writing = RINGS && m_axi_awid != '0 ? ring : {to_hw_WR_CONFIG_CACHE, to_hw_WR_CONFIG_PROT};

  reads_as_set :
  assert property (@(posedge clk) disable iff (rst) m_axi_arvalid |-> {m_axi_arcache, m_axi_arprot} == reading);
  writes_as_set :
  assert property (@(posedge clk) disable iff (rst) m_axi_awvalid |-> {m_axi_awcache, m_axi_awprot} == writing);

  wire [1:0] causes = {to_hw_IRQ_STATUS_DONE, to_hw_IRQ_STATUS_FAULT};
  wire [1:0] enabled = {to_hw_IRQ_ENABLE_DONE, to_hw_IRQ_ENABLE_FAULT};
  interrupts_a_clock_later :
  assert property (@(posedge clk) disable iff (rst) irq == $past(!rst && (causes & enabled) != '0));

endmodule

bind axm_dma axm_dma_checks #(.ID_W(ID_W), .RINGS(RINGS)) u_checks (.*);
