/* The words of a command: a verb, perhaps a second one, and key=value pairs.
 *
 * A handler reads its keys; axm_arguments_end() then refuses a command with other keys.
 * What is wrong is remembered (`about`: the key) so that the answer can name it.
 */
#ifndef AXM_AGENT_ARGUMENTS_H
#define AXM_AGENT_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "axm/status.h"

enum { AXM_ARGUMENTS_MAX = 40 };

struct axm_arguments {
  const char *verb;
  const char *part; /* second word without '=', "" if there is none */
  const char *key[AXM_ARGUMENTS_MAX];
  const char *value[AXM_ARGUMENTS_MAX];
  bool taken[AXM_ARGUMENTS_MAX];
  size_t count;
  const char *about; /* the key that is at fault, or NULL */
  const char *why;   /* a sentence for people in place of the status's, or NULL */
};

/* Cuts `text` at its blanks, in place. AXM_ERROR_ARGUMENT if it is not of that form. */
enum axm_status axm_arguments_split(struct axm_arguments *arguments, char *text) AXM_CHECKED;

/* The number of `key`, decimal or 0x hexadecimal, from `low` to `high`; missing is an error. */
enum axm_status axm_arguments_number(struct axm_arguments *arguments, const char *key, uint64_t low,
                                     uint64_t high, uint64_t *value) AXM_CHECKED;
/* The same; *value stays as it is if the key is missing. */
enum axm_status axm_arguments_option(struct axm_arguments *arguments, const char *key, uint64_t low,
                                     uint64_t high, uint64_t *value) AXM_CHECKED;
/* As axm_arguments_option, for what fits into 32 bits. */
enum axm_status axm_arguments_option32(struct axm_arguments *arguments, const char *key,
                                       uint32_t low, uint32_t high, uint32_t *value) AXM_CHECKED;
/* *chosen: the place of the key's value in `names` (terminated by NULL), or as it was. */
enum axm_status axm_arguments_choice(struct axm_arguments *arguments, const char *key,
                                     const char *const *names, uint32_t *chosen) AXM_CHECKED;
/* The word that `key` has; missing is an error. */
enum axm_status axm_arguments_word(struct axm_arguments *arguments, const char *key,
                                   const char **word) AXM_CHECKED;
bool axm_arguments_has(const struct axm_arguments *arguments, const char *key);

/* AXM_ERROR_UNKNOWN if a key was not read. */
enum axm_status axm_arguments_end(struct axm_arguments *arguments) AXM_CHECKED;

#endif
