// Clocks axm_rules_replay until it ends. One clock is two units of time; the edge is at the odd ones.
#include "Vaxm_rules_replay.h"
#include "verilated.h"

int main(int argc, char** argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  Vaxm_rules_replay top{&context};
  while (!context.gotFinish()) {
    top.clk = static_cast<CData>(context.time() % 2);
    top.eval();
    context.timeInc(1);
  }
  top.final();
  return 0;
}
