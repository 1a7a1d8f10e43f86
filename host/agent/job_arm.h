/* What is done with the blocks of a job before it runs, and after. */
#ifndef AXM_AGENT_JOB_ARM_H
#define AXM_AGENT_JOB_ARM_H

#include "agent.h"

/* Starts and stops whatever watches: all monitors and sniffers of the design. */
enum axm_status axm_watch(struct axm_agent *agent, bool on) AXM_CHECKED;
/* Writes everything into the registers but the words that start the streams. */
enum axm_status axm_job_arm(struct axm_agent *agent, struct axm_arguments *arguments) AXM_CHECKED;
/* Ends a stream that runs; waits for a clean bus, at most some ms. */
enum axm_status axm_stream_end(struct axm_stream *stream, enum axm_stream_state state) AXM_CHECKED;

#endif
