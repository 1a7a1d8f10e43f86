// How a rule is written.
//
// `AXM_RULE(NAME, ASSUMED, WHEN, EXPR): in every clock in which WHEN holds, EXPR holds.
// NAME is the rule's name below the name of the checker's instance: `aw` and `held` is aw.held.
//
// Formal (FORMAL is defined): an assertion, or with ASSUMED = 1 an assumption about the other side.
// Simulation: always a check, at the rising edge of clk. AXM_RULE_BROKEN(NAME) defines the action; by
// default the simulation ends with the path of the rule. Define it before this file to change that.
`ifndef AXM_RULES_SVH
`define AXM_RULES_SVH

// `AXM_STAYS(SIGNAL, ASSUMED): rule stable_SIGNAL: a waiting signal (`kept`) is as it was (`SIGNAL_q`).
`ifndef AXM_RULE_BROKEN
`define AXM_RULE_BROKEN(NAME) $error("%m: this AXI rule is broken")
`endif

`ifdef FORMAL
`define AXM_RULE(NAME, ASSUMED, WHEN, EXPR) \
  if (ASSUMED) begin : g_``NAME \
    always_comb begin \
      if (!rst && (WHEN)) NAME : assume (EXPR); \
    end \
  end else begin : g_``NAME \
    always_comb begin \
      if (!rst && (WHEN)) NAME : assert (EXPR); \
    end \
  end
`else
`define AXM_RULE(NAME, ASSUMED, WHEN, EXPR) \
  if (1) begin : g_``NAME \
    always @(posedge clk) begin \
      if (!rst && (WHEN) && !(EXPR)) `AXM_RULE_BROKEN(NAME); \
    end \
  end
`endif

`define AXM_STAYS(SIGNAL, ASSUMED) \
  `AXM_RULE(stable_``SIGNAL, ASSUMED, kept, SIGNAL == SIGNAL``_q)

`endif
