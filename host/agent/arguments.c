/* Cuts a command into words and reads their values: see arguments.h. */
#include "arguments.h"

#include <string.h>

enum axm_status axm_arguments_split(struct axm_arguments *arguments, char *text) {
  *arguments = (struct axm_arguments){.verb = text, .part = ""};
  bool first = true;
  for (char *word = text; word != NULL;) {
    char *blank = strchr(word, ' ');
    if (blank != NULL)
      *blank = '\0';
    char *equals = strchr(word, '=');
    if (*word == '\0' || equals == word)
      return AXM_ERROR_ARGUMENT;
    if (equals != NULL && !first) {
      if (arguments->count == AXM_ARGUMENTS_MAX)
        return AXM_ERROR_ARGUMENT;
      *equals = '\0';
      for (size_t i = 0; i < arguments->count; ++i) {
        if (strcmp(arguments->key[i], word) == 0) {
          arguments->about = word;
          return AXM_ERROR_ARGUMENT;
        }
      }
      arguments->key[arguments->count] = word;
      arguments->value[arguments->count++] = equals + 1;
    } else if (!first) {
      if (*arguments->part != '\0' || arguments->count != 0)
        return AXM_ERROR_ARGUMENT;
      arguments->part = word;
    } else if (equals != NULL) {
      return AXM_ERROR_ARGUMENT;
    }
    first = false;
    word = blank == NULL ? NULL : blank + 1;
  }
  return AXM_OK;
}

static size_t find(const struct axm_arguments *arguments, const char *key) {
  size_t i = 0;
  while (i < arguments->count && strcmp(arguments->key[i], key) != 0)
    ++i;
  return i;
}

bool axm_arguments_has(const struct axm_arguments *arguments, const char *key) {
  return find(arguments, key) < arguments->count;
}

/* A whole number; false if `text` is none or does not fit. */
static bool number(const char *text, uint64_t *value) {
  const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const uint64_t base = hex ? 16 : 10;
  const char *digit = hex ? text + 2 : text;
  uint64_t sum = 0;
  if (*digit == '\0')
    return false;
  for (; *digit != '\0'; ++digit) {
    uint64_t one = 0;
    if (*digit >= '0' && *digit <= '9')
      one = (uint64_t)(*digit - '0');
    else if (hex && *digit >= 'a' && *digit <= 'f')
      one = (uint64_t)(*digit - 'a') + 10;
    else if (hex && *digit >= 'A' && *digit <= 'F')
      one = (uint64_t)(*digit - 'A') + 10;
    else
      return false;
    if (sum > (UINT64_MAX - one) / base)
      return false;
    sum = sum * base + one;
  }
  *value = sum;
  return true;
}

enum axm_status axm_arguments_option(struct axm_arguments *arguments, const char *key, uint64_t low,
                                     uint64_t high, uint64_t *value) {
  const size_t i = find(arguments, key);
  if (i == arguments->count)
    return AXM_OK;
  arguments->taken[i] = true;
  uint64_t found = 0;
  if (!number(arguments->value[i], &found)) {
    arguments->about = key;
    return AXM_ERROR_ARGUMENT;
  }
  if (found < low || found > high) {
    arguments->about = key;
    return AXM_ERROR_RANGE;
  }
  *value = found;
  return AXM_OK;
}

enum axm_status axm_arguments_number(struct axm_arguments *arguments, const char *key, uint64_t low,
                                     uint64_t high, uint64_t *value) {
  if (!axm_arguments_has(arguments, key)) {
    arguments->about = key;
    return AXM_ERROR_ARGUMENT;
  }
  return axm_arguments_option(arguments, key, low, high, value);
}

enum axm_status axm_arguments_option32(struct axm_arguments *arguments, const char *key,
                                       uint32_t low, uint32_t high, uint32_t *value) {
  uint64_t wide = *value;
  const enum axm_status status = axm_arguments_option(arguments, key, low, high, &wide);
  *value = (uint32_t)wide;
  return status;
}

enum axm_status axm_arguments_choice(struct axm_arguments *arguments, const char *key,
                                     const char *const *names, uint32_t *chosen) {
  const size_t i = find(arguments, key);
  if (i == arguments->count)
    return AXM_OK;
  arguments->taken[i] = true;
  for (uint32_t place = 0; names[place] != NULL; ++place) {
    if (strcmp(names[place], arguments->value[i]) == 0) {
      *chosen = place;
      return AXM_OK;
    }
  }
  arguments->about = key;
  return AXM_ERROR_ARGUMENT;
}

enum axm_status axm_arguments_word(struct axm_arguments *arguments, const char *key,
                                   const char **word) {
  const size_t i = find(arguments, key);
  if (i == arguments->count) {
    arguments->about = key;
    return AXM_ERROR_ARGUMENT;
  }
  arguments->taken[i] = true;
  *word = arguments->value[i];
  return AXM_OK;
}

enum axm_status axm_arguments_end(struct axm_arguments *arguments) {
  for (size_t i = 0; i < arguments->count; ++i) {
    if (!arguments->taken[i]) {
      arguments->about = arguments->key[i];
      return AXM_ERROR_UNKNOWN;
    }
  }
  return AXM_OK;
}
