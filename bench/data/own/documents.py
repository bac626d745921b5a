"""Documents from a folder of txt, md, html and pdf files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from bench.chunking.headings import headings
from bench.data.errors import DatasetError
from bench.data.normal import normalise
from bench.data.own.encoding import decode, decode_html
from bench.data.own.html import read_html
from bench.data.own.walk import File, files
from bench.data.pdf_cache import read_pdf_cached
from bench.types import Document

LONGEST_TITLE = 200

_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")


@dataclass(frozen=True, slots=True)
class Folder:
    """What stands in a folder."""

    documents: Mapping[str, Document]
    """By id, which is the path from the folder, in order; blank ones too."""
    kinds: Mapping[str, int]
    """Documents by kind: txt, md, html, pdf."""
    skipped: Mapping[str, str]
    """Files and folders that are none of ours, with the reason."""
    problems: Mapping[str, str]
    """Files that should be documents and could not be read, with the reason."""


def read_folder(folder: Path, ignored: Collection[Path] = ()) -> Folder:
    """Read all documents of a folder; one that cannot be read is listed and does not end it.

    Args:
        folder: Where they are.
        ignored: Files and folders that are passed over without a word.

    Raises:
        DatasetError: No such folder, or no document in it that can be read.
    """
    documents: dict[str, Document] = {}
    kinds: Counter[str] = Counter()
    skipped: dict[str, str] = {}
    problems: dict[str, str] = {}
    for file in files(folder, ignored):
        if file.why_not:
            (problems if file.wrong else skipped)[file.id] = file.why_not
            continue
        try:
            documents[file.id] = _document(file)
        except DatasetError as error:
            problems[file.id] = _reason(error, file)
        except OSError as error:
            problems[file.id] = f"cannot be read: {error.strerror}"
        else:
            kinds[file.kind] += 1
    if not documents:
        raise DatasetError(_nothing(folder, skipped, problems))
    return Folder(documents, dict(sorted(kinds.items())), skipped, problems)


def _reason(error: DatasetError, file: File) -> str:
    """Say what is wrong without the file's path, which may be nobody's business."""
    return str(error).removeprefix(f"{file.path} ").replace(str(file.path), "it")


def _nothing(folder: Path, skipped: Mapping[str, str], problems: Mapping[str, str]) -> str:
    some = "; ".join(f"{id_}: {why}" for id_, why in [*problems.items(), *skipped.items()][:5])
    return f"no document in {folder}" + (f"; found {some}" if some else ", which is empty")


def _document(file: File) -> Document:
    """Read one file.

    Raises:
        DatasetError: It says nothing that can be read.
        OSError: It cannot be opened.
    """
    stem = PurePosixPath(file.id).stem
    if file.kind == "pdf":
        pdf = read_pdf_cached(file.path)
        return Document(file.id, pdf.text, stem, "", pdf.pages, pdf.visual, file.path)
    content = file.path.read_bytes()
    if file.kind == "txt":
        return Document(file.id, normalise(decode(content)), stem)
    if file.kind == "md":
        text = normalise(decode(content))
        return Document(file.id, text, first_heading(text) or stem)
    text, title = read_html(normalise(decode_html(content)))
    text = normalise(text)
    return Document(file.id, text, first_heading(text) or title[:LONGEST_TITLE] or stem)


def first_heading(markdown: str) -> str:
    """Return what the first heading says that says anything; front matter has none."""
    front = _FRONT_MATTER.match(markdown)
    body = markdown[front.end() :] if front else markdown
    for heading in headings(body):
        lines = body[heading.start : heading.end].strip().split("\n")
        if lines[0].startswith("#"):
            title = re.sub(r"\s#+$", "", lines[0].lstrip("#"))
        else:
            title = " ".join(lines[:-1])  # the last one is the line under it
        if title := " ".join(title.split()):
            return title[:LONGEST_TITLE]
    return ""
