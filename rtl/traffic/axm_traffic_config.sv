// What software has set for the two engines of a traffic generator.
//
// Purpose      Keeps the words of both directions, and the two words that serve both, where the engines
//              need them. They cannot be read back: that would cost more than storing them. After a
//              change, and after each run, the engine begins with its first burst again (`load`).
// Limits       Writes to a busy direction are ignored, and so is a new seed while one is busy.
// Throughput   A word a clock.
// Latency      `stale` of a direction is true for 2 clocks, the first of which is that of the change.
// Area         Part of area.toml (axm_traffic).
module axm_traffic_config #(
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] USER_W = 1,
    parameter bit          AXI3   = 0
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              store,          // software writes a word
    input  logic [       4:0] address,        // {1, direction, word 0 to 7}; 0 time-out, 1 seed
    input  logic [      31:0] write_data,
    input  logic [       1:0] busy,
    input  logic [       1:0] ended,          // pulse: reload
    output logic [       1:0] stale,          // a start has to wait
    output logic [ADDR_W*2-1:0] base,
    output logic [       9:0] timeout,
    output logic [      31:0] seed,
    output logic [63:0] final_offset,
    output logic [63:0] step,
    output logic [63:0] limit,
    output logic [15:0] len,
    output logic [15:0] tail,        // len of the last burst
    output logic [31:0] gap,
    output logic [13:0] outstanding,
    output logic [       1:0] blocked,         // no burst may be in flight: refuse to start
    output logic [       1:0] random,
    output logic [       1:0] nothing,
    output logic [       1:0] in_clocks,      // the limit
    output logic [       1:0] unlimited,
    output logic [       1:0] check,
    output logic [       1:0] by_pin,
    output logic [7:0] cache,
    output logic [5:0] prot,
    output logic [7:0] qos,
    output logic [USER_W*2-1:0] user,
    output logic [       1:0] load            // the engine begins with its first burst again
);

  localparam bit [31:0] Shift = $clog2(DATA_W / 8);

  wire [31:0] data = write_data;
  wire [2:0] word = address[2:0];
  wire [1:0] take = {address[3], !address[3]} & {2{store && address[4]}} & ~busy;

  // The seed is of both directions; random addresses begin with it, so they are loaded again.
  wire reseed = store && !address[4] && address[0] && busy == '0;
  always_ff @(posedge clk) begin
    if (reseed) seed <= data;
    if (rst) timeout <= '0;
    else if (store && !address[4] && !address[0]) timeout <= data[9:0];
  end

  wire [1:0] change = take | ended | {2{reseed}};
  assign stale = change | load;
  always_ff @(posedge clk) load <= rst ? '1 : change;

  genvar d;
  generate
  for (d = 0; d < 2; d++) begin : g_direction
    logic [31:Shift] base_low;
    always_ff @(posedge clk) begin
      if (take[d]) begin
        case (word)
          3'd0: base_low <= data[31:Shift];
          3'd2: final_offset[32*d+:32] <= data;
          3'd3: step[32*d+:32] <= data;
          3'd4: limit[32*d+:32] <= data;
          3'd5: begin
            len[8*d+:8]         <= AXI3 ? data[7:0] & 8'h0F : data[7:0];
            gap[16*d+:16]       <= data[23:8];
            outstanding[7*d+:7] <= data[30:24];
            blocked[d]           <= data[30:24] == '0;
          end
          3'd6: begin
            random[d]    <= data[1];
            nothing[d]   <= data[3:2] == 2'd1;
            in_clocks[d] <= data[3:2] == 2'd2;
            unlimited[d] <= data[3:2] == 2'd3;
            check[d]     <= data[4];
            cache[4*d+:4]     <= data[11:8];
            prot[3*d+:3]      <= data[14:12];
            qos[4*d+:4]       <= data[19:16];
            tail[8*d+:8]      <= AXI3 ? data[31:24] & 8'h0F : data[31:24];
          end
          3'd7: user[USER_W*d+:USER_W] <= data[USER_W-1:0];
          default: ;
        endcase
      end
      if (rst) by_pin[d] <= 1'b0;
      else if (take[d] && word == 3'd6) by_pin[d] <= data[5];
    end
    assign base[ADDR_W*d+:32] = {base_low, Shift'(0)};
    if (ADDR_W > 32) begin : g_high
      logic [ADDR_W-33:0] base_high;
      always_ff @(posedge clk) begin
        if (take[d] && word == 3'd1) base_high <= data[ADDR_W-33:0];
      end
      assign base[ADDR_W*d+32+:ADDR_W-32] = base_high;
    end
  end
  endgenerate

endmodule
