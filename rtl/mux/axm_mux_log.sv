// Records the first fault of axm_mux since it was cleared, and counts all.
//
// Purpose      Reports cause and place of a fault to software. Causes are listed in axm_mux.
// Limits       Of several faults in one clock the lowest cause is recorded and one is counted. The count
//              stops at 2^16 - 1.
// Latency      Two clocks.
// Area         Part of axm_mux.
module axm_mux_log #(
    parameter bit [31:0] N = 4,
    parameter bit [31:0] ID_W = 4,
    parameter bit [31:0] M_ID_W = ID_W + $clog2(N)  // follows from the others
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              clear,
    input  logic              stray_b,
    input  logic [M_ID_W-1:0] stray_b_id,
    input  logic              stray_r,
    input  logic [M_ID_W-1:0] stray_r_id,
    input  logic [     N-1:0] late_w,
    input  logic [     N-1:0] bad_last,
    input  logic [     N-1:0] bad_wid,
    input  logic [     N-1:0] late_b,
    input  logic [     N-1:0] late_r,
    output logic              fault_valid,
    output logic [       2:0] fault_cause,
    output logic [       2:0] fault_master,
    output logic [  ID_W-1:0] fault_id,
    output logic [      15:0] fault_count
);

  logic [2:0] cause;
  logic [N-1:0] who;
  logic [2:0] master;
  // A fault is found at the end of long paths: it is recorded a clock later.
  logic stray_b_q, stray_r_q;
  logic [M_ID_W-1:0] id;
  logic [N-1:0] late_w_q, bad_last_q, bad_wid_q, late_b_q, late_r_q;
  always_ff @(posedge clk) begin
    {stray_b_q, stray_r_q} <= rst ? '0 : {stray_b, stray_r};
    {late_w_q, bad_last_q, bad_wid_q, late_b_q, late_r_q} <=
        rst ? '0 : {late_w, bad_last, bad_wid, late_b, late_r};
    id <= stray_b ? stray_b_id : stray_r_id;
  end

  always_comb begin
    cause = 3'd0;
    who = '0;
    if (stray_b_q) cause = 3'd1;
    else if (stray_r_q) cause = 3'd2;
    else if (late_w_q != '0) begin
      cause = 3'd3;
      who = late_w_q;
    end else if (bad_last_q != '0) begin
      cause = 3'd4;
      who = bad_last_q;
    end else if (bad_wid_q != '0) begin
      cause = 3'd5;
      who = bad_wid_q;
    end else if (late_b_q != '0) begin
      cause = 3'd6;
      who = late_b_q;
    end else if (late_r_q != '0) begin
      cause = 3'd7;
      who = late_r_q;
    end
    master = stray_b_q || stray_r_q ? 3'(id[M_ID_W-1:ID_W]) : 3'd0;
    for (int unsigned k = 0; k < N; k++) if (who[k]) master |= 3'(k);
  end

  always_ff @(posedge clk) begin
    if (rst || clear) begin
      fault_valid <= 1'b0;
      fault_cause <= '0;
      fault_master <= '0;
      fault_id <= '0;
      fault_count <= '0;
    end else if (cause != '0) begin
      if (fault_count != '1) fault_count <= fault_count + 16'd1;
      if (!fault_valid) begin
        fault_valid <= 1'b1;
        fault_cause <= cause;
        fault_master <= master;
        fault_id <= stray_b_q || stray_r_q ? id[ID_W-1:0] : '0;
      end
    end
  end

endmodule
