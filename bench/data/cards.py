"""What the cards in `datasets/` say of sets that stand elsewhere, and where their files are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.data.errors import DatasetError, MissingError
from bench.places import cache_folder

CARDS = Path(__file__).resolve().parents[2] / "datasets"
"""The folder of dataset cards beside the code."""


def folder_of(name: str) -> Path:
    """Return a dataset's own folder in `datasets/`.

    Raises:
        DatasetError: The folder is not there: the program was installed without its checkout.
    """
    if not (CARDS / name).is_dir():
        raise DatasetError(
            f"{name} needs the folder {CARDS / name}, which is not there: run rse-bench from a "
            f"checkout of its repository (`make setup`, or `pip install -e .`)"
        )
    return CARDS / name


def card(name: str) -> dict[str, Any]:
    """Return a dataset's `card.json`: source, revision, licence, digest of each file."""
    path = folder_of(name) / "card.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def raw_folder(raw: Path | None, name: str, needed: str) -> Path:
    """Find upstream's files: in `raw`, or in its subfolder of the dataset's name.

    They stand there as they are, or below one of the folders that the card names under `inside`:
    where upstream's repository has them. What `rse-bench data get` has downloaded is found, too.

    Args:
        raw: What the user named; None: nothing.
        name: The dataset.
        needed: A file or folder that must be there.

    Raises:
        MissingError: Nothing there; the message says what is expected where and how to get it.
    """
    for place in places(name, raw):
        if (place / needed).exists():
            return place
    target = (raw or Path("RAW")) / name
    raise MissingError(
        f"{name} needs upstream's raw files, expected {target / needed}: "
        f"{_ways(name, needed, target)} and name the folder above with --raw DIR or RSE_BENCH_RAW"
    )


def places(name: str, raw: Path | None) -> Iterator[Path]:
    """Yield the folders where a dataset's files may stand, the likeliest first."""
    for folder in [*([raw / name, raw] if raw else []), downloads() / name]:
        for inside in ["", *card(name).get("inside", ())]:
            yield folder / inside


def downloads() -> Path:
    """Return the folder that `rse-bench data get` downloads into unless told otherwise."""
    return cache_folder() / "raw"


def by_hand(name: str, folder: Path) -> str:
    """Say how to get a dataset's files without us."""
    said = card(name)
    if archive := said.get("archive"):
        return f"unpack {archive} into {folder}"
    if not said["sha256"]:
        return f"get them from {said['source']} and put them into {folder}"
    revision = said["revision"]
    return f"`git clone {said['source']} {folder} && git -C {folder} checkout {revision}`"


def can_download(name: str) -> bool:
    """Tell whether the card knows where each file is and what its digest must be."""
    said = card(name)
    return bool(said.get("url") and said["sha256"])


def _ways(name: str, needed: str, folder: Path) -> str:
    """Say how to get a file or folder of a card, by the dataset that it belongs to."""
    if not can_download(name):
        return by_hand(name, folder)
    parts: dict[str, list[str]] = card(name).get("files", {})
    wanted = [
        dataset
        for dataset, own in parts.items()
        if any(needed.startswith(one) or one.startswith(f"{needed}/") for one in own)
    ]
    return (
        f"`rse-bench data get {(wanted or [name])[0]}` downloads them; or {by_hand(name, folder)}"
    )
