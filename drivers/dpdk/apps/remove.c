/* Removes a device that runs: its engine has to stop first, and to give back the mbufs that it has.
 *
 *   axm-dpdk-remove EAL-OPTIONS --vdev=net_axm0,...|dma_axm0,...
 */
#include <stdio.h>

#include <rte_dev.h>
#include <rte_dmadev.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>

enum { RING = 64, MBUFS = 511 };

static int start_port(struct rte_mempool *pool) {
  const struct rte_eth_conf config = {0};
  int error = rte_eth_dev_configure(0, 1, 1, &config);
  if (error == 0)
    error = rte_eth_rx_queue_setup(0, 0, RING, SOCKET_ID_ANY, NULL, pool);
  if (error == 0)
    error = rte_eth_tx_queue_setup(0, 0, RING, SOCKET_ID_ANY, NULL);
  return error == 0 ? rte_eth_dev_start(0) : error;
}

static int start_copies(void) {
  const struct rte_dma_conf config = {.nb_vchans = 1};
  const struct rte_dma_vchan_conf channel = {.direction = RTE_DMA_DIR_MEM_TO_MEM, .nb_desc = RING};
  int error = rte_dma_configure(0, &config);
  if (error == 0)
    error = rte_dma_vchan_setup(0, 0, &channel);
  return error == 0 ? rte_dma_start(0) : error;
}

int main(int argc, char **argv) {
  if (rte_eal_init(argc, argv) < 0)
    rte_exit(2, "usage: axm-dpdk-remove EAL-OPTIONS\n");
  struct rte_mempool *pool =
      rte_pktmbuf_pool_create("remove", MBUFS, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
  const int copies = rte_eth_dev_count_avail() == 0;
  if (pool == NULL || (copies ? start_copies() : start_port(pool)) != 0)
    rte_exit(1, "no memory, or nothing that starts\n");
  if (!copies && rte_mempool_avail_count(pool) == MBUFS)
    rte_exit(1, "the port runs without mbufs\n");
  const int error = rte_eal_hotplug_remove("vdev", copies ? "dma_axm0" : "net_axm0");
  if (error != 0)
    rte_exit(1, "it is not removed: %s\n", rte_strerror(-error));
  if (rte_mempool_avail_count(pool) != MBUFS)
    rte_exit(1, "%u of %u mbufs came back\n", rte_mempool_avail_count(pool), MBUFS);
  if (rte_eth_dev_count_avail() + rte_dma_count_avail() != 0)
    rte_exit(1, "it is still there\n");
  printf("removed while it ran\n");
  rte_eal_cleanup();
  return 0;
}
