// SPDX-License-Identifier: GPL-2.0-only
/* A design in the fabric, as the device tree describes it: axiometer,dma.yaml. */
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/version.h>

#include "axm.h"
#include "axm_bus.h"

static int probe(struct platform_device *pdev)
{
	struct axm_device *axm;
	struct resource *window;
	int error;

	axm = devm_kzalloc(&pdev->dev, sizeof(*axm), GFP_KERNEL);
	if (!axm)
		return -ENOMEM;
	axm->dev = &pdev->dev;
	axm->base = devm_platform_get_and_ioremap_resource(pdev, 0, &window);
	if (IS_ERR(axm->base))
		return PTR_ERR(axm->base);
	axm->irq = platform_get_irq(pdev, 0);
	if (axm->irq < 0)
		return axm->irq;
	platform_set_drvdata(pdev, axm);
	error = axm_power_begin(axm);
	if (error)
		return error;
	error = axm_probe(axm, resource_size(window));
	if (error)
		axm_power_end(axm);
	else
		axm_power_rest(axm);
	return error;
}

static void end(struct platform_device *pdev)
{
	struct axm_device *axm = platform_get_drvdata(pdev);

	axm_power_hold(axm);
	axm_remove(axm);
	axm_power_end(axm);
}

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
static void remove(struct platform_device *pdev)
{
	end(pdev);
}
#else
static int remove(struct platform_device *pdev)
{
	end(pdev);
	return 0;
}
#endif

static void shutdown(struct platform_device *pdev)
{
	struct axm_device *axm = platform_get_drvdata(pdev);

	axm_power_hold(axm);
	axm_shutdown(axm);
}

static const struct of_device_id ids[] = {
	{ .compatible = "axiometer,dma-1" },
	{ }
};
MODULE_DEVICE_TABLE(of, ids);

static struct platform_driver driver = {
	.driver = { .name = "axiometer", .of_match_table = ids, .pm = &axm_pm_ops },
	.probe = probe,
	.remove = remove,
	.shutdown = shutdown,
};

int axm_platform_register(void)
{
	return platform_driver_register(&driver);
}

void axm_platform_unregister(void)
{
	platform_driver_unregister(&driver);
}
