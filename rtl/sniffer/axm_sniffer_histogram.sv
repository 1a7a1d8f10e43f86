// A histogram in a small memory, one event a clock.
//
// Purpose      Counts events by bin. The memory has one port: events use it, and when there is none,
//              the reader. So reads are exact only while nothing is counted.
// Limits       BINS is a power of two. A full bin stays full and reports it (`full`).
// Throughput   One event, or one bin cleared, a clock.
// Latency      An event is in the memory in the next clock. `count` is combinational.
// Area         xc7, 32 bits a bin: 63 LUT with 32 bins, 80 with 64.
module axm_sniffer_histogram #(
    parameter bit [31:0] BINS = 32,
    parameter bit [31:0] COUNT_W = 32,
    parameter bit [31:0] BIN_W = $clog2(BINS)  // follows from the others
) (
    input  logic               clk,
    input  logic               clear,     // sets the bin `sweep` to 0
    input  logic [  BIN_W-1:0] sweep,
    input  logic               hit,       // counts an event in `bin`
    input  logic [  BIN_W-1:0] bin,
    input  logic [  BIN_W-1:0] read_bin,
    output logic [COUNT_W-1:0] count,     // of `read_bin`, if neither clear nor hit
    output logic               full       // an event was not counted: its bin is full
);

  generate
  if (BINS < 2 || (BINS & (BINS - 1)) != 0) begin : g_check
    axm_error_BINS_must_be_a_power_of_two_from_2 u_error ();
  end
  endgenerate

  wire [BIN_W-1:0] place = clear ? sweep : hit ? bin : read_bin;

  always_comb begin
    full = hit && !clear;
    if (full) full = count == '1;
  end

  axm_small_ram #(
      .WIDTH(COUNT_W), .DEPTH(BINS)
  ) u_bins (
      .clk, .write(clear || (hit && !full)), .write_place(place),
      .write_word(clear ? '0 : count + 1'b1), .read_place(place), .word(count)
  );

endmodule
