// Register slices in a row: what a valid/ready channel meets on a long way.
//
// Purpose      Models the latency of an interconnect.
// Limits       WIDTH and STAGES at least 1 and 0; with STAGES = 0 it is a wire.
// Throughput   One word a clock.
// Latency      STAGES clocks.
// Area         STAGES times that of axm_skid.
module axm_chain #(
    parameter bit [31:0] WIDTH = 32,
    parameter bit [31:0] STAGES = 1
) (
    input  logic             clk,
    input  logic             rst,
    input  logic [WIDTH-1:0] in_data,
    input  logic             in_valid,
    output logic             in_ready,
    output logic [WIDTH-1:0] out_data,
    output logic             out_valid,
    input  logic             out_ready
);

  // Between stage k - 1 and stage k.
  logic [WIDTH-1:0] data[STAGES+1];
  logic valid[STAGES+1];
  logic ready[STAGES+1];

  assign data[0] = in_data;
  assign valid[0] = in_valid;
  assign in_ready = ready[0];
  assign out_data = data[STAGES];
  assign out_valid = valid[STAGES];
  assign ready[STAGES] = out_ready;

  genvar k;
  generate
  if (STAGES == 0) begin : g_wire
    wire unused = &{1'b0, clk, rst};
  end
  endgenerate

  generate
  for (k = 0; k < STAGES; k++) begin : g_stage
    axm_skid #(
        .WIDTH(WIDTH)
    ) u_stage (
        .clk,
        .rst,
        .in_data  (data[k]),
        .in_valid (valid[k]),
        .in_ready (ready[k]),
        .out_data (data[k+1]),
        .out_valid(valid[k+1]),
        .out_ready(ready[k+1])
    );
  end
  endgenerate

endmodule
