// SPDX-License-Identifier: GPL-2.0-only
/* A design as a PCI device: the simulated one (lab/vfio). Its IDs are not registered, so
 * its identification block decides.
 */
#include <linux/pci.h>

#include "axm.h"
#include "axm_bus.h"

#define VENDOR 0x1234
#define DEVICE 0x4158
#define SUBSYSTEM 0x4d31

static void silence(struct axm_device *axm)
{
	pci_clear_master(to_pci_dev(axm->dev));
}

static int probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct axm_device *axm;
	int error;

	axm = devm_kzalloc(&pdev->dev, sizeof(*axm), GFP_KERNEL);
	if (!axm)
		return -ENOMEM;
	error = pcim_enable_device(pdev);
	if (error)
		return error;
	error = pcim_iomap_regions(pdev, BIT(0), "axiometer");
	if (error)
		return error;
	pci_set_master(pdev);
	error = pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_ALL_TYPES);
	if (error < 0)
		goto clear;
	axm->dev = &pdev->dev;
	axm->base = pcim_iomap_table(pdev)[0];
	axm->irq = pci_irq_vector(pdev, 0);
	axm->silence = silence;
	axm->powered = true;
	pci_set_drvdata(pdev, axm);
	error = axm_probe(axm, pci_resource_len(pdev, 0));
	if (error)
		goto vectors;
	return 0;
vectors:
	pci_free_irq_vectors(pdev);
clear:
	pci_clear_master(pdev);
	return error;
}

static void remove(struct pci_dev *pdev)
{
	axm_remove(pci_get_drvdata(pdev));
	pci_free_irq_vectors(pdev);
}

static void shutdown(struct pci_dev *pdev)
{
	axm_shutdown(pci_get_drvdata(pdev));
}

static const struct pci_device_id ids[] = {
	{ PCI_DEVICE_SUB(VENDOR, DEVICE, VENDOR, SUBSYSTEM) },
	{ }
};
MODULE_DEVICE_TABLE(pci, ids);

static struct pci_driver driver = {
	.name = "axiometer",
	.id_table = ids,
	.probe = probe,
	.remove = remove,
	.shutdown = shutdown,
	.driver.pm = &axm_pm_ops,
};

int axm_pci_register(void)
{
	return pci_register_driver(&driver);
}

void axm_pci_unregister(void)
{
	pci_unregister_driver(&driver);
}
