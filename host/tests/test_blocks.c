/* Tests of traffic generator, monitor, sniffer and stream blocks, and of what `run` writes. */
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "command_table.h"
#include "fake.h"
#include "generated/counter.h"
#include "generated/dma.h"
#include "generated/monitor.h"
#include "generated/sniffer.h"
#include "generated/stream_sink.h"
#include "generated/traffic.h"
#include "serve.h"

static struct axm_test_target target;
static struct fake_design design;
static struct axm_device device;

static struct axm_block_info fresh(uint32_t index) {
  struct axm_block_info info = {0};
  CHECK_EQUAL(axm_open(&device, fake_design(&design, &target), FAKE_BASE), AXM_OK);
  CHECK_EQUAL(axm_device_block(&device, index, &info), AXM_OK);
  return info;
}

void test_traffic(void) {
  const struct axm_block_info info = fresh(FAKE_TRAFFIC);
  const uint32_t *word = design.word[FAKE_TRAFFIC];
  struct axm_traffic traffic;
  CHECK_EQUAL(axm_traffic_open(&traffic, &info), AXM_OK);
  const struct axm_traffic_config good = {.base = 0x10000000,
                                          .region = 0x40000000,
                                          .pattern = AXM_TRAFFIC_STRIDED,
                                          .stride = 4096,
                                          .stop = AXM_TRAFFIC_CLOCKS,
                                          .limit = 1000,
                                          .burst_beats = 256,
                                          .outstanding = 64,
                                          .gap = 65280,
                                          .check = true,
                                          .cache = 15,
                                          .prot = 7,
                                          .qos = 15,
                                          .user = 15};
  CHECK_EQUAL(axm_traffic_configure(&traffic, AXM_DMA_READ, &good), AXM_OK);
  CHECK_EQUAL(word[AXM_TRAFFIC_READ_BASE_LO / 4], 0x10000000);
  CHECK_EQUAL(word[AXM_TRAFFIC_READ_FINAL / 4], 0x3FFFF000);
  CHECK_EQUAL(word[AXM_TRAFFIC_READ_STEP / 4], 4096);
  CHECK_EQUAL(word[AXM_TRAFFIC_READ_LIMIT / 4], 999);
  CHECK_EQUAL(word[AXM_TRAFFIC_READ_SHAPE / 4], 0x40FFFFFF);
  CHECK_EQUAL(word[AXM_TRAFFIC_READ_MODE / 4], 0xFF0F7F18);
  CHECK_EQUAL(axm_traffic_configure(&traffic, AXM_DMA_WRITE, &good), AXM_OK);
  CHECK_EQUAL(word[AXM_TRAFFIC_WRITE_MODE / 4], 0xFF0F7F08); /* nothing to check in writing */
  CHECK_EQUAL(word[AXM_TRAFFIC_WRITE_USER / 4], 15);
  /* 5 bursts of 256 beats and one of 3, the last beat not whole. */
  struct axm_traffic_config bytes = good;
  bytes.stop = AXM_TRAFFIC_BYTES;
  bytes.limit = (5 * 256 + 2) * 8 + 1;
  CHECK_EQUAL(axm_traffic_configure(&traffic, AXM_DMA_WRITE, &bytes), AXM_OK);
  CHECK_EQUAL(word[AXM_TRAFFIC_WRITE_LIMIT / 4], 5);
  CHECK_EQUAL(word[AXM_TRAFFIC_WRITE_MODE / 4], 0x020F7F00);
  bytes.limit = 0;
  CHECK_EQUAL(axm_traffic_configure(&traffic, AXM_DMA_WRITE, &bytes), AXM_OK);
  CHECK_EQUAL(AXM_GET(word[AXM_TRAFFIC_WRITE_MODE / 4], AXM_TRAFFIC_READ_MODE__STOP), 1);
  /* Regions that are no multiple of a burst: FINAL is one all the same, the last below the end. */
  struct axm_traffic_config odd = good;
  odd.pattern = AXM_TRAFFIC_CONTIGUOUS;
  odd.stop = AXM_TRAFFIC_BYTES;
  static const uint64_t regions[] = {8, 2040, 2048, 2056, 5000, 0x10000};
  for (size_t i = 0; i < sizeof regions / sizeof regions[0]; ++i) {
    odd.region = regions[i];
    odd.limit = (uint32_t)regions[i];
    CHECK_EQUAL(axm_traffic_configure(&traffic, AXM_DMA_READ, &odd), AXM_OK);
    const uint32_t last = word[AXM_TRAFFIC_READ_FINAL / 4];
    CHECK_EQUAL(word[AXM_TRAFFIC_READ_STEP / 4], 2048);
    CHECK(last % 2048 == 0 && last < regions[i] && last + 2048 >= regions[i]);
  }
  struct axm_traffic_config bad[13];
  for (int i = 0; i < 13; ++i)
    bad[i] = good;
  bad[0].base = 4;
  bad[1].base = UINT64_C(1) << 32;
  bad[2].region = 0;
  bad[3].region = (UINT64_C(1) << 32) + 1;
  bad[4].outstanding = 65;
  bad[5].burst_beats = 257;
  bad[6].gap += 1; /* 256 beats and the gap are more than the counter has */
  bad[7].qos = 16;
  bad[8].user = 16;
  bad[9].outstanding = 0;
  bad[10].stride = 260;
  bad[11].pattern = AXM_TRAFFIC_RANDOM;
  bad[11].region = 0x1000;
  bad[11].stride = 0x1000; /* a bit that leads out of the region */
  bad[12].region = 128;    /* less than the stride */
  for (int i = 0; i < 13; ++i)
    CHECK_EQUAL(axm_traffic_configure(&traffic, AXM_DMA_READ, &bad[i]), AXM_ERROR_RANGE);
  struct axm_start start;
  bool reading = false;
  bool writing = false;
  CHECK_EQUAL(axm_traffic_prepare(&traffic, true, true, &start), AXM_OK);
  CHECK_EQUAL(start.value, 3);
  CHECK_EQUAL(axm_start(&target.hal, &start), AXM_OK);
  CHECK_EQUAL(axm_traffic_busy(&traffic, &reading, &writing), AXM_OK);
  CHECK(reading && writing);
  CHECK_EQUAL(axm_traffic_prepare(&traffic, true, false, &start), AXM_ERROR_BUSY);
  CHECK_EQUAL(axm_traffic_configure(&traffic, AXM_DMA_READ, &good), AXM_ERROR_BUSY);
  CHECK_EQUAL(axm_traffic_stop(&traffic, true, false), AXM_OK);
  CHECK_EQUAL(axm_traffic_busy(&traffic, &reading, &writing), AXM_OK);
  CHECK(!reading && writing);
  design.traffic_errors[1] = 0x00220003;
  struct axm_traffic_errors errors;
  design.word[FAKE_TRAFFIC][AXM_TRAFFIC_WRITE_ERROR_ADDRESS_LO / 4] = 0x1234;
  CHECK_EQUAL(axm_traffic_read_errors(&traffic, AXM_DMA_WRITE, &errors), AXM_OK);
  CHECK_EQUAL(errors.count, 3);
  CHECK_EQUAL(errors.address, 0x1234);
  CHECK(strcmp(axm_traffic_error_name(errors.kinds, 0), "decerr") == 0);
  CHECK(strcmp(axm_traffic_error_name(errors.kinds, 1), "data") == 0);
  CHECK(axm_traffic_error_name(errors.kinds, 2) == NULL);
}

static void test_sniffer(void) {
  const struct axm_block_info info = fresh(FAKE_SNIFFER0);
  struct axm_sniffer sniffer;
  struct axm_sniffer_slot seen;
  struct axm_sniffer_record record;
  CHECK_EQUAL(axm_sniffer_open(&sniffer, &info), AXM_OK);
  CHECK_EQUAL(sniffer.slots, 2);
  CHECK_EQUAL(axm_sniffer_start(&sniffer), AXM_OK);
  CHECK_EQUAL(axm_sniffer_read_slot(&sniffer, 0, &seen), AXM_ERROR_BUSY);
  CHECK_EQUAL(axm_sniffer_stop(&sniffer), AXM_OK);
  CHECK_EQUAL(axm_sniffer_read_slot(&sniffer, 2, &seen), AXM_ERROR_RANGE);
  uint32_t *word = design.word[FAKE_SNIFFER0];
  word[AXM_SNIFFER_LENGTHS / 4 + 15] = 3;
  word[AXM_SNIFFER_BEATS / 4] = 40;
  word[AXM_SNIFFER_BEATS / 4 + 2] = 5;
  word[AXM_SNIFFER_GAPS / 4 + 17] = 2;
  word[AXM_SNIFFER_SLOT / 4] = 0x101;
  word[AXM_SNIFFER_BEAT_RANGE / 4] = 0x20000;
  word[AXM_SNIFFER_RECORDS / 4] = 0x1000;
  word[AXM_SNIFFER_RECORDS / 4 + 1] = 0x0F000001;
  word[AXM_SNIFFER_RECORDS / 4 + 2] = 77;
  CHECK_EQUAL(axm_sniffer_read_slot(&sniffer, 1, &seen), AXM_OK);
  CHECK_EQUAL(word[AXM_SNIFFER_SELECT / 4], 1);
  CHECK_EQUAL(seen.bursts, 3);
  CHECK_EQUAL(seen.beats, 48); /* one more than the gaps between them */
  CHECK_EQUAL(seen.beat_typical, 0);
  CHECK_EQUAL(seen.beat_max, 2);
  CHECK_EQUAL(axm_sniffer_read_record(&sniffer, 1, 0, &record), AXM_OK);
  CHECK_EQUAL(record.address, UINT64_C(0x100001000));
  CHECK_EQUAL(record.beats, 16);
  CHECK_EQUAL(record.time, 77);
  CHECK_EQUAL(axm_sniffer_read_record(&sniffer, 1, 1, &record), AXM_ERROR_EMPTY);
  static const uint32_t starts[] = {0,  1,  2,  3,  4,  5,   6,   7,   8,   9,  10,
                                    11, 12, 13, 14, 15, 16,  20,  24,  28,  32, 40,
                                    48, 56, 64, 80, 96, 112, 128, 160, 192, 224};
  for (uint32_t bin = 0; bin < AXM_SNIFFER_BINS; ++bin)
    CHECK_EQUAL(axm_sniffer_bin(bin), starts[bin]);
}

static void test_monitor(void) {
  const struct axm_block_info info = fresh(FAKE_MONITOR0);
  struct axm_monitor monitor;
  struct axm_counters counters;
  CHECK_EQUAL(axm_monitor_open(&monitor, &info), AXM_OK);
  CHECK_EQUAL(axm_monitor_start(&monitor), AXM_OK);
  uint32_t *word = design.word[FAKE_MONITOR0];
  /* Each counter has a number of its own, so that none can be taken for another. */
  for (uint32_t at = AXM_MONITOR_COUNTERS_READ_DATA_LO; at < 0x3A0; at += 4)
    word[at / 4] = at;
  CHECK_EQUAL(axm_monitor_read(&monitor, &counters), AXM_OK);
  CHECK_EQUAL(counters.read.beats, UINT64_C(0x20400000200));
  CHECK_EQUAL(counters.read.response, UINT64_C(0x22C00000228));
  CHECK_EQUAL(counters.write.idle, UINT64_C(0x24C00000248));
  CHECK_EQUAL(counters.write.bytes, UINT64_C(0x27C00000278));
  CHECK_EQUAL(counters.read.histogram[14], UINT64_C(0x2F4000002F0));
  CHECK_EQUAL(counters.read.bursts, UINT64_C(0x2FC000002F8));
  CHECK_EQUAL(counters.write.histogram[0], UINT64_C(0x30400000300));
  CHECK_EQUAL(counters.read.latency_min, 0x380);
  CHECK_EQUAL(counters.write.longest_inactivity, 0x38C);
  CHECK_EQUAL(counters.write.latency_sum, UINT64_C(0x39C00000398));
  /* A monitor that never gets ready does not block the caller. */
  word[AXM_MONITOR_STATUS / 4] = AXM_MONITOR_STATUS__SNAPSHOT_PENDING_MASK;
  CHECK_EQUAL(axm_monitor_read(&monitor, &counters), AXM_ERROR_TIMEOUT);
  CHECK_EQUAL(axm_monitor_stop(&monitor), AXM_OK);
}

void test_observers(void) {
  test_sniffer();
  test_monitor();
  struct axm_block_info info = fresh(FAKE_SINK);
  struct axm_sink sink;
  CHECK_EQUAL(axm_sink_open(&sink, &info), AXM_OK);
  CHECK_EQUAL(axm_sink_configure(&sink, true, 5, 257, 0), AXM_ERROR_RANGE);
  CHECK_EQUAL(axm_sink_configure(&sink, true, 5, 4, 2), AXM_OK);
  CHECK_EQUAL(design.word[FAKE_SINK][AXM_STREAM_SINK_THROTTLE / 4], 0x203);
  CHECK_EQUAL(design.word[FAKE_SINK][AXM_STREAM_SINK_CTRL / 4], 7);
  info = fresh(FAKE_LOOPBACK0);
  struct axm_loopback loopback;
  CHECK_EQUAL(axm_loopback_open(&loopback, &info), AXM_OK);
  CHECK_EQUAL(loopback.depth, 512);
  CHECK_EQUAL(axm_loopback_configure(&loopback, 513), AXM_ERROR_RANGE);
  CHECK_EQUAL(axm_loopback_configure(&loopback, 32), AXM_OK);
  info = fresh(FAKE_SOURCE);
  struct axm_source source;
  CHECK_EQUAL(axm_source_open(&source, &info), AXM_OK);
  CHECK_EQUAL(axm_source_configure(&source, 1, 1u << 24), AXM_ERROR_RANGE);
  CHECK_EQUAL(axm_stream_word(0x01020304, 0),
              0x01020304u ^ 0x02030400u ^ 0x03040000u ^ 0x04000000u);
  info = fresh(FAKE_COUNTER);
  struct axm_counter counter;
  uint64_t clocks = 0;
  CHECK_EQUAL(axm_counter_open(&counter, &info), AXM_OK);
  target.now_ns = UINT64_C(0x1234567890) * FAKE_CLOCK_NS;
  CHECK_EQUAL(axm_counter_read(&counter, &clocks), AXM_OK);
  CHECK_EQUAL(clocks, UINT64_C(0x1234567890) + AXM_TEST_ACCESS_NS / FAKE_CLOCK_NS);
}

/* Two runs by the agent's own commands; between the starts there must be nothing but starts. */
static void order_of(uint32_t streams, const uint64_t *addresses) {
  uint64_t first = 0;
  for (uint64_t i = 0; i < target.accesses && i < AXM_TEST_LOG; ++i) {
    if (target.log[i].write && target.log[i].address == addresses[0])
      first = i;
  }
  CHECK(first != 0);
  for (uint32_t k = 0; k < streams; ++k) {
    CHECK(target.log[first + k].write);
    CHECK_EQUAL(target.log[first + k].address, addresses[k]);
    /* Nothing but the access itself takes time between them. */
    CHECK_EQUAL(target.log[first + k].at_ns, target.log[first].at_ns + k * AXM_TEST_ACCESS_NS);
  }
}

static struct axm_agent agent;

static enum axm_status obey(const char *text) {
  static char copy[AXM_LINE_MAX];
  struct axm_arguments words;
  strcpy(copy, text);
  CHECK_EQUAL(axm_arguments_split(&words, copy), AXM_OK);
  const axm_command command = axm_command_find(&words, false);
  CHECK(command != NULL);
  return command == NULL ? AXM_ERROR_UNKNOWN : command(&agent, &words);
}

static enum axm_status (*plain_read)(void *self, uint64_t address, uint32_t *value);

static enum axm_status counter_that_goes_back(void *self, uint64_t address, uint32_t *value) {
  static uint32_t left = 1000000;
  if (address >> 12 != (FAKE_BASE >> 12) + FAKE_COUNTER || (address & 0xfff) < AXM_COUNTER_TIME_LO)
    return plain_read(self, address, value);
  *value = (address & 0xfff) == AXM_COUNTER_TIME_LO ? left-- : 0;
  return AXM_OK;
}

void test_run_order(void) {
  int quiet[2] = {0, 0};
  axm_agent_init(&agent, fake_design(&design, &target), FAKE_BASE);
  CHECK_EQUAL(pipe(quiet), 0);
  target.input = quiet[0]; /* reports nothing, and does not end */
  int answers[2] = {0, 0};
  CHECK_EQUAL(pipe(answers), 0);
  target.output = answers[1];
  axm_reply_begin(&agent.reply, &target.hal);
  for (int i = 0; i < 4; ++i)
    CHECK_EQUAL(obey("buffer allocate size=4096"), AXM_OK);
  CHECK_EQUAL(obey("run"), AXM_ERROR_STATE);
  CHECK_EQUAL(obey("configure stream block=2 half=write buffer=0"), AXM_OK);
  CHECK_EQUAL(obey("configure stream block=2 half=read buffer=1"), AXM_OK);
  CHECK_EQUAL(obey("configure stream block=6 half=write buffer=2"), AXM_OK);
  CHECK_EQUAL(obey("configure stream block=6 half=read buffer=3"), AXM_OK);
  CHECK_EQUAL(obey("configure stream block=6 half=read buffer=3"), AXM_ERROR_REPEATED);
  target.cleaned = target.invalidated = 0;
  CHECK_EQUAL(obey("configure arm"), AXM_OK);
  /* Memory is handed over: all of it clean, and what is written in no cache. */
  CHECK_EQUAL(target.cleaned, 4);
  CHECK_EQUAL(target.invalidated, 2);
  /* Without a given time-out there is a default. */
  CHECK_EQUAL(*fake_word(&design, 2, AXM_DMA_TIMEOUT), 65472 / 64);
  axm_reply_begin(&agent.reply, &target.hal);
  CHECK_EQUAL(obey("run"), AXM_OK);
  const uint64_t duplex[4] = {FAKE_BASE + 0x2098, FAKE_BASE + 0x2058, FAKE_BASE + 0x6098,
                              FAKE_BASE + 0x6058};
  order_of(4, duplex);
  for (uint32_t i = 0; i < 4; ++i) {
    CHECK_EQUAL(agent.job.stream[i].state, AXM_STREAM_DONE);
    CHECK_EQUAL(agent.job.stream[i].done.bytes, 4096);
    CHECK(agent.job.stream[i].end_ns >= 4096 / FAKE_BEAT * FAKE_CLOCK_NS);
  }
  /* Ends during the run leave no interrupt asserted after it. */
  CHECK_EQUAL(target.hal.wait_irq(&target, 1000), AXM_ERROR_TIMEOUT);
  CHECK_EQUAL(design.dma[0].irq, 0);
  /* Both directions of a generator are started by one write. */
  CHECK_EQUAL(obey("run"), AXM_ERROR_STATE);
  CHECK_EQUAL(obey("configure new"), AXM_OK);
  CHECK_EQUAL(obey("configure traffic block=10 half=write buffer=0"), AXM_OK);
  CHECK_EQUAL(obey("configure traffic block=10 half=read buffer=1"), AXM_OK);
  CHECK_EQUAL(obey("configure arm"), AXM_OK);
  CHECK_EQUAL(agent.job.starts, 1);
  CHECK_EQUAL(agent.job.start[0].value, 3);
  axm_reply_begin(&agent.reply, &target.hal);
  CHECK_EQUAL(obey("run"), AXM_OK);
  CHECK_EQUAL(agent.job.stream[1].state, AXM_STREAM_DONE);
  /* A sniffer that claims 40 slots, and a counter that goes back, are no part of a result. */
  uint32_t *claims = fake_word(&design, 5, AXM_SNIFFER_CAPS);
  const uint32_t honest = *claims;
  *claims = 40u | 4u << 8;
  CHECK_EQUAL(obey("counters block=5"), AXM_ERROR_RANGE);
  CHECK_EQUAL(obey("records block=5 slot=0"), AXM_ERROR_RANGE);
  *claims = honest;
  CHECK_EQUAL(obey("configure arm"), AXM_OK);
  plain_read = target.device.read32;
  target.device.read32 = counter_that_goes_back;
  axm_reply_begin(&agent.reply, &target.hal);
  CHECK_EQUAL(obey("run"), AXM_ERROR_BUS);
  /* What leads out of the buffer is not armed. */
  CHECK_EQUAL(obey("configure new"), AXM_OK);
  CHECK_EQUAL(obey("buffer allocate size=64"), AXM_OK);
  CHECK_EQUAL(obey("configure traffic block=10 half=write buffer=4 beats=256 stop=never"),
              AXM_ERROR_RANGE);
  CHECK_EQUAL(obey("configure traffic block=10 half=write buffer=4 beats=8 stop=never"), AXM_OK);
  close(quiet[0]);
  close(quiet[1]);
  close(answers[0]);
  close(answers[1]);
}
