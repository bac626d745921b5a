"""From segments to what would be sent to a model, in rank order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bench.content.forms import PICTURES, Form, numbered, titled
from bench.content.images import PageImages
from bench.content.pages import is_visual, pages
from bench.corpus import Corpus
from bench.types import Document, Span
from rse import Segment


class Rendered(NamedTuple):
    """What would be sent for one question."""

    text: str
    images: tuple[Path, ...] = ()
    """Pictures of pages, each once; the text says `[image 1: page 12]` where the first belongs."""


@dataclass(frozen=True, slots=True)
class Renderer:
    """Shows segments in one form.

    Metrics look at spans, not at this: a picture shows the whole page, and no more is counted as
    found. Only `prompt_tokens` and the number of images tell one form from another.

    Args:
        form: See `bench.content.forms.Form`.
        corpus: Where the text comes from.
        images: Where pictures are kept.
    """

    form: Form
    corpus: Corpus
    images: PageImages

    def render(self, spans: Sequence[Span], segments: Sequence[Segment]) -> Rendered:
        """Lay out segments; `spans` says where each stands in its document.

        Raises:
            PdfError: A page to be shown cannot be drawn.
            OSError: The pictures' folder cannot be written.
        """
        if self.form == "tutorial":
            return Rendered(self._tutorial(spans, segments))
        seen: dict[Path, int] = {}
        parts = [self._titled(span, seen) for span in spans]
        return Rendered("\n\n".join(parts), tuple(seen))

    def prepare(self, spans: Iterable[Span]) -> None:
        """Draw the pages that `render` would show, so that its time is not that of drawing."""
        for span in spans:
            self._pictures(self._document(span), span)

    def _tutorial(self, spans: Sequence[Span], segments: Sequence[Segment]) -> str:
        parts = []
        for number, (span, segment) in enumerate(zip(spans, segments, strict=True), start=1):
            begin = self.corpus.layout.start[self.corpus.number[span.doc]]
            first, last = segment.first - begin, segment.last - begin - 1
            parts.append(numbered(number, first, last, self.corpus.slice(span).strip()))
        return "\n".join(parts)

    def _titled(self, span: Span, seen: dict[Path, int]) -> str:
        """Show one segment; `seen` numbers the pictures, and gets new ones added."""
        document = self._document(span)
        pictures = self._pictures(document, span)
        if not pictures:
            return titled(document, self.corpus.slice(span).strip())
        marks = [
            f"[image {seen.setdefault(picture, len(seen) + 1)}: page {page + 1}]"
            for page, picture in pictures
        ]
        return titled(document, "\n".join(marks))

    def _pictures(self, document: Document, span: Span) -> list[tuple[int, Path]]:
        """Return the pages shown in place of a span's text, drawn, with their numbers from 0."""
        if self.form not in PICTURES or document.file is None:
            return []
        found = pages(document, span)
        if self.form == "dynamic" and not is_visual(document, found):
            return []
        return [(page, self.images.draw(document.file, page)) for page in found]

    def _document(self, span: Span) -> Document:
        return self.corpus.documents[self.corpus.number[span.doc]]
