"""Which datasets there are, and whether their files are here."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from bench.catalog import DATASETS
from bench.data.cards import CARDS, card, places
from bench.data.load import ours


class Shelved(NamedTuple):
    """A dataset as `rse-bench data list` shows it."""

    name: str
    files: str
    """`here`, `missing`, `partly`, or `comes with rse-bench`."""
    language: str
    license: str
    commercial: str
    """Whether its licence allows commercial use."""
    search: str
    verified: str
    """Whether the loader has seen upstream's real files."""


def card_of(name: str) -> str | None:
    """Return the name of a dataset's card; None: it has none."""
    module = DATASETS.get(name, "").partition(":")[0]
    stem = getattr(import_module(module), "NAME", None) if module else None
    return stem if stem and (CARDS / stem / "card.json").is_file() else None


def expected_counts(name: str) -> dict[str, Any]:
    """Return what a card says a dataset holds; nothing where it says nothing."""
    stem = card_of(name)
    if not stem:
        return {}
    counts: dict[str, Any] = card(stem).get("counts") or {}
    found: dict[str, Any] = counts.get(name, counts)
    return found if "documents" in found else {}


def shelf(raw: Path | None) -> list[Shelved]:
    """List all datasets by name."""
    return [_shelved(name, raw) for name in [*DATASETS, *ours()]]


def _shelved(name: str, raw: Path | None) -> Shelved:
    stem = card_of(name)
    if not stem:
        return Shelved(name, "comes with rse-bench", "", "", "", "", "")
    said = card(stem)
    return Shelved(
        name,
        _files(name, stem, said, raw),
        ", ".join(said["language"]),
        said["license"],
        "yes" if said["commercial_use"] else "no",
        said["search"].partition(":")[0],
        "yes" if said["verified"] else "no",
    )


def files_of(name: str, said: dict[str, Any]) -> list[str]:
    """Return the files a dataset needs: all of its card, or those the card names under `files`."""
    own: list[str] = said.get("files", {}).get(name, [""])
    return [file for file in said["sha256"] if file.startswith(tuple(own))]


def _files(name: str, stem: str, said: dict[str, Any], raw: Path | None) -> str:
    """Say whether a dataset's files are where `run` looks; they are not opened."""
    needed = files_of(name, said)
    most = max(sum((place / file).is_file() for file in needed) for place in places(stem, raw))
    if most == 0:
        return "missing"
    return "here" if most == len(needed) else "partly"
