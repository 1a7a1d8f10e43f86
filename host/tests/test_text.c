/* Tests of the agent's text: words and answers; lines: test_fuzz.py. */
#include <string.h>
#include <unistd.h>

#include "agent.h"
#include "check.h"
#include "test.h"

static struct axm_test_target target;

static enum axm_status no_read(void *self, uint64_t address, uint32_t *value) {
  (void)self;
  (void)address;
  *value = 0;
  return AXM_ERROR_BUS;
}

static enum axm_status no_write(void *self, uint64_t address, uint32_t value) {
  (void)self;
  (void)address;
  (void)value;
  return AXM_ERROR_BUS;
}

void test_words(void) {
  struct axm_arguments words;
  uint64_t value = 5;
  uint32_t small = 9;
  uint32_t chosen = 7;
  static const char *const names[] = {"red", "blue", NULL};
  char text[] = "run part a=1 b=0xFf c=blue d=18446744073709551616 e= f=-1 g=0x";
  CHECK_EQUAL(axm_arguments_split(&words, text), AXM_OK);
  CHECK(strcmp(words.verb, "run") == 0 && strcmp(words.part, "part") == 0);
  CHECK_EQUAL(axm_arguments_number(&words, "a", 0, 1, &value), AXM_OK);
  CHECK_EQUAL(value, 1);
  CHECK_EQUAL(axm_arguments_number(&words, "b", 0, 254, &value), AXM_ERROR_RANGE);
  CHECK(strcmp(words.about, "b") == 0);
  CHECK_EQUAL(axm_arguments_option32(&words, "b", 0, 255, &small), AXM_OK);
  CHECK_EQUAL(small, 255);
  CHECK_EQUAL(axm_arguments_choice(&words, "c", names, &chosen), AXM_OK);
  CHECK_EQUAL(chosen, 1);
  CHECK_EQUAL(axm_arguments_choice(&words, "a", names, &chosen), AXM_ERROR_ARGUMENT);
  CHECK_EQUAL(axm_arguments_number(&words, "d", 0, UINT64_MAX, &value), AXM_ERROR_ARGUMENT);
  CHECK_EQUAL(axm_arguments_number(&words, "e", 0, UINT64_MAX, &value), AXM_ERROR_ARGUMENT);
  CHECK_EQUAL(axm_arguments_number(&words, "f", 0, UINT64_MAX, &value), AXM_ERROR_ARGUMENT);
  CHECK_EQUAL(axm_arguments_end(&words), AXM_ERROR_UNKNOWN);
  CHECK(strcmp(words.about, "g") == 0);
  CHECK_EQUAL(axm_arguments_number(&words, "g", 0, UINT64_MAX, &value), AXM_ERROR_ARGUMENT);
  CHECK_EQUAL(axm_arguments_number(&words, "h", 0, UINT64_MAX, &value), AXM_ERROR_ARGUMENT);
  CHECK_EQUAL(axm_arguments_end(&words), AXM_OK);

  static const char *const malformed[] = {
      "",       " run",        "run  a=1",    "run ",        "a=1",
      "run =1", "run a=1 a=2", "run one two", "run a=1 part"};
  for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; ++i) {
    char again[32];
    strcpy(again, malformed[i]);
    CHECK_EQUAL(axm_arguments_split(&words, again), AXM_ERROR_ARGUMENT);
  }
}

void test_reply(void) {
  const struct axm_test_device device = {.read32 = no_read, .write32 = no_write};
  const struct axm_hal *hal = axm_hal_test(&target, &device);
  int ends[2] = {0, 0};
  struct axm_reply reply;
  CHECK_EQUAL(pipe(ends), 0);
  target.output = ends[1];
  axm_reply_begin(&reply, hal);
  reply.number = 12;
  reply.numbered = true;
  const uint64_t list[4] = {1, 0, UINT64_MAX, 0};
  axm_reply_number(&reply, "a", UINT64_MAX);
  axm_reply_hex(&reply, "b", 0xabc);
  axm_reply_list(&reply, "c", list, 4);
  CHECK_EQUAL(axm_reply_ok(&reply), AXM_OK);
  char got[256] = {0};
  const ssize_t length = read(ends[0], got, sizeof got - 1);
  static const char wanted[] = "12 ok a=18446744073709551615 b=0xABC c=1,0,18446744073709551615*";
  CHECK_EQUAL(length, sizeof wanted - 1 + 5);
  CHECK(strncmp(got, wanted, sizeof wanted - 1) == 0);
  /* An answer that does not fit is refused, and the next one is whole. */
  for (int i = 0; i < 200; ++i)
    axm_reply_number(&reply, "key", UINT64_MAX);
  CHECK_EQUAL(axm_reply_ok(&reply), AXM_ERROR_OVERLONG);
  CHECK_EQUAL(axm_reply_error(&reply, AXM_ERROR_OVERLONG, NULL, NULL), AXM_OK);
  memset(got, 0, sizeof got);
  CHECK(read(ends[0], got, sizeof got - 1) > 0);
  CHECK(strncmp(got, "12 error code=overlong text=", 28) == 0);
  close(ends[0]);
  close(ends[1]);
}
