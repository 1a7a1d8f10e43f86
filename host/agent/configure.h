/* What `configure stream` shares among kinds of engines. */
#ifndef AXM_AGENT_CONFIGURE_H
#define AXM_AGENT_CONFIGURE_H

#include "agent.h"

/* The part of a buffer that the keys `from` and `from_offset` name: what a copy reads. */
enum axm_status axm_configure_from(struct axm_agent *agent, struct axm_arguments *arguments,
                                   struct axm_stream *stream) AXM_CHECKED;
/* A stream of the vendor's engine whose block `info` is; `half` and the buffer are taken. */
enum axm_status axm_configure_vendor(struct axm_agent *agent, struct axm_arguments *arguments,
                                     const struct axm_block_info *info,
                                     struct axm_stream *stream) AXM_CHECKED;

#endif
