"""A virtual machine whose kernel drives the simulated design: `axiometer vm`.

It shows that the driver and programs work. Emulated processors know no time: nothing that is
measured in one is a figure of a chip.
"""
