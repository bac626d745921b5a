"""`pydata-docs`: our questions over the reference documentation that our dependencies carry.

Documents are docstrings read from the installed NumPy, SciPy, scikit-learn and Matplotlib; nothing
of theirs stands in this repository but offsets and digests. The source files are parsed, never
imported: no code runs, and decorators cannot change what we read.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from pydantic import Field

from bench.data.assemble import assemble
from bench.data.cards import folder_of
from bench.data.errors import DatasetError
from bench.data.rows import Strict, rows
from bench.places import cache_folder
from bench.store.atomic import write_text
from bench.types import Dataset, Document, Question, Span

NAME = "pydata-docs"


class PageRow(Strict):
    """A line of `pages.jsonl`: where a page comes from, and the digest of its text."""

    id: str
    file: str
    """Source file, relative to the folder of installed packages."""
    object: str
    """Qualified name inside the file; empty for the module itself."""
    sha256: str
    characters: int


class AskedRow(Strict):
    """A line of `questions.jsonl`: gold as offsets into the page whose digest is given."""

    id: str
    kind: str
    language: str
    page: str
    question: str
    answer: str
    gold: list[tuple[int, int]] = Field(min_length=1)
    sha256: str


def load(raw: Path | None = None, language: str = "en") -> Dataset:  # noqa: ARG001
    """Load the set from the installed packages: the questions of a language, the same pages.

    A page whose text differs from the recorded digest (another version of a package) stays in the
    corpus, but its questions are left out for every strategy alike, counted and reported.

    Raises:
        DatasetError: A package is not installed, or no page has the text the questions are about.
    """
    folder = folder_of(NAME)
    pages = [row for _, row in rows(folder / "pages.jsonl", PageRow)]
    texts = _texts(pages)
    documents = {
        row.id: Document(row.id, texts[row.id], row.id, texts[row.id].partition("\n")[0])
        for row in pages
    }
    digests = {name: _digest(text) for name, text in texts.items()}
    changed = sum(digests[row.id] != row.sha256 for row in pages)
    questions: list[Question] = []
    excluded: dict[str, str] = {}
    for _, asked in rows(folder / "questions.jsonl", AskedRow):
        if asked.language != language:
            continue
        if digests.get(asked.page) != asked.sha256:
            excluded[asked.id] = f"the text of {asked.page} is not the one the gold refers to"
        else:
            questions.append(_question(asked))
    if not questions:
        raise DatasetError(
            f"{NAME}: none of the {len(pages)} pages has the text its questions are about; "
            f"install the versions in constraints.txt (`make setup`)"
        )
    notes = [f"Pages that differ from the recorded text: {changed} of {len(pages)}."]
    name = NAME if language == "en" else f"{NAME}-{language}"
    return assemble(
        name, documents.values(), questions, excluded=excluded, notes=notes if changed else ()
    )


load_zh = partial(load, language="zh")
"""Load the Chinese questions: asked in another language than the pages are written in."""


def _question(row: AskedRow) -> Question:
    gold = tuple((Span(row.page, start, end),) for start, end in row.gold)
    tags = {"kind": row.kind, "language": row.language}
    return Question(row.id, row.question, gold, answers=(row.answer,), tags=tags)


def _texts(pages: list[PageRow]) -> dict[str, str]:
    """Return the pages' texts, parsed once per set of installed files and then kept."""
    files = {row.file: _installed(row.file) for row in pages}
    files = {name: path for name, path in files.items() if path.is_file()}
    stamp = [[name, path.stat().st_size, path.stat().st_mtime_ns] for name, path in files.items()]
    key = _digest(json.dumps([stamp, [[row.id, row.object] for row in pages]]))
    kept = cache_folder() / NAME / f"{key[:16]}.json"
    try:
        texts: dict[str, str] = json.loads(kept.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        texts = dict(_parse(pages, files))
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_text(kept, json.dumps(texts))
    return texts


def _parse(pages: list[PageRow], files: dict[str, Path]) -> Iterator[tuple[str, str]]:
    trees = {name: ast.parse(path.read_bytes()) for name, path in files.items()}
    for row in pages:
        yield row.id, _docstring(trees[row.file], row.object) if row.file in trees else ""


def _docstring(tree: ast.Module, name: str) -> str:
    """Return the cleaned docstring of an object, or nothing where there is no such object."""
    node: ast.Module | ast.ClassDef | ast.FunctionDef = tree
    for part in filter(None, name.split(".")):
        found = [
            child
            for child in node.body
            if isinstance(child, ast.ClassDef | ast.FunctionDef) and child.name == part
        ]
        if not found:
            return ""
        node = found[-1]  # the last definition is the one that stays
    return ast.get_docstring(node) or ""


def _installed(file: str) -> Path:
    package, _, inside = file.partition("/")
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise DatasetError(f"{NAME} reads the documentation of {package}, which is not installed")
    return Path(spec.origin).parent / inside


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
