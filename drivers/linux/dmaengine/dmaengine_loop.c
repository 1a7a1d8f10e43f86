// SPDX-License-Identifier: GPL-2.0-only
/*
 * A client of Linux's dmaengine for a device whose sent packets come back: sends packets of 1 to
 * 65535 bytes, several together, and compares. It exists to exercise mainline's driver of an
 * engine.
 */
#include <linux/completion.h>
#include <linux/dma-mapping.h>
#include <linux/dmaengine.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/prandom.h>
#include <linux/slab.h>

#define LOOP_BYTES 65536
#define LOOP_MOST 8U
#define LOOP_TIMEOUT (20 * HZ)

static unsigned int packets = 100;
module_param(packets, uint, 0444);
MODULE_PARM_DESC(packets, "packets to send");
static unsigned int at_once = LOOP_MOST;
module_param(at_once, uint, 0444);
MODULE_PARM_DESC(at_once, "packets under way, 1 to 8");

struct loop_packet {
	u8 *sent, *got;
	dma_addr_t from, to;
	size_t bytes, residue;
	enum dmaengine_tx_result result;
	struct completion done;
};

struct loop {
	struct dma_chan *tx, *rx;
	struct loop_packet packet[LOOP_MOST];
	struct rnd_state random;
};

static void loop_done(void *of, const struct dmaengine_result *result)
{
	struct loop_packet *p = of;

	p->result = result->result;
	p->residue = result->residue;
	complete(&p->done);
}

static int loop_submit(struct dma_chan *chan, dma_addr_t at, size_t bytes,
		       enum dma_transfer_direction direction, struct loop_packet *p)
{
	struct dma_async_tx_descriptor *d;

	d = dmaengine_prep_slave_single(chan, at, bytes, direction, DMA_PREP_INTERRUPT);
	if (!d)
		return -ENOMEM;
	if (p) {
		d->callback_result = loop_done;
		d->callback_param = p;
	}
	return dma_submit_error(dmaengine_submit(d));
}

static int loop_give(struct loop *l, struct loop_packet *p)
{
	int error;

	p->bytes = 1 + prandom_u32_state(&l->random) % ((1U << (prandom_u32_state(&l->random) % 17)));
	p->bytes = min_t(size_t, p->bytes, LOOP_BYTES - 1);
	prandom_bytes_state(&l->random, p->sent, p->bytes);
	memset(p->got, 0, LOOP_BYTES);
	init_completion(&p->done);
	p->from = dma_map_single(l->tx->device->dev, p->sent, LOOP_BYTES, DMA_TO_DEVICE);
	p->to = dma_map_single(l->rx->device->dev, p->got, LOOP_BYTES, DMA_FROM_DEVICE);
	error = loop_submit(l->rx, p->to, LOOP_BYTES, DMA_DEV_TO_MEM, p);
	return error ?: loop_submit(l->tx, p->from, p->bytes, DMA_MEM_TO_DEV, NULL);
}

static bool loop_take(struct loop *l, struct loop_packet *p)
{
	bool there = wait_for_completion_timeout(&p->done, LOOP_TIMEOUT);

	dma_unmap_single(l->rx->device->dev, p->to, LOOP_BYTES, DMA_FROM_DEVICE);
	dma_unmap_single(l->tx->device->dev, p->from, LOOP_BYTES, DMA_TO_DEVICE);
	/* An engine without scatter-gather does not report the received length. */
	return there && p->result == DMA_TRANS_NOERROR &&
	       (!p->residue || p->residue == LOOP_BYTES - p->bytes) &&
	       !memcmp(p->sent, p->got, p->bytes) && !p->got[p->bytes];
}

static int loop_run(struct loop *l)
{
	unsigned int n, i, wrong = 0;
	u64 bytes = 0;
	int error = 0;

	for (n = 0; n < packets && !wrong && !error; n += i) {
		unsigned int count = min(packets - n, 1 + n % clamp(at_once, 1U, LOOP_MOST));

		for (i = 0; i < count && !error; i++)
			error = loop_give(l, &l->packet[i]);
		dma_async_issue_pending(l->rx);
		dma_async_issue_pending(l->tx);
		for (count = i, i = 0; i < count; i++) {
			wrong += !loop_take(l, &l->packet[i]);
			bytes += l->packet[i].bytes;
		}
	}
	dmaengine_terminate_sync(l->tx);
	dmaengine_terminate_sync(l->rx);
	pr_info("dmaengine-loop: %u packets, %llu bytes, %u wrong\n", n, bytes, wrong);
	return error;
}

static int loop_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct loop *l = devm_kzalloc(dev, sizeof(*l), GFP_KERNEL);
	int i, error;

	if (!l)
		return -ENOMEM;
	for (i = 0; i < LOOP_MOST; i++) {
		l->packet[i].sent = devm_kmalloc(dev, LOOP_BYTES, GFP_KERNEL);
		l->packet[i].got = devm_kmalloc(dev, LOOP_BYTES, GFP_KERNEL);
		if (!l->packet[i].sent || !l->packet[i].got)
			return -ENOMEM;
	}
	l->tx = dma_request_chan(dev, "tx");
	if (IS_ERR(l->tx))
		return dev_err_probe(dev, PTR_ERR(l->tx), "no channel to send\n");
	l->rx = dma_request_chan(dev, "rx");
	if (IS_ERR(l->rx)) {
		dma_release_channel(l->tx);
		return dev_err_probe(dev, PTR_ERR(l->rx), "no channel to receive\n");
	}
	prandom_seed_state(&l->random, 1);
	error = loop_run(l);
	dma_release_channel(l->rx);
	dma_release_channel(l->tx);
	return error;
}

static const struct of_device_id loop_of[] = { { .compatible = "axiometer,dmaengine-loop" }, {} };
MODULE_DEVICE_TABLE(of, loop_of);

static struct platform_driver loop_driver = {
	.probe = loop_probe,
	.driver = { .name = "dmaengine-loop", .of_match_table = loop_of },
};
module_platform_driver(loop_driver);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Packets through a DMA engine and back");
