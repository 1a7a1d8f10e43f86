// The transfers of both halves of a DMA engine, between registers and engines.
//
// Purpose      For each half a queue of transfers to do, and of completions (axm_dma_queue). A copy has one:
//              its transfers wait for the reading half in a separate list, which has a place wherever the
//              writing half's queue has one.
//              An aligned engine refuses a transfer by its low bits: bit 0 of the address represents them
//              all, and makes both halves of a copy refuse it.
// Limits       QUEUE transfers a half, a power of two from 2 to 128. The rest as axm_dma, whose part it is.
// Throughput   A transfer a clock into and out of each queue.
// Latency      A transfer is offered in the clock after its submission.
// Area         Part of area.toml (axm_dma).
module axm_dma_queues #(
    parameter bit HAS_READ = 1,
    parameter bit HAS_WRITE = 1,
    parameter bit COPY = 0,
    parameter bit UNALIGNED = 0,
    parameter bit [31:0] ADDR_W = 32,
    parameter bit [31:0] DATA_W = 64,
    parameter bit [31:0] QUEUE = 16
) (
    input  logic              clk,
    input  logic              rst,
    // Reading half: what software submits
    input  logic              rd_submit,
    input  logic [ADDR_W-1:0] rd_addr,
    input  logic [      31:0] rd_bytes,          // not of a copy
    input  logic              rd_last,
    output logic [       7:0] rd_free,           // places
    // ... what is next for its engine
    output logic              rd_queue_valid,
    input  logic              rd_queue_ready,
    output logic [ADDR_W-1:0] rd_queue_addr,
    output logic [      31:0] rd_queue_bytes,
    output logic              rd_queue_last,
    output logic [$clog2(DATA_W/8)-1:0] rd_queue_lane, // of a copy: of the first byte at the destination
    input  logic              rd_reported_early,
    // ... what was done, the oldest of which software reads
    input  logic              rd_done_valid,
    input  logic [       3:0] rd_done_code,
    input  logic [      31:0] rd_done_bytes,
    output logic              rd_oldest_valid,
    input  logic              rd_oldest_read,
    output logic [       3:0] rd_oldest_code,
    output logic [      31:0] rd_oldest_bytes,
    output logic [       7:0] rd_waiting,        // of completions
    // Writing half, in the same way
    input  logic              wr_submit,
    input  logic [ADDR_W-1:0] wr_addr,
    input  logic [      31:0] wr_bytes,
    output logic [       7:0] wr_free,
    output logic              wr_queue_valid,
    input  logic              wr_queue_ready,
    output logic [ADDR_W-1:0] wr_queue_addr,
    output logic [      31:0] wr_queue_bytes,
    input  logic              wr_reported_early,
    input  logic              wr_done_valid,
    input  logic [       3:0] wr_done_code,
    input  logic              wr_done_source,
    input  logic              wr_done_packet,
    input  logic [      31:0] wr_done_bytes,
    output logic              wr_oldest_valid,
    input  logic              wr_oldest_read,
    output logic [       3:0] wr_oldest_code,
    output logic              wr_oldest_source,
    output logic              wr_oldest_packet,
    output logic [      31:0] wr_oldest_bytes,
    output logic [       7:0] wr_waiting
);

  localparam bit [31:0] CUT = UNALIGNED ? 0 : $clog2(DATA_W / 8);
  localparam bit [31:0] COMMAND_W = ADDR_W + 32 - 2 * CUT + (UNALIGNED ? 0 : 1);
  localparam bit [31:0] LOW_W = $clog2(DATA_W / 8);

  wire [31:0] read_bytes = COPY ? wr_bytes : rd_bytes;
  wire rd_odd = rd_addr[LOW_W-1:0] != '0 || read_bytes[LOW_W-1:0] != '0;
  wire wr_odd = wr_addr[LOW_W-1:0] != '0 || wr_bytes[LOW_W-1:0] != '0;
  logic wr_accept;

  // Each is used in some variants.
  wire unused = &{
    1'b0, rd_submit, rd_last, rd_bytes, read_bytes, rd_addr, rd_odd, rd_queue_ready, rd_reported_early,
    rd_done_valid, rd_done_code, rd_done_bytes, rd_oldest_read, wr_submit, wr_addr, wr_bytes, wr_odd,
    wr_accept, wr_queue_ready, wr_reported_early, wr_done_valid, wr_done_code, wr_done_source,
    wr_done_packet, wr_done_bytes, wr_oldest_read
  };

  function automatic logic [COMMAND_W-1:0] pack(input logic [ADDR_W-1:0] addr,
                                                input logic [31:0] bytes, input logic odd);
    if (UNALIGNED) pack = COMMAND_W'({bytes, addr});
    else pack = COMMAND_W'({bytes[31:CUT], addr[ADDR_W-1:CUT], odd});
  endfunction

  function automatic logic [ADDR_W+31:0] unpack(input logic [COMMAND_W-1:0] command);
    logic [ADDR_W+31:0] whole;
    whole = (ADDR_W + 32)'(command);
    if (!UNALIGNED) begin
      whole[ADDR_W+31:ADDR_W] = 32'(command >> (ADDR_W - CUT + 1)) << CUT;
      whole[ADDR_W-1:0] = (ADDR_W'(command >> 1) << CUT) | ADDR_W'(command[0]);
    end
    unpack = whole;
  endfunction

  generate
  if (HAS_WRITE) begin : g_write
    // A copy has no packets, and only whole beats if it is aligned; others have no source.
    localparam bit [31:0] DROP = COPY ? CUT : 0;
    logic [COMMAND_W-1:0] command;
    logic [31-DROP:0] oldest;
    logic oldest_flag;
    axm_dma_queue #(
        .DEPTH(QUEUE), .COMMAND_W(COMMAND_W), .DONE_W(37 - DROP)
    ) u_queue (
        .clk, .rst, .submit(wr_submit), .submit_data(pack(wr_addr, wr_bytes, wr_odd || (COPY && rd_odd))),
        .accept(wr_accept), .free(wr_free), .reported_early(wr_reported_early),
        .command_valid(wr_queue_valid), .command_ready(wr_queue_ready), .command,
        .done_valid(wr_done_valid),
        .done_data({wr_done_bytes[31:DROP], wr_done_code, COPY ? wr_done_source : wr_done_packet}),
        .oldest_valid(wr_oldest_valid), .oldest({oldest, wr_oldest_code, oldest_flag}),
        .oldest_read(wr_oldest_read), .waiting(wr_waiting)
    );
    assign {wr_queue_bytes, wr_queue_addr} = unpack(command);
    assign wr_oldest_bytes = 32'(oldest) << DROP;
    assign wr_oldest_source = COPY && oldest_flag;
    assign wr_oldest_packet = !COPY && oldest_flag;
  end else begin : g_no_write
    assign {wr_queue_valid, wr_accept, wr_queue_bytes, wr_queue_addr, wr_free, wr_waiting} = '0;
    assign {wr_oldest_valid, wr_oldest_packet, wr_oldest_source, wr_oldest_code, wr_oldest_bytes} = '0;
  end

  if (HAS_READ && !COPY) begin : g_read
    logic [COMMAND_W-1:0] command;
    logic unused_accept;
    axm_dma_queue #(
        .DEPTH(QUEUE), .COMMAND_W(COMMAND_W + 1), .DONE_W(36)
    ) u_queue (
        .clk, .rst, .submit(rd_submit), .submit_data({rd_last, pack(rd_addr, read_bytes, rd_odd)}),
        .accept(unused_accept), .free(rd_free), .reported_early(rd_reported_early),
        .command_valid(rd_queue_valid), .command_ready(rd_queue_ready),
        .command({rd_queue_last, command}), .done_valid(rd_done_valid),
        .done_data({rd_done_code, rd_done_bytes}), .oldest_valid(rd_oldest_valid),
        .oldest({rd_oldest_code, rd_oldest_bytes}), .oldest_read(rd_oldest_read), .waiting(rd_waiting)
    );
    assign {rd_queue_bytes, rd_queue_addr} = unpack(command);
    assign rd_queue_lane = '0;
  end else begin : g_no_read
    assign {rd_free, rd_waiting, rd_queue_last, rd_oldest_valid, rd_oldest_code, rd_oldest_bytes} = '0;
    if (COPY) begin : g_copy
      // A place in the writing half's queue is one here: its transfer is read before it is written.
      logic [COMMAND_W-1:0] command;
      logic [$clog2(QUEUE):0] submitted, started;
      axm_dma_list #(
          .WIDTH(COMMAND_W + LOW_W), .DEPTH(QUEUE)
      ) u_queue (
          .clk, .rst, .in_data({wr_addr[LOW_W-1:0], pack(rd_addr, wr_bytes, wr_odd || rd_odd)}),
          .in_valid(wr_accept), .out_data({rd_queue_lane, command}), .out_valid(rd_queue_valid),
          .out_ready(rd_queue_ready), .head(submitted), .tail(started)
      );
      assign {rd_queue_bytes, rd_queue_addr} = unpack(command);
      wire unused_pointers = &{1'b0, submitted, started};
    end else begin : g_none
      assign {rd_queue_valid, rd_queue_bytes, rd_queue_addr, rd_queue_lane} = '0;
    end
  end
  endgenerate

endmodule
