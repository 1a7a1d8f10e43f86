// Byte realigner of the writing engine: packed stream beats in, bus beats out.
//
// Purpose      Moves the bytes of the stream to the lanes of a transfer that begins in lane `shift`, and
//              strobes nothing before its first byte and behind its last. Aligned ones pass unchanged.
// Limits       Every transfer begins with a new beat of the stream, and takes whole beats of it.
// Throughput   One beat a clock.
// Latency      None.
module axm_dma_unpack #(
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] KEEP_W = DATA_W / 8,  // follows from the others
    parameter bit [31:0] SHIFT_W = $clog2(KEEP_W)  // follows from the others
) (
    input  logic               clk,
    input  logic               rst,
    input  logic               clear,      // forget what is held
    input  logic [ DATA_W-1:0] in_data,
    input  logic [ KEEP_W-1:0] in_keep,
    input  logic               in_last,
    input  logic [        1:0] in_user,
    input  logic               in_valid,
    output logic               in_ready,
    input  logic               over,       // the transfer is over: hold nothing for the next beat
    input  logic               out_end,    // this is the transfer's last bus beat
    input  logic [SHIFT_W-1:0] shift,      // lane of its first byte
    input  logic [SHIFT_W-1:0] last_lane,  // lane of its last byte
    output logic               spare,      // its last bus beat takes no beat of the stream
    output logic               left,       // the rest of the packet is held: the next bus beat needs no more
    output logic [ DATA_W-1:0] out_data,
    output logic [ KEEP_W-1:0] out_keep,
    output logic               out_last,   // the packet ends in this beat
    output logic [        1:0] out_user,
    output logic               out_valid,
    input  logic               out_ready
);

  logic [DATA_W-1:0] turned, held;
  logic [KEEP_W-1:0] keep, turned_keep, held_keep, low;  // low: lanes below the first byte's

  assign spare = last_lane < shift;
  wire draws = !left && !(out_end && spare);
  wire take = out_valid && out_ready;

  assign low = ~(KEEP_W'({KEEP_W{1'b1}} << shift));
  assign keep = in_user[1] ? '0 : in_keep;  // a faulty beat is not written
  assign turned = DATA_W'(({in_data, in_data} << {shift, 3'b000}) >> DATA_W);
  assign turned_keep = KEEP_W'(({keep, keep} << shift) >> KEEP_W);
  assign in_ready = draws && out_ready;
  assign out_valid = !draws || in_valid;
  assign out_user = draws ? in_user : 2'b00;
  // What a packet's last beat holds beyond the transfer's end is dropped: the packet ends here too.
  assign out_last = left || (draws && in_last && (out_end || (turned_keep & low) == '0));

  always_comb begin
    out_data = turned;
    for (int unsigned lane = 0; lane < KEEP_W; lane++)
      if (low[lane] || !draws) out_data[8*lane+:8] = held[8*lane+:8];
    out_keep = (turned_keep & ~low & {KEEP_W{draws}}) | (held_keep & low);
    if (out_end) out_keep &= KEEP_W'({KEEP_W{1'b1}} >> (KEEP_W - 1 - 32'(last_lane)));
  end

  always_ff @(posedge clk) begin
    if (take && draws) held <= turned;
    if (rst || clear || over) begin
      held_keep <= '0;
      left <= 1'b0;
    end else if (take) begin
      held_keep <= draws ? turned_keep : '0;
      left <= draws && in_last && (turned_keep & low) != '0 && !out_end;
    end
  end

endmodule
