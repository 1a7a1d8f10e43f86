// What software has set for the two engines of a traffic generator, and what follows from it.
//
// Purpose      Holds the words of both directions in a small memory, and hands them to the engines'
//              registers one after another: whenever one has been written, and after each run (so that
//              the engines can count down their own copies). On the way it works out what the engines
//              need every clock: 1 less LIMIT, the step from burst to burst, that step less REGION.
//              It also keeps the two words that serve both directions.
// Limits       Writes to a busy direction are ignored. Until all words have been written once, what
//              is read is not defined.
// Throughput   A word a clock.
// Latency      `stale` of a direction falls at most 16 clocks after it rose, plus one for each read by
//              software.
// Area         Part of area.toml (axm_traffic).
module axm_traffic_config #(
    parameter int unsigned ADDR_W = 32,
    parameter int unsigned DATA_W = 64,
    parameter int unsigned USER_W = 1,
    parameter bit          AXI3   = 0
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              request,        // access by software
    input  logic              write,
    input  logic [       4:0] address,        // {1, direction, word 0 to 7}; 0 time-out, 1 seed
    input  logic [      31:0] write_data,
    output logic [      31:0] read_data,      // in the same clock
    input  logic [       1:0] busy,
    input  logic [       1:0] ended,          // pulse: reload
    output logic [       1:0] stale,          // the engine's copies are not yet those of the memory
    output logic [ADDR_W-1:0] base[2],
    output logic [       9:0] patience,
    output logic [      31:0] seed,
    output logic [      31:0] back[2],        // step less region
    output logic [       1:0] whole,          // the step is not smaller than the region
    output logic [      31:0] step[2],
    output logic [       7:0] len[2],
    output logic [      15:0] gap[2],
    output logic [       6:0] outstanding[2],
    output logic [       1:0] random,
    output logic [      13:0] portion[2],     // what a burst takes of the limit
    output logic [       1:0] in_bytes,       // the limit
    output logic [       1:0] in_clocks,
    output logic [       1:0] unlimited,
    output logic [       1:0] check,
    output logic [       1:0] by_pin,
    output logic [       3:0] cache[2],
    output logic [       2:0] prot[2],
    output logic [       3:0] qos[2],
    output logic [USER_W-1:0] user[2],
    output logic [       1:0] prepare,        // comes some clocks before load
    output logic [       1:0] load,           // the engine takes the limit, and its first offset
    output logic [      31:0] limit,          // 1 less LIMIT, with load
    output logic              few             // LIMIT is 0 or 1, with load
);

  localparam int unsigned Shift = $clog2(DATA_W / 8);

  logic [31:0] memory[32];
  logic side;
  logic [2:0] word;  // the next to hand over, from 7 down to 0
  wire of_direction = address[4];
  wire store = request && write && !(of_direction && busy[address[3]]);
  wire reads = request && !write;
  wire hand = stale[side] && !reads;
  wire ends = hand && word == '0;
  wire [31:0] out = memory[reads ? address : {1'b1, side, word}];
  assign read_data = out;

  always_ff @(posedge clk) if (store) memory[address] <= write_data;

  always_ff @(posedge clk) begin
    if (store && !of_direction && address[0]) seed <= write_data;
    if (rst) patience <= '0;
    else if (store && !of_direction && !address[0]) patience <= write_data[9:0];
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      stale <= '0;
      side  <= 1'b0;
      word  <= '1;
    end else begin
      stale <= (stale & ~({side, !side} & {2{ends}})) | ended
          | ({address[3], !address[3]} & {2{store && of_direction}});
      if (!stale[side] || ends) side <= !side;
      if (store) word <= '1;
      else if (hand) word <= word - 1'b1;
    end
  end

  // From words 4 (LIMIT) and 2 (REGION) follow what they are less than: 1, and the step.
  logic [31:0] less;
  wire [32:0] reduced = {1'b0, less} - {1'b0, out};
  logic [1:0] contiguous;
  wire [13:0] burst = (14'(len[side]) + 1) << Shift;  // bytes
  wire [31:0] advance = contiguous[side] ? 32'(burst) : out;
  assign limit = reduced[31:0];
  assign few = !reduced[32];
  assign prepare = {side, !side} & {2{hand && word == 3'd5}};
  assign load = {side, !side} & {2{hand && word == 3'd4}};

  always_ff @(posedge clk) begin
    if (hand) less <= word == 3'd3 ? advance : 32'd1;
  end

  for (genvar d = 0; d < 2; d++) begin : g_direction
    wire take = hand && side == 1'(d);
    always_ff @(posedge clk) begin
      if (take) begin
        case (word)
          3'd0: base[d][31:Shift] <= out[31:Shift];
          3'd2: begin
            back[d]  <= reduced[31:0];
            whole[d] <= few;
          end
          3'd3: step[d] <= advance;
          3'd4: portion[d] <= in_bytes[d] ? burst : 14'd1;
          3'd5: begin
            len[d]         <= AXI3 ? out[7:0] & 8'h0F : out[7:0];
            gap[d]         <= out[23:8];
            outstanding[d] <= out[30:24];
          end
          3'd6: begin
            contiguous[d] <= out[1:0] == 2'd0;
            random[d]     <= out[1];
            in_bytes[d]   <= out[3:2] == 2'd1;
            in_clocks[d]  <= out[3:2] == 2'd2;
            unlimited[d]  <= out[3:2] == 2'd3;
            check[d]      <= out[4];
            cache[d]      <= out[11:8];
            prot[d]       <= out[14:12];
            qos[d]        <= out[19:16];
          end
          3'd7: user[d] <= out[USER_W-1:0];
          default: ;
        endcase
      end
      if (rst) by_pin[d] <= 1'b0;
      else if (take && word == 3'd6) by_pin[d] <= out[5];
    end
    assign base[d][Shift-1:0] = '0;
    if (ADDR_W > 32) begin : g_high
      always_ff @(posedge clk) begin
        if (take && word == 3'd1) base[d][ADDR_W-1:32] <= out[ADDR_W-33:0];
      end
    end
  end

endmodule
