/* packets.c on Linux: over the driver of this project, or over registers by UIO or /dev/mem with
 * DMA memory of u-dma-buf.
 *
 *   axm-packets [-n PACKETS] [-w look|interrupt|both] /dev/axm0c0
 *   axm-packets [...] /dev/uio0 ENGINE base=0x43C00000 size=0x10000 memory=udmabuf0 [NAME=VALUE]...
 *
 * ENGINE and further names: as struct axm_pair_spec (axm/engines/pair.h). memory=hugepage is for
 * designs that see the processor's caches. Exit status: 0; 1 for a
 * failure, which the last line names; 2 for wrong usage.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axm/engines/pair.h"
#include "linux_channel.h"
#include "packets.h"
#include "targets.h"

enum { USUAL = 200 };

static int usage(const char *word) {
  fprintf(stderr,
          "axm-packets: %s\n"
          "usage: axm-packets [-n PACKETS] [-w look|interrupt|both] /dev/axm0c0\n"
          "       axm-packets [...] /dev/uio0 ENGINE base=ADDRESS size=BYTES memory=UDMABUF"
          " [NAME=VALUE]...\n",
          word);
  return 2;
}

static int failed(const char *what, enum axm_status status) {
  printf("failed: %s: %s\n", what, axm_status_text(status));
  return 1;
}

static bool number(const char *text, uint64_t *value) {
  char *end = NULL;
  *value = strtoull(text, &end, 0);
  return *text != '\0' && *end == '\0';
}

/* One NAME=VALUE. */
static bool set(struct axm_pair_spec *spec, struct axm_linux_options *options, const char *word) {
  const char *text = strchr(word, '=');
  uint64_t value = 0;
  if (text == NULL)
    return false;
  const size_t length = (size_t)(text++ - word);
  if (strncmp(word, "memory", length) == 0 && length == 6) {
    options->memory = text;
    return true;
  }
  const struct {
    const char *name;
    uint64_t *wide;
    uint32_t *narrow;
  } names[] = {
      {"base", &options->base, NULL},         {"size", &options->size, NULL},
      {"data", NULL, &spec->data_bytes},      {"length", NULL, &spec->length_bits},
      {"address", NULL, &spec->address_bits}, {"queue", NULL, &spec->queue},
      {"line", NULL, &spec->line_bytes},      {"window", &spec->memory, NULL},
      {"words", &spec->words, NULL},          {"window_bytes", &spec->memory_bytes, NULL},
  };
  if (!number(text, &value))
    return false;
  for (size_t n = 0; n < sizeof names / sizeof names[0]; ++n) {
    if (strlen(names[n].name) != length || strncmp(names[n].name, word, length) != 0)
      continue;
    if (names[n].wide != NULL)
      *names[n].wide = value;
    else
      *names[n].narrow = (uint32_t)value;
    return names[n].wide != NULL || value <= UINT32_MAX;
  }
  spec->aligned = value != 0;
  return strncmp(word, "aligned", length) == 0 && length == 7;
}

static bool waits(enum axm_channel_wait *wait, const char *word) {
  static const char *const names[] = {"look", "interrupt", "both"};
  for (int n = 0; n < 3; ++n) {
    if (strcmp(names[n], word) == 0) {
      *wait = (enum axm_channel_wait)n;
      return true;
    }
  }
  return false;
}

static int by_driver(struct axm_packets_setup *setup, const char *path) {
  static struct axm_linux_channel channel;
  const struct axm_linux_options none = {.registers = NULL};
  const struct axm_hal *hal = NULL;
  const char *what = path;
  enum axm_status status = axm_hal_linux(&none, &hal, &what);
  if (status == AXM_OK)
    status = axm_linux_channel_open(&channel, hal, path);
  if (status != AXM_OK)
    return failed(path, status);
  setup->send = axm_linux_channel_engine(&channel, AXM_ENGINE_SEND);
  setup->receive = axm_linux_channel_engine(&channel, AXM_ENGINE_RECEIVE);
  return axm_packets(setup);
}

static int by_registers(struct axm_packets_setup *setup, struct axm_pair_spec *spec,
                        const struct axm_linux_options *options) {
  static struct axm_pair pair;
  const char *what = NULL;
  enum axm_status status = axm_hal_linux(options, &spec->hal, &what);
  if (status != AXM_OK)
    return failed(what, status);
  spec->base = options->base;
  status = axm_pair_open(&pair, spec);
  if (status != AXM_OK)
    return failed(spec->engine, status);
  setup->send = pair.send;
  setup->receive = pair.receive;
  setup->coherent = options->memory != NULL && strcmp(options->memory, "hugepage") == 0;
  return axm_packets(setup);
}

int main(int count, char **words) {
  struct axm_packets_setup setup = {.packets = USUAL, .wait = AXM_WAIT_BOTH};
  struct axm_linux_options options = {.size = 0x10000};
  struct axm_pair_spec spec = {.engine = NULL};
  int at = 1;
  for (; at + 1 < count && words[at][0] == '-'; at += 2) {
    uint64_t packets = 0;
    if (strcmp(words[at], "-n") == 0 && number(words[at + 1], &packets) && packets <= UINT32_MAX)
      setup.packets = (uint32_t)packets;
    else if (strcmp(words[at], "-w") != 0 || !waits(&setup.wait, words[at + 1]))
      return usage(words[at]);
  }
  if (at >= count || words[at][0] == '-')
    return usage("name a device");
  const char *device = words[at++];
  if (at == count)
    return by_driver(&setup, device);
  options.registers = device;
  spec.engine = words[at++];
  for (; at < count; ++at)
    if (!set(&spec, &options, words[at]))
      return usage(words[at]);
  return by_registers(&setup, &spec, &options);
}
