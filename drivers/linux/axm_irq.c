// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interrupt. It is on only while a caller waits for a half ("armed"): a waiting caller arms,
 * the interrupt disarms and wakes all, and a caller without a completion arms again. While it is
 * on, a watch looks each second for completions without an interrupt, and for a device that has
 * gone.
 */
#include <linux/delay.h>

#include "axm.h"

#define MOST_ROUNDS 16 /* of one interrupt */
#define COALESCE_UNIT 64 /* clocks */
#define CAUSES (AXM_DMA_IRQ_ENABLE__DONE_MASK | AXM_DMA_IRQ_ENABLE__FAULT_MASK)
#define FOR_EVER 256u /* units; longer than any */

/* The register's value for the halves with a waiting caller: the stricter of each value. */
static u32 demanded(const struct axm_chan *chan)
{
	u32 count = 255, time = FOR_EVER, which;

	for (which = 0; which < 2; which++) {
		const struct axm_coalesce *c = &chan->half[which].coalesce;

		if (!(chan->armed & BIT(which)))
			continue;
		count = min(count, c->count);
		if (c->clocks)
			time = min_t(u32, time, DIV_ROUND_UP(c->clocks, COALESCE_UNIT));
	}
	if (time == FOR_EVER)
		time = 0;
	return AXM_PUT(count, AXM_DMA_COALESCE__COUNT) | AXM_PUT(time, AXM_DMA_COALESCE__TIME);
}

static void demand(struct axm_chan *chan)
{
	u32 value = demanded(chan);

	if (chan->coalescing != value)
		writel(value, chan->regs + AXM_DMA_COALESCE);
	chan->coalescing = value;
}

/* A caller is about to wait for the half, whose lock is held. Look at the half once more
 * afterwards: an end before an old cause was cleared makes no interrupt.
 */
void axm_arm(struct axm_half *half)
{
	struct axm_chan *chan = half->chan;
	unsigned long flags;

	spin_lock_irqsave(&chan->irq_lock, flags);
	if (!chan->ended) {
		bool first = !chan->armed;

		chan->armed |= BIT(half->sends);
		demand(chan);
		if (first) {
			writel(CAUSES, chan->regs + AXM_DMA_IRQ_STATUS);
			writel(CAUSES, chan->regs + AXM_DMA_IRQ_ENABLE);
			schedule_delayed_work(&chan->watch, HZ);
		}
	}
	spin_unlock_irqrestore(&chan->irq_lock, flags);
}

static unsigned int disarm(struct axm_chan *chan)
{
	unsigned int was = chan->armed;

	chan->armed = 0;
	if (was)
		writel(0, chan->regs + AXM_DMA_IRQ_ENABLE);
	return was;
}

/* Whether the channel had a cause; then its interrupt is off. */
static bool attend(struct axm_chan *chan)
{
	bool any = false;
	u32 causes;

	spin_lock(&chan->irq_lock);
	if (chan->armed) {
		causes = readl(chan->regs + AXM_DMA_IRQ_STATUS);
		any = causes != 0;
		if (any) {
			disarm(chan);
			writel(causes, chan->regs + AXM_DMA_IRQ_STATUS);
			chan->interrupts++;
			axm_wake(chan); /* they look: no channel waits for another here */
		}
	}
	spin_unlock(&chan->irq_lock);
	return any;
}

/* Nobody's interrupt: perhaps one whose end is still on its way to the device. An answer comes
 * behind it, so the line has fallen when this one ends; else the kernel would give the interrupt up
 * as "nobody cared".
 */
static void settle(struct axm_chan *chan)
{
	spin_lock(&chan->irq_lock);
	if (!chan->ended)
		readl(chan->regs + AXM_DMA_IRQ_STATUS);
	spin_unlock(&chan->irq_lock);
}

/* Until no channel has a cause: a message-signalled interrupt is sent only when the line, which is
 * that of all, rises.
 */
irqreturn_t axm_irq(int irq, void *data)
{
	struct axm_device *axm = data;
	bool any, handled = false;
	unsigned int i, rounds = 0;

	do {
		any = false;
		for (i = 0; i < axm->channels; i++)
			any |= attend(axm->chan[i]);
		handled |= any;
	} while (any && ++rounds < MOST_ROUNDS);
	if (!handled)
		settle(axm->chan[0]);
	return IRQ_RETVAL(handled);
}

/* Looks at the registers of both halves; how many completions were new. */
static unsigned int look(struct axm_chan *chan, unsigned int halves)
{
	unsigned int which, fresh = 0;

	for (which = 0; which < 2; which++) {
		struct axm_half *half = &chan->half[which];
		u16 before;

		if (!(halves & BIT(which)))
			continue;
		mutex_lock(&half->lock);
		before = half->seen;
		axm_ring_check(half);
		fresh += (u16)(half->seen - before);
		mutex_unlock(&half->lock);
	}
	return fresh;
}

/* Whether completions may rightly wait for more. */
static bool coalesced(struct axm_chan *chan, unsigned int fresh)
{
	return fresh < AXM_GET(chan->coalescing, AXM_DMA_COALESCE__COUNT) &&
	       !AXM_GET(chan->coalescing, AXM_DMA_COALESCE__TIME);
}

void axm_watch(struct work_struct *work)
{
	struct axm_chan *chan = container_of(to_delayed_work(work), struct axm_chan, watch);
	int events = atomic_read(&chan->events);
	unsigned int armed, fresh = 0;
	bool wake = false;

	spin_lock_irq(&chan->irq_lock);
	armed = chan->armed;
	spin_unlock_irq(&chan->irq_lock);
	if (!armed)
		return;
	if (readl(chan->regs + AXM_DMA_IRQ_STATUS) == ~0u)
		atomic_set(&chan->dead, 1);
	fresh = look(chan, armed);
	if (fresh)
		usleep_range(1000, 2000); /* their interrupt may be under way */
	spin_lock_irq(&chan->irq_lock);
	/* Nothing woke anybody meanwhile: it is late. */
	if (chan->armed && atomic_read(&chan->events) == events) {
		wake = fresh || atomic_read(&chan->dead) || chan->half[0].error ||
		       chan->half[1].error;
		if (fresh && !coalesced(chan, fresh))
			chan->missed++;
		if (wake)
			disarm(chan);
	}
	if (chan->armed && !chan->ended)
		schedule_delayed_work(&chan->watch, HZ);
	spin_unlock_irq(&chan->irq_lock);
	if (wake)
		axm_wake(chan);
}

/* Of the file that owns the half. */
int axm_coalesce_set(struct axm_half *half, const struct axm_coalesce *setting)
{
	struct axm_chan *chan = half->chan;

	if (setting->count > 255 || setting->clocks > 255 * COALESCE_UNIT)
		return -EINVAL;
	spin_lock_irq(&chan->irq_lock);
	half->coalesce = *setting;
	if (chan->armed)
		demand(chan);
	spin_unlock_irq(&chan->irq_lock);
	return 0;
}

/* No interrupt before a caller waits: of a device that begins, or has lost its registers. */
void axm_irq_begin(struct axm_chan *chan)
{
	spin_lock_irq(&chan->irq_lock);
	chan->ended = false;
	chan->armed = 0;
	chan->coalescing = 0;
	writel(0, chan->regs + AXM_DMA_IRQ_ENABLE);
	writel(~0u, chan->regs + AXM_DMA_IRQ_STATUS);
	writel(0, chan->regs + AXM_DMA_COALESCE);
	spin_unlock_irq(&chan->irq_lock);
}

/* No interrupt and no register access from now on, until axm_irq_begin(). */
void axm_irq_end(struct axm_chan *chan)
{
	spin_lock_irq(&chan->irq_lock);
	chan->ended = true;
	chan->armed = 0;
	writel(0, chan->regs + AXM_DMA_IRQ_ENABLE);
	readl(chan->regs + AXM_DMA_IRQ_STATUS); /* the line has fallen before the clocks go */
	spin_unlock_irq(&chan->irq_lock);
	cancel_delayed_work_sync(&chan->watch);
	axm_wake(chan);
}
