// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the design behind a window of registers and makes a channel of each of its DMA engines
 * with rings. Whatever bus it came on: axm_pci.c, axm_platform.c.
 */
#include <linux/dma-mapping.h>
#include <linux/idr.h>
#include <linux/interrupt.h>
#include <linux/module.h>

#include "axm.h"
#include "axm/block_types.h"
#include "axm_bus.h"
#include "generated/id.h"

#define MAGIC 0x41584d31u /* "AXM1" */

static DEFINE_IDA(numbers);

static u32 table(struct axm_device *axm, u32 block)
{
	return readl(axm->base + AXM_ID_TABLE + block * AXM_ID_TABLE_STRIDE);
}

static void __iomem *window(struct axm_device *axm, u32 block)
{
	return axm->base + block * AXM_WINDOW;
}

/* The window of a block of this type and map version at this port, or NULL. */
static void __iomem *find(struct axm_device *axm, u32 blocks, u32 type, u32 port)
{
	u32 block;

	for (block = 1; block < blocks; block++)
		if ((table(axm, block) & 0xffffff) == (type | port << 16))
			return window(axm, block);
	return NULL;
}

static int add_channel(struct axm_device *axm, u32 blocks, u32 block)
{
	void __iomem *regs = window(axm, block);
	u32 id = readl(regs + AXM_DMA_ID), caps = readl(regs + AXM_DMA_CAPS);
	u32 bits = AXM_GET(caps, AXM_DMA_CAPS__ADDR_BITS);
	struct axm_chan *chan;

	if (AXM_GET(id, AXM_DMA_ID__BLOCK_TYPE) != AXM_DMA_BLOCK_TYPE ||
	    AXM_GET(id, AXM_DMA_ID__MAP_VERSION) != AXM_DMA_MAP_VERSION)
		return dev_err_probe(axm->dev, -ENODEV, "block %u: unknown DMA engine\n", block);
	if (!AXM_GET(caps, AXM_DMA_CAPS__RINGS) || AXM_GET(caps, AXM_DMA_CAPS__COPY))
		return 0; /* an engine without rings, or of another use */
	if (bits < 32 || bits > 64 || !AXM_GET(caps, AXM_DMA_CAPS__OUTSTANDING))
		return dev_err_probe(axm->dev, -ENODEV, "block %u: invalid capabilities\n", block);
	chan = axm_chan_create(axm, axm->channels, regs);
	if (IS_ERR(chan))
		return PTR_ERR(chan);
	chan->loopback = find(axm, blocks, AXM_BLOCK_LOOPBACK, table(axm, block) >> 16 & 0xff);
	axm->chan[axm->channels++] = chan;
	return 0;
}

/* The identification block, before anything else is touched; how many blocks there are. */
static int identify(struct axm_device *axm, resource_size_t bytes)
{
	u32 id, blocks;

	if (bytes < AXM_WINDOW || readl(axm->base + AXM_ID_MAGIC) != MAGIC)
		return dev_err_probe(axm->dev, -ENODEV, "no Axiometer design found\n");
	id = readl(axm->base + AXM_ID_ID);
	if (AXM_GET(id, AXM_ID_ID__BLOCK_TYPE) != AXM_ID_BLOCK_TYPE ||
	    AXM_GET(id, AXM_ID_ID__MAP_VERSION) != AXM_ID_MAP_VERSION)
		return dev_err_probe(axm->dev, -ENODEV, "register map of another version\n");
	blocks = readl(axm->base + AXM_ID_BLOCKS);
	if (!blocks || blocks > AXM_ID_TABLE_COUNT || blocks > bytes / AXM_WINDOW)
		return dev_err_probe(axm->dev, -ENODEV,
				     "%u blocks do not fit the window of registers\n", blocks);
	return blocks;
}

static int set_mask(struct axm_device *axm)
{
	u32 bits = 64, i;

	for (i = 0; i < axm->channels; i++)
		bits = min_t(u32, bits, AXM_GET(axm->chan[i]->caps, AXM_DMA_CAPS__ADDR_BITS));
	dma_set_max_seg_size(axm->dev, UINT_MAX); /* descriptors are of slots, not of segments */
	return dma_set_mask_and_coherent(axm->dev, DMA_BIT_MASK(bits));
}

static void drop_channels(struct axm_device *axm, bool silent)
{
	while (axm->channels)
		axm_chan_remove(axm->chan[--axm->channels], silent);
	ida_free(&numbers, axm->number);
}

int axm_probe(struct axm_device *axm, resource_size_t bytes)
{
	int blocks, block, error;
	unsigned int i;

	blocks = identify(axm, bytes);
	if (blocks < 0)
		return blocks;
	axm->number = ida_alloc(&numbers, GFP_KERNEL);
	if (axm->number < 0)
		return axm->number;
	for (block = 1, error = 0; block < blocks && !error; block++)
		if ((table(axm, block) & 0xffff) == AXM_BLOCK_DMA)
			error = add_channel(axm, blocks, block);
	if (!error && !axm->channels)
		error = dev_err_probe(axm->dev, -ENODEV, "no DMA engine with rings\n");
	if (!error)
		error = set_mask(axm);
	if (error)
		goto drop;
	for (i = 0; i < axm->channels; i++)
		axm_chan_configure(axm->chan[i]);
	error = request_irq(axm->irq, axm_irq, IRQF_SHARED, "axiometer", axm);
	if (error)
		goto drop;
	for (i = 0; i < axm->channels && !error; i++)
		error = axm_chan_publish(axm->chan[i]);
	if (error) {
		axm_remove(axm);
		return error;
	}
	dev_info(axm->dev, "axm%d: %d blocks, %u channels\n", axm->number, blocks, axm->channels);
	return 0;
drop:
	drop_channels(axm, true);
	return error;
}

/* All engines rest and no interrupt comes; what does not rest reaches no memory, where that can be
 * had: true.
 */
static bool end(struct axm_device *axm)
{
	unsigned int i;

	for (i = 0; i < axm->channels; i++)
		axm_chan_stop(axm->chan[i]);
	if (axm->silence)
		axm->silence(axm);
	return axm->silence;
}

void axm_remove(struct axm_device *axm)
{
	unsigned int i;
	bool silent;

	for (i = 0; i < axm->channels; i++)
		axm_chan_unpublish(axm->chan[i]);
	silent = end(axm);
	free_irq(axm->irq, axm);
	drop_channels(axm, silent);
}

/* The machine ends, or another kernel begins: the memory is no more this one's. */
void axm_shutdown(struct axm_device *axm)
{
	end(axm);
	dev_info(axm->dev, "axm%d: stopped\n", axm->number);
}

static int __init axm_init(void)
{
	int error = axm_channels_init();

	if (error)
		return error;
	error = axm_pci_register();
	if (error)
		goto channels;
	error = axm_platform_register();
	if (error)
		goto pci;
	return 0;
pci:
	axm_pci_unregister();
channels:
	axm_channels_exit();
	return error;
}

static void __exit axm_exit(void)
{
	axm_platform_unregister();
	axm_pci_unregister();
	axm_channels_exit();
}

module_init(axm_init);
module_exit(axm_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Channels of an Axiometer design: DMA engines with rings");
MODULE_VERSION("1");
