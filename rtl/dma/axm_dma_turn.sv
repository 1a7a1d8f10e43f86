// Byte realigner of a copy: beats of the source in, beats of the destination out.
//
// Purpose      Moves each byte from its lane at the source to its lane at the destination: the only one that a
//              copy needs. Bytes before the first and behind the last must not be written.
// Limits       The beats that come out are always taken. A transfer's settings are steady with each of its beats.
// Throughput   One beat a clock; a transfer whose last bytes fill a beat of their own takes a clock more.
// Latency      None, or one beat if the first byte's lane is lower at the destination than at the source.
module axm_dma_turn #(
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] SHIFT_W = $clog2(DATA_W / 8)  // follows from the other
) (
    input  logic               clk,
    input  logic               rst,
    input  logic               clear,     // forget what is held
    input  logic               in_valid,
    output logic               in_ready,
    input  logic [ DATA_W-1:0] in_data,
    input  logic [        1:0] in_user,
    input  logic               in_skip,   // this beat fills none of the destination
    input  logic               in_last,   // last beat of the transfer
    input  logic               in_spill,  // ... and its last bytes go to one beat more
    input  logic [SHIFT_W-1:0] turn,      // lane at the destination less lane at the source
    output logic [ DATA_W-1:0] out_data,
    output logic [        1:0] out_user,
    output logic               out_valid
);

  // Turned by all but the lowest bit of `turn` before the register, by that one behind it.
  logic [DATA_W-1:0] turned, held, new_bytes, old_bytes;
  logic [1:0] held_user;
  logic flush, held_odd;
  wire odd = flush ? held_odd : turn[0];  // a flush comes when the next burst's settings may be there
  wire take = in_valid && in_ready;

  assign turned = DATA_W'(({in_data, in_data} << {turn[SHIFT_W-1:1], 4'b0000}) >> DATA_W);
  assign in_ready = !flush;
  assign out_valid = flush || (in_valid && !in_skip);
  assign out_user = flush || held_user[1] ? held_user : in_user;

  always_comb begin
    new_bytes = odd ? {turned[DATA_W-9:0], turned[DATA_W-1:DATA_W-8]} : turned;
    old_bytes = odd ? {held[DATA_W-9:0], held[DATA_W-1:DATA_W-8]} : held;
    out_data = new_bytes;
    for (int unsigned lane = 0; lane < DATA_W / 8; lane++)
      if (flush || lane < 32'(turn)) out_data[8*lane+:8] = old_bytes[8*lane+:8];
  end

  always_ff @(posedge clk) begin
    if (take) {held_odd, held} <= {turn[0], turned};
    if (rst || clear) begin
      flush <= 1'b0;
      held_user <= '0;
    end else begin
      flush <= take && in_spill;
      if (take || flush) held_user <= take && turn != '0 && (!in_last || in_spill) ? in_user : '0;
    end
  end

endmodule
