/* Programs of a PL330: see axm/pl330.h. Instructions: DDI 0424, chapter 4. */
#include "axm/pl330.h"

enum { /* first bytes */
       DMAEND = 0x00,
       DMALD = 0x04,
       DMAST = 0x08,
       DMAWMB = 0x13,
       DMALP = 0x20,    /* | counter << 1 */
       DMALPEND = 0x38, /* | counter << 2: of a loop that DMALP began */
       DMAMOV = 0xBC,
};
enum { SOURCE = 0, CONTROL = 1, DESTINATION = 2 }; /* registers of DMAMOV */
enum { MOST_LOOPS = 256, MOVE_BYTES = 6 };

struct writer {
  unsigned char *code;
  uint32_t size;
  uint32_t cache; /* of reads and writes, bits of CCR */
};

static void put(struct writer *to, uint32_t byte) {
  if (to->size < AXM_PL330_PROGRAM_BYTES)
    to->code[to->size] = (unsigned char)byte;
  ++to->size;
}

static void put_word(unsigned char *to, uint32_t word) {
  for (int i = 0; i < 4; ++i)
    to[i] = (unsigned char)(word >> 8 * i);
}

static void move(struct writer *to, uint32_t what, uint32_t value) {
  put(to, DMAMOV);
  put(to, what);
  for (int i = 0; i < 4; ++i)
    put(to, value >> 8 * i & 0xFFu);
}

static uint32_t log2_of(uint32_t power) {
  uint32_t found = 0;
  while (power > 1u << found)
    ++found;
  return found;
}

/* Both sides: addresses that count up, beats of `size` bytes, `beats` of them a burst. */
static void control(struct writer *to, uint32_t size, uint32_t beats) {
  const uint32_t side = 1u | log2_of(size) << 1 | (beats - 1) << 4;
  move(to, CONTROL, side | side << 14 | to->cache);
}

static void load_and_store(struct writer *to) {
  put(to, DMALD);
  put(to, DMAST);
}

/* `count` bursts: two nested loops, then one more for what is left. */
static void bursts(struct writer *to, uint32_t count) {
  const uint32_t outer = count / MOST_LOOPS;
  const uint32_t rest = count % MOST_LOOPS;
  if (outer > MOST_LOOPS) {
    to->size = AXM_PL330_PROGRAM_BYTES + 1; /* two loops do not reach that far */
    return;
  }
  if (outer > 0) {
    put(to, DMALP);
    put(to, outer - 1);
    const uint32_t outer_body = to->size;
    put(to, DMALP | 1u << 1);
    put(to, MOST_LOOPS - 1);
    const uint32_t body = to->size;
    load_and_store(to);
    put(to, DMALPEND | 1u << 2);
    put(to, to->size - 1 - body);
    put(to, DMALPEND);
    put(to, to->size - 1 - outer_body);
  }
  if (rest > 1) {
    put(to, DMALP);
    put(to, rest - 1);
    const uint32_t body = to->size;
    load_and_store(to);
    put(to, DMALPEND);
    put(to, to->size - 1 - body);
  } else if (rest == 1) {
    load_and_store(to);
  }
}

/* `bytes` from an aligned place on, in bursts of `beats` and then one of what is left. */
static uint32_t part(struct writer *to, uint32_t bytes, uint32_t size, uint32_t beats) {
  const uint32_t whole = bytes / (size * beats);
  const uint32_t left = bytes / size % beats;
  if (whole > 0) {
    control(to, size, beats);
    bursts(to, whole);
  }
  if (left > 0) {
    control(to, size, left);
    bursts(to, 1);
  }
  return bytes % size;
}

/* The largest power of two, at most `most`, that both addresses are the same distance from. */
static uint32_t alike(uint32_t a, uint32_t b, uint32_t most) {
  uint32_t found = most;
  while (((a ^ b) & (found - 1)) != 0)
    found /= 2;
  return found;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

enum axm_status axm_pl330_program(const struct axm_pl330_transfer *transfer,
                                  const struct axm_pl330_config *config, uint32_t bus_bytes,
                                  unsigned char *code, uint32_t *size) {
  const uint32_t beats_wanted = config->burst_beats;
  if (transfer->bytes == 0 || beats_wanted == 0 || beats_wanted > AXM_PL330_BURST_BEATS ||
      bus_bytes == 0 || (bus_bytes & (bus_bytes - 1)) != 0 ||
      transfer->to > UINT32_MAX - (transfer->bytes - 1) ||
      transfer->from > UINT32_MAX - (transfer->bytes - 1))
    return AXM_ERROR_ARGUMENT;
  /* AxCACHE: normal memory, buffered; with the caches in sight, cached. Of DMA-330's CCR. */
  const uint32_t cache = config->coherent ? 0x7u : 0x3u;
  struct writer to = {.code = code, .cache = cache << 11 | cache << 25};
  uint32_t wanted = 1u << log2_of(beats_wanted);
  if (wanted > beats_wanted)
    wanted /= 2;
  const uint32_t burst = alike(transfer->to, transfer->from, wanted * bus_bytes);
  const uint32_t beat = least(burst, bus_bytes);
  const uint32_t beats = burst / beat;
  uint32_t left = transfer->bytes;

  move(&to, SOURCE, transfer->from);
  move(&to, DESTINATION, transfer->to);
  const uint32_t bytes_first = least((0u - transfer->to) & (beat - 1), left);
  (void)part(&to, bytes_first, 1, AXM_PL330_BURST_BEATS);
  left -= bytes_first;
  const uint32_t at = transfer->to + bytes_first;
  const uint32_t beats_first = least((0u - at) & (burst - 1), left / beat * beat);
  (void)part(&to, beats_first, beat, beats);
  left -= beats_first;
  left = part(&to, left, beat, beats);
  (void)part(&to, left, 1, AXM_PL330_BURST_BEATS);
  put(&to, DMAWMB);
  put(&to, DMAEND);
  *size = to.size;
  return to.size <= AXM_PL330_PROGRAM_BYTES ? AXM_OK : AXM_ERROR_RANGE;
}

void axm_pl330_readdress(const struct axm_pl330_transfer *transfer, unsigned char *code) {
  put_word(code + 2, transfer->from);
  put_word(code + MOVE_BYTES + 2, transfer->to);
}
