/* Tests of settings by name: on registers in an array, by the agent's command, and as Linux has
 * them, with a file in place of /dev/mem. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent.h"
#include "bus_error.h"
#include "check.h"
#include "command_table.h"
#include "linux_platform.h"
#include "serve.h"

enum { REGISTERS = 128 };
static struct {
  uint64_t address;
  uint32_t word;
} known[REGISTERS];
static uint32_t stuck; /* address of a register that takes nothing; 0: none */

static uint32_t *word_at(uint64_t address) {
  uint32_t n = 0;
  while (known[n].address != 0 && known[n].address != address)
    ++n;
  if (known[n].address == 0)
    known[n].word = 0xA5A5A5A5;
  known[n].address = address;
  return &known[n].word;
}

static enum axm_status read_word(void *self, uint64_t address, uint32_t *value) {
  (void)self;
  *value = *word_at(address);
  return AXM_OK;
}

static enum axm_status write_word(void *self, uint64_t address, uint32_t value) {
  (void)self;
  if (address != stuck)
    *word_at(address) = value;
  return AXM_OK;
}

static const struct axm_hal hal = {
    .platform = &axm_platform_zynqmp, .read32 = read_word, .write32 = write_word};
static struct axm_platform platform;

static enum axm_status set(const char *name, const char *value) {
  const struct axm_platform_setting *setting = NULL;
  const enum axm_status status = axm_platform_find(&platform, name, &setting);
  return status == AXM_OK ? axm_platform_set(&platform, setting, value) : status;
}

static const char *holds(const char *name, uint32_t *number) {
  const struct axm_platform_setting *setting = NULL;
  const char *word = NULL;
  CHECK_EQUAL(axm_platform_find(&platform, name, &setting), AXM_OK);
  CHECK_EQUAL(axm_platform_get(&platform, setting, number, &word), AXM_OK);
  return word != NULL ? word : "";
}

static void test_settings(void) {
  uint32_t number = 0;
  memset(known, 0, sizeof known);
  platform = (struct axm_platform){.hal = &hal};
  *word_at(0xFD380000) = 0xFFFFFFF0;
  *word_at(0xFD090000) = 0xA845;
  CHECK(strcmp(holds("afi.HP0.width_bits_read", &number), "128") == 0);
  CHECK(strcmp(holds("ddr_qos.s3.type", &number), "video") == 0);
  /* Only the field's bits change; the first value that was there is what is put back. */
  CHECK_EQUAL(set("afi.HP0.width_bits_read", "64"), AXM_OK);
  CHECK_EQUAL(*word_at(0xFD380000), 0xFFFFFFF1);
  CHECK_EQUAL(set("afi.HP0.width_bits_read", "32"), AXM_OK);
  CHECK_EQUAL(*word_at(0xFD380000), 0xFFFFFFF2);
  CHECK_EQUAL(set("ddr_qos.s3.type", "best_effort"), AXM_OK);
  CHECK_EQUAL(*word_at(0xFD090000), 0xA045);
  /* A number, with what the register leaves out. */
  CHECK_EQUAL(set("afi.HP0.issue_commands_read", "16"), AXM_OK);
  CHECK_EQUAL(*word_at(0xFD380004), 0xA5A5A5AF);
  holds("afi.HP0.issue_commands_read", &number);
  CHECK_EQUAL(number, 16);
  CHECK_EQUAL(platform.count, 3);
  /* What cannot be. */
  CHECK_EQUAL(set("afi.HP0.issue_commands_read", "17"), AXM_ERROR_RANGE);
  CHECK_EQUAL(set("afi.HP0.issue_commands_read", "0"), AXM_ERROR_RANGE);
  CHECK_EQUAL(set("afi.HP0.issue_commands_read", "4294967312"), AXM_ERROR_RANGE);
  CHECK_EQUAL(set("afi.HP0.issue_commands_read", ""), AXM_ERROR_RANGE);
  CHECK_EQUAL(set("afi.HP0.issue_commands_read", "1x"), AXM_ERROR_RANGE);
  CHECK_EQUAL(set("afi.HP0.width_bits_read", "16"), AXM_ERROR_RANGE);
  CHECK_EQUAL(set("afi.HP9.width_bits_read", "64"), AXM_ERROR_UNKNOWN);
  CHECK_EQUAL(set("DDRC.ADDRMAP1.addrmap_bank_b0", "0"), AXM_ERROR_UNSUPPORTED);
  stuck = 0xFD390000;
  CHECK_EQUAL(set("afi.HP1.width_bits_read", "64"), AXM_OK); /* as it is */
  CHECK_EQUAL(set("afi.HP1.width_bits_read", "32"), AXM_ERROR_STATE);
  stuck = 0;
  *word_at(0xFD390000) = 0;
  CHECK_EQUAL(*word_at(0xFD380004), 0xA5A5A5AF);
  /* A setting that cannot be restored stays saved; the others are restored. */
  stuck = 0xFD090000;
  CHECK_EQUAL(axm_platform_back(&platform), AXM_ERROR_STATE);
  CHECK_EQUAL(*word_at(0xFD380000), 0xFFFFFFF0);
  CHECK_EQUAL(*word_at(0xFD380004), 0xA5A5A5A5);
  CHECK_EQUAL(platform.count, 1);
  stuck = 0;
  CHECK_EQUAL(axm_platform_back(&platform), AXM_OK);
  CHECK_EQUAL(*word_at(0xFD090000), 0xA845);
  CHECK_EQUAL(platform.count, 0);
  /* Room for so many. */
  enum axm_status status = AXM_OK;
  for (size_t n = 0; n < axm_platform_zynqmp.count && status == AXM_OK; ++n) {
    const struct axm_platform_setting *setting = &axm_platform_zynqmp.settings[n];
    const char *least = setting->plus != 0 ? "1" : "0";
    if (!setting->fixed)
      status = axm_platform_set(&platform, setting,
                                setting->values != NULL ? setting->values->word : least);
  }
  CHECK_EQUAL(status, AXM_ERROR_FULL);
  CHECK_EQUAL(platform.count, AXM_PLATFORM_KEPT);
  CHECK_EQUAL(axm_platform_back(&platform), AXM_OK);
  const struct axm_hal none = {0};
  platform.hal = &none;
  CHECK_EQUAL(set("afi.HP0.width_bits_read", "64"), AXM_ERROR_UNSUPPORTED);
}

static struct axm_agent agent;

/* The agent's answer, or the name of the refused command. */
static const char *obeys(const char *text) {
  char copy[256];
  struct axm_arguments words;
  snprintf(copy, sizeof copy, "%s", text);
  axm_reply_begin(&agent.reply, &hal);
  CHECK_EQUAL(axm_arguments_split(&words, copy), AXM_OK);
  words.about = NULL;
  const axm_command command = axm_command_find(&words, false);
  CHECK(command != NULL);
  const enum axm_status status = command(&agent, &words);
  return status == AXM_OK ? agent.reply.text : axm_status_name(status);
}

static void test_command(void) {
  memset(known, 0, sizeof known);
  *word_at(0xFD380008) = 0x3;
  axm_agent_init(&agent, &hal, 0);
  CHECK(strstr(obeys("platform get name=qos.HP0.read"), " value=3 ") != NULL);
  CHECK(strstr(obeys("platform set name=qos.HP0.read value=9"), " was=3 register=0xFD380008"));
  CHECK_EQUAL(*word_at(0xFD380008), 9);
  CHECK(strcmp(obeys("platform set name=qos.HP0.read value=16"), "range") == 0);
  CHECK(strcmp(obeys("platform set name=qos.HP0.read"), "argument") == 0);
  CHECK(strcmp(obeys("platform get name=qos.HP0.read value=1"), "unknown") == 0);
  CHECK(strcmp(obeys("platform put"), "unknown") == 0);
  CHECK(strstr(obeys("platform back"), " changed=1"));
  CHECK_EQUAL(*word_at(0xFD380008), 3);
}

static void test_linux(void) {
  char folder[] = "/tmp/axm-platform-XXXXXX";
  char tree[64];
  char memory[64];
  uint32_t word = 0;
  CHECK(mkdtemp(folder) != NULL);
  CHECK(axm_linux_platform(folder) == NULL);
  snprintf(tree, sizeof tree, "%s/compatible", folder);
  snprintf(memory, sizeof memory, "%s/mem", folder);
  FILE *file = fopen(tree, "wb");
  fwrite("digilent,zybo\0xlnx,zynq-7000", 1, 29, file);
  fclose(file);
  file = fopen(memory, "wb");
  CHECK_EQUAL(ftruncate(fileno(file), INT64_C(0x100000000)), 0);
  fclose(file);
  const struct axm_platform_table *table = axm_linux_platform(folder);
  CHECK(table == &axm_platform_zynq7000);
  CHECK_EQUAL(axm_bus_error_catch(), AXM_OK);
  CHECK_EQUAL(axm_linux_platform_write32(table, memory, 0xF8008004, 7), AXM_OK);
  CHECK_EQUAL(axm_linux_platform_read32(table, memory, 0xF8008004, &word), AXM_OK);
  CHECK_EQUAL(word, 7);
  CHECK_EQUAL(axm_linux_platform_read32(table, memory, 0xF8008010, &word), AXM_ERROR_BUS);
  CHECK_EQUAL(axm_linux_platform_read32(NULL, memory, 0xF8008004, &word), AXM_ERROR_BUS);
  CHECK_EQUAL(axm_linux_platform_read32(table, tree, 0xF8008004, &word), AXM_ERROR_BUS);
  CHECK_EQUAL(axm_linux_platform_read32(table, folder, 0xF8008004, &word), AXM_ERROR_SYSTEM);
  axm_bus_error_release();
  unlink(tree);
  unlink(memory);
  rmdir(folder);
}

void test_platform(void) {
  test_settings();
  test_command();
  test_linux();
}
