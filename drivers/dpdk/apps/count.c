/* How many instructions a packet of 64 bytes costs in the bursts of port 0, which loops back, in
 * both directions together, by the processor's own counter (which QEMU has too, with -icount).
 *
 *   axm-dpdk-count EAL-OPTIONS -- ROUNDS
 *
 * Counted: rte_eth_tx_burst and the rte_eth_rx_burst that finds the whole batch, with what they do
 * for the mbufs (the port frees those that were sent, and takes new ones); and, apart, taking the
 * mbufs and freeing them in the program. Not counted: looks that find nothing or a part.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>

enum { RING = 128, MBUFS = 1024, CACHE = 64, BYTES = 64, MOST = 32, WARM = 16 };

static int counter;
static uint64_t empty_pair; /* what now() itself costs */

static uint64_t now(void) {
  uint64_t count = 0;
  if (read(counter, &count, sizeof count) != sizeof count)
    rte_exit(1, "the counter cannot be read\n");
  return count;
}

static void calibrate(void) {
  struct perf_event_attr attributes = {
      .type = PERF_TYPE_HARDWARE, .size = sizeof attributes, .config = PERF_COUNT_HW_INSTRUCTIONS};
  counter = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
  if (counter < 0)
    rte_exit(1, "this machine counts no instructions\n");
  const uint64_t before = now();
  for (int i = 0; i < 1000; ++i)
    now();
  empty_pair = (now() - before) / 1001;
}

struct counts {
  uint64_t bursts, mbufs;
};

static void tally(uint64_t *sum, uint64_t before) { *sum += now() - before - empty_pair; }

/* A batch there and back; false if it came back in parts. */
static bool round_trip(struct rte_mempool *pool, uint16_t batch, struct counts *counts) {
  struct rte_mbuf *out[MOST], *in[MOST];
  struct counts here = {0};
  uint64_t before = now();
  if (rte_pktmbuf_alloc_bulk(pool, out, batch) != 0)
    rte_exit(1, "no mbufs are left\n");
  for (uint16_t i = 0; i < batch; ++i)
    out[i]->data_len = out[i]->pkt_len = BYTES;
  tally(&here.mbufs, before);
  before = now();
  if (rte_eth_tx_burst(0, 0, out, batch) != batch)
    rte_exit(1, "the port accepts no batch\n");
  tally(&here.bursts, before);
  usleep(20000);
  uint16_t came = 0;
  for (uint16_t got = 0; came < batch; came += got) {
    uint64_t looked = 0;
    before = now();
    got = rte_eth_rx_burst(0, 0, in + came, batch - came);
    tally(&looked, before);
    if (got == batch)
      here.bursts += looked;
    else
      usleep(5000);
  }
  before = now();
  rte_pktmbuf_free_bulk(in, batch);
  tally(&here.mbufs, before);
  const bool whole = here.bursts != 0 && came == batch;
  counts->bursts += here.bursts;
  counts->mbufs += here.mbufs;
  return whole;
}

static void measure(struct rte_mempool *pool, uint16_t batch, unsigned rounds) {
  struct counts counts = {0}, dropped = {0};
  unsigned whole = 0;
  /* As many rounds as the rings have room for are as in the middle of a long run. */
  for (unsigned i = 0; i < (WARM + RING) / batch; ++i)
    round_trip(pool, batch, &dropped);
  while (whole < rounds) {
    struct counts one = {0};
    if (!round_trip(pool, batch, &one))
      continue;
    counts.bursts += one.bursts;
    counts.mbufs += one.mbufs;
    ++whole;
  }
  const double packets = (double)rounds * batch;
  printf(
      "bursts of an ethdev              batches of %2u: %6.0f instructions a packet, and %.0f for "
      "its mbufs\n",
      batch, (double)counts.bursts / packets, (double)counts.mbufs / packets);
}

static int start_port(struct rte_mempool *pool) {
  const struct rte_eth_conf config = {0};
  int error = rte_eth_dev_configure(0, 1, 1, &config);
  if (error == 0)
    error = rte_eth_rx_queue_setup(0, 0, RING, SOCKET_ID_ANY, NULL, pool);
  if (error == 0)
    error = rte_eth_tx_queue_setup(0, 0, RING, SOCKET_ID_ANY, NULL);
  return error == 0 ? rte_eth_dev_start(0) : error;
}

int main(int argc, char **argv) {
  const int used = rte_eal_init(argc, argv);
  if (used < 0 || argc - used != 2 || atoi(argv[used + 1]) <= 0)
    rte_exit(2, "usage: axm-dpdk-count EAL-OPTIONS -- ROUNDS\n");
  struct rte_mempool *pool =
      rte_pktmbuf_pool_create("count", MBUFS, CACHE, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
  if (pool == NULL || rte_eth_dev_count_avail() == 0)
    rte_exit(1, "no memory, or no port\n");
  const int error = start_port(pool);
  if (error != 0)
    rte_exit(1, "the port does not start: %s\n", rte_strerror(-error));
  calibrate();
  const unsigned rounds = (unsigned)atoi(argv[used + 1]);
  measure(pool, 1, rounds * RING);
  measure(pool, MOST, rounds * RING / MOST);
  fflush(stdout);
  rte_eth_dev_stop(0);
  rte_eth_dev_close(0);
  rte_eal_cleanup();
  return 0;
}
