/* The agent's line protocol: the input is the host's lines, over a fake design.
 *
 * The first byte chooses the design (one that works, one that hangs, one that is hostile, a bus
 * that fails), the rest are lines. So that not every line dies of its sum, a line gets number and
 * sum here; one that begins with '!' is sent as it is, without the '!'.
 *
 * Found: a crash, a line without end, an answer that is not of the protocol's form, and a line
 * after which the agent makes more register accesses than any command needs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"
#include "hostile.h"
#include "serve.h"

enum { MOST_INPUT = 8192, MOST_ACCESSES = 2000000, IDLES = 200 };

static struct axm_test_target target;
static struct fake_design design;
static struct hostile device;
static struct axm_hal hal;
static struct axm_agent agent;

static char input[8 * MOST_INPUT];
static size_t ready, taken;
static char answer[4 * AXM_LINE_MAX];
static size_t answered;
static uint64_t idles;

static void found(const char *what) {
  fprintf(stderr, "FINDING: %s\n", what);
  abort();
}

static enum axm_status take(void *self, char *bytes, size_t room, size_t *count,
                            uint64_t timeout_ns) {
  (void)self;
  (void)timeout_ns;
  *count = ready - taken < room ? ready - taken : room;
  memcpy(bytes, input + taken, *count);
  taken += *count;
  return *count == 0 ? AXM_ERROR_END : AXM_OK;
}

/* An answer: printable, not too long, with the right sum, and of one of three kinds. */
static void check(char *line, size_t length) {
  if (length > AXM_LINE_MAX || length < 8 || line[length - 5] != '*')
    found("an answer of another form");
  for (size_t i = 0; i < length; ++i) {
    if (line[i] < ' ' || line[i] > '~')
      found("an answer that cannot be printed");
  }
  char sum[5];
  snprintf(sum, sizeof sum, "%04X", (unsigned)axm_crc16(line, length - 5));
  if (memcmp(sum, line + length - 4, 4) != 0)
    found("an answer with a wrong sum");
  line[length - 5] = '\0';
  const char *kind = strchr(line, ' ');
  if (kind == NULL || (strncmp(kind, " ok", 3) != 0 && strncmp(kind, " more ", 6) != 0 &&
                       strncmp(kind, " error code=", 12) != 0))
    found("an answer of no kind");
}

static enum axm_status give(void *self, const char *bytes, size_t count) {
  (void)self;
  for (size_t i = 0; i < count; ++i) {
    if (bytes[i] != '\n') {
      if (answered == sizeof answer)
        found("an answer without end");
      answer[answered++] = bytes[i];
      continue;
    }
    check(answer, answered);
    answered = 0;
  }
  return AXM_OK;
}

static struct axm_test_device honest, hostile;

static enum axm_status half_honest(void *self, uint64_t address, uint32_t *value) {
  (void)self;
  const bool identity = address >> 12 == FAKE_BASE >> 12 || (address & 0xfff) == 0;
  const struct axm_test_device *which = identity ? &honest : &hostile;
  return which->read32(which->self, address, value);
}

/* Time passes faster, the longer a wait is: an hour must not take one. */
static uint64_t haste(uint64_t duration_ns) {
  return duration_ns + (++idles > IDLES ? UINT64_C(1000000000) : 0);
}

static void idle(void *self, uint64_t duration_ns) {
  (void)self;
  target.now_ns += haste(duration_ns);
}

static enum axm_status wait_irq(void *self, uint64_t timeout_ns) {
  (void)self;
  if (target.device.irq(target.device.self)) {
    target.now_ns += haste(AXM_TEST_ACCESS_NS);
    return AXM_OK;
  }
  target.now_ns += haste(timeout_ns);
  return AXM_ERROR_TIMEOUT;
}

/* Lines with number and sum, from the bytes of the fuzzer. */
static void prepare(const unsigned char *bytes, size_t count) {
  char body[MOST_INPUT + 32];
  uint32_t number = 0;
  ready = taken = answered = 0;
  idles = 0;
  for (size_t at = 0; at < count;) {
    const unsigned char *end = memchr(bytes + at, '\n', count - at);
    const size_t length = end == NULL ? count - at : (size_t)(end - (bytes + at));
    if (ready + length + 40 > sizeof input)
      return;
    if (length > 0 && bytes[at] == '!') {
      memcpy(input + ready, bytes + at + 1, length - 1);
      ready += length - 1;
    } else {
      int used = snprintf(body, sizeof body, "%u ", (unsigned)++number);
      memcpy(body + used, bytes + at, length);
      used += (int)length;
      memcpy(input + ready, body, (size_t)used);
      ready += (size_t)used;
      ready += (size_t)snprintf(input + ready, 8, "*%04X", (unsigned)axm_crc16(body, (size_t)used));
    }
    if (end != NULL)
      input[ready++] = '\n';
    at += length + 1;
  }
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t count);
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t count) {
  if (count < 1 || count > MOST_INPUT)
    return 0;
  const unsigned way = bytes[0];
  const struct axm_hal *base = fake_design(&design, &target);
  if (way % 4 == 3) {
    /* Blocks that report their true type, and nothing else truly. */
    honest = target.device;
    base = hostile_device(&device, &target, (enum hostile_kind)(way / 4 % HOSTILE_FED), way);
    hostile = target.device;
    target.device.read32 = half_honest;
  }
  design.hang = way % 4 == 1;
  design.never_clean = way % 8 == 5;
  if (way % 4 == 2)
    target.fail_at = 1 + way / 4 * 3;
  hal = *base;
  hal.read_bytes = take;
  hal.write_bytes = give;
  hal.idle_ns = idle;
  hal.wait_irq = wait_irq;
  prepare(bytes + 1, count - 1);
  axm_agent_init(&agent, &hal, FAKE_BASE);
  if (axm_agent_serve(&agent) != AXM_OK)
    found("the agent ended although the line was only closed");
  if (answered != 0)
    found("half an answer");
  if (target.accesses > MOST_ACCESSES)
    found("more register accesses than any command needs");
  return 0;
}
