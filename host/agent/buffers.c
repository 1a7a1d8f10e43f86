/* The agent's buffers: which there are, and the parts of them that commands name. */
#include "buffers.h"

#include "registers.h"

enum axm_status axm_buffers_named(struct axm_buffers *buffers, struct axm_arguments *arguments,
                                  const char *key, struct axm_memory **memory) {
  uint64_t number = 0;
  AXM_TRY(axm_arguments_number(arguments, key, 0, AXM_BUFFERS - 1, &number));
  *memory = &buffers->buffer[number].memory;
  if ((*memory)->size != 0)
    return AXM_OK;
  arguments->about = key;
  return AXM_ERROR_EMPTY;
}

enum axm_status axm_buffers_span(struct axm_buffers *buffers, struct axm_arguments *arguments,
                                 struct axm_span *span) {
  struct axm_memory *memory = NULL;
  AXM_TRY(axm_buffers_named(buffers, arguments, "buffer", &memory));
  *span = (struct axm_span){.memory = memory};
  AXM_TRY(axm_arguments_option(arguments, "offset", 0, memory->size - 1, &span->offset));
  span->size = memory->size - span->offset;
  return axm_arguments_option(arguments, "bytes", 1, span->size, &span->size);
}

enum axm_status axm_buffers_release(struct axm_buffers *buffers, const struct axm_hal *hal) {
  enum axm_status result = AXM_OK;
  for (uint32_t i = 0; i < AXM_BUFFERS; ++i) {
    const struct axm_memory old = buffers->buffer[i].memory;
    buffers->buffer[i].memory = (struct axm_memory){0};
    if (old.size == 0)
      continue;
    const enum axm_status status = hal->release(hal->self, &old);
    if (status != AXM_OK)
      result = status;
  }
  return result;
}
