/* Reads /proc and /sys: see linux_environment.h. */
#define _POSIX_C_SOURCE 200809L
#include "linux_environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 256, MOST_ZONES = 16 };

/* The first bytes of a file, terminated; 0 if there are none. */
static size_t text_of(const char *root, const char *path, char *text, size_t room) {
  char whole[PATH_BYTES];
  const int length = snprintf(whole, sizeof whole, "%s%s", root, path);
  if (length < 0 || (size_t)length >= sizeof whole)
    return 0;
  FILE *file = fopen(whole, "r");
  if (file == NULL)
    return 0;
  const size_t got = fread(text, 1, room - 1, file);
  (void)fclose(file);
  text[got] = '\0';
  return got;
}

/* The first line of a file as a word of the agent's lines. */
static enum axm_status word(const char *root, const char *path, char *value) {
  if (text_of(root, path, value, AXM_ENVIRONMENT_BYTES) == 0 || *value == '\n')
    return AXM_ERROR_EMPTY;
  value[strcspn(value, "\n")] = '\0';
  for (char *c = value; *c != '\0'; ++c) {
    if (*c <= ' ' || *c > '~' || *c == '*' || *c == '=')
      *c = '_';
  }
  return AXM_OK;
}

static bool number(const char *root, const char *path, double *value) {
  char text[AXM_ENVIRONMENT_BYTES];
  if (text_of(root, path, text, sizeof text) == 0)
    return false;
  char *end = text;
  *value = strtod(text, &end);
  return end != text;
}

/* Of the hottest zone; else of the converter in the fabric of a Zynq, in its own units. */
static enum axm_status temperature(const char *root, char *value) {
  double hottest = -1;
  for (int zone = 0; zone < MOST_ZONES; ++zone) {
    char path[PATH_BYTES];
    double found = 0;
    (void)snprintf(path, sizeof path, "/sys/class/thermal/thermal_zone%d/temp", zone);
    if (number(root, path, &found) && found > hottest)
      hottest = found;
  }
  double raw = 0;
  double offset = 0;
  double scale = 0;
  static const char iio[] = "/sys/bus/iio/devices/iio:device0/in_temp0_";
  char path[PATH_BYTES];
  (void)snprintf(path, sizeof path, "%sraw", iio);
  bool there = hottest < 0 && number(root, path, &raw);
  (void)snprintf(path, sizeof path, "%soffset", iio);
  there = there && number(root, path, &offset);
  (void)snprintf(path, sizeof path, "%sscale", iio);
  if (there && number(root, path, &scale))
    hottest = (raw + offset) * scale;
  if (hottest < 0 || hottest > 1e6)
    return AXM_ERROR_EMPTY;
  (void)snprintf(value, AXM_ENVIRONMENT_BYTES, "%.0f", hottest);
  return AXM_OK;
}

/* The first clock of the fabric: of a Zynq-7000, of a Zynq UltraScale+. */
static enum axm_status fabric_clock(const char *root, char *value) {
  const enum axm_status found = word(root, "/sys/kernel/debug/clk/fclk0/clk_rate", value);
  return found == AXM_OK ? found : word(root, "/sys/kernel/debug/clk/pl0_ref/clk_rate", value);
}

#define CPU "/sys/devices/system/cpu/cpu0/cpufreq/"

enum axm_status axm_linux_environment(const char *root, uint32_t nth, const char **name,
                                      char value[AXM_ENVIRONMENT_BYTES]) {
  static const struct {
    const char *name;
    const char *path; /* NULL: more than a file */
    enum axm_status (*read)(const char *root, char *value);
  } table[] = {
      {"kernel", "/proc/sys/kernel/osrelease", NULL},
      {"model", "/proc/device-tree/model", NULL},
      {"boot", "/proc/sys/kernel/random/boot_id", NULL},
      {"governor", CPU "scaling_governor", NULL},
      {"cpu_khz", CPU "scaling_cur_freq", NULL},
      {"temperature_mC", NULL, temperature},
      {"fabric_hz", NULL, fabric_clock},
  };
  if (nth >= sizeof table / sizeof table[0])
    return AXM_ERROR_RANGE;
  *name = table[nth].name;
  return table[nth].path != NULL ? word(root, table[nth].path, value)
                                 : table[nth].read(root, value);
}

bool axm_linux_configured(const char *root) {
  char state[AXM_ENVIRONMENT_BYTES];
  return word(root, "/sys/class/fpga_manager/fpga0/state", state) != AXM_OK ||
         strcmp(state, "operating") == 0;
}

bool axm_linux_emulated(const char *root) {
  char text[PATH_BYTES];
  const size_t length = text_of(root, "/proc/device-tree/compatible", text, sizeof text);
  if (length == 0)
    return true;
  /* Words, each with a zero at its end. */
  for (size_t at = 0; at < length; at += strlen(text + at) + 1) {
    if (strstr(text + at, "virt") != NULL || strstr(text + at, "qemu") != NULL)
      return true;
  }
  return false;
}
