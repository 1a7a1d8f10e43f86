"""A virtual machine whose kernel drives the simulated design: `axiometer vm`.

It tests the driver and programs. Emulated processors have no timing: no time measured in one is a
figure of a chip.
"""
