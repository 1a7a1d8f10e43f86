// Assertions of axm_dma_guard: who is clean has nothing to report and notes no fault.
module axm_dma_guard_checks #(
    parameter int unsigned OPEN_W = 7
) (
    input logic              clk,
    input logic              rst,
    input logic              dead,
    input logic              clean,
    input logic              begun,
    input logic              ended,
    input logic              report,
    input logic              pop,
    input logic              cmd_valid,
    input logic              bus_idle,
    input logic              suspect,
    input logic              draining,
    input logic [OPEN_W-1:0] open,
    input logic [       4:0] first_fault
);

  at_rest : assert property (@(posedge clk) disable iff (rst) clean && !dead |-> open == '0 && !suspect && bus_idle);
  no_old_fault : assert property (@(posedge clk) disable iff (rst) clean && !dead |-> first_fault == '0);
  not_below_none : assert property (@(posedge clk) disable iff (rst) ended && !begun |-> open != '0);
  begins_alive : assert property (@(posedge clk) disable iff (rst) begun || ended |-> !dead);
  drops_what_waits : assert property (@(posedge clk) disable iff (rst) pop |-> dead && cmd_valid);
  reports_when_stopped : assert property (@(posedge clk) disable iff (rst) report || draining |-> dead);

endmodule

bind axm_dma_guard axm_dma_guard_checks #(.OPEN_W(OPEN_W)) u_checks (.*);
