// Assertions of axm_ram_full: an answer for every burst, and none without one.
module axm_ram_full_checks (
    input logic       clk,
    input logic       rst,
    input logic       s_axi_awvalid,
    input logic       s_axi_awready,
    input logic       s_axi_wready,
    input logic       s_axi_bvalid,
    input logic       s_axi_bready,
    input logic       s_axi_arvalid,
    input logic       s_axi_arready,
    input logic       s_axi_rvalid,
    input logic       s_axi_rready,
    input logic       s_axi_rlast,
    input logic       aw_valid,
    input logic       aw_done,
    input logic       ar_valid,
    input logic       w_last,
    input logic [7:0] w_beat,
    input logic [7:0] r_beat,
    input logic       w_bad
);

  logic [7:0] writes, reads, to_answer;
  always_ff @(posedge clk) begin
    if (rst) begin
      writes <= '0;
      reads <= '0;
      to_answer <= '0;
    end else begin
      writes <= writes + 8'(s_axi_awvalid && s_axi_awready) - 8'(s_axi_bvalid && s_axi_bready);
      reads <= reads + 8'(s_axi_arvalid && s_axi_arready) - 8'(s_axi_rvalid && s_axi_rready && s_axi_rlast);
      to_answer <= to_answer + 8'(aw_done) - 8'(s_axi_bvalid && s_axi_bready);
    end
  end

  asked_write : assert property (@(posedge clk) disable iff (rst) s_axi_bvalid |-> writes != '0 && to_answer != '0);
  asked_read : assert property (@(posedge clk) disable iff (rst) s_axi_rvalid |-> reads != '0);
  data_have_an_address : assert property (@(posedge clk) disable iff (rst) s_axi_wready |-> aw_valid);
  writes_at_rest : assert property (@(posedge clk) disable iff (rst)
      writes == '0 |-> w_beat == '0 && !w_bad && !aw_valid);
  reads_at_rest : assert property (@(posedge clk) disable iff (rst) reads == '0 |-> r_beat == '0 && !ar_valid);

endmodule

bind axm_ram_full axm_ram_full_checks u_checks (.*);
