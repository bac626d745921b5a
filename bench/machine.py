"""The machine that numbers are made on."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any


def machine() -> dict[str, Any]:
    """Return processor, cores and system."""
    return {"cpu": _processor(), "cores": os.cpu_count(), "system": platform.platform()}


def load() -> list[float] | None:
    """Return how busy the machine has been over 1, 5 and 15 minutes; None: the system is mute."""
    return [round(one, 2) for one in os.getloadavg()] if hasattr(os, "getloadavg") else None


def _processor() -> str:
    """Name the processor, as well as the system tells."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in text.splitlines() if "model name" in line]
    return names[0] if names else platform.machine()
