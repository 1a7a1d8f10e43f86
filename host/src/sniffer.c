/* The burst sniffer: see axm/sniffer.h. */
#include "axm/sniffer.h"

#include "counters.h"
#include "generated/sniffer.h"
#include "registers.h"

enum { RECORD_WORDS = 4, EXACT_BINS = 16, QUARTERS = 4 };

_Static_assert(AXM_SNIFFER_LENGTHS_COUNT == AXM_SNIFFER_BINS, "another number of bins");
_Static_assert(AXM_MOST(AXM_SNIFFER_CAPS2__WRITES) == (1u << AXM_SNIFFER_SLOTS) - 1,
               "another number of slots");

enum axm_status axm_sniffer_open(struct axm_sniffer *sniffer, const struct axm_block_info *info) {
  if (info->type != AXM_SNIFFER_BLOCK_TYPE)
    return AXM_ERROR_TYPE;
  if (info->map_version != AXM_SNIFFER_MAP_VERSION)
    return AXM_ERROR_VERSION;
  const uint32_t slots = AXM_GET(info->caps, AXM_SNIFFER_CAPS__SLOTS);
  const uint32_t records = AXM_GET(info->caps, AXM_SNIFFER_CAPS__RECORDS);
  if (slots == 0 || slots > AXM_SNIFFER_SLOTS || records > AXM_SNIFFER_RECORDS_COUNT / RECORD_WORDS)
    return AXM_ERROR_RANGE;
  *sniffer = (struct axm_sniffer){
      .block = info->block,
      .slots = slots,
      .records = records,
      .writes = AXM_GET(info->caps2, AXM_SNIFFER_CAPS2__WRITES),
  };
  return AXM_OK;
}

enum axm_status axm_sniffer_start(const struct axm_sniffer *sniffer) {
  uint32_t word = 0;
  AXM_TRY(axm_sniffer_stop(sniffer));
  AXM_TRY(axm_write(&sniffer->block, AXM_SNIFFER_CTRL, AXM_SNIFFER_CTRL__RUN_MASK));
  return axm_settle(&sniffer->block, AXM_SNIFFER_STATUS, AXM_SNIFFER_STATUS__ARMED_MASK,
                    AXM_SNIFFER_STATUS__ARMED_MASK, &word);
}

enum axm_status axm_sniffer_stop(const struct axm_sniffer *sniffer) {
  return axm_write(&sniffer->block, AXM_SNIFFER_CTRL, 0);
}

enum axm_status axm_sniffer_read(const struct axm_sniffer *sniffer,
                                 struct axm_sniffer_status *status) {
  uint32_t word = 0;
  AXM_TRY(axm_read(&sniffer->block, AXM_SNIFFER_STATUS, &word));
  status->triggered = AXM_GET(word, AXM_SNIFFER_STATUS__TRIGGERED) != 0;
  status->saturated = AXM_GET(word, AXM_SNIFFER_STATUS__SATURATED) != 0;
  return axm_read(&sniffer->block, AXM_SNIFFER_TIME, &status->clocks);
}

uint32_t axm_sniffer_bin(uint32_t bin) {
  if (bin < EXACT_BINS)
    return bin;
  if (bin >= AXM_SNIFFER_BINS)
    bin = AXM_SNIFFER_BINS - 1;
  const uint32_t octave = 4 + (bin - EXACT_BINS) / QUARTERS;
  const uint32_t quarter = (bin - EXACT_BINS) % QUARTERS;
  return (UINT32_C(1) << octave) + (quarter << (octave - 2));
}

static enum axm_status histogram(const struct axm_sniffer *sniffer, uint32_t offset,
                                 uint32_t bins[AXM_SNIFFER_BINS], uint64_t *sum) {
  for (uint32_t i = 0; i < AXM_SNIFFER_BINS; ++i) {
    AXM_TRY(axm_read(&sniffer->block, offset + 4 * i, &bins[i]));
    *sum += bins[i];
  }
  return AXM_OK;
}

/* Shows `slot` in the registers; *word is its SLOT register. */
static enum axm_status choose(const struct axm_sniffer *sniffer, uint32_t slot, uint32_t *word) {
  if (slot >= sniffer->slots)
    return AXM_ERROR_RANGE;
  uint32_t control = 0;
  AXM_TRY(axm_read(&sniffer->block, AXM_SNIFFER_CTRL, &control));
  if (AXM_GET(control, AXM_SNIFFER_CTRL__RUN) != 0)
    return AXM_ERROR_BUSY;
  AXM_TRY(axm_write(&sniffer->block, AXM_SNIFFER_SELECT, slot));
  return axm_read(&sniffer->block, AXM_SNIFFER_SLOT, word);
}

enum axm_status axm_sniffer_read_slot(const struct axm_sniffer *sniffer, uint32_t slot,
                                      struct axm_sniffer_slot *seen) {
  const struct axm_block *block = &sniffer->block;
  uint32_t word = 0;
  AXM_TRY(choose(sniffer, slot, &word));
  *seen = (struct axm_sniffer_slot){.recorded = AXM_GET(word, AXM_SNIFFER_SLOT__RECORDED)};
  AXM_TRY(histogram(sniffer, AXM_SNIFFER_LENGTHS, seen->lengths, &seen->bursts));
  AXM_TRY(histogram(sniffer, AXM_SNIFFER_BEATS, seen->beat_gaps, &seen->beats));
  AXM_TRY(histogram(sniffer, AXM_SNIFFER_GAPS, seen->burst_gaps, &seen->beats));
  /* Gaps are between beats: there is one beat more than gaps. */
  seen->beats += AXM_GET(word, AXM_SNIFFER_SLOT__SEEN);
  AXM_TRY(axm_read(block, AXM_SNIFFER_BEAT_RANGE, &word));
  seen->beat_min = AXM_GET(word, AXM_SNIFFER_BEAT_RANGE__MIN);
  seen->beat_max = AXM_GET(word, AXM_SNIFFER_BEAT_RANGE__MAX);
  AXM_TRY(axm_read(block, AXM_SNIFFER_GAP_RANGE, &word));
  seen->gap_min = AXM_GET(word, AXM_SNIFFER_GAP_RANGE__MIN);
  seen->gap_max = AXM_GET(word, AXM_SNIFFER_GAP_RANGE__MAX);
  uint32_t fullest = 0;
  for (uint32_t i = 1; i < AXM_SNIFFER_BINS; ++i) {
    if (seen->beat_gaps[i] > seen->beat_gaps[fullest])
      fullest = i;
  }
  seen->beat_typical = axm_sniffer_bin(fullest);
  return AXM_OK;
}

enum axm_status axm_sniffer_read_record(const struct axm_sniffer *sniffer, uint32_t slot,
                                        uint32_t index, struct axm_sniffer_record *record) {
  uint32_t word[RECORD_WORDS] = {0};
  uint32_t state = 0;
  AXM_TRY(choose(sniffer, slot, &state));
  if (index >= sniffer->records || index >= AXM_GET(state, AXM_SNIFFER_SLOT__RECORDED))
    return AXM_ERROR_EMPTY;
  for (uint32_t i = 0; i < RECORD_WORDS; ++i)
    AXM_TRY(
        axm_read(&sniffer->block, AXM_SNIFFER_RECORDS + 4 * (RECORD_WORDS * index + i), &word[i]));
  *record = (struct axm_sniffer_record){
      .address = (uint64_t)(word[1] & 0xffffffu) << 32 | word[0],
      .beats = (word[1] >> 24) + 1,
      .time = word[2],
  };
  return AXM_OK;
}
