// On-chip RAM behind an AXI4-Lite slave port (block type 11): the memory is the block's window.
//
// Purpose      The custom AXI-Lite slave behind a GP port (Melo and Valinoti 2018). It has no registers:
//              the table of the identification block names its window.
// Limits       BYTES is a power of two from 64 to 2^20; address bits above it are ignored.
// Throughput   One word a clock in both directions together.
// Latency      One clock from the address (read), or from address and data (write), to the response.
// Area         32 bit, 4 KiB: xc7 68 LUT, 61 FF, 1 block RAM; Cyclone V 70 ALUT, 61 FF (area.toml).
`include "axm_ports.svh"

module axm_ram_lite #(
    parameter bit [31:0] ADDR_W = 12,
    parameter bit [31:0] DATA_W = 32,
    parameter bit [31:0] BYTES = 4096,
    parameter bit [31:0] STRB_W = DATA_W / 8  // follows from the others
) (
    `AXM_AXIL_SLAVE(s_axil_, ADDR_W, DATA_W)
    input  logic              clk,
    input  logic              rst
);

  generate
  if (DATA_W != 32 && DATA_W != 64) begin : g_check_data
    axm_error_DATA_W_must_be_32_or_64 u_error ();
  end
  if (BYTES < 64 || BYTES > 1048576 || (BYTES & (BYTES - 1)) != 0) begin : g_check_bytes
    axm_error_BYTES_must_be_a_power_of_two_from_64_to_1048576 u_error ();
  end
  if (ADDR_W < $clog2(BYTES) || ADDR_W > 64) begin : g_check_addr
    axm_error_ADDR_W_must_be_at_most_64_and_reach_all_BYTES u_error ();
  end
  endgenerate

  localparam bit [31:0] PLACE_W = $clog2(BYTES);
  localparam bit [31:0] SHIFT = $clog2(STRB_W);
  localparam bit [31:0] INDEX_W = PLACE_W - SHIFT;

  wire unused = &{
    1'b0, s_axil_awprot, s_axil_arprot, s_axil_awaddr[SHIFT-1:0], s_axil_araddr[SHIFT-1:0]
  };
  generate
  if (ADDR_W > PLACE_W) begin : g_unused
    wire unused_high = &{1'b0, s_axil_awaddr[ADDR_W-1:PLACE_W], s_axil_araddr[ADDR_W-1:PLACE_W]};
  end
  endgenerate

  // What is taken and cannot be done at once is kept, for READY is a register.
  logic [INDEX_W-1:0] write_index, read_index;
  logic [DATA_W-1:0] write_data;
  logic [STRB_W-1:0] write_strobes;
  logic aw_valid, w_valid, ar_valid;
  wire write = aw_valid && w_valid && (!s_axil_bvalid || s_axil_bready);
  wire read = ar_valid && (!s_axil_rvalid || s_axil_rready);

  axm_hold #(.WIDTH(INDEX_W)) u_aw (
      .clk, .rst, .in_data(s_axil_awaddr[PLACE_W-1:SHIFT]), .in_valid(s_axil_awvalid),
      .in_ready(s_axil_awready), .out_data(write_index), .out_valid(aw_valid), .out_ready(write)
  );
  axm_hold #(.WIDTH(DATA_W + STRB_W)) u_w (
      .clk, .rst, .in_data({s_axil_wdata, s_axil_wstrb}), .in_valid(s_axil_wvalid),
      .in_ready(s_axil_wready), .out_data({write_data, write_strobes}), .out_valid(w_valid),
      .out_ready(write)
  );
  axm_hold #(.WIDTH(INDEX_W)) u_ar (
      .clk, .rst, .in_data(s_axil_araddr[PLACE_W-1:SHIFT]), .in_valid(s_axil_arvalid),
      .in_ready(s_axil_arready), .out_data(read_index), .out_valid(ar_valid), .out_ready(read)
  );

  assign s_axil_bresp = 2'b00;
  assign s_axil_rresp = 2'b00;

  always_ff @(posedge clk) begin
    if (rst) begin
      s_axil_bvalid <= 1'b0;
      s_axil_rvalid <= 1'b0;
    end else begin
      s_axil_bvalid <= write || (s_axil_bvalid && !s_axil_bready);
      s_axil_rvalid <= read || (s_axil_rvalid && !s_axil_rready);
    end
  end

  axm_ram_memory #(
      .WORDS(BYTES / STRB_W), .DATA_W(DATA_W)
  ) u_memory (
      .clk, .write(write ? write_strobes : '0), .write_index, .write_data, .read, .read_index,
      .read_data(s_axil_rdata)
  );

endmodule
