"""How many threads to compute with."""

from __future__ import annotations

import os
from pathlib import Path


def physical_cores(devices: Path = Path("/sys/devices/system/cpu")) -> int:
    """Cores this process may run on, two hardware threads of one core counted once.

    A matrix product waits for its slowest thread at every layer, so that a second thread on a core slows all of them.
    `devices` is where Linux describes its processors; elsewhere, or where that says nothing, the logical count is taken.
    """
    if not hasattr(os, "sched_getaffinity"):
        return os.cpu_count() or 1
    allowed = os.sched_getaffinity(0)
    cores: set[str] = set()
    for number in allowed:
        try:
            # The same line for all threads of a core: Documentation/ABI/stable/sysfs-devices-system-cpu.
            cores.add((devices / f"cpu{number}" / "topology" / "thread_siblings_list").read_text("ascii").strip())
        except OSError:
            return len(allowed)
    return len(cores)
