"""How and where a model computes, and whether this machine can."""

from __future__ import annotations

import importlib.util
import platform
from dataclasses import dataclass
from typing import Any, Literal

from bench.errors import UserError
from bench.threads import renew_threads

Dtype = Literal["float32", "bfloat16", "float16"]
Backend = Literal["torch", "onnx", "openvino"]
NEEDED: dict[str, tuple[str, ...]] = {
    "torch": (),
    "onnx": ("onnx", "onnxruntime"),
    "openvino": ("onnx", "openvino"),
}
"""Packages of each backend beyond the project's own."""

BLOCK = 128
"""Texts a model that runs here is given at a time: what a killed run loses at most."""


@dataclass(frozen=True, slots=True)
class Computing:
    """How and where a model computes. The default gives the same numbers on every processor."""

    dtype: Dtype = "float32"
    backend: Backend = "torch"
    device: str = "cpu"
    """As torch names it: `cpu`, `cuda`, `cuda:1`, `mps`."""
    emulate: bool = False
    """Compute in bfloat16 even without instructions for it, many times slower: to compare."""


def check(computing: Computing) -> None:
    """Refuse what this machine cannot do, or has no instructions for.

    Raises:
        UserError: A package, a device or an instruction set is missing.
    """
    missing = [p for p in NEEDED[computing.backend] if importlib.util.find_spec(p) is None]
    if missing:
        raise UserError(
            f"backend={computing.backend} needs {' and '.join(missing)}, not installed here: "
            f"pip install {' '.join(NEEDED[computing.backend])}"
        )
    if computing.backend != "torch" and (computing.dtype, computing.device) != ("float32", "cpu"):
        raise UserError(
            f"backend={computing.backend} computes in float32 on the CPU; dtype={computing.dtype} "
            f"on {computing.device} needs backend=torch"
        )
    if computing.backend != "torch":
        return
    kind = _device(computing.device)
    if computing.dtype == "float16" and kind == "cpu":
        raise UserError("dtype=float16 needs a GPU; on the CPU use float32, or bfloat16")
    slow = computing.dtype == "bfloat16" and kind == "cpu" and not has_bfloat16()
    if slow and not computing.emulate:
        raise UserError(
            "dtype=bfloat16 needs a processor that computes with it (AVX512-BF16, AMX or ARM's "
            "BF16), which this one does not; use dtype=float32"
        )


def has_bfloat16() -> bool:
    """Tell whether the processor has instructions for bfloat16."""
    import torch

    renew_threads()
    processor: Any = torch.cpu
    names = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    if any(getattr(processor, name, bool)() for name in names):
        return True
    arm = platform.machine().lower() in ("arm64", "aarch64")
    return arm and bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


def _device(name: str) -> str:
    """Return the kind of a device that is there: `cpu`, `cuda`."""
    import torch

    renew_threads()
    try:
        device = torch.device(name)
        if device.type != "meta":
            torch.zeros(1, device=device)
            return device.type
    except (RuntimeError, AssertionError, NotImplementedError):
        pass
    there = ["cpu", *(kind for kind in ("cuda", "mps", "xpu") if _available(kind))]
    raise UserError(f"no device {name!r} for torch; there are: {', '.join(there)}")


def _available(kind: str) -> bool:
    import torch

    place: Any = torch.backends.mps if kind == "mps" else getattr(torch, kind, None)
    return place is not None and bool(place.is_available())
