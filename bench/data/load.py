"""Find a dataset by name or folder and load it, or say at once what is missing."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.arms import parse
from bench.catalog import DATASETS
from bench.data.beir import is_beir, load_beir
from bench.data.cards import CARDS
from bench.data.errors import DatasetError, MissingError
from bench.data.folder import load_folder
from bench.types import Dataset
from rse.checks import ParameterError


def load(name: str, raw: Path | None = None) -> Dataset:
    """Load a dataset.

    Args:
        name: A name from the catalogue, or a folder in our own format; with a slash or a leading
            dot it is always a folder.
        raw: Folder that holds upstream's raw files, one subfolder a dataset; default: the
            environment variable `RSE_BENCH_RAW`.

    Raises:
        DatasetError: Unknown, missing, or not what it says it is.
    """
    dataset = _load(name, raw)
    if not dataset.questions:
        raise DatasetError(f"the dataset {name!r} has no questions: there is nothing to measure")
    if not any(document.text.strip() for document in dataset.documents.values()):
        raise DatasetError(f"the dataset {name!r} has no text: there is nothing to search")
    return dataset


def _load(name: str, raw: Path | None) -> Dataset:
    known = name in DATASETS or name in ours()
    path = name.startswith(".") or any(sign in name for sign in ("/", os.sep))
    if path or not known:
        if _is_ours(Path(name)):
            return load_folder(Path(name))
        folder, options = _beir_options(name)
        if is_beir(folder):
            return load_beir(folder, **options)
    if not path and known:
        if _is_ours(Path(name)) and Path(name).resolve() != CARDS / name:
            raise DatasetError(
                f"{name!r} is a dataset that comes with rse-bench, and a folder here: write "
                f"{f'./{name}'!r} for the folder, or rename it to have the other"
            )
        return _known(name, raw or raw_from_environment())
    raise DatasetError(
        f"no dataset {name!r}; there are: {', '.join([*DATASETS, *ours()])}, "
        f"or a folder with manifest.json, documents.jsonl and questions.jsonl, or one of BEIR's "
        f"form with corpus.jsonl, queries.jsonl and qrels/"
    )


def _known(name: str, raw: Path | None) -> Dataset:
    if name not in DATASETS:
        return load_folder(CARDS / name)
    module, _, function = DATASETS[name].partition(":")
    loader: Callable[[Path | None], Dataset]
    loader = getattr(import_module(module), function or "load")
    try:
        return loader(raw)
    except MissingError as error:
        if "rse-bench data get" in str(error):
            raise
        raise MissingError(f"{error}: `rse-bench data get {name}` downloads what lacks") from None


def _beir_options(name: str) -> tuple[Path, dict[str, Any]]:
    """Split `folder[split=dev,ignore_same_id=true]` into the folder and its options.

    Raises:
        DatasetError: An option there is not, or a value it cannot have.
    """
    place, bracket, inside = name.rpartition("[")
    if not bracket or not name.endswith("]") or not is_beir(Path(place)):
        return Path(name), {}
    try:
        options = parse(f"beir[{inside}")[1]
    except ParameterError as error:
        raise DatasetError(f"{name}: {error}") from None
    kinds = {"split": str, "ignore_same_id": bool}
    for key, value in options.items():
        if not isinstance(value, kinds.get(key, ())):
            raise DatasetError(
                f"{name}: a BEIR folder takes split=NAME and ignore_same_id=true, got {key}={value}"
            )
    return Path(place), options


def _is_ours(folder: Path) -> bool:
    """Tell whether a folder holds a dataset in our own format."""
    try:
        return (folder / "manifest.json").is_file()
    except (OSError, ValueError):  # no path on this system: too long, or with a zero in it
        return False


def ours() -> list[str]:
    """List the datasets in our own format that stand beside the code."""
    return sorted(path.parent.name for path in CARDS.glob("*/manifest.json"))


def raw_from_environment() -> Path | None:
    """Return the folder of raw files that `RSE_BENCH_RAW` names."""
    value = os.environ.get("RSE_BENCH_RAW")
    return Path(value) if value else None
