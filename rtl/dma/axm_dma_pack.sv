// Byte realigner of the reading engine: bus beats in, packed stream beats out.
//
// Purpose      Moves the bytes of a transfer that begins in lane `shift` to lane 0, and marks which bytes of
//              its last stream beat are valid. Aligned transfers pass unchanged in the same clock.
// Limits       Every transfer begins in a new beat of the stream.
// Throughput   One beat a clock; a transfer whose last bytes fill a beat of their own takes a clock more.
// Latency      None, or one beat if shift is not 0.
module axm_dma_pack #(
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] KEEP_W = DATA_W / 8,  // follows from the others
    parameter bit [31:0] SHIFT_W = $clog2(KEEP_W)  // follows from the others
) (
    input  logic               clk,
    input  logic               rst,
    input  logic               clear,      // forget what is held
    input  logic               in_valid,
    output logic               in_ready,
    input  logic [ DATA_W-1:0] in_data,
    input  logic [        1:0] in_user,
    input  logic               in_first,   // first beat of the transfer
    input  logic               in_last,    // last beat of the transfer
    input  logic [SHIFT_W-1:0] shift,      // lane of the transfer's first byte
    input  logic [SHIFT_W-1:0] last_lane,  // lane of its last byte
    input  logic               in_tlast,   // the transfer ends a packet
    output logic               holding,    // there may be a beat more to come than went in
    output logic [ DATA_W-1:0] out_data,
    output logic [ KEEP_W-1:0] out_keep,
    output logic               out_last,
    output logic [        1:0] out_user,
    output logic               out_valid,
    input  logic               out_ready
);

  logic [DATA_W-1:0] turned, held;
  logic [1:0] held_user;
  logic flush, flush_tlast, middle;
  logic [SHIFT_W-1:0] flush_last;  // lane of the last flushed byte

  wire straight = shift == '0;
  wire spill = !straight && in_last && last_lane >= shift;  // more bytes than this beat's output takes
  wire gives = straight || !in_first;
  wire take = in_valid && in_ready;
  wire [SHIFT_W-1:0] final_lane = last_lane - shift;

  assign turned = DATA_W'({in_data, in_data} >> {shift, 3'b000});
  assign in_ready = !flush && (!gives || out_ready);
  assign out_valid = flush || (in_valid && gives);
  assign holding = flush || middle;

  always_comb begin
    out_data = turned;
    for (int unsigned lane = 0; lane < KEEP_W; lane++)
      if (flush || (!straight && lane + 32'(shift) < KEEP_W)) out_data[8*lane+:8] = held[8*lane+:8];
    out_user = flush || (!straight && held_user[1]) ? held_user : in_user;
    out_keep = '1;
    out_last = 1'b0;
    if (flush) begin
      out_keep = KEEP_W'({KEEP_W{1'b1}} >> (KEEP_W - 1 - 32'(flush_last)));
      out_last = flush_tlast;
    end else if (in_last && !spill) begin
      out_keep = KEEP_W'({KEEP_W{1'b1}} >> (KEEP_W - 1 - 32'(final_lane)));
      out_last = in_tlast;
    end
  end

  always_ff @(posedge clk) begin
    if (take) begin
      held <= turned;
      held_user <= in_user;
      flush_last <= final_lane;
      flush_tlast <= in_tlast;
    end
    if (rst || clear) begin
      flush  <= 1'b0;
      middle <= 1'b0;
    end else begin
      flush <= flush ? !out_ready : take && spill;
      if (take) middle <= !straight && !in_last;
    end
  end

endmodule
