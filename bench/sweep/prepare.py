"""From a sweep's data to searched questions: once for each dataset, chunker and retriever."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.catalog import calibration, retriever, strategy
from bench.family import prepare
from bench.places import cache_folder
from bench.progress import Progress
from bench.retrieval.embedders.encoder import Encoder
from bench.retrieval.recipe import Embedder
from bench.scores import neighbours_needed
from bench.sweep.searched import Searched, Wanted, key_of, search
from bench.sweep.searched_file import load, save
from bench.sweep.settings import Setting
from bench.types import Dataset

FOLDER = "searched"


class Held(NamedTuple):
    """Searched questions, and the file that other processes read them from."""

    path: Path
    searched: Searched


def held(
    dataset: Dataset,
    family: str,
    wanted: Wanted,
    threads: int | None,
    progress: Progress,
    encoder: Callable[[Embedder], Encoder] | None = None,
) -> Held:
    """Search a dataset's questions, or read what was searched before.

    Args:
        dataset: The data.
        family: `chunker / retriever`.
        wanted: What hits must carry.
        threads: Threads of all libraries; None: what they choose.
        progress: Shows how far it is.
        encoder: Makes embedding models; None: such as compute here.

    Raises:
        UserError: The chunks overlap, or a model cannot be had.
    """
    from bench.retrieval.models import identities

    models = " ".join(identities(retriever(family.split(" / ")[1])[1]))
    key = key_of(family, f"{dataset.name} {dataset.revision}", models, wanted)
    path = cache_folder() / FOLDER / f"{key}.npz"
    if path.is_file():
        try:
            return Held(path, load(path))
        except ValueError:  # damaged: made again
            path.unlink(missing_ok=True)
    made = prepare(dataset, family, threads, progress, encoder)
    save(path, search(made, wanted, progress))
    return Held(path, load(path))


def wanted(settings: Sequence[Setting], depth: int) -> Wanted:
    """Return what hits must carry for some settings."""
    fit = [one for one in settings if not one.error]
    neighbours = max((neighbours_needed(calibration(one.arm.scores)[1]) for one in fit), default=0)
    names = dict.fromkeys(one.arm.strategy for one in fit)
    vectors = any(getattr(strategy(name)[1], "needs_vectors", False) for name in names)
    return Wanted(depth, neighbours, vectors)
