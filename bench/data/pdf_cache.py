"""Texts of PDF files, kept so that each file is read once."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pydantic import ValidationError

from bench.data.pdf import Pdf, PdfError, read_pdf
from bench.data.rows import Strict
from bench.places import cache_folder
from bench.store.atomic import write_text

FORMAT = 1
"""Raised whenever `read_pdf` makes another text of the same file."""


class Entry(Strict):
    """A text in the cache."""

    text: str
    pages: tuple[tuple[int, int], ...]
    visual: tuple[int, ...]
    sha256: str
    """Digest of the text: half a file is none."""


def read_pdf_cached(path: Path) -> Pdf:
    """Read a PDF, or what an earlier call made of the same bytes.

    An entry is named by the file's digest, the versions of pypdfium2 and PDFium, and `FORMAT`.
    Damaged entries are made again; where nothing can be written, nothing is kept.

    Raises:
        PdfError: As `read_pdf`.
    """
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise PdfError(f"cannot read {path}: {error.strerror}") from None
    entry = cache_folder() / "pdf" / f"{digest}-{_versions()}.json"
    if kept := _kept(entry):
        return kept
    pdf = read_pdf(path)
    made = Entry(text=pdf.text, pages=pdf.pages, visual=pdf.visual, sha256=_digest(pdf.text))
    try:
        entry.parent.mkdir(parents=True, exist_ok=True)
        write_text(entry, made.model_dump_json())
    except OSError:
        pass  # the text is there all the same; the next call takes as long
    return pdf


def _versions() -> str:
    from pypdfium2 import version

    return f"{version.PYPDFIUM_INFO.version}-{version.PDFIUM_INFO.version}-{FORMAT}"


def _kept(entry: Path) -> Pdf | None:
    """Return what an entry says; None if there is none or it is damaged."""
    try:
        found = Entry.model_validate_json(entry.read_bytes())
    except (OSError, ValidationError):
        return None
    if found.sha256 != _digest(found.text):
        return None
    return Pdf(found.text, found.pages, found.visual)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
