/* Whether a device sees the processor's caches: see coherent.h. */
#include "coherent.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has(const char *node, const char *property) {
  char path[PATH_MAX];
  const int length = snprintf(path, sizeof path, "%s/%s", node, property);
  return length > 0 && (size_t)length < sizeof path && access(path, F_OK) == 0;
}

bool axm_coherent(const char *sysfs, const char *registers) {
  char file[PATH_MAX], link[PATH_MAX], node[PATH_MAX];
  const char *const real = realpath(registers, file);
  const char *const name = real == NULL ? NULL : strrchr(real, '/');
  if (name == NULL)
    return true; /* opening it fails */
  const int length = snprintf(link, sizeof link, "%s/class/uio%s/device/of_node", sysfs, name);
  if (length < 0 || (size_t)length >= sizeof link || realpath(link, node) == NULL)
    return true;
  for (char *end; (end = strrchr(node, '/')) != NULL; *end = '\0') {
    if (has(node, "dma-coherent"))
      return true;
    if (has(node, "dma-noncoherent"))
      return false;
  }
  return false;
}
