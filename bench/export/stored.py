"""What a run has left, read back and held against the data it was made from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.catalog import chunker
from bench.corpus import Corpus, cut
from bench.data.errors import DatasetError, MissingError
from bench.data.limit import limited
from bench.data.load import load
from bench.export.rankings import Rankings
from bench.family import COST
from bench.report.write import MANIFEST, read_manifest, rows_of_kind
from bench.store.folder import ResultsError
from bench.store.records import CURVES, RECORDS, record_of
from bench.tokens import tokenizer
from bench.types import Dataset, Record


@dataclass(frozen=True, slots=True)
class Stored:
    """A run, and the datasets it was made from."""

    folder: Path
    manifest: Mapping[str, Any]
    datasets: Mapping[str, Dataset]
    """By name; those the run had left out are not here."""

    def records(self) -> list[Record]:
        """Read the answers of all arms.

        Raises:
            ResultsError: They are missing or damaged, or of other data.
        """
        path = self.folder / RECORDS
        try:
            records = [record_of(row) for row in rows_of_kind(path, "record")]
        except (KeyError, TypeError):
            raise ResultsError(f"{path} is of another version of rse-bench; run again") from None
        self._check_asked(((record.dataset, record.question) for record in records), path)
        for record in records:
            documents = self.datasets[record.dataset].documents
            for span in record.context.spans:
                document = documents.get(span.doc)
                if document is None or not 0 <= span.start <= span.end <= len(document.text):
                    raise ResultsError(
                        f"{path}: {span.doc}:{span.start}-{span.end}, returned for question "
                        f"{record.question}, is no place in {record.dataset}; run again"
                    )
        return records

    def rankings(self) -> dict[tuple[str, str], Rankings]:
        """Read what was found, by dataset and family; the datasets are chunked again.

        Raises:
            ResultsError: Rankings are missing or damaged, or of other chunks.
        """
        path = self.folder / CURVES
        found: dict[tuple[str, str], dict[str, Sequence[int]]] = {}
        rows = rows_of_kind(path, "curve")
        self._check_asked(((row["dataset"], row["question"]) for row in rows), path)
        for row in rows:
            found.setdefault((row["dataset"], row["family"]), {})[row["question"]] = row["chunks"]
        corpora = Corpora(self.datasets)
        made = {}
        for (dataset, family), chunks in found.items():
            corpus = corpora.of(dataset, family)
            last = max((max(ranking, default=-1) for ranking in chunks.values()), default=-1)
            if last >= len(corpus.layout):
                raise ResultsError(
                    f"{path} ranks chunk {last} of {dataset}, but {family.split(' / ')[0]} makes "
                    f"{len(corpus.layout)} now; run again"
                )
            made[dataset, family] = Rankings(family, corpus, chunks)
        return made

    def _check_asked(self, answered: Iterable[tuple[str, str]], path: Path) -> None:
        asked = {(name, q.id) for name, one in self.datasets.items() for q in one.questions}
        for name, question in answered:
            if (name, question) not in asked:
                raise ResultsError(
                    f"{path} answers the question {question} of {name}, which is not among those "
                    f"{MANIFEST} names; run again"
                )


class Corpora:
    """Chunks of datasets, cut once for each chunker."""

    def __init__(self, datasets: Mapping[str, Dataset]) -> None:
        self._datasets = datasets
        self._cut: dict[tuple[str, str], Corpus] = {}

    def of(self, dataset: str, family: str) -> Corpus:
        """Return the chunks that a family `chunker / retriever` searches."""
        key = dataset, family.split(" / ", maxsplit=1)[0]
        if key not in self._cut:
            self._cut[key] = cut(self._datasets[dataset], chunker(key[1])[1], tokenizer(COST))
        return self._cut[key]


def stored(folder: Path, raw: Path | None) -> Stored:
    """Open a run and load the data it was made from.

    Args:
        folder: The run's folder.
        raw: Folder of upstream's raw files.

    Raises:
        ResultsError: The folder holds no results, or the data has changed since.
        DatasetError: A dataset cannot be loaded.
    """
    manifest = read_manifest(folder)
    return Stored(folder, manifest, _datasets(manifest, folder / MANIFEST, raw))


def _datasets(manifest: Mapping[str, Any], path: Path, raw: Path | None) -> dict[str, Dataset]:
    spec = manifest["spec"]
    there: dict[str, Dataset] = {}
    missing: list[str] = []
    for place in spec["datasets"]:
        try:
            dataset = limited(load(place, raw), spec["limit"])
        except MissingError as error:  # the run may have left it out, too
            missing.append(str(error))
            continue
        there[dataset.name] = dataset
    for row in manifest["datasets"]:
        name, revision = row["name"], row["revision"]
        if name not in there:
            raise DatasetError(
                "; ".join(missing)
                or f"{path} names the dataset {name!r}, and none of {', '.join(spec['datasets'])} "
                f"is called that now; run again"
            )
        if there[name].revision != revision:
            raise ResultsError(
                f"the dataset {name!r} has changed since the run: it is of revision "
                f"{there[name].revision} now, {revision} in {path}; restore it, or run again"
            )
    return {row["name"]: there[row["name"]] for row in manifest["datasets"]}
