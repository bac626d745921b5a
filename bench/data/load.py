"""Find a dataset by name or folder and load it, or say at once what is missing."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from bench.catalog import DATASETS
from bench.data.cards import CARDS
from bench.data.errors import DatasetError
from bench.data.folder import load_folder
from bench.types import Dataset


def load(name: str, raw: Path | None = None) -> Dataset:
    """Load a dataset.

    Args:
        name: A name from the catalogue, or a folder in our own format.
        raw: Folder that holds upstream's raw files, one subfolder a dataset; default: the
            environment variable `RSE_BENCH_RAW`.

    Raises:
        DatasetError: Unknown, missing, or not what it says it is.
    """
    dataset = _load(name, raw)
    if not dataset.questions:
        raise DatasetError(f"the dataset {name!r} has no questions: there is nothing to measure")
    return dataset


def _load(name: str, raw: Path | None) -> Dataset:
    if name in DATASETS:
        module, _, function = DATASETS[name].partition(":")
        loader: Callable[[Path | None], Dataset]
        loader = getattr(import_module(module), function or "load")
        return loader(raw or _raw_from_environment())
    for folder in (CARDS / name, Path(name)):
        if (folder / "manifest.json").is_file():
            return load_folder(folder)
    raise DatasetError(
        f"no dataset {name!r}; there are: {', '.join([*DATASETS, *ours()])}, "
        f"or a folder with manifest.json, documents.jsonl and questions.jsonl"
    )


def ours() -> list[str]:
    """List the datasets in our own format that stand beside the code."""
    return sorted(path.parent.name for path in CARDS.glob("*/manifest.json"))


def _raw_from_environment() -> Path | None:
    value = os.environ.get("RSE_BENCH_RAW")
    return Path(value) if value else None
