// All rules of one AXI3 or AXI4 port.
//
// Purpose      Put beside any port, in a proof or in a simulation. In a proof one side is proven and
//              the other assumed: MASTER_ASSUMED for the proof of a slave, SLAVE_ASSUMED for that of
//              a master. In a simulation both sides are checked.
// Limits       Passive. LIMIT is what the master may have open in each direction. Waits of 0 are
//              not checked; all waits are in clocks.
module axm_axi_rules #(
    parameter int unsigned ADDR_W = 32,
    parameter int unsigned DATA_W = 32,
    parameter int unsigned ID_W = 1,
    parameter int unsigned USER_W = 1,
    parameter bit AXI3 = 0,
    parameter int unsigned LIMIT = 4,
    parameter bit DATA_LEAD = 0,
    parameter bit CHECK_WID = 1,
    parameter bit MASTER_ASSUMED = 0,
    parameter bit SLAVE_ASSUMED = 0,
    parameter int unsigned REQUEST_WAIT = 0,  // slave takes an address
    parameter int unsigned WREADY_WAIT = 0,   // slave takes a beat
    parameter int unsigned WVALID_WAIT = 0,   // master offers a beat
    parameter int unsigned ANSWER_WAIT = 0,   // slave answers
    parameter int unsigned TAKE_WAIT = 0      // master takes an answer
) (
    input logic                clk,
    input logic                rst,
    input logic                awvalid,
    input logic                awready,
    input logic [    ID_W-1:0] awid,
    input logic [  ADDR_W-1:0] awaddr,
    input logic [         7:0] awlen,
    input logic [         2:0] awsize,
    input logic [         1:0] awburst,
    input logic [         1:0] awlock,
    input logic [         3:0] awcache,
    input logic [         2:0] awprot,
    input logic [         3:0] awqos,
    input logic [  USER_W-1:0] awuser,
    input logic                wvalid,
    input logic                wready,
    input logic [    ID_W-1:0] wid,
    input logic [  DATA_W-1:0] wdata,
    input logic [DATA_W/8-1:0] wstrb,
    input logic                wlast,
    input logic                bvalid,
    input logic                bready,
    input logic [    ID_W-1:0] bid,
    input logic [         1:0] bresp,
    input logic                arvalid,
    input logic                arready,
    input logic [    ID_W-1:0] arid,
    input logic [  ADDR_W-1:0] araddr,
    input logic [         7:0] arlen,
    input logic [         2:0] arsize,
    input logic [         1:0] arburst,
    input logic [         1:0] arlock,
    input logic [         3:0] arcache,
    input logic [         2:0] arprot,
    input logic [         3:0] arqos,
    input logic [  USER_W-1:0] aruser,
    input logic                rvalid,
    input logic                rready,
    input logic [    ID_W-1:0] rid,
    input logic [  DATA_W-1:0] rdata,
    input logic [         1:0] rresp,
    input logic                rlast
);

  localparam int unsigned LANE_W = $clog2(DATA_W / 8);
  localparam int unsigned COUNT_W = $clog2(LIMIT + 1);

  logic [COUNT_W-1:0] writes_open, reads_open;
  wire unused = &{1'b0, writes_open, reads_open};

  axm_rules_request #(
      .ADDR_W(ADDR_W),
      .DATA_W(DATA_W),
      .ID_W(ID_W),
      .USER_W(USER_W),
      .AXI3(AXI3),
      .MASTER_ASSUMED(MASTER_ASSUMED),
      .SLAVE_ASSUMED(SLAVE_ASSUMED),
      .READY_WAIT(REQUEST_WAIT)
  ) aw (
      .clk,
      .rst,
      .valid(awvalid),
      .ready(awready),
      .id   (awid),
      .addr (awaddr),
      .len  (awlen),
      .size (awsize),
      .burst(awburst),
      .lock (awlock),
      .cache(awcache),
      .prot (awprot),
      .qos  (awqos),
      .user (awuser)
  );

  axm_rules_request #(
      .ADDR_W(ADDR_W),
      .DATA_W(DATA_W),
      .ID_W(ID_W),
      .USER_W(USER_W),
      .AXI3(AXI3),
      .MASTER_ASSUMED(MASTER_ASSUMED),
      .SLAVE_ASSUMED(SLAVE_ASSUMED),
      .READY_WAIT(REQUEST_WAIT)
  ) ar (
      .clk,
      .rst,
      .valid(arvalid),
      .ready(arready),
      .id   (arid),
      .addr (araddr),
      .len  (arlen),
      .size (arsize),
      .burst(arburst),
      .lock (arlock),
      .cache(arcache),
      .prot (arprot),
      .qos  (arqos),
      .user (aruser)
  );

  axm_rules_data #(
      .DATA_W(DATA_W),
      .ID_W(ID_W),
      .KIND(0),
      .ASSUMED(MASTER_ASSUMED),
      .TAKER_ASSUMED(SLAVE_ASSUMED),
      .READY_WAIT(WREADY_WAIT)
  ) w (
      .clk,
      .rst,
      .valid(wvalid),
      .ready(wready),
      .id   (wid),
      .data (wdata),
      .strb (wstrb),
      .resp (2'd0),
      .last (wlast)
  );

  axm_rules_data #(
      .DATA_W(DATA_W),
      .ID_W(ID_W),
      .KIND(1),
      .ASSUMED(SLAVE_ASSUMED),
      .TAKER_ASSUMED(MASTER_ASSUMED),
      .READY_WAIT(TAKE_WAIT)
  ) b (
      .clk,
      .rst,
      .valid(bvalid),
      .ready(bready),
      .id   (bid),
      .data ('0),
      .strb ('0),
      .resp (bresp),
      .last (1'b0)
  );

  axm_rules_data #(
      .DATA_W(DATA_W),
      .ID_W(ID_W),
      .KIND(2),
      .ASSUMED(SLAVE_ASSUMED),
      .TAKER_ASSUMED(MASTER_ASSUMED),
      .READY_WAIT(TAKE_WAIT)
  ) r (
      .clk,
      .rst,
      .valid(rvalid),
      .ready(rready),
      .id   (rid),
      .data (rdata),
      .strb ('0),
      .resp (rresp),
      .last (rlast)
  );

  axm_rules_write #(
      .DATA_W(DATA_W),
      .ID_W(ID_W),
      .LIMIT(LIMIT),
      .DATA_LEAD(DATA_LEAD),
      .CHECK_WID(CHECK_WID),
      .MASTER_ASSUMED(MASTER_ASSUMED),
      .SLAVE_ASSUMED(SLAVE_ASSUMED),
      .DATA_WAIT(WVALID_WAIT),
      .ANSWER_WAIT(ANSWER_WAIT)
  ) write (
      .clk,
      .rst,
      .awvalid,
      .awready,
      .awid,
      .awaddr(awaddr[LANE_W-1:0]),
      .awlen,
      .awsize,
      .awburst,
      .awlock,
      .wvalid,
      .wready,
      .wid,
      .wstrb,
      .wlast,
      .bvalid,
      .bready,
      .bid,
      .bresp,
      .open  (writes_open)
  );

  axm_rules_read #(
      .ID_W(ID_W),
      .LIMIT(LIMIT),
      .MASTER_ASSUMED(MASTER_ASSUMED),
      .SLAVE_ASSUMED(SLAVE_ASSUMED),
      .ANSWER_WAIT(ANSWER_WAIT)
  ) read (
      .clk,
      .rst,
      .arvalid,
      .arready,
      .arid,
      .arlen,
      .arlock,
      .rvalid,
      .rready,
      .rid,
      .rresp,
      .rlast,
      .open(reads_open)
  );

endmodule
