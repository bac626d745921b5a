"""Upstream's raw files by download: pinned revision, every file checked against its sha256."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bench.data.cards import by_hand, can_download, card, downloads
from bench.data.errors import DatasetError
from bench.progress import Progress

SECONDS = 30
"""How long a server may be silent."""


def fetch(
    name: str, files: Collection[str], to: Path | None, progress: Progress
) -> tuple[Path, int]:
    """Download the raw files of a dataset; what is there already and right is kept.

    Args:
        name: The card's name, such as `qmsum`.
        files: Which of the card's files.
        to: Folder above the dataset's own; None: the cache, where `run` looks as well.
        progress: Where the bar is shown.

    Returns:
        The dataset's folder, and how many files were downloaded.

    Raises:
        DatasetError: The card knows no address, the server does not answer, or other bytes came.
    """
    said = card(name)
    folder = (to or downloads()) / name
    if not can_download(name):
        raise DatasetError(f"{name} cannot be downloaded file by file: {by_hand(name, folder)}")
    missing = [
        item
        for item in _addresses(said)
        if item[0] in files and not _is_there(folder / item[0], item[2])
    ]
    for file, address, digest in progress.track(missing, f"{name}: downloading"):
        _one(folder / file, address, digest)
    return folder, len(missing)


def _addresses(said: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield each file as it is called here, its address and its digest."""
    for file, digest in said["sha256"].items():
        path = quote(said.get("upstream_path", {}).get(file, file))
        yield file, said["url"].format(revision=said["revision"], path=path), digest


def _is_there(path: Path, digest: str) -> bool:
    import pooch

    return path.is_file() and bool(pooch.file_hash(str(path)) == digest)


def _one(path: Path, address: str, digest: str) -> None:
    """Download one file; it stands there whole and right, or not at all."""
    import pooch
    import requests

    pooch.get_logger().setLevel(logging.WARNING)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        pooch.retrieve(
            address,
            f"sha256:{digest}",
            fname=path.name,
            path=path.parent,
            downloader=pooch.HTTPDownloader(timeout=SECONDS),
        )
    except requests.RequestException as error:
        reason = type(error).__name__
        raise DatasetError(f"cannot download {address} ({reason}): is there a network?") from None
    except ValueError:
        raise DatasetError(f"{address} has other bytes than the card's sha256 {digest}") from None
