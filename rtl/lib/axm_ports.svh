// Bundles of AXI and AXI4-Lite: their pins, the wires between two of them, and what connects one to another.
//
// Purpose      Each pin is spelled only here. In a header `AXM_AXI_MASTER(m_axi_, ID_W, DATA_W), in an instance
//              `AXM_AXI_LINK(s_axi_, m_axi_): P and Q are what the names of the pins begin with. N bundles lie
//              side by side: number K of a signal of W bits is [W*K+:W], and BITS is what carries one bit of
//              each, `logic` or `logic [N-1:0]`. M is the direction of what a master drives, S of a slave.
// Limits       The module has ADDR_W and USER_W; of a link to one of several also DATA_W and BYTES. Pins end with
//              a comma, as linters that expand no macro take none after them: other ports come last.
`ifndef AXM_PORTS_SVH
`define AXM_PORTS_SVH

// ---- AXI ---------------------------------------------------------------------------------------
// What one needs for bursts of one kind: the rest of an interface is constant.
`define AXM_AXI_CORE_WRITE(P, ID, DATA) \
    output logic [ADDR_W-1:0] P``awaddr, output logic [7:0] P``awlen, \
    output logic P``awvalid, input logic P``awready, \
    output logic [(DATA)-1:0] P``wdata, output logic P``wlast, \
    output logic P``wvalid, input logic P``wready, \
    input logic [(ID)-1:0] P``bid, input logic [1:0] P``bresp, \
    input logic P``bvalid, output logic P``bready,
`define AXM_AXI_CORE_READ(P, ID, DATA) \
    output logic [ADDR_W-1:0] P``araddr, output logic [7:0] P``arlen, \
    output logic P``arvalid, input logic P``arready, \
    input logic [(ID)-1:0] P``rid, input logic [(DATA)-1:0] P``rdata, input logic [1:0] P``rresp, \
    input logic P``rlast, input logic P``rvalid, output logic P``rready,
`define AXM_AXI_CORE_WRITE_LINK(P, Q) \
    .P``awaddr(Q``awaddr), .P``awlen(Q``awlen), .P``awvalid(Q``awvalid), .P``awready(Q``awready), \
    .P``wdata(Q``wdata), .P``wlast(Q``wlast), .P``wvalid(Q``wvalid), .P``wready(Q``wready), \
    .P``bid(Q``bid), .P``bresp(Q``bresp), .P``bvalid(Q``bvalid), .P``bready(Q``bready)
`define AXM_AXI_CORE_READ_LINK(P, Q) \
    .P``araddr(Q``araddr), .P``arlen(Q``arlen), .P``arvalid(Q``arvalid), .P``arready(Q``arready), \
    .P``rid(Q``rid), .P``rdata(Q``rdata), .P``rresp(Q``rresp), .P``rlast(Q``rlast), \
    .P``rvalid(Q``rvalid), .P``rready(Q``rready)

// The signals of a DMA's half in both directions, except read data, which all see, and what is constant or of
// the half alone; IDS are the bus's.
`define AXM_AXI_HALF(M, S, P, DATA) \
    M logic [ADDR_W-1:0] P``araddr, M logic [7:0] P``arlen, M logic [3:0] P``arcache, M logic [2:0] P``arprot, \
    M logic P``arvalid, S logic P``arready, S logic P``rvalid, M logic P``rready, \
    M logic [ADDR_W-1:0] P``awaddr, M logic [7:0] P``awlen, M logic [3:0] P``awcache, M logic [2:0] P``awprot, \
    M logic P``awvalid, S logic P``awready, \
    M logic [(DATA)-1:0] P``wdata, M logic [(DATA)/8-1:0] P``wstrb, M logic P``wlast, \
    M logic P``wvalid, S logic P``wready, S logic P``bvalid, M logic P``bready,
`define AXM_AXI_IDS(M, S, P, ID) \
    M logic [(ID)-1:0] P``arid, S logic [(ID)-1:0] P``rid, M logic [(ID)-1:0] P``awid, \
    M logic [(ID)-1:0] P``wid, S logic [(ID)-1:0] P``bid,
`define AXM_AXI_HALF_LINK(P, Q) \
    .P``araddr(Q``araddr), .P``arlen(Q``arlen), .P``arcache(Q``arcache), .P``arprot(Q``arprot), \
    .P``arvalid(Q``arvalid), .P``arready(Q``arready), .P``rvalid(Q``rvalid), .P``rready(Q``rready), \
    .P``awaddr(Q``awaddr), .P``awlen(Q``awlen), .P``awcache(Q``awcache), .P``awprot(Q``awprot), \
    .P``awvalid(Q``awvalid), .P``awready(Q``awready), .P``wdata(Q``wdata), .P``wstrb(Q``wstrb), \
    .P``wlast(Q``wlast), .P``wvalid(Q``wvalid), .P``wready(Q``wready), .P``bvalid(Q``bvalid), .P``bready(Q``bready)
`define AXM_AXI_IDS_LINK(P, Q) \
    .P``arid(Q``arid), .P``rid(Q``rid), .P``awid(Q``awid), .P``wid(Q``wid), .P``bid(Q``bid)

`define AXM_AXI_WRITE(M, S, P, BITS, N, ID, DATA) \
    M logic [N*(ID)-1:0] P``awid, M logic [N*ADDR_W-1:0] P``awaddr, M logic [N*8-1:0] P``awlen, \
    M logic [N*3-1:0] P``awsize, M logic [N*2-1:0] P``awburst, M logic [N*2-1:0] P``awlock, \
    M logic [N*4-1:0] P``awcache, M logic [N*3-1:0] P``awprot, M logic [N*4-1:0] P``awqos, \
    M logic [N*USER_W-1:0] P``awuser, M BITS P``awvalid, S BITS P``awready, \
    `AXM_AXI_WRITE_DATA(M, S, P, BITS, N, ID, DATA)
// ... without the address's channel
`define AXM_AXI_WRITE_DATA(M, S, P, BITS, N, ID, DATA) \
    M logic [N*(ID)-1:0] P``wid, M logic [N*(DATA)-1:0] P``wdata, M logic [N*(DATA)/8-1:0] P``wstrb, \
    M BITS P``wlast, M BITS P``wvalid, S BITS P``wready, \
    S logic [N*(ID)-1:0] P``bid, S logic [N*2-1:0] P``bresp, S BITS P``bvalid, M BITS P``bready,
`define AXM_AXI_READ(M, S, P, BITS, N, ID, DATA) \
    M logic [N*(ID)-1:0] P``arid, M logic [N*ADDR_W-1:0] P``araddr, M logic [N*8-1:0] P``arlen, \
    M logic [N*3-1:0] P``arsize, M logic [N*2-1:0] P``arburst, M logic [N*2-1:0] P``arlock, \
    M logic [N*4-1:0] P``arcache, M logic [N*3-1:0] P``arprot, M logic [N*4-1:0] P``arqos, \
    M logic [N*USER_W-1:0] P``aruser, M BITS P``arvalid, S BITS P``arready, \
    `AXM_AXI_READ_DATA(M, S, P, BITS, N, ID, DATA)
`define AXM_AXI_READ_DATA(M, S, P, BITS, N, ID, DATA) \
    S logic [N*(ID)-1:0] P``rid, S logic [N*(DATA)-1:0] P``rdata, S logic [N*2-1:0] P``rresp, \
    S BITS P``rlast, S BITS P``rvalid, M BITS P``rready,
`define AXM_AXI_MASTER_WRITE(P, ID, DATA) `AXM_AXI_WRITE(output, input, P, logic, 1, ID, DATA)
`define AXM_AXI_MASTER_READ(P, ID, DATA) `AXM_AXI_READ(output, input, P, logic, 1, ID, DATA)
`define AXM_AXI_MASTER(P, ID, DATA) `AXM_AXI_MASTER_WRITE(P, ID, DATA) `AXM_AXI_MASTER_READ(P, ID, DATA)
`define AXM_AXI_MASTERS(N, P, ID, DATA) \
    `AXM_AXI_WRITE(output, input, P, logic [N-1:0], N, ID, DATA) \
    `AXM_AXI_READ(output, input, P, logic [N-1:0], N, ID, DATA)
`define AXM_AXI_SLAVE(P, ID, DATA) \
    `AXM_AXI_WRITE(input, output, P, logic, 1, ID, DATA) `AXM_AXI_READ(input, output, P, logic, 1, ID, DATA)
`define AXM_AXI_SLAVES(N, P, ID, DATA) \
    `AXM_AXI_WRITE(input, output, P, logic [N-1:0], N, ID, DATA) \
    `AXM_AXI_READ(input, output, P, logic [N-1:0], N, ID, DATA)
`define AXM_AXI_WIRES(N, P, ID, DATA) \
    logic [N*(ID)-1:0] P``awid, P``wid, P``bid, P``arid, P``rid; \
    logic [N*ADDR_W-1:0] P``awaddr, P``araddr; \
    logic [N*(DATA)-1:0] P``wdata, P``rdata; \
    logic [N*(DATA)/8-1:0] P``wstrb; \
    logic [N*USER_W-1:0] P``awuser, P``aruser; \
    logic [N*8-1:0] P``awlen, P``arlen; \
    logic [N*4-1:0] P``awcache, P``awqos, P``arcache, P``arqos; \
    logic [N*3-1:0] P``awsize, P``awprot, P``arsize, P``arprot; \
    logic [N*2-1:0] P``awburst, P``awlock, P``bresp, P``arburst, P``arlock, P``rresp; \
    logic [N-1:0] P``awvalid, P``awready, P``wlast, P``wvalid, P``wready, P``bvalid, P``bready; \
    logic [N-1:0] P``arvalid, P``arready, P``rlast, P``rvalid, P``rready;

`define AXM_AXI_WRITE_LINK(P, Q) \
    .P``awid(Q``awid), .P``awaddr(Q``awaddr), .P``awlen(Q``awlen), .P``awsize(Q``awsize), \
    .P``awburst(Q``awburst), .P``awlock(Q``awlock), .P``awcache(Q``awcache), .P``awprot(Q``awprot), \
    .P``awqos(Q``awqos), .P``awuser(Q``awuser), .P``awvalid(Q``awvalid), .P``awready(Q``awready), \
    `AXM_AXI_WRITE_DATA_LINK(P, Q)
`define AXM_AXI_WRITE_DATA_LINK(P, Q) \
    .P``wid(Q``wid), .P``wdata(Q``wdata), .P``wstrb(Q``wstrb), .P``wlast(Q``wlast), \
    .P``wvalid(Q``wvalid), .P``wready(Q``wready), \
    .P``bid(Q``bid), .P``bresp(Q``bresp), .P``bvalid(Q``bvalid), .P``bready(Q``bready)
`define AXM_AXI_READ_LINK(P, Q) \
    .P``arid(Q``arid), .P``araddr(Q``araddr), .P``arlen(Q``arlen), .P``arsize(Q``arsize), \
    .P``arburst(Q``arburst), .P``arlock(Q``arlock), .P``arcache(Q``arcache), .P``arprot(Q``arprot), \
    .P``arqos(Q``arqos), .P``aruser(Q``aruser), .P``arvalid(Q``arvalid), .P``arready(Q``arready), \
    `AXM_AXI_READ_DATA_LINK(P, Q)
`define AXM_AXI_READ_DATA_LINK(P, Q) \
    .P``rid(Q``rid), .P``rdata(Q``rdata), .P``rresp(Q``rresp), .P``rlast(Q``rlast), \
    .P``rvalid(Q``rvalid), .P``rready(Q``rready)
`define AXM_AXI_LINK(P, Q) `AXM_AXI_WRITE_LINK(P, Q), `AXM_AXI_READ_LINK(P, Q)
// To number K of several.
`define AXM_AXI_LINK_ONE(P, Q, K, ID) \
    .P``awid(Q``awid[ID*K+:ID]), .P``awaddr(Q``awaddr[ADDR_W*K+:ADDR_W]), .P``awlen(Q``awlen[8*K+:8]), \
    .P``awsize(Q``awsize[3*K+:3]), .P``awburst(Q``awburst[2*K+:2]), .P``awlock(Q``awlock[2*K+:2]), \
    .P``awcache(Q``awcache[4*K+:4]), .P``awprot(Q``awprot[3*K+:3]), .P``awqos(Q``awqos[4*K+:4]), \
    .P``awuser(Q``awuser[USER_W*K+:USER_W]), .P``awvalid(Q``awvalid[K]), .P``awready(Q``awready[K]), \
    .P``wid(Q``wid[ID*K+:ID]), .P``wdata(Q``wdata[DATA_W*K+:DATA_W]), .P``wstrb(Q``wstrb[BYTES*K+:BYTES]), \
    .P``wlast(Q``wlast[K]), .P``wvalid(Q``wvalid[K]), .P``wready(Q``wready[K]), \
    .P``bid(Q``bid[ID*K+:ID]), .P``bresp(Q``bresp[2*K+:2]), .P``bvalid(Q``bvalid[K]), .P``bready(Q``bready[K]), \
    .P``arid(Q``arid[ID*K+:ID]), .P``araddr(Q``araddr[ADDR_W*K+:ADDR_W]), .P``arlen(Q``arlen[8*K+:8]), \
    .P``arsize(Q``arsize[3*K+:3]), .P``arburst(Q``arburst[2*K+:2]), .P``arlock(Q``arlock[2*K+:2]), \
    .P``arcache(Q``arcache[4*K+:4]), .P``arprot(Q``arprot[3*K+:3]), .P``arqos(Q``arqos[4*K+:4]), \
    .P``aruser(Q``aruser[USER_W*K+:USER_W]), .P``arvalid(Q``arvalid[K]), .P``arready(Q``arready[K]), \
    .P``rid(Q``rid[ID*K+:ID]), .P``rdata(Q``rdata[DATA_W*K+:DATA_W]), .P``rresp(Q``rresp[2*K+:2]), \
    .P``rlast(Q``rlast[K]), .P``rvalid(Q``rvalid[K]), .P``rready(Q``rready[K])

// What a sniffer looks at: inputs all.
`define AXM_AXI_WATCHED(N, P) \
    input logic [N*ADDR_W-1:0] P``awaddr, input logic [N*8-1:0] P``awlen, \
    input logic [N*ADDR_W-1:0] P``araddr, input logic [N*8-1:0] P``arlen, \
    input logic [N-1:0] P``awvalid, P``awready, P``wvalid, P``wready, P``wlast, \
    input logic [N-1:0] P``arvalid, P``arready, P``rvalid, P``rready, P``rlast,
`define AXM_AXI_WATCHED_LINK(P, Q) \
    .P``awaddr(Q``awaddr), .P``awlen(Q``awlen), .P``awvalid(Q``awvalid), .P``awready(Q``awready), \
    .P``wvalid(Q``wvalid), .P``wready(Q``wready), .P``wlast(Q``wlast), \
    .P``araddr(Q``araddr), .P``arlen(Q``arlen), .P``arvalid(Q``arvalid), .P``arready(Q``arready), \
    .P``rvalid(Q``rvalid), .P``rready(Q``rready), .P``rlast(Q``rlast)

// ---- AXI4-Lite: of several, addresses and what is written are common ------------------------------
`define AXM_AXIL(M, S, P, BITS, N, ADDR, DATA) \
    M logic [(ADDR)-1:0] P``awaddr, M logic [2:0] P``awprot, M BITS P``awvalid, S BITS P``awready, \
    M logic [(DATA)-1:0] P``wdata, M logic [(DATA)/8-1:0] P``wstrb, M BITS P``wvalid, S BITS P``wready, \
    S logic [N*2-1:0] P``bresp, S BITS P``bvalid, M BITS P``bready, \
    M logic [(ADDR)-1:0] P``araddr, M logic [2:0] P``arprot, M BITS P``arvalid, S BITS P``arready, \
    S logic [N*(DATA)-1:0] P``rdata, S logic [N*2-1:0] P``rresp, S BITS P``rvalid, M BITS P``rready,
`define AXM_AXIL_MASTER(P, ADDR, DATA) `AXM_AXIL(output, input, P, logic, 1, ADDR, DATA)
`define AXM_AXIL_SLAVE(P, ADDR, DATA) `AXM_AXIL(input, output, P, logic, 1, ADDR, DATA)
`define AXM_AXIL_MASTERS(N, P) `AXM_AXIL(output, input, P, logic [N-1:0], N, 12, 32)
`define AXM_AXIL_SLAVES(N, P) `AXM_AXIL(input, output, P, logic [N-1:0], N, 12, 32)
`define AXM_AXIL_WIRES(N, P) \
    logic [11:0] P``awaddr, P``araddr; \
    logic [2:0] P``awprot, P``arprot; \
    logic [31:0] P``wdata; \
    logic [3:0] P``wstrb; \
    logic [N-1:0] P``awvalid, P``awready, P``wvalid, P``wready, P``bvalid, P``bready; \
    logic [N-1:0] P``arvalid, P``arready, P``rvalid, P``rready; \
    logic [N*2-1:0] P``bresp, P``rresp; \
    logic [N*32-1:0] P``rdata;
`define AXM_AXIL_LINK(P, Q) \
    .P``awaddr(Q``awaddr), .P``awprot(Q``awprot), .P``awvalid(Q``awvalid), .P``awready(Q``awready), \
    .P``wdata(Q``wdata), .P``wstrb(Q``wstrb), .P``wvalid(Q``wvalid), .P``wready(Q``wready), \
    .P``bresp(Q``bresp), .P``bvalid(Q``bvalid), .P``bready(Q``bready), \
    .P``araddr(Q``araddr), .P``arprot(Q``arprot), .P``arvalid(Q``arvalid), .P``arready(Q``arready), \
    .P``rdata(Q``rdata), .P``rresp(Q``rresp), .P``rvalid(Q``rvalid), .P``rready(Q``rready)
// N of them to those from number K on.
`define AXM_AXIL_LINK_SOME(P, Q, K, N) \
    .P``awaddr(Q``awaddr), .P``awprot(Q``awprot), .P``awvalid(Q``awvalid[K+:N]), .P``awready(Q``awready[K+:N]), \
    .P``wdata(Q``wdata), .P``wstrb(Q``wstrb), .P``wvalid(Q``wvalid[K+:N]), .P``wready(Q``wready[K+:N]), \
    .P``bresp(Q``bresp[2*(K)+:2*N]), .P``bvalid(Q``bvalid[K+:N]), .P``bready(Q``bready[K+:N]), \
    .P``araddr(Q``araddr), .P``arprot(Q``arprot), .P``arvalid(Q``arvalid[K+:N]), .P``arready(Q``arready[K+:N]), \
    .P``rdata(Q``rdata[32*(K)+:32*N]), .P``rresp(Q``rresp[2*(K)+:2*N]), .P``rvalid(Q``rvalid[K+:N]), \
    .P``rready(Q``rready[K+:N])

`endif
