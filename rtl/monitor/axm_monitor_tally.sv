// Event counters in distributed RAM, in two banks: one counts, the other is emptied.
//
// Purpose      Counts up to one event a clock, each for one of ENTRIES entries. The bank that does not
//              count is read and zeroed by axm_monitor_gather.
// Limits       An entry wraps above 2^WIDTH - 1: it has to be emptied before.
// Throughput   One event a clock, and one entry emptied a clock.
// Latency      An event of clock t is in its entry from t + 1 on; an exchange of the banks in the same
//              clock comes after it.
// Area         36 LUT and no FF on xc7 with 16 entries of 6 bits (synthesised alone).
module axm_monitor_tally #(
    parameter bit [31:0] ENTRIES = 16,
    parameter bit [31:0] WIDTH   = 6,
    parameter bit [31:0] INDEX_W = $clog2(ENTRIES)  // follows from the others
) (
    input  logic               clk,
    input  logic               bank,        // the bank that counts
    input  logic               event_valid,
    input  logic [INDEX_W-1:0] event_index,
    input  logic               take,        // zero the entry below in the other bank
    input  logic [INDEX_W-1:0] take_index,
    output logic [  WIDTH-1:0] take_count   // the entry's count in the other bank
);

  genvar k;
  generate
  if (ENTRIES < 2 || (ENTRIES & (ENTRIES - 1)) != 0) begin : g_check
    axm_error_ENTRIES_must_be_a_power_of_two_from_2_on u_error ();
  end
  endgenerate

  logic [WIDTH-1:0] first, second;  // of the banks

  generate
  for (k = 0; k < 2; k++) begin : g_bank
    wire counts = bank == 1'(k);
    wire [INDEX_W-1:0] index = counts ? event_index : take_index;
    wire [WIDTH-1:0] entry;
    axm_small_ram #(
        .WIDTH(WIDTH), .DEPTH(ENTRIES)
    ) u_entries (
        .clk, .write(counts ? event_valid : take), .write_place(index),
        .write_word(counts ? entry + 1'b1 : '0), .read_place(index), .word(entry)
    );
    if (k == 0) begin : g_first
      assign first = entry;
    end else begin : g_second
      assign second = entry;
    end
  end
  endgenerate

  assign take_count = bank ? first : second;

endmodule
