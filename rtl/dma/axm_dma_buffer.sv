// The FIFO between the halves of a copy, and the count of its places.
//
// Purpose      Holds beats that were read and not yet written, in block RAM, and promises places to beats
//              before their burst is announced, so that a beat that comes is always taken. Places are
//              counted in beats of the stream, as they are given back: what the realigner joins takes one.
// Limits       DEPTH is a power of two from 512 to 32768. Only announced beats may enter; a burst is
//              announced only while there is `room`, that is 256 places (SPILLS: 257) that no announced beat
//              will take.
// Throughput   One beat a clock in and one out.
// Latency      A beat that enters in clock t can leave in clock t + 2, and counts as held from then on; a
//              beat that leaves in t gives a place from t + 1 on.
module axm_dma_buffer #(
    parameter bit [31:0] WIDTH = 66,
    parameter bit [31:0] DEPTH = 512,
    parameter bit SPILLS = 0,  // a burst may give a beat more than it has
    parameter bit [31:0] COUNT_W = $clog2(DEPTH) + 1  // follows from the others
) (
    input  logic               clk,
    input  logic               rst,
    input  logic               clear,
    input  logic               announce,   // a burst ...
    input  logic [        7:0] len,        // ... of so many beats, less one, will come,
    input  logic               joined,     // ... and one beat fewer than that,
    input  logic               spilled,    // ... or one more
    output logic               room,       // any burst may be announced
    input  logic [  WIDTH-1:0] in_data,
    input  logic               in_valid,
    output logic [  WIDTH-1:0] out_data,
    output logic               out_valid,
    input  logic               out_ready,
    output logic [COUNT_W-1:0] held        // beats that can leave without waiting
);

  generate
  if (DEPTH < 512 || DEPTH > 32768 || (DEPTH & (DEPTH - 1)) != 0) begin : g_check
    axm_error_COPY_FIFO_must_be_a_power_of_two_from_512_to_32768 u_error ();
  end
  endgenerate

  localparam bit [31:0] PTR_W = COUNT_W - 1;

  (* ram_style = "block", ramstyle = "M10K" *) logic [WIDTH-1:0] memory[DEPTH];
  logic [PTR_W-1:0] head, tail;
  logic [COUNT_W-1:0] places;  // that no announced beat will take
  logic came;  // the memory can give a beat more from the next clock on

  assign out_valid = held != '0;
  wire pop = out_valid && out_ready;
  wire [PTR_W-1:0] tail_next = tail + PTR_W'(pop);

  always_ff @(posedge clk) begin
    if (in_valid) memory[head] <= in_data;
    out_data <= memory[tail_next];
  end

  // SPILLS: one place is not counted, so that a burst's beat more has it; -1 is not room.
  assign room = SPILLS ? !places[COUNT_W-1] && places[COUNT_W-2:8] != '0 : places[COUNT_W-1:8] != '0;

  // -(len + 1) is ~len, and -len is ~(len - 1); the pop comes in as the carry.
  wire [COUNT_W-1:0] more = COUNT_W'(len) + {COUNT_W{joined && !spilled}} + COUNT_W'(spilled && !joined);
  wire [COUNT_W-1:0] taken = announce ? ~more : '0;
  wire [COUNT_W:0] places_next = {places, 1'b1} + {taken, pop};
  wire unused = places_next[0];

  always_ff @(posedge clk) begin
    if (rst || clear) begin
      head   <= '0;
      tail   <= '0;
      came   <= 1'b0;
      held   <= '0;
      places <= COUNT_W'(SPILLS ? DEPTH - 1 : DEPTH);
    end else begin
      if (in_valid) head <= head + 1'b1;
      tail <= tail_next;
      came <= in_valid;
      if (came != pop) held <= held - {{PTR_W{!pop}}, 1'b1};
      places <= places_next[COUNT_W:1];
    end
  end

endmodule
