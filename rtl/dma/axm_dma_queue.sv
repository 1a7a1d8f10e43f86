// Queues of one half of a DMA engine: transfers to be done, and completions to be read.
//
// Purpose      Lets software submit up to DEPTH transfers ahead. A place is held from the submission until
//              its completion was read, so that no completion is ever lost.
// Limits       DEPTH is a power of two from 2 to 128. A submission while `free` is 0 is ignored.
// Throughput   One submission and one completion a clock.
// Latency      A transfer is offered in the clock after its submission.
module axm_dma_queue #(
    parameter bit [31:0] DEPTH = 16,
    parameter bit [31:0] COMMAND_W = 64,
    parameter bit [31:0] DONE_W = 38
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 submit,
    input  logic [COMMAND_W-1:0] submit_data,
    output logic                 accept,       // the submission is taken
    output logic [          7:0] free,
    input  logic                 reported_early,  // a transfer was reported that is still among the commands
    output logic                 command_valid,
    input  logic                 command_ready,
    output logic [COMMAND_W-1:0] command,
    input  logic                 done_valid,
    input  logic [   DONE_W-1:0] done_data,
    output logic                 oldest_valid,
    output logic [   DONE_W-1:0] oldest,
    input  logic                 oldest_read,
    output logic [          7:0] waiting
);

  localparam bit [31:0] COUNT_W = $clog2(DEPTH) + 1;

  logic [COUNT_W-1:0] submitted, started, reported, removed;  // ever
  // DEPTH less what was submitted and not removed. The sum of DEPTH turns the highest bit. A transfer that
  // was reported before it could be dropped has its place until it is, also if its completion was read
  // (it comes in as the borrow).
  function automatic logic [COUNT_W-1:0] places(input logic [COUNT_W-1:0] out, input logic [COUNT_W-1:0] in,
                                                input logic early);
    logic [COUNT_W-1:0] difference;
    difference = out - in - COUNT_W'(early);
    places = {!difference[COUNT_W-1], difference[COUNT_W-2:0]};
  endfunction
  wire early = reported_early && !oldest_valid;
  wire [COUNT_W-1:0] unread = reported - removed;

  // Worked out below its condition: a simulator passes over it.
  always_comb begin : take
    logic some;
    {some, accept} = '0;
    if (submit) begin
      some = places(removed, submitted, early) != '0;
      accept = some;
    end
  end
  assign free = 8'(places(removed, submitted, early));
  assign waiting = 8'(unread);

  axm_dma_list #(
      .WIDTH(COMMAND_W), .DEPTH(DEPTH)
  ) u_commands (
      .clk, .rst, .in_data(submit_data), .in_valid(accept), .out_data(command), .out_valid(command_valid),
      .out_ready(command_ready), .head(submitted), .tail(started)
  );

  axm_dma_list #(
      .WIDTH(DONE_W), .DEPTH(DEPTH)
  ) u_done (
      .clk, .rst, .in_data(done_data), .in_valid(done_valid), .out_data(oldest), .out_valid(oldest_valid),
      .out_ready(oldest_read), .head(reported), .tail(removed)
  );

  wire unused = &{1'b0, started};

endmodule
