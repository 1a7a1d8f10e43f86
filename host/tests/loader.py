"""What a boot loader leaves to an image on a Cortex-A9, and what the image does with it until its
program begins: its code in an emulator of the processor's instructions.

Purpose   CP15 operations and accesses of device registers in their order, an interrupt controller
          and an asynchronous abort as the loader leaves them.
Limits    No cache is modelled: what is looked at is which operations were made, and when.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

import unicorn
from unicorn import arm_const as arm

MEMORY = 64 << 20
MIB = 1 << 20
MOST_INSTRUCTIONS = 3_000_000
SCTLR = (15, 0, 0, 1, 0, 0, 0)
LEFT_ENABLED = 82  # an interrupt of the loader's that stays asserted


@dataclass(frozen=True)
class Event:
    """A write of CP15 ("CRn CRm op2"), of a device's register ("register"), of memory ("store")."""

    what: str
    value: int
    address: int = 0


@dataclass
class Gic:
    """The interrupts that are enabled, and those that would reach the processor."""

    enabled: set[int] = field(default_factory=lambda: {LEFT_ENABLED, 40})
    active: set[int] = field(default_factory=lambda: {LEFT_ENABLED})
    group1: set[int] = field(default_factory=lambda: {7})

    def write(self, offset: int, value: int) -> None:
        first = offset % 0x80 // 4 * 32
        every = set(range(first, first + 32))
        some = {number for number in every if value >> number % 32 & 1}
        if offset & ~0x7F == 0x080:
            self.group1 = (self.group1 - every) | some
        elif offset & ~0x7F == 0x100:
            self.enabled |= some
        elif offset & ~0x7F == 0x180:
            self.enabled -= some
        elif offset & ~0x7F == 0x380:
            self.active -= some


class Board:
    """addresses: of L2, SCU, GIC, UART and TIMER (a chip's header). caches_on: as behind U-Boot;
    else as behind an FSBL. An asynchronous abort is pending. ends: how often the program lets
    interrupts come, until the run ends."""

    def __init__(
        self, image: bytes, entry: int, addresses: dict[str, int], caches_on: bool, ends: int = 1
    ) -> None:
        self.at, self.entry, self.ends = addresses, entry, ends
        self.asked: list[int] = []  # addresses of devices that were read
        self.events: list[Event] = []
        self.gic = Gic()
        self.registers = {addresses["L2"] + 0x100: int(caches_on), addresses["GIC"] + 4: 2}
        self.abort_comes = False  # at the next instruction
        self.uc = uc = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_ARM)
        uc.ctl_set_cpu_model(arm.UC_CPU_ARM_CORTEX_A9)
        uc.mem_map(0, MEMORY)
        uc.mem_write(entry, image)
        for base in {address // MIB * MIB for address in addresses.values()}:
            uc.mmio_map(base, MIB, self.read, base, self.write, base)
        uc.hook_add(unicorn.UC_HOOK_CODE, self.instruction)
        uc.hook_add(unicorn.UC_HOOK_MEM_WRITE, self.stored, begin=0, end=MEMORY - 1)
        sctlr = uc.reg_read(arm.UC_ARM_REG_CP_REG, SCTLR)
        control = sctlr | 0x1804 if caches_on else sctlr & ~0x1805
        uc.reg_write(arm.UC_ARM_REG_CP_REG, (*SCTLR, control))
        uc.reg_write(arm.UC_ARM_REG_CPSR, 0x1D3)

    def run(self) -> None:
        self.uc.emu_start(self.entry, 0xFFFFFFFF, count=MOST_INSTRUCTIONS)

    def read(self, uc: unicorn.Uc, offset: int, size: int, base: int) -> int:
        address = base + offset
        self.asked.append(address)
        if address == self.at["TIMER"]:
            self.registers[address] = self.registers.get(address, 0) + 1000
        return self.registers.get(address, 0)

    def write(self, uc: unicorn.Uc, offset: int, size: int, value: int, base: int) -> None:
        address = base + offset
        self.events.append(Event("register", value, address))
        if 0 <= address - self.at["GIC"] < 0x1000:
            self.gic.write(address - self.at["GIC"], value)
        ways = address - self.at["L2"] in (0x7FC, 0x77C)  # done at once
        self.registers[address] = 0 if ways else value

    def stored(
        self, uc: unicorn.Uc, kind: int, address: int, size: int, value: int, _: object
    ) -> None:
        self.events.append(Event("store", value, address))

    def instruction(self, uc: unicorn.Uc, address: int, size: int, _: object) -> None:
        (word,) = struct.unpack("<I", uc.mem_read(address, 4))
        if self.abort_comes:
            self.abort_comes = False
            self.aborts(address)
        elif word & 0x0F100F10 == 0x0E000F10 and self.holds(word >> 28):  # MCR p15
            name = f"c{word >> 16 & 15} c{word & 15} {word >> 5 & 7}"
            register = arm.UC_ARM_REG_R0 + (word >> 12 & 15)
            self.events.append(Event(name, uc.reg_read(register)))
        elif word & 0xFFFFFE3F == 0xF1080000:  # CPSIE
            masked = uc.reg_read(arm.UC_ARM_REG_CPSR) >> 8 & 1
            self.abort_comes = bool(word >> 8 & masked)
            if word >> 7 & 1:
                self.events.append(Event("interrupts on", 0))
                if [event.what for event in self.events].count("interrupts on") == self.ends:
                    uc.emu_stop()

    def aborts(self, address: int) -> None:
        uc = self.uc
        before = uc.reg_read(arm.UC_ARM_REG_CPSR)
        uc.reg_write(arm.UC_ARM_REG_CP_REG, (15, 0, 0, 5, 0, 0, 0, 0x406))  # DFSR: asynchronous
        uc.reg_write(arm.UC_ARM_REG_CPSR, before & ~0x1F | 0x197)
        uc.reg_write(arm.UC_ARM_REG_SPSR, before)
        uc.reg_write(arm.UC_ARM_REG_LR, address + 8)
        vectors = uc.reg_read(arm.UC_ARM_REG_CP_REG, (15, 0, 0, 12, 0, 0, 0))
        self.events.append(Event("abort", 0))
        uc.reg_write(arm.UC_ARM_REG_PC, vectors + 0x10)

    def holds(self, condition: int) -> bool:
        zero = bool(self.uc.reg_read(arm.UC_ARM_REG_CPSR) >> 30 & 1)
        return {0: zero, 1: not zero}.get(condition, True)

    def words(self, address: int, count: int) -> tuple[int, ...]:
        return struct.unpack(f"<{count}I", self.uc.mem_read(address, 4 * count))
