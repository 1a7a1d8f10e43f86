/* The models for programs in C, and for Python by ctypes: an engine by its name, on memory of the
 * caller's. */
#ifndef AXM_ENGINES_MODEL_H
#define AXM_ENGINES_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct axm_model;

/* An access of the engine's master: puts `bytes` into memory, or takes them; false where there is
 * none. */
typedef bool axm_model_memory(void *self, bool write, uint64_t address, void *bytes, size_t count);

/* `engine`: see options.hpp. `latency`: clocks of memory. NULL, with a line on standard error, for
 * a name or a parameter that is none. */
struct axm_model *axm_model_make(const char *engine, unsigned latency, axm_model_memory *memory,
                                 void *self);
void axm_model_free(struct axm_model *model);
uint32_t axm_model_read(struct axm_model *model, uint32_t offset);
void axm_model_write(struct axm_model *model, uint32_t offset, uint32_t value);
/* Lets clocks pass, fewer if the interrupt changes; whether anything moved. */
bool axm_model_run(struct axm_model *model, unsigned clocks);
/* While it is held, no clock passes. */
void axm_model_hold(struct axm_model *model, bool held);
bool axm_model_interrupt(struct axm_model *model);
/* A line for each objection; empty if there was none. */
const char *axm_model_said(struct axm_model *model);

#ifdef __cplusplus
}
#endif

#endif
