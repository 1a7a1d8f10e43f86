// Assertions of requests at the AXI pins of a top, for all tops whose masters are ours.
//
// Purpose      All of our masters send INCR bursts of whole beats, not locked, that end within 4 KiB. What
//              AxCACHE and AxPROT have to be is asserted where it is set (axm_dma_checks.sv).
// Limits       A top binds it with `.*`: the pins have the same names in all.
module axm_pins #(
    parameter int unsigned PORTS = 1,
    parameter int unsigned ADDR_W = 32,
    parameter int unsigned DATA_W = 64,
    parameter bit AXI3 = 1,
    parameter bit CROSS_4K = 0
) (
    input logic                    aclk,
    input logic                    aresetn,
    input logic [PORTS*ADDR_W-1:0] m_axi_awaddr, m_axi_araddr,
    input logic [     PORTS*8-1:0] m_axi_awlen, m_axi_arlen,
    input logic [     PORTS*3-1:0] m_axi_awsize, m_axi_arsize,
    input logic [     PORTS*2-1:0] m_axi_awburst, m_axi_arburst,
    input logic [     PORTS*2-1:0] m_axi_awlock, m_axi_arlock,
    input logic [     PORTS*4-1:0] m_axi_awcache, m_axi_arcache,
    input logic [     PORTS*3-1:0] m_axi_awprot, m_axi_arprot,
    input logic [       PORTS-1:0] m_axi_awvalid, m_axi_arvalid,
    input logic [       PORTS-1:0] m_axi_awready, m_axi_arready
);

  for (genvar p = 0; p < PORTS; p++) begin : g_port
    axm_pins_request #(.ADDR_W(ADDR_W), .DATA_W(DATA_W), .AXI3(AXI3), .CROSS_4K(CROSS_4K)) u_write (
        .clk(aclk), .rst(!aresetn), .addr(m_axi_awaddr[ADDR_W*p+:ADDR_W]), .len(m_axi_awlen[8*p+:8]),
        .size(m_axi_awsize[3*p+:3]), .burst(m_axi_awburst[2*p+:2]), .lock(m_axi_awlock[2*p+:2]),
        .cache(m_axi_awcache[4*p+:4]), .prot(m_axi_awprot[3*p+:3]), .valid(m_axi_awvalid[p]),
        .ready(m_axi_awready[p])
    );
    axm_pins_request #(.ADDR_W(ADDR_W), .DATA_W(DATA_W), .AXI3(AXI3), .CROSS_4K(CROSS_4K)) u_read (
        .clk(aclk), .rst(!aresetn), .addr(m_axi_araddr[ADDR_W*p+:ADDR_W]), .len(m_axi_arlen[8*p+:8]),
        .size(m_axi_arsize[3*p+:3]), .burst(m_axi_arburst[2*p+:2]), .lock(m_axi_arlock[2*p+:2]),
        .cache(m_axi_arcache[4*p+:4]), .prot(m_axi_arprot[3*p+:3]), .valid(m_axi_arvalid[p]),
        .ready(m_axi_arready[p])
    );
  end

endmodule

// One channel of addresses.
module axm_pins_request #(
    parameter int unsigned ADDR_W = 32,
    parameter int unsigned DATA_W = 64,
    parameter bit AXI3 = 1,
    parameter bit CROSS_4K = 0
) (
    input logic              clk,
    input logic              rst,
    input logic [ADDR_W-1:0] addr,
    input logic [       7:0] len,
    input logic [       2:0] size,
    input logic [       1:0] burst,
    input logic [       1:0] lock,
    input logic [       3:0] cache,
    input logic [       2:0] prot,
    input logic              valid,
    input logic              ready
);

  localparam int unsigned SIZE = $clog2(DATA_W / 8);
  wire [15:0] behind = 16'(addr[11:0]) + (16'(len) << SIZE);  // of the last beat, from the page's begin on

  whole_beats : assert property (@(posedge clk) disable iff (rst) valid |-> size == 3'(SIZE));
  incrementing : assert property (@(posedge clk) disable iff (rst) valid |-> burst == 2'b01 && lock == '0);
  not_too_long : assert property (@(posedge clk) disable iff (rst) valid && AXI3 |-> len < 8'd16);
  in_page : assert property (@(posedge clk) disable iff (rst) valid && !CROSS_4K |-> behind < 16'd4096);
  // Only what is modifiable may be allocated.
  known_cache : assert property (@(posedge clk) disable iff (rst) valid |-> cache[1] || cache[3:2] == '0);
  kept :
  assert property (@(posedge clk) disable iff (rst)
      valid && !ready |=> valid && $stable({addr, len, size, burst, lock, cache, prot}));

endmodule
