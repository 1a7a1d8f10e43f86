// Records the first fault of a run of a simple master, with the address of its burst.
//
// Purpose      Error report and time-out of axm_master_engine.
// Limits       Of several faults in one clock it records the first in the order of the ports.
// Latency      One clock; a time-out is detected `timeout` clocks after the last handshake.
// Area         Part of axm_master_full.
module axm_master_faults #(
    parameter bit [31:0] ADDR_W = 32
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              begin_run,        // forgets the fault of the run before
    input  logic              refused,          // pulses: what went wrong
    input  logic [ADDR_W-1:0] refused_address,
    input  logic              response,         // SLVERR or DECERR
    input  logic [       1:0] response_code,
    input  logic              bad_last,
    input  logic              bad_id,
    input  logic              unexpected,
    input  logic [ADDR_W-1:0] entry_address,    // of the burst that is answered
    input  logic              waiting,          // levels: the bus owes something
    input  logic              progress,
    input  logic              address_waits,
    input  logic              data_waits,
    input  logic [ADDR_W-1:0] address,          // of the burst that is sent
    input  logic [      31:0] timeout,          // clocks; 0 is never
    output logic [       3:0] cause,            // as masters.rdl has it
    output logic [ADDR_W-1:0] cause_addr
);

  logic [31:0] elapsed;
  wire expired = waiting && !progress && timeout != '0 && elapsed == timeout - 32'd1;

  logic [3:0] found;

  always_comb begin
    found = 4'd0;
    if (refused) found = 4'd7;
    else if (unexpected) found = 4'd6;
    else if (bad_id) found = 4'd5;
    else if (response) found = {2'b00, response_code};
    else if (bad_last) found = 4'd4;
    else if (expired) found = address_waits ? 4'd8 : data_waits ? 4'd9 : 4'd10;
  end

  always_ff @(posedge clk) begin
    if (rst || !waiting || progress) elapsed <= '0;
    else if (!expired) elapsed <= elapsed + 32'd1;

    if (rst || begin_run) begin
      cause <= '0;
      cause_addr <= '0;
    end else if (refused || (cause == '0 && found != '0)) begin
      cause <= found;
      cause_addr <= refused ? refused_address
          : expired && (address_waits || data_waits) ? address : entry_address;
    end
  end

endmodule
