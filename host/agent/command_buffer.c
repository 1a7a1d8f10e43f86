/* `buffer`: DMA memory that the host allocates, fills, checks and frees. */
#include <string.h>

#include "agent.h"
#include "commands.h"
#include "registers.h"

enum { PATTERN_VALUE, PATTERN_RAMP, PATTERN_HASH, PATTERN_STREAM, PATTERN_ADDRESS, PATTERN_LINEAR };

static const char *const patterns[] = {"value",   "ramp",   "hash", "stream",
                                       "address", "linear", NULL};

static enum axm_status allocate(struct axm_agent *agent, struct axm_arguments *arguments) {
  uint64_t size = 0;
  /* A given address includes the alignment. */
  uint64_t align = axm_arguments_has(arguments, "address") ? 1 : 4096;
  uint64_t address = AXM_ANY_ADDRESS;
  AXM_TRY(axm_arguments_number(arguments, "size", 1, UINT64_C(1) << 40, &size));
  AXM_TRY(axm_arguments_option(arguments, "align", 1, UINT64_C(1) << 40, &align));
  AXM_TRY(axm_arguments_option(arguments, "address", 0, AXM_ANY_ADDRESS - 1, &address));
  AXM_TRY(axm_arguments_end(arguments));
  if ((align & (align - 1)) != 0) {
    arguments->about = "align";
    return AXM_ERROR_ARGUMENT;
  }
  uint32_t number = 0;
  while (number < AXM_BUFFERS && agent->buffers.buffer[number].memory.size != 0)
    ++number;
  if (number == AXM_BUFFERS)
    return AXM_ERROR_FULL;
  struct axm_memory memory = {0};
  AXM_TRY(agent->hal->alloc(agent->hal->self, size, align, address, &memory));
  agent->buffers.buffer[number].memory = memory;
  axm_reply_number(&agent->reply, "buffer", number);
  axm_reply_hex(&agent->reply, "address", memory.bus_address);
  axm_reply_number(&agent->reply, "size", memory.size);
  return AXM_OK;
}

static enum axm_status release(struct axm_agent *agent, struct axm_memory *memory) {
  const struct axm_memory old = *memory;
  *memory = (struct axm_memory){0};
  return agent->hal->release(agent->hal->self, &old);
}

static enum axm_status command_free(struct axm_agent *agent, struct axm_arguments *arguments) {
  struct axm_memory *memory = NULL;
  AXM_TRY(axm_buffers_named(&agent->buffers, arguments, "buffer", &memory));
  AXM_TRY(axm_arguments_end(arguments));
  /* A job may use it: arm again, with the buffers that there are then. */
  axm_job_forget(&agent->job);
  return release(agent, memory);
}

/* Word `index` (32 bits, little-endian) of a pattern. The address and the linear pattern count
 * their words from the bus's address 0 on. */
static uint32_t word_of(uint32_t pattern, uint32_t seed, uint64_t index) {
  if (pattern == PATTERN_VALUE)
    return seed;
  if (pattern == PATTERN_STREAM) { /* what a stream source sends: regs/stream_source.rdl */
    const uint32_t i = (uint32_t)index;
    return i ^ i << 8 ^ i << 16 ^ i << 24 ^ seed;
  }
  if (pattern == PATTERN_ADDRESS) { /* what a traffic generator writes and expects */
    const uint32_t address = (uint32_t)(index * 4);
    return address ^ address << 16 ^ seed;
  }
  if (pattern == PATTERN_LINEAR) /* what a simple master writes and expects */
    return (uint32_t)(index * 4) ^ seed;
  uint32_t word = seed + (uint32_t)index;
  if (pattern == PATTERN_RAMP)
    return word;
  /* The finaliser of MurmurHash3 (public domain): every input bit moves every output bit. */
  word ^= word >> 16;
  word *= 0x85ebca6bu;
  word ^= word >> 13;
  word *= 0xc2b2ae35u;
  return word ^ word >> 16;
}

/* Sets a word, or what is left of the last; or returns whether it differs. Inline, so that whole
   words need no call of memcpy. */
static inline bool sweep_word(unsigned char *bytes, const unsigned char *wanted, size_t count,
                              bool set) {
  if (!set)
    return memcmp(bytes, wanted, count) != 0;
  memcpy(bytes, wanted, count);
  return false;
}

/* Words of the span that differ from the pattern are counted, or set to it. */
static void sweep(const struct axm_span *span, uint32_t pattern, uint32_t seed, uint64_t place,
                  bool set, uint64_t *wrong, uint64_t *first) {
  unsigned char *bytes = (unsigned char *)span->memory->memory + span->offset;
  for (uint64_t at = 0; at < span->size; at += 4) {
    const uint32_t word = word_of(pattern, seed, place + at / 4);
    const unsigned char wanted[4] = {(unsigned char)word, (unsigned char)(word >> 8),
                                     (unsigned char)(word >> 16), (unsigned char)(word >> 24)};
    const uint64_t left = span->size - at;
    const bool wrong_here = left < 4 ? sweep_word(bytes + at, wanted, (size_t)left, set)
                                     : sweep_word(bytes + at, wanted, 4, set);
    if (wrong_here && (*wrong)++ == 0)
      *first = at;
  }
}

static enum axm_status fill_or_check(struct axm_agent *agent, struct axm_arguments *arguments,
                                     bool fill) {
  struct axm_span span;
  uint32_t pattern = PATTERN_VALUE;
  uint32_t seed = 0;
  uint32_t place = 0; /* number of the first word in its pattern */
  AXM_TRY(axm_buffers_span(&agent->buffers, arguments, &span));
  AXM_TRY(axm_arguments_choice(arguments, "pattern", patterns, &pattern));
  AXM_TRY(axm_arguments_option32(arguments, "seed", 0, UINT32_MAX, &seed));
  AXM_TRY(axm_arguments_option32(arguments, "place", 0, UINT32_MAX, &place));
  AXM_TRY(axm_arguments_end(arguments));
  const struct axm_hal *hal = agent->hal;
  uint64_t wrong = 0;
  uint64_t first = 0;
  uint64_t at = place;
  if (pattern == PATTERN_ADDRESS || pattern == PATTERN_LINEAR)
    at += (span.memory->bus_address + span.offset) / 4;
  if (!fill)
    AXM_TRY(hal->invalidate(hal->self, span.memory, span.offset, span.size));
  sweep(&span, pattern, seed, at, fill, &wrong, &first);
  if (fill)
    return hal->clean(hal->self, span.memory, span.offset, span.size);
  axm_reply_number(&agent->reply, "wrong", wrong);
  if (wrong != 0)
    axm_reply_number(&agent->reply, "first", first);
  return AXM_OK;
}

/* How many bytes of two buffers differ. */
static enum axm_status compare(struct axm_agent *agent, struct axm_arguments *arguments) {
  struct axm_span span;
  struct axm_memory *other = NULL;
  uint64_t offset = 0;
  AXM_TRY(axm_buffers_span(&agent->buffers, arguments, &span));
  AXM_TRY(axm_buffers_named(&agent->buffers, arguments, "with", &other));
  AXM_TRY(axm_arguments_option(arguments, "with_offset", 0, other->size - 1, &offset));
  AXM_TRY(axm_arguments_end(arguments));
  if (span.size > other->size - offset) {
    arguments->about = "bytes";
    return AXM_ERROR_RANGE;
  }
  const struct axm_hal *hal = agent->hal;
  AXM_TRY(hal->invalidate(hal->self, span.memory, span.offset, span.size));
  AXM_TRY(hal->invalidate(hal->self, other, offset, span.size));
  const unsigned char *left = (const unsigned char *)span.memory->memory + span.offset;
  const unsigned char *right = (const unsigned char *)other->memory + offset;
  uint64_t wrong = 0;
  uint64_t first = 0;
  for (uint64_t i = 0; i < span.size; ++i) {
    if (left[i] != right[i] && wrong++ == 0)
      first = i;
  }
  axm_reply_number(&agent->reply, "wrong", wrong);
  if (wrong != 0)
    axm_reply_number(&agent->reply, "first", first);
  return AXM_OK;
}

enum axm_status axm_command_buffer(struct axm_agent *agent, struct axm_arguments *arguments) {
  if (strcmp(arguments->part, "allocate") == 0)
    return allocate(agent, arguments);
  if (strcmp(arguments->part, "free") == 0)
    return command_free(agent, arguments);
  if (strcmp(arguments->part, "fill") == 0)
    return fill_or_check(agent, arguments, true);
  if (strcmp(arguments->part, "check") == 0)
    return fill_or_check(agent, arguments, false);
  if (strcmp(arguments->part, "compare") == 0)
    return compare(agent, arguments);
  arguments->about = arguments->part;
  return AXM_ERROR_UNKNOWN;
}
