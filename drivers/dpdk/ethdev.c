/* An Ethernet device of DPDK whose wire is a stream of the fabric: net_axm.
 *
 * Packets are received into mbufs and sent from them, in place. Longer packets than an mbuf are
 * chains of them (SCATTER, MULTI_SEGS). One queue each way: a port is two engines.
 *
 * Limits: no interrupts, no offload that looks into packets, no addresses are filtered, no
 * secondary processes. A fault drops the packets in the engine in that direction and restarts it
 * (ierrors, oerrors); where only both directions can be reset, the link is down until the port is
 * started.
 */
#include <errno.h>
#include <string.h>

#include <ethdev_driver.h>
#include <ethdev_vdev.h>

#include "attach.h"
#include "log.h"

enum { SENDING = 0, RECEIVING = 1, QUEUE = 128, ROUND = 32 };
enum { LONGEST = 65535, LEAST_BUFFER = 64, HEAD_BYTES = RTE_ETHER_HDR_LEN + RTE_ETHER_CRC_LEN };

/* One direction. What is to be freed or filled when a transfer ends, the oldest first: an mbuf; of
 * a packet that is sent in parts the whole packet with the last, and NULL with the others. */
struct queue {
  struct axm_engine *engine;
  struct rte_mempool *pool; /* receiving */
  struct rte_mbuf *mbuf[QUEUE];
  uint16_t entries, oldest, held;
  uint16_t port;
  bool dead;                     /* it did not stop: what it has stays its own */
  bool whole;                    /* receiving: packets of several mbufs are off */
  struct rte_mbuf *first, *last; /* receiving: a packet that has not ended */
  uint32_t longest;              /* receiving */
  uint64_t packets, bytes, errors, no_mbuf;
};

struct port {
  struct axm_attached attached;
  struct queue queue[2];
  struct rte_ether_addr address;
};

static struct rte_mbuf **place(struct queue *queue, uint16_t n) {
  return &queue->mbuf[(queue->oldest + n) % QUEUE];
}

static struct rte_mbuf *take(struct queue *queue) {
  struct rte_mbuf *const mbuf = *place(queue, 0);
  queue->oldest = (queue->oldest + 1) % QUEUE;
  --queue->held;
  return mbuf;
}

static void forget_packet(struct queue *queue) {
  rte_pktmbuf_free(queue->first);
  queue->first = queue->last = NULL;
}

static int start(struct queue *queue) {
  const struct axm_engine_config config = {.queue = queue->entries, .coherent = true};
  queue->oldest = queue->held = 0;
  queue->dead = false;
  const enum axm_status status = queue->engine->ops->start(queue->engine, &config);
  if (status != AXM_OK)
    AXM_LOG(ERR, "the engine does not start: %s", axm_status_text(status));
  return axm_errno(status);
}

/* Ends the engine's work; only then its mbufs are given back. -EBUSY: the other direction has to be
 * stopped first. */
static int stop(struct queue *queue) {
  const enum axm_status status = queue->engine->ops->stop(queue->engine, AXM_STOP_NS);
  if (status == AXM_ERROR_BUSY)
    return -EBUSY;
  if (status != AXM_OK) {
    AXM_LOG(ERR, "the engine does not stop, and keeps its memory: %s", axm_status_text(status));
    queue->dead = true;
    return axm_errno(status);
  }
  while (queue->held > 0)
    rte_pktmbuf_free(take(queue));
  forget_packet(queue);
  return 0;
}

/* After a fault: packets in the engine are lost, and it restarts. */
static void recover(struct queue *queue, const char *why) {
  AXM_LOG(WARNING, "%s: %s", queue->pool == NULL ? "sending" : "receiving", why);
  ++queue->errors;
  if (stop(queue) != 0 || start(queue) != 0)
    queue->dead = true;
}

/* The oldest completion, whose mbuf is taken; false if there is none. */
static bool poll(struct queue *queue, struct axm_engine_done *done, struct rte_mbuf **mbuf) {
  if (queue->held == 0)
    return false;
  const enum axm_status status = queue->engine->ops->poll(queue->engine, done);
  if (likely(status == AXM_OK && done->cause == AXM_ENGINE_OK)) {
    *mbuf = take(queue);
    return true;
  }
  if (status != AXM_ERROR_EMPTY)
    recover(queue, status == AXM_OK ? axm_engine_cause_text(done->cause) : axm_status_text(status));
  return false;
}

static bool submit(struct queue *queue, const struct rte_mbuf *mbuf, uint32_t bytes, bool last,
                   struct rte_mbuf *kept) {
  const struct axm_engine_transfer transfer = {
      .address = rte_pktmbuf_iova(mbuf), .bytes = bytes, .last = last};
  if (unlikely(queue->engine->ops->submit(queue->engine, &transfer) != AXM_OK))
    return false;
  *place(queue, queue->held++) = kept;
  return true;
}

static void ring_doorbell(struct queue *queue) {
  const enum axm_status status = queue->engine->ops->give(queue->engine);
  if (unlikely(status != AXM_OK))
    recover(queue, axm_status_text(status));
}

/* ---- receiving ------------------------------------------------------------------------------- */

/* Gives the engine mbufs in place of those that went with packets. */
static void refill(struct queue *queue) {
  struct rte_mbuf *mbuf[ROUND];
  while (queue->held < queue->entries && !queue->dead) {
    const unsigned count = RTE_MIN(ROUND, queue->entries - queue->held);
    unsigned given = 0;
    if (unlikely(rte_pktmbuf_alloc_bulk(queue->pool, mbuf, count) != 0)) {
      ++queue->no_mbuf;
      break;
    }
    while (given < count &&
           submit(queue, mbuf[given], rte_pktmbuf_tailroom(mbuf[given]), false, mbuf[given]))
      ++given;
    if (likely(given == count))
      continue;
    while (given < count)
      rte_pktmbuf_free(mbuf[given++]);
    ++queue->errors;
    break;
  }
  if (!queue->dead)
    ring_doorbell(queue);
}

/* Puts a piece behind what came of its packet; the packet if it ends here and may be so. */
static struct rte_mbuf *gather(struct queue *queue, struct rte_mbuf *mbuf,
                               const struct axm_engine_done *done) {
  mbuf->data_len = (uint16_t)done->bytes;
  mbuf->pkt_len = done->bytes;
  mbuf->port = queue->port;
  struct rte_mbuf *packet = queue->first;
  if (likely(packet == NULL)) {
    packet = mbuf;
  } else {
    queue->last->next = mbuf;
    packet->pkt_len += done->bytes;
    ++packet->nb_segs;
  }
  if (likely(done->last)) {
    queue->first = queue->last = NULL;
    if (likely(packet->pkt_len <= queue->longest && (packet->nb_segs == 1 || !queue->whole)))
      return packet;
    rte_pktmbuf_free(packet);
    ++queue->errors;
    return NULL;
  }
  queue->first = packet;
  queue->last = mbuf;
  if (packet->nb_segs == RTE_MBUF_MAX_NB_SEGS) { /* longer than any packet: counts the rest again */
    forget_packet(queue);
    ++queue->errors;
  }
  return NULL;
}

static uint16_t receive_burst(void *of, struct rte_mbuf **packets, uint16_t count) {
  struct queue *queue = of;
  struct axm_engine_done done;
  struct rte_mbuf *mbuf;
  uint64_t bytes = 0;
  uint16_t n = 0;
  if (unlikely(queue->dead))
    return 0;
  while (n < count && poll(queue, &done, &mbuf)) {
    struct rte_mbuf *const packet = gather(queue, mbuf, &done);
    if (packet == NULL)
      continue;
    packets[n++] = packet;
    bytes += packet->pkt_len;
  }
  queue->packets += n;
  queue->bytes += bytes;
  if (queue->entries - queue->held >= RTE_MIN(ROUND, queue->entries / 2 + 1))
    refill(queue);
  return n;
}

/* ---- sending --------------------------------------------------------------------------------- */

static void reclaim(struct queue *queue) {
  struct axm_engine_done done;
  struct rte_mbuf *mbuf[ROUND];
  unsigned count = 0;
  while (poll(queue, &done, &mbuf[count])) {
    if (++count < ROUND)
      continue;
    rte_pktmbuf_free_bulk(mbuf, count);
    count = 0;
  }
  rte_pktmbuf_free_bulk(mbuf, count);
}

static int clean_up(void *of, uint32_t count) {
  struct queue *queue = of;
  const uint16_t held = queue->held;
  (void)count;
  reclaim(queue);
  return held - queue->held;
}

/* Whether the engine has room for the whole packet. */
static bool fits(const struct queue *queue, const struct rte_mbuf *packet) {
  for (const struct rte_mbuf *m = packet; m != NULL; m = m->next) {
    const struct axm_engine_transfer transfer = {.address = rte_pktmbuf_iova(m),
                                                 .bytes = m->data_len};
    if (axm_engine_check(queue->engine, &transfer) != AXM_OK)
      return false;
  }
  return packet->nb_segs <= queue->entries;
}

/* False if the packet is not sent. There is room for it. */
static bool send_packet(struct queue *queue, struct rte_mbuf *packet) {
  if (likely(packet->nb_segs == 1))
    return submit(queue, packet, packet->data_len, true, packet);
  if (!fits(queue, packet))
    return false;
  for (const struct rte_mbuf *m = packet; m != NULL; m = m->next) {
    const bool last = m->next == NULL;
    if (!submit(queue, m, m->data_len, last, last ? packet : NULL)) {
      recover(queue, "a part of a packet was refused");
      return false;
    }
  }
  return true;
}

static uint16_t send_burst(void *of, struct rte_mbuf **packets, uint16_t count) {
  struct queue *queue = of;
  uint64_t bytes = 0, dropped = 0;
  uint16_t n = 0;
  if (unlikely(queue->dead))
    return 0;
  if (queue->entries - queue->held < RTE_MAX(count, ROUND))
    reclaim(queue);
  for (; n < count; ++n) {
    struct rte_mbuf *const packet = packets[n];
    const uint32_t length = packet->pkt_len;
    if (unlikely(queue->entries - queue->held < RTE_MIN(packet->nb_segs, queue->entries) ||
                 queue->dead))
      break;
    if (likely(send_packet(queue, packet))) {
      bytes += length;
      continue;
    }
    rte_pktmbuf_free(packet);
    ++dropped;
  }
  queue->packets += n - dropped;
  queue->bytes += bytes;
  queue->errors += dropped;
  if (likely(n > 0 && !queue->dead))
    ring_doorbell(queue);
  return n;
}

/* ---- the device ------------------------------------------------------------------------------ */

static int device_configure(struct rte_eth_dev *dev) {
  (void)dev;
  return 0;
}

static int device_info(struct rte_eth_dev *dev, struct rte_eth_dev_info *info) {
  struct port *port = dev->data->dev_private;
  const struct axm_engine_limits *send_limits = &port->queue[SENDING].engine->limits;
  const struct axm_engine_limits *receive_limits = &port->queue[RECEIVING].engine->limits;
  const bool parts = receive_limits->ends && receive_limits->lengths;
  info->max_mac_addrs = 1;
  info->max_rx_queues = info->max_tx_queues = 1;
  info->min_rx_bufsize = LEAST_BUFFER;
  info->max_rx_pktlen = LONGEST + HEAD_BYTES;
  info->min_mtu = 1;
  info->max_mtu = LONGEST;
  info->rx_offload_capa = parts ? RTE_ETH_RX_OFFLOAD_SCATTER : 0;
  info->tx_offload_capa = send_limits->ends ? RTE_ETH_TX_OFFLOAD_MULTI_SEGS : 0;
  info->rx_desc_lim = (struct rte_eth_desc_lim){
      .nb_max = RTE_MIN((uint32_t)QUEUE, receive_limits->queue), .nb_min = 1, .nb_align = 1};
  info->tx_desc_lim = (struct rte_eth_desc_lim){
      .nb_max = RTE_MIN((uint32_t)QUEUE, send_limits->queue), .nb_min = 1, .nb_align = 1};
  info->default_rxportconf = info->default_txportconf =
      (struct rte_eth_dev_portconf){.burst_size = 32, .ring_size = QUEUE, .nb_queues = 1};
  return 0;
}

static int receive_setup(struct rte_eth_dev *dev, uint16_t id, uint16_t entries,
                         unsigned int socket, const struct rte_eth_rxconf *config,
                         struct rte_mempool *pool) {
  struct port *port = dev->data->dev_private;
  struct queue *queue = &port->queue[RECEIVING];
  (void)socket, (void)config;
  queue->pool = pool;
  queue->entries = entries;
  dev->data->rx_queues[id] = queue;
  return 0;
}

static int send_setup(struct rte_eth_dev *dev, uint16_t id, uint16_t entries, unsigned int socket,
                      const struct rte_eth_txconf *config) {
  struct port *port = dev->data->dev_private;
  struct queue *queue = &port->queue[SENDING];
  (void)socket, (void)config;
  queue->entries = entries;
  dev->data->tx_queues[id] = queue;
  return 0;
}

static void link_is(struct rte_eth_dev *dev, bool up) {
  const struct rte_eth_link link = {.link_speed = RTE_ETH_SPEED_NUM_UNKNOWN,
                                    .link_duplex = RTE_ETH_LINK_FULL_DUPLEX,
                                    .link_autoneg = RTE_ETH_LINK_FIXED,
                                    .link_status = up};
  rte_eth_linkstatus_set(dev, &link);
}

static int device_start(struct rte_eth_dev *dev) {
  struct port *port = dev->data->dev_private;
  struct queue *receiving = &port->queue[RECEIVING];
  receiving->longest = dev->data->mtu + HEAD_BYTES;
  receiving->whole = (dev->data->dev_conf.rxmode.offloads & RTE_ETH_RX_OFFLOAD_SCATTER) == 0;
  if (port->attached.loops && axm_loopback_clear(&port->attached.loopback) != AXM_OK)
    return -EIO;
  int error = start(receiving);
  if (error != 0)
    return error;
  error = start(&port->queue[SENDING]);
  if (error != 0) {
    (void)stop(receiving);
    return error;
  }
  refill(receiving);
  dev->data->rx_queue_state[0] = dev->data->tx_queue_state[0] = RTE_ETH_QUEUE_STATE_STARTED;
  link_is(dev, true);
  return 0;
}

static int device_stop(struct rte_eth_dev *dev) {
  struct port *port = dev->data->dev_private;
  dev->data->rx_queue_state[0] = dev->data->tx_queue_state[0] = RTE_ETH_QUEUE_STATE_STOPPED;
  link_is(dev, false);
  int sending = stop(&port->queue[SENDING]);
  const int receiving = stop(&port->queue[RECEIVING]);
  if (sending == -EBUSY)
    sending = stop(&port->queue[SENDING]);
  return sending != 0 ? sending : receiving;
}

static int device_close(struct rte_eth_dev *dev) {
  struct port *port = dev->data->dev_private;
  dev->data->mac_addrs = NULL; /* part of dev_private */
  axm_detach(&port->attached);
  return 0;
}

static int link_update(struct rte_eth_dev *dev, int wait) {
  const struct port *port = dev->data->dev_private;
  (void)wait;
  link_is(dev, dev->data->dev_started != 0 && !port->queue[SENDING].dead &&
                   !port->queue[RECEIVING].dead);
  return 0;
}

static int mtu_set(struct rte_eth_dev *dev, uint16_t mtu) {
  struct port *port = dev->data->dev_private;
  port->queue[RECEIVING].longest = mtu + HEAD_BYTES;
  (void)dev;
  return 0;
}

static int stats_get(struct rte_eth_dev *dev, struct rte_eth_stats *stats) {
  const struct port *port = dev->data->dev_private;
  const struct queue *sending = &port->queue[SENDING], *receiving = &port->queue[RECEIVING];
  stats->q_ipackets[0] = stats->ipackets = receiving->packets;
  stats->q_ibytes[0] = stats->ibytes = receiving->bytes;
  stats->ierrors = receiving->errors;
  stats->rx_nombuf = receiving->no_mbuf;
  stats->q_opackets[0] = stats->opackets = sending->packets;
  stats->q_obytes[0] = stats->obytes = sending->bytes;
  stats->oerrors = sending->errors;
  return 0;
}

static int stats_reset(struct rte_eth_dev *dev) {
  struct port *port = dev->data->dev_private;
  for (unsigned i = 0; i < 2; ++i) {
    struct queue *queue = &port->queue[i];
    queue->packets = queue->bytes = queue->errors = queue->no_mbuf = 0;
  }
  return 0;
}

/* Every packet of the stream is received anyway. */
static int all_is_received(struct rte_eth_dev *dev) {
  (void)dev;
  return 0;
}

static int address_set(struct rte_eth_dev *dev, struct rte_ether_addr *address) {
  (void)dev, (void)address;
  return 0;
}

static const struct eth_dev_ops ops = {
    .dev_configure = device_configure,
    .dev_start = device_start,
    .dev_stop = device_stop,
    .dev_close = device_close,
    .dev_infos_get = device_info,
    .rx_queue_setup = receive_setup,
    .tx_queue_setup = send_setup,
    .link_update = link_update,
    .tx_done_cleanup = clean_up,
    .mtu_set = mtu_set,
    .mac_addr_set = address_set,
    .stats_get = stats_get,
    .stats_reset = stats_reset,
    .promiscuous_enable = all_is_received,
    .allmulticast_enable = all_is_received,
};

static int probe(struct rte_vdev_device *vdev) {
  if (rte_eal_process_type() != RTE_PROC_PRIMARY)
    return -ENOTSUP;
  struct rte_eth_dev *dev = rte_eth_vdev_allocate(vdev, sizeof(struct port));
  if (dev == NULL)
    return -ENOMEM;
  struct port *port = dev->data->dev_private;
  const int error = axm_attach(&port->attached, vdev, false);
  if (error != 0) {
    rte_eth_dev_release_port(dev);
    return error;
  }
  port->queue[SENDING].engine = port->attached.send;
  port->queue[RECEIVING].engine = port->attached.receive;
  port->queue[RECEIVING].port = dev->data->port_id;
  rte_eth_random_addr(port->address.addr_bytes);
  dev->data->mac_addrs = &port->address;
  dev->data->promiscuous = dev->data->all_multicast = 1;
  dev->data->dev_flags |= RTE_ETH_DEV_AUTOFILL_QUEUE_XSTATS;
  dev->dev_ops = &ops;
  dev->rx_pkt_burst = receive_burst;
  dev->tx_pkt_burst = send_burst;
  rte_eth_dev_probing_finish(dev);
  return 0;
}

static int take_away(struct rte_vdev_device *vdev) {
  struct rte_eth_dev *dev = rte_eth_dev_allocated(rte_vdev_device_name(vdev));
  if (dev == NULL)
    return 0;
  /* An engine that does not stop keeps its registers and its mbufs. */
  const int error = rte_eth_dev_stop(dev->data->port_id);
  if (error != 0)
    return error;
  device_close(dev);
  return rte_eth_dev_release_port(dev);
}

static struct rte_vdev_driver driver = {.probe = probe, .remove = take_away};

RTE_PMD_REGISTER_VDEV(net_axm, driver);
RTE_PMD_REGISTER_PARAM_STRING(net_axm, AXM_ARGUMENTS);
