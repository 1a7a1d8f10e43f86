// SPDX-License-Identifier: GPL-2.0-only
/* A design in the fabric, as the device tree tells of it: axiometer,dma.yaml. */
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
	return axm_probe(axm, resource_size(window));
}

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
static void remove(struct platform_device *pdev)
{
	axm_remove(platform_get_drvdata(pdev));
}
#else
static int remove(struct platform_device *pdev)
{
	axm_remove(platform_get_drvdata(pdev));
	return 0;
}
#endif

static void shutdown(struct platform_device *pdev)
{
	axm_shutdown(platform_get_drvdata(pdev));
}

static const struct of_device_id ids[] = {
	{ .compatible = "axiometer,dma-1" },
	{ }
};
MODULE_DEVICE_TABLE(of, ids);

static struct platform_driver driver = {
	.driver = { .name = "axiometer", .of_match_table = ids },
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
