/* What every command needs of the agent: the design, and its blocks. */
#include "agent.h"

#include "registers.h"

enum axm_status axm_agent_device(struct axm_agent *agent, struct axm_device **device) {
  if (!agent->found)
    AXM_TRY(axm_open(&agent->device, agent->hal, agent->base));
  agent->found = true;
  *device = &agent->device;
  return AXM_OK;
}

enum axm_status axm_agent_block(struct axm_agent *agent, struct axm_arguments *arguments,
                                enum axm_block_type type, struct axm_block_info *info) {
  struct axm_device *device = NULL;
  uint64_t index = 0;
  AXM_TRY(axm_agent_device(agent, &device));
  AXM_TRY(axm_arguments_number(arguments, "block", 0, UINT32_MAX, &index));
  enum axm_status status = axm_device_block(device, (uint32_t)index, info);
  if (status == AXM_OK && type != AXM_BLOCK_NONE && info->type != (uint32_t)type)
    status = AXM_ERROR_TYPE;
  if (status != AXM_OK)
    arguments->about = "block";
  return status;
}
