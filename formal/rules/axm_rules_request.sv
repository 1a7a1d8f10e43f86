// Rules of an AXI address channel, AW or AR.
//
// Purpose      Stable payload while waiting, reset, and whether a burst is legal by itself.
// Limits       Passive. Rules of the requester are assumed in formal use with MASTER_ASSUMED, the
//              slave's with SLAVE_ASSUMED. READY_WAIT: a request is taken within so many clocks
//              after that in which it is first offered; 0: not checked.
module axm_rules_request #(
    parameter int unsigned ADDR_W = 32,
    parameter int unsigned DATA_W = 32,
    parameter int unsigned ID_W = 1,
    parameter int unsigned USER_W = 1,
    parameter bit AXI3 = 0,
    parameter bit MASTER_ASSUMED = 0,
    parameter bit SLAVE_ASSUMED = 0,
    parameter int unsigned READY_WAIT = 0
) (
    input logic              clk,
    input logic              rst,
    input logic              valid,
    input logic              ready,
    input logic [  ID_W-1:0] id,
    input logic [ADDR_W-1:0] addr,
    input logic [       7:0] len,
    input logic [       2:0] size,
    input logic [       1:0] burst,
    input logic [       1:0] lock,
    input logic [       3:0] cache,
    input logic [       2:0] prot,
    input logic [       3:0] qos,
    input logic [USER_W-1:0] user
);

  `include "axm_rules.svh"

  localparam logic [1:0] FIXED = 2'd0;
  localparam logic [1:0] WRAP = 2'd2;
  localparam logic [2:0] BUS_SIZE = 3'($clog2(DATA_W / 8));

  // What was offered, and not taken, in the clock before.
  logic waiting, was_rst;
  logic [ID_W-1:0] id_q;
  logic [ADDR_W-1:0] addr_q;
  logic [7:0] len_q;
  logic [2:0] size_q, prot_q;
  logic [1:0] burst_q, lock_q;
  logic [3:0] cache_q, qos_q;
  logic [USER_W-1:0] user_q;

  always_ff @(posedge clk) begin
    was_rst <= rst;
    waiting <= valid && !ready && !rst;
    id_q    <= id;
    addr_q  <= addr;
    len_q   <= len;
    size_q  <= size;
    burst_q <= burst;
    lock_q  <= lock;
    cache_q <= cache;
    prot_q  <= prot;
    qos_q   <= qos;
    user_q  <= user;
  end

  `AXM_RULE(reset_quiet, MASTER_ASSUMED, was_rst, !valid)
  `AXM_RULE(held, MASTER_ASSUMED, waiting, valid)
  // A request that is withdrawn breaks `held`, and only that.
  wire kept = waiting && valid;
  `AXM_STAYS(id, MASTER_ASSUMED)
  `AXM_STAYS(addr, MASTER_ASSUMED)
  `AXM_STAYS(len, MASTER_ASSUMED)
  `AXM_STAYS(size, MASTER_ASSUMED)
  `AXM_STAYS(burst, MASTER_ASSUMED)
  `AXM_STAYS(lock, MASTER_ASSUMED)
  `AXM_STAYS(cache, MASTER_ASSUMED)
  `AXM_STAYS(prot, MASTER_ASSUMED)
  `AXM_STAYS(qos, MASTER_ASSUMED)
  `AXM_STAYS(user, MASTER_ASSUMED)

  // Bytes of the whole burst; up to 256 beats of 128 bytes.
  wire [15:0] bytes = (16'(len) + 16'd1) << size;
  wire [11:0] in_page = addr[11:0] & ~((12'd1 << size) - 12'd1);
  wire [7:0] len_ones = len + 8'd1;  // a power of two has no bit in common with len
  wire len_power = (len & len_ones) == 8'd0;

  `AXM_RULE(burst_type, MASTER_ASSUMED, valid, burst != 2'd3)
  `AXM_RULE(size_in_bus, MASTER_ASSUMED, valid, size <= BUS_SIZE)
  `AXM_RULE(len_axi3, MASTER_ASSUMED, valid && AXI3, len <= 8'd15)
  `AXM_RULE(len_fixed, MASTER_ASSUMED, valid && !AXI3 && burst == FIXED, len <= 8'd15)
  `AXM_RULE(len_wrap, MASTER_ASSUMED, valid && burst == WRAP,
            len == 8'd1 || len == 8'd3 || len == 8'd7 || len == 8'd15)
  `AXM_RULE(wrap_aligned, MASTER_ASSUMED, valid && burst == WRAP, in_page == addr[11:0])
  `AXM_RULE(within_4k, MASTER_ASSUMED, valid && burst == 2'd1, 17'(in_page) + 17'(bytes) <= 17'd4096)
  `AXM_RULE(lock_legal, MASTER_ASSUMED, valid, AXI3 ? lock != 2'd3 : !lock[1])
  `AXM_RULE(exclusive_bytes, MASTER_ASSUMED, valid && lock == 2'd1, len_power && bytes <= 16'd128)
  `AXM_RULE(exclusive_len, MASTER_ASSUMED, valid && lock == 2'd1 && !AXI3, len <= 8'd15)
  `AXM_RULE(exclusive_aligned, MASTER_ASSUMED, valid && lock == 2'd1,
            (addr[11:0] & (bytes[11:0] - 12'd1)) == 12'd0)
  `AXM_RULE(cache_legal, MASTER_ASSUMED, valid && !cache[1], cache[3:2] == 2'd0)

  axm_rules_wait #(
      .LIMIT(READY_WAIT),
      .ASSUMED(SLAVE_ASSUMED)
  ) ready_wait (
      .clk,
      .rst,
      .due (valid),
      .done(ready)
  );

endmodule
