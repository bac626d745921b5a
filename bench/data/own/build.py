"""Writes a dataset in our own format, whole or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from pydantic import BaseModel, ValidationError

from bench.data.errors import DatasetError
from bench.data.folder import DocumentRow, Manifest, QuestionRow, SpanRow
from bench.data.own.gold import Placed
from bench.data.own.questions import Asked
from bench.data.own.walk import unicode_name
from bench.data.rows import check_files, read
from bench.types import Document

ROWS = ("documents.jsonl", "questions.jsonl")
MANIFEST = "manifest.json"
STALE = 24 * 3600
"""Seconds after which what a killed build left is nobody's."""
FILES = "files"
"""Folder of the PDFs, so that their pages can be shown wherever the dataset goes."""


def document_row(document: Document) -> DocumentRow:
    """Return a document's line; its PDF goes with the dataset, see `write`."""
    return DocumentRow(
        id=document.id,
        text=document.text,
        title=document.title,
        pages=list(document.pages),
        visual=list(document.visual),
        file=f"{FILES}/{document.id}" if document.file else "",
    )


def question_row(
    asked: Asked, placed: Placed, scope: list[str] | None, documents: Mapping[str, Document]
) -> QuestionRow:
    """Return a question's line; each span is a passage of its own, with its words."""
    spans = [
        SpanRow(doc=doc, start=start, end=end, quote=documents[doc].text[start:end])
        for doc, start, end in placed.spans
    ]
    return QuestionRow(
        id=asked.id,
        text=asked.text,
        gold=[[span] for span in spans],
        answers=asked.answers,
        scope=scope,
        tags=asked.tags,
    )


def name_of(out: Path) -> str:
    """Return what a dataset in a folder is called: as the folder.

    Raises:
        DatasetError: The folder's name is no name for a dataset.
    """
    name = unicode_name(out.resolve().name)
    try:
        Manifest(name=name, license="", source="")
    except ValidationError:
        raise DatasetError(
            f"the folder {str(out)!r} gives the dataset its name, expected 1 to 100 characters "
            f"without control characters: choose another folder"
        ) from None
    return name


def check_free(out: Path, *, force: bool) -> None:
    """Make sure that nothing but an earlier build is replaced, and that only by `force`.

    Raises:
        DatasetError: Something else stands there; or an earlier build, and `force` is not given.
    """
    if not os.path.lexists(out):
        return
    if not out.is_dir():
        raise DatasetError(f"{out} is there and is no folder: choose another")
    names = sorted(path.name for path in out.iterdir())
    if not names:
        return
    if strange := [name for name in names if name not in {*ROWS, MANIFEST, FILES}]:
        raise DatasetError(
            f"{out} is there and is no build: it holds {strange[0]!r}; choose another folder"
        )
    try:
        manifest = read(out / MANIFEST, Manifest)
        check_files(out, manifest.sha256)
    except DatasetError as error:
        raise DatasetError(
            f"{out} is there and is no build, or was changed since ({error}): choose another folder"
        ) from None
    there = {*ROWS, *_files_in(out)}
    if manifest.sha256.keys() != there or manifest.revision != _revision(manifest.sha256):
        raise DatasetError(f"{out} is there and was not built by this: choose another folder")
    if not force:
        raise DatasetError(f"{out} is there from an earlier build: --force replaces it")


def write(
    out: Path,
    documents: Iterable[Document],
    questions: Iterable[QuestionRow],
    about: Manifest,
    *,
    force: bool = False,
) -> None:
    """Write a dataset beside its place, then put it there; an earlier build goes.

    Args:
        out: The folder, for which `check_free` has been called.
        documents: For `documents.jsonl`, in order; PDFs are copied.
        questions: Lines of `questions.jsonl`, in order.
        about: Name, licence and source.
        force: Replace an earlier build.

    Raises:
        DatasetError: Somebody has put something there meanwhile.
    """
    place = out.resolve()
    place.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".build-{hashlib.sha256(place.name.encode()).hexdigest()[:8]}-"
    _sweep(place.parent, prefix)
    beside = Path(tempfile.mkdtemp(prefix=prefix, dir=place.parent))
    try:
        made = beside / "made"
        made.mkdir()
        given = list(documents)
        sha256 = {
            ROWS[0]: _lines(made / ROWS[0], map(document_row, given)),
            ROWS[1]: _lines(made / ROWS[1], questions),
            **_copied(given, made),
        }
        manifest = about.model_copy(update={"revision": _revision(sha256), "sha256": sha256})
        text = manifest.model_dump_json(indent=2) + "\n"
        (made / MANIFEST).write_bytes(text.encode("utf-8"))
        check_free(out, force=force)  # again: another build may have been quicker
        _swap(made, place, beside / "old", force=force)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _copied(documents: Iterable[Document], made: Path) -> dict[str, str]:
    """Copy the documents' PDFs; return the digest of each."""
    found: dict[str, str] = {}
    for document in documents:
        if document.file is not None:
            content = document.file.read_bytes()
            path = made / FILES / document.id
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            found[f"{FILES}/{document.id}"] = hashlib.sha256(content).hexdigest()
    return found


def _files_in(out: Path) -> Iterator[str]:
    """Yield the copies of an earlier build, as its manifest names them."""
    for path in sorted((out / FILES).rglob("*")):
        if not path.is_dir():
            yield path.relative_to(out).as_posix()


def _swap(made: Path, place: Path, old: Path, *, force: bool) -> None:
    """Put a folder in place of another, which moves away; or leave that as it was."""
    if force and place.exists():
        place.replace(old)
    try:
        made.replace(place)  # the system refuses where a folder with something in it stands
    except BaseException as error:
        if old.exists():
            old.replace(place)
        if isinstance(error, OSError) and error.errno in {errno.ENOTEMPTY, errno.EEXIST}:
            raise DatasetError(
                f"{place} was built by another process: --force replaces it"
            ) from None
        raise


def _sweep(folder: Path, prefix: str) -> None:
    """Remove what builds of this dataset left that were killed a day ago or earlier."""
    for path in folder.glob(f"{prefix}*"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > STALE:
                shutil.rmtree(path, ignore_errors=True)


def _lines(path: Path, rows: Iterable[BaseModel]) -> str:
    """Write rows as JSON lines; return the file's digest."""
    digest = hashlib.sha256()
    with path.open("wb") as file:
        for row in rows:
            line = row.model_dump_json(exclude_defaults=True).encode("utf-8") + b"\n"
            digest.update(line)
            file.write(line)
    return digest.hexdigest()


def _revision(sha256: Mapping[str, str]) -> str:
    """Digest the files' digests; by it a build is known as one."""
    return hashlib.sha256("\n".join(sha256.get(name, "") for name in ROWS).encode()).hexdigest()[
        :16
    ]
