/* Streams of vendors' engines (axm/vendor.h), while a job runs: begin, go, look, end. Their engines
 * are started for a run and stopped after it, so that nothing of them outlasts a job. */
#ifndef AXM_AGENT_JOB_ENGINE_H
#define AXM_AGENT_JOB_ENGINE_H

#include "job.h"

/* Starts the engines of a job and gives them what they may have before they begin: descriptors in
 * memory. After an error nothing of them runs. */
enum axm_status axm_engines_begin(struct axm_job *job) AXM_CHECKED;
/* Begins what a stream has to move. */
enum axm_status axm_engine_go(struct axm_stream *stream) AXM_CHECKED;
/* Takes over what a stream that runs has come to; nothing if it is still at it. */
enum axm_status axm_engine_look(struct axm_stream *stream, uint64_t since_start) AXM_CHECKED;
/* Stops all engines that were started; AXM_OK only when none reaches memory any more. A stream
 * whose engine did not stop has the state AXM_STREAM_TIMEOUT. */
enum axm_status axm_engines_end(struct axm_job *job) AXM_CHECKED;

#endif
