"""Text, page spans and pictures of PDF files, by PDFium."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from io import BytesIO
from itertools import accumulate
from math import inf, sqrt
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from bench.data.errors import DatasetError
from bench.data.hyphens import join_words
from bench.data.normal import normalise

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

FEW_CHARACTERS = 20
"""A page with a picture and fewer characters than this is its picture."""

SCANNED = 10
"""A file of pictures with fewer characters a page than this, blanks aside, was scanned."""

MOST_PIXELS = 50_000_000
"""Largest picture that is drawn: some 200 MB while it is."""

_LIGATURE = re.compile("[\ufb00-\ufb17]")
_CONTROL = re.compile(r"[\x00-\x01\x03-\x08\x0b-\x1f]")  # 0x02 marks a hyphen
_PDFIUM = Lock()  # PDFium may be called by one thread at a time
_FORMS_IN_FORMS = 15


class PdfError(DatasetError):
    """A PDF that cannot be read, by name and with the reason."""


@dataclass(frozen=True, slots=True)
class Pdf:
    """What a PDF file says."""

    text: str
    """The pages' texts, with a line feed between two."""
    pages: tuple[tuple[int, int], ...]
    """Span of each page in `text`, half-open, without the line feed between."""
    visual: tuple[int, ...]
    """Numbers, from 0, of the pages whose pictures say what the text does not."""


def read_pdf(path: Path) -> Pdf:
    """Read the text of all pages.

    Line ends are line feeds, ligatures are letters, words that were cut at a line end are whole.
    Pages are joined by one line feed, not by a form feed: sentences run on over pages, every
    chunker knows a line feed, and where pages end is told by `Pdf.pages`. A page is visual if
    pictures cover more than a third of it, or if it has one and hardly any text.

    Raises:
        PdfError: No such file, no PDF, damaged, locked by a password, or without text (scanned).
    """
    with _opened(path) as document:
        read = [_page(document, number, path) for number in range(len(document))]
    texts = join_words([text for text, _ in read])
    visual = tuple(number for number, (_, shows) in enumerate(read) if shows)
    letters = sum(len(text) - sum(map(str.isspace, text)) for text in texts)
    scanned = letters < SCANNED * len(texts) and 2 * len(visual) > len(texts)
    if scanned or not letters:
        raise PdfError(
            f"{path} has hardly any text ({len(texts)} pages, {letters} characters): if it was "
            f"scanned, run text recognition (OCR) over it first"
        )
    begins = list(accumulate((len(text) + 1 for text in texts), initial=0))
    return Pdf(
        "\n".join(texts),
        tuple((begin, begin + len(text)) for begin, text in zip(begins, texts, strict=False)),
        visual,
    )


def page_image(path: Path, page: int, dpi: float = 150) -> bytes:
    """Draw a page as PNG; one that would have more than `MOST_PIXELS` is drawn smaller.

    Args:
        path: The file.
        page: Number of the page, from 0.
        dpi: Dots an inch.

    Raises:
        PdfError: The file cannot be read, or has no such page, or the page has no size.
    """
    with _opened(path) as document:
        if not 0 <= page < len(document):
            raise PdfError(f"{path} has no page {page}: it has {len(document)}, counted from 0")
        with _loaded(document, page, path) as loaded:
            if not 0 < dpi < inf:
                raise PdfError(f"{path}, page {page}: dpi must be above 0, got {dpi:g}")
            width, height = loaded.get_size()
            if not 0 < width * height < inf:
                raise PdfError(f"{path}, page {page}: it has no size ({width:g} x {height:g})")
            scale = min(dpi / 72, sqrt(MOST_PIXELS / (width * height)))
            with closing(loaded.render(scale=scale)) as bitmap:
                png = BytesIO()
                bitmap.to_pil().save(png, "PNG")
    return png.getvalue()


@contextmanager
def _opened(path: Path) -> Iterator[PdfDocument]:
    from pypdfium2 import PdfDocument, PdfiumError

    try:
        content = path.read_bytes()
    except OSError as error:
        raise PdfError(f"cannot read {path}: {error.strerror}") from None
    if b"%PDF-" not in content[:1024]:
        raise PdfError(f"{path} is no PDF: it does not begin with %PDF-")
    with _PDFIUM:
        try:
            document = PdfDocument(content)
        except PdfiumError as error:
            raise PdfError(f"{path} {_reason(error, content)}") from None
        with closing(document):
            yield document


def _reason(error: Exception, content: bytes) -> str:
    from pypdfium2 import raw

    # PDFium keeps the code of an earlier file where it has none for this one.
    code = getattr(error, "err_code", None) if b"/Encrypt" in content else None
    if code == raw.FPDF_ERR_PASSWORD:
        return "is encrypted and needs a password: save it without one"
    if code == raw.FPDF_ERR_SECURITY:
        return "is encrypted in a way that PDFium does not know: save it without"
    return f"is damaged, PDFium cannot open it: {error}"


@contextmanager
def _loaded(document: PdfDocument, number: int, path: Path) -> Iterator[PdfPage]:
    from pypdfium2 import PdfiumError

    try:
        with closing(document[number]) as page:
            yield page
    except PdfiumError as error:
        raise PdfError(f"{path} is damaged on page {number}, counted from 0: {error}") from None


def _page(document: PdfDocument, number: int, path: Path) -> tuple[str, bool]:
    """Return a page's text and whether it is visual."""
    with _loaded(document, number, path) as page:
        with closing(page.get_textpage()) as textpage:
            # Not get_text_range: that one knows no characters beyond U+FFFF.
            raw = normalise(textpage.get_text_bounded())
        text = _CONTROL.sub("", _LIGATURE.sub(lambda found: normalize("NFKC", found[0]), raw))
        width, height = page.get_size()
        pictures = list(_pictures(page.raw))
        few = len(text.strip()) < FEW_CHARACTERS
        return text, bool(pictures) and (few or sum(pictures) > width * height / 3)


def _pictures(parent: Any, depth: int = 0, scale: float = 1.0) -> Iterator[float]:  # noqa: ANN401
    """Yield the area of each picture on a page, in square points.

    PDFium's own calls: pages of tables have ten thousand objects, and pypdfium2 would make a
    Python object of each.
    """
    from pypdfium2 import raw

    count: Callable[..., int] = raw.FPDFFormObj_CountObjects if depth else raw.FPDFPage_CountObjects
    get: Callable[..., Any] = raw.FPDFFormObj_GetObject if depth else raw.FPDFPage_GetObject
    kind_of = raw.FPDFPageObj_GetType
    for number in range(count(parent)):
        found = get(parent, number)
        kind = kind_of(found)
        if kind == raw.FPDF_PAGEOBJ_IMAGE:
            yield scale * _area(found)
        elif kind == raw.FPDF_PAGEOBJ_FORM and depth < _FORMS_IN_FORMS:
            # What stands in a form is measured in the form's own units.
            matrix = raw.FS_MATRIX()
            raw.FPDFPageObj_GetMatrix(found, matrix)
            grown = abs(matrix.a * matrix.d - matrix.b * matrix.c)
            yield from _pictures(found, depth + 1, scale * grown)


def _area(found: Any) -> float:  # noqa: ANN401
    from ctypes import c_float

    from pypdfium2 import raw

    left, bottom, right, top = c_float(), c_float(), c_float(), c_float()
    raw.FPDFPageObj_GetBounds(found, left, bottom, right, top)
    return abs((right.value - left.value) * (top.value - bottom.value))
