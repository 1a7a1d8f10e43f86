// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clocks, resets and power. While no file is open the clocks are off, and no register is touched:
 * an access to a fabric without its clock hangs the processor. After a suspend, rings restart
 * with the descriptors that had not ended; a packet sent in part goes on at the cut.
 */
#include <linux/clk.h>
#include <linux/pm_runtime.h>
#include <linux/reset.h>

#include "axm.h"

static int power(struct axm_device *axm, bool on)
{
	int error;

	if (on == axm->powered)
		return 0;
	if (on) {
		error = clk_bulk_prepare_enable(axm->clock_count, axm->clocks);
		if (error)
			return error;
	} else {
		clk_bulk_disable_unprepare(axm->clock_count, axm->clocks);
	}
	axm->powered = on;
	return 0;
}

/* Before the first register is read: the clocks are on until axm_power_rest(). */
int axm_power_begin(struct axm_device *axm)
{
	int error;

	axm->clock_count = devm_clk_bulk_get_all(axm->dev, &axm->clocks);
	if (axm->clock_count < 0)
		return dev_err_probe(axm->dev, axm->clock_count, "cannot get clocks\n");
	axm->reset = devm_reset_control_array_get_optional_shared(axm->dev);
	if (IS_ERR(axm->reset))
		return dev_err_probe(axm->dev, PTR_ERR(axm->reset), "cannot get reset\n");
	error = power(axm, true);
	if (error)
		return dev_err_probe(axm->dev, error, "cannot enable clocks\n");
	error = reset_control_deassert(axm->reset);
	if (error) {
		power(axm, false);
		return dev_err_probe(axm->dev, error, "cannot deassert reset\n");
	}
	pm_runtime_get_noresume(axm->dev);
	pm_runtime_set_active(axm->dev);
	pm_runtime_enable(axm->dev);
	return 0;
}

/* From now on the clocks are off while no file is open. */
void axm_power_rest(struct axm_device *axm)
{
	pm_runtime_put(axm->dev);
}

/* The clocks are on, and stay so until axm_power_end(). */
void axm_power_hold(struct axm_device *axm)
{
	pm_runtime_get_sync(axm->dev);
}

void axm_power_end(struct axm_device *axm)
{
	pm_runtime_disable(axm->dev);
	pm_runtime_set_suspended(axm->dev);
	pm_runtime_put_noidle(axm->dev);
	reset_control_assert(axm->reset);
	power(axm, false);
}

/* A caller that waited for an interrupt before its file was closed has left the watch behind. */
static int __maybe_unused runtime_suspend(struct device *dev)
{
	struct axm_device *axm = dev_get_drvdata(dev);
	unsigned int i;

	for (i = 0; i < axm->channels; i++)
		axm_irq_end(axm->chan[i]);
	return power(axm, false);
}

static int __maybe_unused runtime_resume(struct device *dev)
{
	struct axm_device *axm = dev_get_drvdata(dev);
	unsigned int i;
	int error = power(axm, true);

	for (i = 0; !error && i < axm->channels; i++)
		axm_chan_configure(axm->chan[i]);
	return error;
}

static int __maybe_unused suspend(struct device *dev)
{
	struct axm_device *axm = dev_get_drvdata(dev);
	unsigned int i;

	axm->slept = axm->powered;
	for (i = 0; axm->slept && i < axm->channels; i++)
		axm_chan_suspend(axm->chan[i]);
	return power(axm, false);
}

static int __maybe_unused resume(struct device *dev)
{
	struct axm_device *axm = dev_get_drvdata(dev);
	unsigned int i;
	int error;

	if (!axm->slept)
		return 0;
	error = power(axm, true);
	for (i = 0; !error && i < axm->channels; i++)
		axm_chan_resume(axm->chan[i]);
	return error;
}

const struct dev_pm_ops axm_pm_ops = {
	SET_SYSTEM_SLEEP_PM_OPS(suspend, resume)
	SET_RUNTIME_PM_OPS(runtime_suspend, runtime_resume, NULL)
};
