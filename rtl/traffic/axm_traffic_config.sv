// What software has set for the two engines of a traffic generator.
//
// Purpose      Keeps the words of both directions, and the two words that serve both, where the engines
//              need them. They cannot be read back: that would cost more than keeping them. After a
//              change, and after each run, the engine begins with its first burst again (`load`).
// Limits       Writes to a busy direction are ignored, and so is a new seed while one is busy.
// Throughput   A word a clock.
// Latency      `stale` of a direction is true for 2 clocks, the first of which is that of the change.
// Area         Part of area.toml (axm_traffic).
module axm_traffic_config #(
    parameter int unsigned ADDR_W = 32,
    parameter int unsigned DATA_W = 64,
    parameter int unsigned USER_W = 1,
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
    output logic [ADDR_W-1:0] base[2],
    output logic [       9:0] patience,
    output logic [      31:0] seed,
    output logic [      31:0] final_offset[2],
    output logic [      31:0] step[2],
    output logic [      31:0] limit[2],
    output logic [       7:0] len[2],
    output logic [       7:0] tail[2],        // len of the last burst
    output logic [      15:0] gap[2],
    output logic [       6:0] outstanding[2],
    output logic [       1:0] barred,         // no burst may be in flight: refuse to start
    output logic [       1:0] random,
    output logic [       1:0] nothing,
    output logic [       1:0] in_clocks,      // the limit
    output logic [       1:0] unlimited,
    output logic [       1:0] check,
    output logic [       1:0] by_pin,
    output logic [       3:0] cache[2],
    output logic [       2:0] prot[2],
    output logic [       3:0] qos[2],
    output logic [USER_W-1:0] user[2],
    output logic [       1:0] load            // the engine begins with its first burst again
);

  localparam int unsigned Shift = $clog2(DATA_W / 8);

  wire [31:0] data = write_data;
  wire [2:0] word = address[2:0];
  wire [1:0] take = {address[3], !address[3]} & {2{store && address[4]}} & ~busy;

  // The seed is of both directions; random addresses begin with it, so they are loaded again.
  wire reseed = store && !address[4] && address[0] && busy == '0;
  always_ff @(posedge clk) begin
    if (reseed) seed <= data;
    if (rst) patience <= '0;
    else if (store && !address[4] && !address[0]) patience <= data[9:0];
  end

  wire [1:0] change = take | ended | {2{reseed}};
  assign stale = change | load;
  always_ff @(posedge clk) load <= rst ? '1 : change;

  for (genvar d = 0; d < 2; d++) begin : g_direction
    always_ff @(posedge clk) begin
      if (take[d]) begin
        case (word)
          3'd0: base[d][31:Shift] <= data[31:Shift];
          3'd2: final_offset[d] <= data;
          3'd3: step[d] <= data;
          3'd4: limit[d] <= data;
          3'd5: begin
            len[d]         <= AXI3 ? data[7:0] & 8'h0F : data[7:0];
            gap[d]         <= data[23:8];
            outstanding[d] <= data[30:24];
            barred[d]      <= data[30:24] == '0;
          end
          3'd6: begin
            random[d]    <= data[1];
            nothing[d]   <= data[3:2] == 2'd1;
            in_clocks[d] <= data[3:2] == 2'd2;
            unlimited[d] <= data[3:2] == 2'd3;
            check[d]     <= data[4];
            cache[d]     <= data[11:8];
            prot[d]      <= data[14:12];
            qos[d]       <= data[19:16];
            tail[d]      <= AXI3 ? data[31:24] & 8'h0F : data[31:24];
          end
          3'd7: user[d] <= data[USER_W-1:0];
          default: ;
        endcase
      end
      if (rst) by_pin[d] <= 1'b0;
      else if (take[d] && word == 3'd6) by_pin[d] <= data[5];
    end
    assign base[d][Shift-1:0] = '0;
    if (ADDR_W > 32) begin : g_high
      always_ff @(posedge clk) begin
        if (take[d] && word == 3'd1) base[d][ADDR_W-1:32] <= data[ADDR_W-33:0];
      end
    end
  end

endmodule
