"""The relevance judgements of a BEIR folder: tab-separated, with or without a header."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.data.errors import DatasetError

_HEADER = frozenset({"query-id", "query_id", "qid"})
"""What stands first in a header; BEIR's own is `query-id`, `corpus-id`, `score`."""

_SCORE = re.compile(r"[+-]?[0-9]{1,9}(\.0*)?")


@dataclass(frozen=True, slots=True)
class Qrels:
    """What people said about pairs of query and document."""

    file: str
    """Its name within the folder."""
    scores: dict[str, dict[str, int]]
    """By query, then by document, both in the order of the file."""
    repeated: int
    """Rows that say what an earlier one says."""

    def relevant(self, query: str) -> list[str]:
        """Return the documents of a score above 0, in order."""
        return [doc for doc, score in self.scores[query].items() if score > 0]


def read_qrels(folder: Path, split: str) -> Qrels:
    """Read `qrels/<split>.tsv`: query, document and score; the header may be missing.

    Raises:
        DatasetError: No such split, a row that is none, or two scores for one pair.
    """
    path = folder / "qrels" / f"{split}.tsv"
    if not path.is_file():
        there = sorted(file.stem for file in path.parent.glob("*.tsv"))
        raise DatasetError(
            f"{folder} has no qrels/{split}.tsv; its splits are: {', '.join(there) or 'none'}"
        )
    scores: dict[str, dict[str, int]] = {}
    repeated = 0
    for place, fields in _lines(path, f"{folder.name}/qrels/{path.name}"):
        query, doc, score = _fields(fields, place)
        known = scores.setdefault(query, {})
        if known.get(doc, score) != score:
            raise DatasetError(
                f"{place}: {score} for query {query!r} and document {doc!r}, which have "
                f"{known[doc]} further up: keep one of the rows"
            )
        repeated += doc in known
        known[doc] = score
    if not scores:
        raise DatasetError(f"{path} has no rows: there is nothing to ask")
    return Qrels(f"qrels/{path.name}", scores, repeated)


def _lines(path: Path, name: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the fields of each row that is neither blank nor a header, with its place."""
    try:
        with path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, start=1):
                fields = [field.strip() for field in line.split("\t")]
                header = number == 1 and fields[0].lower() in _HEADER
                if any(fields) and not header:
                    yield f"{name}, line {number}", fields
    except OSError as error:
        raise DatasetError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise DatasetError(f"{path} is not UTF-8: save it as UTF-8") from None


def _fields(fields: list[str], place: str) -> tuple[str, str, int]:
    if len(fields) != 3 or not all(fields):
        raise DatasetError(
            f"{place}: found {len(fields)} fields, {fields[:5]}; expected query id, document id "
            f"and score with tabs between them"
        )
    query, doc, score = fields
    if not _SCORE.fullmatch(score):
        raise DatasetError(f"{place}: the score {score!r} is not a whole number such as 0, 1 or 2")
    return query, doc, int(score.partition(".")[0])
