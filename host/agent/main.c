/* The agent as a program: see main.h. */
#include "main.h"

#include "serve.h"

int axm_agent_main(const struct axm_hal *hal, uint64_t base) {
  static struct axm_agent agent; /* static: too large for the stack of a small target */
  axm_agent_init(&agent, hal, base);
  const enum axm_status status = axm_agent_serve(&agent);
  const enum axm_status back = axm_platform_back(&agent.platform);
  return (int)(status != AXM_OK ? status : back);
}
