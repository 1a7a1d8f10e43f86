/* Settings of the processor system: see axm/platform.h. */
#include "axm/platform.h"

#include <string.h>

#include "hal.h"
#include "registers.h"

static uint32_t mask_of(const struct axm_platform_setting *setting) {
  return setting->bits < 32 ? (UINT32_C(1) << setting->bits) - 1 : UINT32_MAX;
}

enum axm_status axm_platform_find(const struct axm_platform *platform, const char *name,
                                  const struct axm_platform_setting **setting) {
  const struct axm_platform_table *table = platform->hal->platform;
  if (table == NULL)
    return AXM_ERROR_UNSUPPORTED;
  for (size_t n = 0; n < table->count; ++n) {
    if (strcmp(table->settings[n].name, name) == 0) {
      *setting = &table->settings[n];
      return AXM_OK;
    }
  }
  return AXM_ERROR_UNKNOWN;
}

static enum axm_status get_field(const struct axm_hal *hal,
                                 const struct axm_platform_setting *setting, uint32_t *field) {
  uint32_t word = 0;
  AXM_TRY(hal->read32(hal->self, setting->address, &word));
  *field = word >> setting->low & mask_of(setting);
  return AXM_OK;
}

static enum axm_status set_field(const struct axm_hal *hal,
                                 const struct axm_platform_setting *setting, uint32_t field) {
  const uint32_t mask = mask_of(setting) << setting->low;
  uint32_t word = 0;
  uint32_t found = 0;
  AXM_TRY(hal->read32(hal->self, setting->address, &word));
  AXM_TRY(hal->write32(hal->self, setting->address, (word & ~mask) | field << setting->low));
  AXM_TRY(get_field(hal, setting, &found));
  return found == field ? AXM_OK : AXM_ERROR_STATE;
}

enum axm_status axm_platform_get(const struct axm_platform *platform,
                                 const struct axm_platform_setting *setting, uint32_t *number,
                                 const char **word) {
  uint32_t field = 0;
  AXM_TRY(get_field(platform->hal, setting, &field));
  *number = field + setting->plus;
  *word = NULL;
  for (const struct axm_platform_value *v = setting->values; v != NULL && v->word != NULL; ++v)
    if (v->code == field && *word == NULL)
      *word = v->word;
  return AXM_OK;
}

/* The field for a value. */
static enum axm_status field_of(const struct axm_platform_setting *setting, const char *value,
                                uint32_t *field) {
  if (setting->values != NULL) {
    for (const struct axm_platform_value *v = setting->values; v->word != NULL; ++v) {
      if (strcmp(v->word, value) == 0) {
        *field = v->code;
        return AXM_OK;
      }
    }
    return AXM_ERROR_RANGE;
  }
  uint64_t number = 0;
  if (*value == '\0')
    return AXM_ERROR_RANGE;
  for (; *value != '\0'; ++value) {
    if (*value < '0' || *value > '9' || number > UINT32_MAX)
      return AXM_ERROR_RANGE;
    number = 10 * number + (uint64_t)(*value - '0');
  }
  if (number < setting->plus || number - setting->plus > mask_of(setting))
    return AXM_ERROR_RANGE;
  *field = (uint32_t)(number - setting->plus);
  return AXM_OK;
}

enum axm_status axm_platform_set(struct axm_platform *platform,
                                 const struct axm_platform_setting *setting, const char *value) {
  uint32_t field = 0;
  uint32_t before = 0;
  if (setting->fixed)
    return AXM_ERROR_UNSUPPORTED;
  AXM_TRY(field_of(setting, value, &field));
  AXM_TRY(get_field(platform->hal, setting, &before));
  bool kept = false;
  for (uint32_t n = 0; n < platform->count; ++n)
    kept = kept || platform->kept[n].setting == setting;
  if (!kept) {
    if (platform->count == AXM_PLATFORM_KEPT)
      return AXM_ERROR_FULL;
    platform->kept[platform->count].setting = setting;
    platform->kept[platform->count++].field = before;
  }
  return set_field(platform->hal, setting, field);
}

enum axm_status axm_platform_back(struct axm_platform *platform) {
  enum axm_status result = AXM_OK;
  for (uint32_t n = platform->count; n-- > 0;) {
    const enum axm_status status =
        set_field(platform->hal, platform->kept[n].setting, platform->kept[n].field);
    if (status == AXM_OK)
      platform->kept[n].setting = NULL;
    else if (result == AXM_OK)
      result = status;
  }
  uint32_t left = 0;
  for (uint32_t n = 0; n < platform->count; ++n)
    if (platform->kept[n].setting != NULL)
      platform->kept[left++] = platform->kept[n];
  platform->count = left;
  return result;
}
