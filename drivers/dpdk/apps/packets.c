/* host/apps/packets.c over DPDK: its channels use the bursts of port 0, of any driver.
 *
 *   axm-dpdk-packets EAL-OPTIONS -- PACKETS
 *
 * A packet is sent from the channel's buffer, to which an mbuf points; a received packet is copied
 * from its mbufs into the channel's buffer. Exit status 0 if received data equal those sent.
 */
#include <stdio.h>
#include <stdlib.h>

#include <rte_eal.h>
#include <rte_ethdev.h>

#include "packets.h"
#include "target.h"

enum { RING = 128, MBUFS = 1024, ROOM = 2048, FLIGHT = 8 };

/* An engine over a port; `number` counts packets, modulo 2^32. */
struct burst_engine {
  struct axm_engine engine;
  struct rte_mempool *pool;
  uint32_t submitted, sent, done, polled; /* sending: done counts mbufs that came back */
  struct rte_mbuf *waiting[FLIGHT];       /* sending: not yet taken by the port */
  struct rte_mbuf_ext_shared_info shared[FLIGHT];
  struct axm_engine_transfer transfer[FLIGHT];
};

static struct burst_engine *of(struct axm_engine *engine) { return (struct burst_engine *)engine; }

static enum axm_status start(struct axm_engine *engine, const struct axm_engine_config *config) {
  struct burst_engine *burst = of(engine);
  burst->submitted = burst->sent = burst->done = burst->polled = 0;
  return config->queue <= engine->limits.queue ? AXM_OK : AXM_ERROR_RANGE;
}

static enum axm_status stop(struct axm_engine *engine, uint64_t timeout_ns) {
  (void)engine, (void)timeout_ns; /* the port is stopped before the buffers are given back */
  return AXM_OK;
}

static void came_back(void *address, void *of_burst) {
  struct burst_engine *burst = of_burst;
  (void)address;
  ++burst->done;
}

static enum axm_status submit(struct axm_engine *engine,
                              const struct axm_engine_transfer *transfer) {
  struct burst_engine *burst = of(engine);
  const uint32_t place = burst->submitted % FLIGHT;
  const enum axm_status status = axm_engine_check(engine, transfer);
  if (status != AXM_OK)
    return status;
  if (burst->submitted - burst->polled == FLIGHT)
    return AXM_ERROR_FULL;
  if (engine->direction == AXM_ENGINE_SEND) {
    struct rte_mbuf *mbuf = rte_pktmbuf_alloc(burst->pool);
    struct rte_mbuf_ext_shared_info *shared = &burst->shared[place];
    if (mbuf == NULL)
      return AXM_ERROR_FULL;
    shared->free_cb = came_back;
    shared->fcb_opaque = burst;
    rte_mbuf_ext_refcnt_set(shared, 1);
    rte_pktmbuf_attach_extbuf(mbuf, rte_mem_iova2virt(transfer->address), transfer->address,
                              (uint16_t)transfer->bytes, shared);
    mbuf->data_len = (uint16_t)transfer->bytes;
    mbuf->pkt_len = transfer->bytes;
    burst->waiting[place] = mbuf;
  }
  burst->transfer[place] = *transfer;
  ++burst->submitted;
  return AXM_OK;
}

static enum axm_status give(struct axm_engine *engine) {
  struct burst_engine *burst = of(engine);
  while (engine->direction == AXM_ENGINE_SEND && burst->sent != burst->submitted) {
    struct rte_mbuf *several[FLIGHT];
    uint16_t count = 0;
    for (uint32_t n = burst->sent; n != burst->submitted; ++n)
      several[count++] = burst->waiting[n % FLIGHT];
    const uint16_t taken = rte_eth_tx_burst(0, 0, several, count);
    burst->sent += taken;
    if (taken == 0)
      break; /* the next poll tries again */
  }
  return AXM_OK;
}

static enum axm_status poll_sent(struct burst_engine *burst, struct axm_engine_done *done) {
  (void)!give(&burst->engine);
  if (burst->done == burst->polled)
    rte_eth_tx_done_cleanup(0, 0, 0);
  if (burst->done == burst->polled)
    return AXM_ERROR_EMPTY;
  *done = (struct axm_engine_done){.bytes = burst->transfer[burst->polled++ % FLIGHT].bytes};
  return AXM_OK;
}

static enum axm_status poll_received(struct burst_engine *burst, struct axm_engine_done *done) {
  struct rte_mbuf *packet;
  if (burst->polled == burst->submitted || rte_eth_rx_burst(0, 0, &packet, 1) == 0)
    return AXM_ERROR_EMPTY;
  const struct axm_engine_transfer *transfer = &burst->transfer[burst->polled++ % FLIGHT];
  char *to = rte_mem_iova2virt(transfer->address);
  *done = (struct axm_engine_done){.bytes = packet->pkt_len, .last = true};
  if (packet->pkt_len > transfer->bytes)
    done->cause = AXM_ENGINE_TOO_LONG;
  for (const struct rte_mbuf *m = packet; m != NULL && done->cause == AXM_ENGINE_OK; m = m->next) {
    memcpy(to, rte_pktmbuf_mtod(m, const void *), m->data_len);
    to += m->data_len;
  }
  rte_pktmbuf_free(packet);
  return AXM_OK;
}

static enum axm_status poll(struct axm_engine *engine, struct axm_engine_done *done) {
  return engine->direction == AXM_ENGINE_SEND ? poll_sent(of(engine), done)
                                              : poll_received(of(engine), done);
}

static const struct axm_engine_ops ops = {
    .name = "ethdev", .start = start, .submit = submit, .give = give, .poll = poll, .stop = stop};

static void open_engine(struct burst_engine *burst, const struct axm_hal *hal,
                        enum axm_engine_direction direction, struct rte_mempool *pool) {
  burst->engine = (struct axm_engine){.ops = &ops,
                                      .hal = hal,
                                      .direction = direction,
                                      .limits = {.queue = FLIGHT,
                                                 .bytes = AXM_PACKET_MOST,
                                                 .address_bits = 64,
                                                 .address_align = 1,
                                                 .length_align = 1,
                                                 .lengths = true,
                                                 .ends = true}};
  burst->pool = pool;
}

static int start_port(struct rte_mempool *pool) {
  struct rte_eth_conf config = {
      .rxmode = {.mtu = AXM_PACKET_MOST, .offloads = RTE_ETH_RX_OFFLOAD_SCATTER}};
  uint16_t receiving = RING, sending = RING;
  int error = rte_eth_dev_configure(0, 1, 1, &config);
  if (error == 0)
    error = rte_eth_dev_adjust_nb_rx_tx_desc(0, &receiving, &sending);
  if (error == 0)
    error = rte_eth_rx_queue_setup(0, 0, receiving, SOCKET_ID_ANY, NULL, pool);
  if (error == 0)
    error = rte_eth_tx_queue_setup(0, 0, sending, SOCKET_ID_ANY, NULL);
  return error == 0 ? rte_eth_dev_start(0) : error;
}

int main(int argc, char **argv) {
  static struct burst_engine send, receive;
  static struct axm_target target;
  const int used = rte_eal_init(argc, argv);
  if (used < 0 || argc - used != 2 || atoi(argv[used + 1]) <= 0)
    rte_exit(2, "usage: axm-dpdk-packets EAL-OPTIONS -- PACKETS\n");
  struct rte_mempool *pool =
      rte_pktmbuf_pool_create("packets", MBUFS, 32, 0, ROOM + RTE_PKTMBUF_HEADROOM, SOCKET_ID_ANY);
  if (pool == NULL || rte_eth_dev_count_avail() == 0)
    rte_exit(1, "no memory, or no port\n");
  const int error = start_port(pool);
  if (error != 0)
    rte_exit(1, "the port does not start: %s\n", rte_strerror(-error));
  axm_target_of_memory(&target, "packets");
  open_engine(&send, &target.hal, AXM_ENGINE_SEND, pool);
  open_engine(&receive, &target.hal, AXM_ENGINE_RECEIVE, pool);
  const struct axm_packets_setup setup = {.send = &send.engine,
                                          .receive = &receive.engine,
                                          .packets = (uint32_t)atoi(argv[used + 1]),
                                          .wait = AXM_WAIT_LOOK,
                                          .coherent = true};
  const int failed = axm_packets(&setup);
  fflush(stdout);
  rte_eth_dev_stop(0);
  rte_eth_dev_close(0);
  rte_eal_cleanup();
  return failed;
}
