"""All datasets of a spec, loaded before anything is done with one of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench.data.errors import DatasetError, MissingError
from bench.data.limit import limited
from bench.data.load import load
from bench.types import Dataset


def load_all(
    places: Sequence[str], raw: Path | None, limit: int | None
) -> tuple[list[Dataset], tuple[str, ...]]:
    """Return the datasets, and why some are left out: their files are not here, but others' are.

    Results tell datasets apart by name.

    Args:
        places: Names or folders.
        raw: Folder of upstream's raw files.
        limit: Only the first so many questions of each.

    Raises:
        DatasetError: One is broken, two have the same name, or none is here.
    """
    datasets: dict[str, Dataset] = {}
    found_at: dict[str, str] = {}
    missing: list[MissingError] = []
    for place in places:
        try:
            dataset = load(place, raw)
        except MissingError as error:
            missing.append(error)
            continue
        name = dataset.name
        if name in datasets:
            raise DatasetError(
                f"the datasets {found_at[name]!r} and {place!r} are both called {name!r}: run one "
                f"of them, or change the name in its manifest.json"
            )
        datasets[name], found_at[name] = dataset, place
    if not datasets:
        raise missing[0]
    return [limited(dataset, limit) for dataset in datasets.values()], tuple(map(str, missing))
