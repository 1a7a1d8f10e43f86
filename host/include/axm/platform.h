/* Settings of the processor system by name: widths and QoS of the ports, the DDR QoS controller,
 * the arbiter of the DDR controller. Old values are saved and restored.
 *
 * Names are those that boards' files have (docs/boards.md), such as "afi.HP0.qos_read" or
 * "ddr_qos.s3.type"; bits of the DRAM's address map are "DDRC.ADDRMAP1.addrmap_bank_b0", and can be
 * only read. The tables are made from chips/<chip>/registers/, which names their documents.
 *
 * A value is a number, or a word where the table has words ("video", "true", "32").
 *
 * A setting may be in use when it changes: change width and QoS of a port while it has no burst
 * under way.
 */
#ifndef AXM_PLATFORM_H
#define AXM_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "axm/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct axm_hal;

struct axm_platform_value {
  uint32_t code;    /* what the field holds */
  const char *word; /* NULL ends the list */
};

struct axm_platform_setting {
  const char *name;
  uint32_t address; /* of its register */
  uint8_t low, bits;
  uint8_t plus;                            /* the number is the field and this */
  bool fixed;                              /* can be only read */
  const struct axm_platform_value *values; /* NULL: numbers */
};

struct axm_platform_table {
  const char *chip;
  const struct axm_platform_setting *settings;
  size_t count;
};

extern const struct axm_platform_table axm_platform_zynq7000;
extern const struct axm_platform_table axm_platform_zynqmp;

enum { AXM_PLATFORM_KEPT = 64 };

/* The changed settings. Begin with all 0 but `hal`. */
struct axm_platform {
  const struct axm_hal *hal;
  struct {
    const struct axm_platform_setting *setting;
    uint32_t field; /* as it was */
  } kept[AXM_PLATFORM_KEPT];
  uint32_t count;
};

/* The setting of this name of the target's chip; AXM_ERROR_UNSUPPORTED if the target's chip has no
 * table, AXM_ERROR_UNKNOWN if it has no such setting. */
enum axm_status axm_platform_find(const struct axm_platform *platform, const char *name,
                                  const struct axm_platform_setting **setting) AXM_CHECKED;
/* Its value: a number, and its word, NULL if it has none. AXM_ERROR_BUS. */
enum axm_status axm_platform_get(const struct axm_platform *platform,
                                 const struct axm_platform_setting *setting, uint32_t *number,
                                 const char **word) AXM_CHECKED;
/* Sets it to a number (decimal) or a word, and saves the old value, the first time. AXM_ERROR_RANGE
 * for an impossible value, AXM_ERROR_UNSUPPORTED if it can only be read, AXM_ERROR_FULL if no more
 * can be saved, AXM_ERROR_STATE if the register does not hold the value. */
enum axm_status axm_platform_set(struct axm_platform *platform,
                                 const struct axm_platform_setting *setting,
                                 const char *value) AXM_CHECKED;
/* Restores all, the latest first; those that fail stay saved, and the first status is returned. */
enum axm_status axm_platform_back(struct axm_platform *platform) AXM_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
