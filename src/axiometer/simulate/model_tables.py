"""Tables of the model's input: keys, types, limits, units and defaults.

Made by `tools/model_tables.py --write` from the `visit` of each structure of the model's
configuration (docs/keys.md). None: of a policy that does not have the key.
"""

from __future__ import annotations

from dataclasses import dataclass

from axiometer.simulate.table import Table

# ruff: noqa: N815


@dataclass(frozen=True, kw_only=True, repr=False)
class Clocks(Table):
    """clocks"""

    TABLE = "clocks"
    ddr: int
    """1 to 274877906944 base units"""
    pl: int
    """1 to 274877906944 base units"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Timing(Table):
    """dram.timing"""

    TABLE = "dram.timing"
    CL: int
    """1 to 1048576 DRAM clocks"""
    CWL: int
    """1 to 1048576 DRAM clocks"""
    tRCD: int
    """1 to 1048576 DRAM clocks"""
    tRP: int
    """1 to 1048576 DRAM clocks"""
    tRAS: int
    """1 to 1048576 DRAM clocks"""
    tRC: int
    """1 to 1048576 DRAM clocks"""
    tRRD: int
    """1 to 1048576 DRAM clocks"""
    tFAW: int
    """1 to 1048576 DRAM clocks"""
    tCCD: int
    """1 to 1048576 DRAM clocks"""
    tWTR: int
    """1 to 1048576 DRAM clocks"""
    tRTP: int
    """1 to 1048576 DRAM clocks"""
    tWR: int
    """1 to 1048576 DRAM clocks"""
    tRFC: int
    """1 to 1048576 DRAM clocks"""
    tREFI: int
    """1 to 1048576 DRAM clocks"""
    read_to_write: int
    """1 to 1048576 DRAM clocks"""
    tCCD_L: int = 0
    """0 to 1048576 DRAM clocks"""
    tRRD_L: int = 0
    """0 to 1048576 DRAM clocks"""
    tWTR_L: int = 0
    """0 to 1048576 DRAM clocks"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Dram(Table):
    """dram"""

    TABLE = "dram"
    timing: Timing
    banks: int
    """1 to 64"""
    row_bytes: int
    """1 to 1048576 bytes"""
    column_bytes: int
    """1 to 1048576 bytes"""
    burst_clocks: int
    """1 to 64 DRAM clocks"""
    bytes: int
    """0 to 1099511627776 bytes"""
    mapping: str
    """row-bank-column bank-row-column"""
    bank_groups: int = 1
    """1 to 8"""
    ranks: int = 1
    """1 to 4"""
    rank_gap: int = 0
    """0 to 1048576 DRAM clocks"""
    command_clocks: int = 1
    """1 to 16 DRAM clocks"""
    bank_address_bits: tuple[int, ...] = ()
    """0 to 39 address bit"""
    row_address_bits: tuple[int, ...] = ()
    """0 to 39 address bit"""
    rank_address_bit: int = -1
    """-1 to 39 address bit"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Controller(Table):
    """controller"""

    TABLE = "controller"
    policy: str
    """in-order-batch timed-turns usp-ddrc zynq-ddrc"""
    read_entries: int
    """1 to 64 commands"""
    write_entries: int
    """1 to 64 commands"""
    batch: int | None = None
    """1 to 65536 commands; only in-order-batch"""
    pick_window: int | None = None
    """1 to 65536 commands; only in-order-batch, timed-turns, zynq-ddrc"""
    prepare_window: int | None = None
    """1 to 65536 commands; only in-order-batch, timed-turns, zynq-ddrc"""
    read_time: int | None = None
    """0 to 1048576 DRAM clocks; only timed-turns"""
    write_time: int | None = None
    """0 to 1048576 DRAM clocks; only timed-turns"""
    dram_clocks: int | None = None
    """1 to 8 DRAM clocks; only usp-ddrc"""
    starve_clocks: int | None = None
    """0 to 1048576 controller clocks; only usp-ddrc; 1 to 1048576 DRAM clocks; only zynq-ddrc"""
    run_length: int | None = None
    """0 to 65536 commands; only usp-ddrc; 1 to 65536 commands; only zynq-ddrc"""
    low_latency_entries: int | None = None
    """0 to 65536 commands; only usp-ddrc"""
    least_run: int | None = None
    """0 to 65536 commands; only usp-ddrc"""
    idle_gap_clocks: int | None = None
    """0 to 1048576 controller clocks; only usp-ddrc"""
    read_tail_clocks: int | None = None
    """0 to 1048576 controller clocks; only usp-ddrc"""
    write_combining: bool | None = None
    """true or false; only usp-ddrc"""
    turn: str | None = None
    """part command; only usp-ddrc"""
    write_bytes: int | None = None
    """1 to 1048576 bytes; only usp-ddrc"""
    command_clocks: int | None = None
    """1 to 1048576 controller clocks; only usp-ddrc"""
    write_turns: int | None = None
    """0 to 65536 parts; only usp-ddrc"""
    starved_writes_turn: bool | None = None
    """true or false; only usp-ddrc"""
    read_clocks: int | None = None
    """0 to 1048576 controller clocks; only usp-ddrc"""
    throttle_entries_read: int | None = None
    """0 to 64 commands; only usp-ddrc"""
    throttle_entries_write: int | None = None
    """0 to 64 commands; only usp-ddrc"""
    min_non_critical_clocks: int | None = None
    """0 to 1048576 DRAM clocks; only zynq-ddrc"""
    high_entries: int | None = None
    """0 to 48 commands; only zynq-ddrc"""
    high_starve_clocks: int | None = None
    """1 to 1048576 DRAM clocks; only zynq-ddrc"""
    high_run_length: int | None = None
    """1 to 65536 commands; only zynq-ddrc"""
    high_min_non_critical_clocks: int | None = None
    """0 to 1048576 DRAM clocks; only zynq-ddrc"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Path(Table):
    """paths[]"""

    TABLE = "paths[]"
    name: str
    """text"""
    inflight_read: int
    """1 to 64 commands"""
    inflight_write: int
    """1 to 64 commands"""
    request_clocks_read: int
    """0 to 1048576 DRAM clocks"""
    request_clocks_write: int
    """0 to 1048576 DRAM clocks"""
    release_clocks_read: int
    """0 to 1048576 DRAM clocks"""
    release_clocks_write: int
    """0 to 1048576 DRAM clocks"""
    column_clocks: int
    """0 to 1048576 DRAM clocks"""
    ordered_read: bool
    """true or false"""
    ordered_write: bool
    """true or false"""
    queue_parts_read: int | None = None
    """1 to 64 parts; only usp-ddrc"""
    queue_parts_write: int | None = None
    """1 to 64 parts; only usp-ddrc"""
    timeout_clocks_read: int | None = None
    """0 to 1048576 controller clocks; only usp-ddrc"""
    timeout_clocks_write: int | None = None
    """0 to 1048576 controller clocks; only usp-ddrc"""
    entry_clocks_read: int | None = None
    """0 to 1048576 controller clocks; only usp-ddrc"""
    entry_clocks_write: int | None = None
    """0 to 1048576 controller clocks; only usp-ddrc"""
    clock_bytes: int | None = None
    """1 to 1048576 bytes; only usp-ddrc"""
    buffers: bool | None = None
    """true or false; only usp-ddrc"""
    part_clocks: int | None = None
    """0 to 1048576 controller clocks; only usp-ddrc"""
    throttled_read: bool | None = None
    """true or false; only usp-ddrc"""
    throttled_write: bool | None = None
    """true or false; only usp-ddrc"""
    priority_read: int | None = None
    """0 to 1023 DRAM clocks; only zynq-ddrc"""
    priority_write: int | None = None
    """0 to 1023 DRAM clocks; only zynq-ddrc"""
    high_priority_reads: bool | None = None
    """true or false; only zynq-ddrc"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Port(Table):
    """ports[]"""

    TABLE = "ports[]"
    name: str
    """text"""
    path: int
    """0 to 31"""
    width_bytes: int
    """1 to 1024 bytes"""
    part_bytes: int
    """1 to 1048576 bytes"""
    period: int = 0
    """0 to 274877906944 base units"""
    fifo_bytes_read: int
    """1 to 1048576 bytes"""
    fifo_bytes_write: int
    """1 to 1048576 bytes"""
    request_cycles_read: int
    """0 to 1048576 port cycles"""
    request_cycles_write: int
    """0 to 1048576 port cycles"""
    return_cycles: int
    """0 to 1048576 port cycles"""
    response_clocks: int
    """0 to 1048576 DRAM clocks"""
    early_response: bool
    """true or false"""
    release_whole_burst: bool
    """true or false"""
    issue_commands: int | None = None
    """1 to 64 parts; only usp-ddrc"""
    inflight_parts: int | None = None
    """1 to 64 parts; only usp-ddrc"""
    address_bursts: int | None = None
    """1 to 64 bursts; only usp-ddrc"""
    passed_commands: int | None = None
    """1 to 128 commands; only usp-ddrc"""
    qos_read: int | None = None
    """0 to 15; only usp-ddrc"""
    qos_write: int | None = None
    """0 to 15; only usp-ddrc"""
    traffic_read: str | None = None
    """best_effort video low_latency; only usp-ddrc"""
    traffic_write: str | None = None
    """best_effort video low_latency; only usp-ddrc"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Stream(Table):
    """streams[]"""

    TABLE = "streams[]"
    port: int
    """0 to 63"""
    name: str = ""
    """text"""
    master: int = 0
    """0 to 255"""
    background: bool = False
    """true or false"""
    outside: bool = False
    """true or false"""
    direction: str
    """read write"""
    base: int
    """0 to 1099511627776 bytes"""
    bytes: int
    """1 to 1125899906842624 bytes"""
    region: int
    """0 to 1099511627776 bytes"""
    burst_bytes: int
    """1 to 1048576 bytes"""
    outstanding: int
    """1 to 63 bursts"""
    gap_cycles: int
    """0 to 1048576 port cycles"""
    pace_cycles: int = 0
    """0 to 1099511627776 port cycles"""
    pace_bursts: int = 1
    """1 to 1048576 bursts"""
    address_cycles: int = 0
    """0 to 1048576 port cycles"""
    between_cycles: int = 0
    """0 to 1048576 port cycles"""
    stop: int = -1
    """-1 to 2305843009213693952 port cycles"""
    pattern: str
    """sequential stride random"""
    stride: int
    """0 to 1099511627776 bytes"""
    partner: int
    """-1 to 63"""
    loopback_bursts: int
    """0 to 65536 bursts"""
    loopback_cycles: int
    """0 to 1048576 port cycles"""
    job_bursts: int = 0
    """0 to 16777216 bursts"""
    job_fill: int = 1
    """1 to 16777216 bursts"""
    job_ahead: int = 1
    """1 to 8 jobs"""
    job_setup_cycles: int = 0
    """0 to 16777216 port cycles"""
    job_place_cycles: int = 0
    """0 to 16777216 port cycles"""
    job_compute_cycles: int = 0
    """0 to 16777216 port cycles"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Measure(Table):
    """measure"""

    TABLE = "measure"
    settle: int
    """0 to 2305843009213693952 PL cycles"""
    block: int
    """0 to 2305843009213693952 PL cycles"""
    confidence: float
    """from 0"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Convolution(Table):
    """convolution"""

    TABLE = "convolution"
    lanes: int
    """0 to 65536"""
    buffer_bytes: int
    """0 to 1048576 bytes"""
    turn: int
    """0 to 65536 bursts"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Start(Table):
    """A start."""

    TABLE = ""
    launch: tuple[int, ...]
    """0 to 2305843009213693952 port cycles"""
    first_refresh: int
    """0 to 2305843009213693952 DRAM clocks"""
    stop: int = -1
    """-1 to 2305843009213693952 PL cycles"""
    pattern_seed: int
    """from 0"""


@dataclass(frozen=True, kw_only=True, repr=False)
class ProcessorClocks(Table):
    """clocks"""

    TABLE = "clocks"
    cpu: int = 1
    """1 to 1099511627776 base units"""
    interconnect: int = 1
    """1 to 1099511627776 base units"""
    apb: int = 1
    """1 to 1099511627776 base units"""
    ddr: int = 1
    """1 to 1099511627776 base units"""
    pl: int = 1
    """1 to 1099511627776 base units"""
    pl_phase: int = 0
    """0 to 1099511627776 base units"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Memory(Table):
    """memory"""

    TABLE = "memory"
    read_clocks: int = 1
    """0 to 16777216 cpu clocks"""
    device_clocks: int = 0
    """0 to 16777216 DRAM clocks"""
    burst_clocks: int = 4
    """0 to 16777216 DRAM clocks"""
    column_bytes: int = 32
    """1 to 4096 bytes"""
    refresh_clocks: int = 0
    """0 to 16777216 DRAM clocks"""
    refresh_interval: int = 1
    """0 to 16777216 DRAM clocks"""
    refresh_phase: int = 0
    """0 to 16777216 DRAM clocks"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Gp(Table):
    """gp"""

    TABLE = "gp"
    read_clocks: int = 0
    """0 to 16777216 interconnect clocks"""
    write_clocks: int = 0
    """0 to 16777216 interconnect clocks"""
    sync_cycles: int = 2
    """0 to 16777216 clocks of the receiving side"""
    beat_bytes: int = 4
    """1 to 4096 bytes"""
    burst_beats: int = 16
    """1 to 4096 beats"""
    outstanding_read: int = 1
    """1 to 16777216 reads"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Slave(Table):
    """slave"""

    TABLE = "slave"
    read_latency: int = 1
    """0 to 16777216 PL cycles"""
    write_latency: int = 1
    """0 to 16777216 PL cycles"""
    read_recovery: int = 0
    """0 to 16777216 PL cycles"""
    write_recovery: int = 0
    """0 to 16777216 PL cycles"""
    single: bool = False
    """true or false"""
    read_beat_cycles: int = 1
    """1 to 16777216 PL cycles"""
    outstanding: int = 1
    """1 to 4096 bursts"""
    read_way_cycles: int = 0
    """0 to 16777216 PL cycles"""
    write_way_cycles: int = 0
    """0 to 16777216 PL cycles"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Cache(Table):
    """cache"""

    TABLE = "cache"
    line_bytes: int = 32
    """1 to 4096 bytes"""
    l1_bytes: int = 32768
    """0 to 1073741824 bytes"""
    l1_ways: int = 4
    """1 to 4096 ways"""
    l2_bytes: int = 524288
    """0 to 1073741824 bytes"""
    l2_ways: int = 8
    """1 to 4096 ways"""
    l2: bool = True
    """true or false"""
    l2_clocks: int = 25
    """0 to 16777216 cpu clocks"""
    line_buffers: int = 4
    """1 to 16777216 lines"""
    prefetch_lines: int = 2
    """0 to 16777216 lines"""
    prefetch_step: int = 1
    """1 to 4096 lines"""
    prefetch_from: int = 0
    """0 to 1073741824 bytes"""
    maintenance_clocks: int = 1
    """0 to 16777216 cpu clocks"""
    l2_prefetch_lines: int = 0
    """0 to 4096 lines"""
    write_backs: int = 0
    """0 to 16777216 lines"""
    write_back_time: int = 0
    """0 to 1099511627776 base units"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Cpu(Table):
    """cpu"""

    TABLE = "cpu"
    call_instructions: int = 0
    """0 to 16777216 instructions"""
    loop_clocks: int = 0
    """0 to 16777216 cpu clocks"""
    access_bytes: int = 4
    """1 to 4096 bytes"""
    clock_bytes: int = 4096
    """1 to 4096 bytes"""
    device_read_bytes: int = 8
    """1 to 4096 bytes"""
    device_write_bytes: int = 8
    """1 to 4096 bytes"""
    device_stores: int = 1
    """1 to 16777216 stores"""
    fetch_bytes: int = 8
    """4 to 4096 bytes"""
    caches: bool = True
    """true or false"""
    instruction_cache: bool = True
    """true or false"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Dmac(Table):
    """dmac"""

    TABLE = "dmac"
    burst_bytes: int = 64
    """1 to 4096 bytes"""
    beat_bytes: int = 4
    """1 to 4096 bytes"""
    program_bytes: int = 32768
    """1 to 1073741824 bytes"""
    loop_clocks: int = 1
    """0 to 16777216 interconnect clocks"""
    beat_clocks: int = 1
    """0 to 16777216 interconnect clocks"""
    bursts_in_flight: int = 4
    """1 to 16777216 bursts"""
    start_instructions: int = 0
    """0 to 16777216 instructions"""
    start_accesses: int = 0
    """0 to 16777216 accesses"""
    prepare_instructions: int = 0
    """0 to 16777216 instructions"""
    program_fetches: int = 2
    """0 to 16777216 reads"""
    copies: bool = False
    """true or false"""
    waits_for_writes: bool = False
    """true or false"""
    write_clocks: int = 4
    """0 to 16777216 interconnect clocks"""


@dataclass(frozen=True, kw_only=True, repr=False)
class System(Table):
    """system"""

    TABLE = "system"
    present: bool = False
    """true or false"""
    system_call: int = 0
    """0 to 1099511627776 base units"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Fabric(Table):
    """fabric"""

    TABLE = "fabric"
    issue_cycles: int = 1
    """1 to 16777216 PL cycles"""
    interconnect_cycles: int = 0
    """0 to 16777216 PL cycles"""
    burst_beats: int = 1
    """1 to 4096 beats"""
    outstanding: int = 1
    """1 to 16777216 bursts"""
    taken_cycles: int = 0
    """0 to 16777216 PL cycles"""
    hold_cycles: int = 0
    """0 to 16777216 PL cycles"""
    start_accesses: int = 0
    """0 to 16777216 accesses"""


@dataclass(frozen=True, kw_only=True, repr=False)
class SlavePort(Table):
    """port"""

    TABLE = "port"
    acceptance_read: int = 8
    """1 to 16777216 bursts"""
    acceptance_write: int = 8
    """1 to 16777216 bursts"""
    central: bool = False
    """true or false"""
    beat_bytes: int = 8
    """1 to 4096 bytes"""
    beat_period: int = 1
    """1 to 1099511627776 base units"""
    serial_time: int = 0
    """0 to 1099511627776 base units"""
    address_cycles: int = 0
    """0 to 16777216 PL cycles"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Ring(Table):
    """ring"""

    TABLE = "ring"
    buffer_bytes: int = 4096
    """1 to 1073741824 bytes"""
    depth: int = 1
    """1 to 16777216 packets"""
    packets: int = 64
    """1 to 16777216 packets"""
    fifo_bytes: int = 2048
    """1 to 1073741824 bytes"""
    width_bytes: int = 8
    """1 to 4096 bytes"""
    beat_cycles: int = 1
    """1 to 16777216 PL cycles"""
    maintain: bool = True
    """true or false"""
    copy: bool = False
    """true or false"""
    doorbells: int = 2
    """0 to 16777216 registers"""
    descriptors: int = 2
    """0 to 16777216 writes"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Work(Table):
    """transfer"""

    TABLE = "transfer"
    gpio_clocks: int = 0
    """0 to 16777216 apb clocks"""
    to_fabric: bool = True
    """true or false"""
    prepare: bool = False
    """true or false"""
    mapped: bool = False
    """true or false"""
    bytes: int = 4
    """1 to 1073741824 bytes"""


@dataclass(frozen=True, kw_only=True, repr=False)
class Shared(Table):
    """shared"""

    TABLE = "shared"
    read_stream: int = -1
    """-1 to 63"""
    write_stream: int = -1
    """-1 to 63"""
    fabric_port: int = -1
    """-1 to 63"""
    read_there: int = 0
    """0 to 1099511627776 base units"""
    read_back: int = 0
    """0 to 1099511627776 base units"""
    write_there: int = 0
    """0 to 1099511627776 base units"""
    write_back: int = 0
    """0 to 1099511627776 base units"""
    pace: int = 0
    """0 to 1099511627776 base units"""
    pace_bytes: int = 1
    """1 to 1073741824 bytes"""
    gap: int = 0
    """0 to 1099511627776 base units"""
