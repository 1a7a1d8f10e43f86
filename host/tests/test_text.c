/* Tests of the agent's text: lines, words, answers. */
#include <string.h>
#include <unistd.h>

#include "agent.h"
#include "check.h"
#include "test.h"

static struct axm_test_target target;
static struct axm_line line;

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

/* A target whose line has `text`, and then ends. */
static const struct axm_hal *saying(const char *text, size_t length) {
  const struct axm_test_device device = {.read32 = no_read, .write32 = no_write};
  const struct axm_hal *hal = axm_hal_test(&target, &device);
  int ends[2] = {0, 0};
  if (pipe(ends) == 0) {
    CHECK_EQUAL(write(ends[1], text, length), length);
    close(ends[1]);
    target.input = ends[0];
  }
  memset(&line, 0, sizeof line);
  return hal;
}

static enum axm_status next(const struct axm_hal *hal) { return axm_line_next(&line, hal, 0); }

void test_line(void) {
  /* The check value of CRC-16/CCITT-FALSE. */
  CHECK_EQUAL(axm_crc16("123456789", 9), 0x29B1);

  const struct axm_hal *hal = saying("one\r\n\ntwo\nhal", 13);
  CHECK_EQUAL(next(hal), AXM_OK);
  CHECK(strcmp(line.text, "one") == 0);
  CHECK_EQUAL(next(hal), AXM_OK);
  CHECK(line.text[0] == '\0');
  CHECK_EQUAL(next(hal), AXM_OK);
  CHECK(strcmp(line.text, "two") == 0);
  CHECK_EQUAL(next(hal), AXM_ERROR_DAMAGED);
  CHECK_EQUAL(next(hal), AXM_ERROR_END);
  close(target.input);

  hal = saying("a\tb\na\rb\nok\n", 11);
  CHECK_EQUAL(next(hal), AXM_ERROR_DAMAGED);
  CHECK_EQUAL(next(hal), AXM_ERROR_DAMAGED);
  CHECK_EQUAL(next(hal), AXM_OK);
  close(target.input);

  static char text[4 * AXM_LINE_MAX];
  memset(text, 'x', sizeof text);
  text[AXM_LINE_MAX] = '\n';     /* just fits */
  text[3 * AXM_LINE_MAX] = '\n'; /* does not */
  memcpy(text + 3 * AXM_LINE_MAX + 1, "ok\n", 3);
  hal = saying(text, 3 * AXM_LINE_MAX + 4);
  CHECK_EQUAL(next(hal), AXM_OK);
  CHECK_EQUAL(strlen(line.text), AXM_LINE_MAX);
  CHECK_EQUAL(next(hal), AXM_ERROR_OVERLONG);
  CHECK_EQUAL(next(hal), AXM_OK);
  CHECK(strcmp(line.text, "ok") == 0);
  close(target.input);

  uint32_t number = 0;
  char *rest = NULL;
  char good[] = "7 hello*0000";
  const uint16_t sum = axm_crc16(good, 7);
  for (int i = 0; i < 4; ++i)
    good[8 + i] = "0123456789abcdef"[sum >> (12 - 4 * i) & 0xf];
  char copy[sizeof good];
  for (size_t i = 0; i + 1 < sizeof good; ++i) {
    for (int bit = 0; bit < 7; ++bit) {
      memcpy(copy, good, sizeof good);
      copy[i] = (char)(copy[i] ^ 1 << bit);
      /* Upper and lower case of a digit of the sum are the same. */
      if (i >= 8 && bit == 5 && good[i] >= 'a')
        continue;
      CHECK_EQUAL(axm_line_open(copy, strlen(copy), &number, &rest), AXM_ERROR_DAMAGED);
    }
  }
  CHECK_EQUAL(axm_line_open(good, strlen(good), &number, &rest), AXM_OK);
  CHECK_EQUAL(number, 7);
  CHECK(strcmp(rest, "hello") == 0);
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
  const struct axm_hal *hal = saying("", 0);
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
  close(target.input);
}
