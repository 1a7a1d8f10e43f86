// Lets the rings of a DMA engine use the bus of its halves.
//
// Purpose      Joins three masters: 0 the halves themselves, 1 and 2 the rings of the reading and the writing
//              half. Answers go to the master of their ID; one without a master, or for a ring that waits
//              for none, goes to the halves, which report it.
// Limits       Rings go first. A burst of writing is one unit: no other master writes between its address
//              and its last beat. ID_W is at least 2.
// Throughput   As without.
// Latency      None. A ring's beat waits for the reading half to take beats of its own, which its room promises.
`include "axm_ports.svh"

module axm_dma_share #(
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] ID_W = 4
) (
    input  logic                clk,
    input  logic                rst,            // or the bus was
    // The halves, and the bus
    `AXM_AXI_HALF(input, output, half_, DATA_W)
    `AXM_AXI_HALF(output, input, m_axi_, DATA_W)
    `AXM_AXI_IDS(output, input, m_axi_, ID_W)
    // The rings
    input  logic [         3:0] ring_cache,
    input  logic [         2:0] ring_prot,
    input  logic [ADDR_W*2-1:0] ring_araddr,
    input  logic [1:0] ring_arvalid,
    output logic [1:0] ring_arready,
    output logic [1:0] ring_rvalid,
    input  logic [1:0] ring_fetching,
    input  logic [ADDR_W*2-1:0] ring_awaddr,
    input  logic [1:0] ring_awvalid,
    output logic [1:0] ring_awready,
    input  logic [DATA_W*2-1:0] ring_wdata,
    input  logic [DATA_W/8*2-1:0] ring_wstrb,
    input  logic [1:0] ring_wlast,
    input  logic [1:0] ring_wvalid,
    output logic [1:0] ring_wready,
    output logic [1:0] ring_bvalid,
    input  logic [1:0] ring_returning
);

  generate
  if (ID_W < 2) begin : g_check
    axm_error_ID_W_must_be_at_least_2_with_rings u_error ();
  end
  endgenerate

  localparam logic [7:0] FETCH_LEN = 8'(256 / DATA_W - 1);
  localparam logic [7:0] BACK_LEN = DATA_W == 32 ? 8'd1 : 8'd0;

  // Addresses of reading: a master whose address the slave has seen keeps its turn until it is taken.
  logic [1:0] reader, reader_kept, writer, writer_kept;
  logic reader_waits, writer_busy, aw_done, w_done;

  always_comb begin
    reader = ring_arvalid[0] ? 2'd1 : ring_arvalid[1] ? 2'd2 : 2'd0;
    if (reader_waits) reader = reader_kept;
    m_axi_arid = ID_W'(reader);
    m_axi_araddr = half_araddr;
    m_axi_arlen = half_arlen;
    m_axi_arcache = half_arcache;
    m_axi_arprot = half_arprot;
    m_axi_arvalid = half_arvalid;
    half_arready = m_axi_arready && reader == 2'd0;
    for (int k = 0; k < 2; k++) begin
      ring_arready[k] = m_axi_arready && reader == 2'(k + 1);
      if (reader == 2'(k + 1)) begin
        m_axi_araddr = ring_araddr[ADDR_W*k+:ADDR_W];
        m_axi_arlen = FETCH_LEN;
        m_axi_arcache = ring_cache;
        m_axi_arprot = ring_prot;
        m_axi_arvalid = ring_arvalid[k];
      end
    end
  end

  always_ff @(posedge clk) begin
    reader_waits <= m_axi_arvalid && !m_axi_arready && !rst;
    reader_kept <= reader;
  end

  // Data of reading. Whose a beat is does not decide when it is taken: AXI has no path from input to output.
  assign m_axi_rready = half_rready;
  always_comb begin
    half_rvalid = m_axi_rvalid;
    for (int k = 0; k < 2; k++) begin
      ring_rvalid[k] = m_axi_rvalid && half_rready && m_axi_rid == ID_W'(k + 1) && ring_fetching[k];
      if (m_axi_rid == ID_W'(k + 1) && ring_fetching[k]) half_rvalid = 1'b0;
    end
  end

  // Bursts of writing
  wire over = (aw_done || (m_axi_awvalid && m_axi_awready))
      && (w_done || (m_axi_wvalid && m_axi_wready && m_axi_wlast));

  always_comb begin
    writer = ring_awvalid[0] ? 2'd1 : ring_awvalid[1] ? 2'd2 : 2'd0;
    if (writer_busy) writer = writer_kept;
    m_axi_awid = ID_W'(writer);
    m_axi_wid = ID_W'(writer);
    m_axi_awaddr = half_awaddr;
    m_axi_awlen = half_awlen;
    m_axi_awcache = half_awcache;
    m_axi_awprot = half_awprot;
    m_axi_awvalid = half_awvalid;
    m_axi_wdata = half_wdata;
    m_axi_wstrb = half_wstrb;
    m_axi_wlast = half_wlast;
    m_axi_wvalid = half_wvalid;
    half_awready = m_axi_awready && writer == 2'd0;
    half_wready = m_axi_wready && writer == 2'd0;
    for (int k = 0; k < 2; k++) begin
      ring_awready[k] = m_axi_awready && writer == 2'(k + 1);
      ring_wready[k] = m_axi_wready && writer == 2'(k + 1);
      if (writer == 2'(k + 1)) begin
        m_axi_awaddr = ring_awaddr[ADDR_W*k+:ADDR_W];
        m_axi_awlen = BACK_LEN;
        m_axi_awcache = ring_cache;
        m_axi_awprot = ring_prot;
        m_axi_awvalid = ring_awvalid[k];
        m_axi_wdata = ring_wdata[DATA_W*k+:DATA_W];
        m_axi_wstrb = ring_wstrb[DATA_W/8*k+:DATA_W/8];
        m_axi_wlast = ring_wlast[k];
        m_axi_wvalid = ring_wvalid[k];
      end
    end
  end

  always_ff @(posedge clk) begin
    writer_kept <= writer;
    writer_busy <= (m_axi_awvalid || m_axi_wvalid || writer_busy) && !over && !rst;
    aw_done <= (aw_done || (m_axi_awvalid && m_axi_awready)) && !over && !rst;
    w_done <= (w_done || (m_axi_wvalid && m_axi_wready && m_axi_wlast)) && !over && !rst;
  end

  // Responses, which the halves always take.
  assign m_axi_bready = half_bready;
  always_comb begin
    half_bvalid = m_axi_bvalid;
    for (int k = 0; k < 2; k++) begin
      ring_bvalid[k] = m_axi_bvalid && m_axi_bid == ID_W'(k + 1) && ring_returning[k];
      if (m_axi_bid == ID_W'(k + 1) && ring_returning[k]) half_bvalid = 1'b0;
    end
  end

endmodule
