"""Segments in every form, over one document with pages and one without."""

from __future__ import annotations

from typing import get_args

import pytest

from bench.chunking import Fixed
from bench.content.forms import Form
from bench.content.images import PageImages
from bench.content.render import Rendered, Renderer
from bench.corpus import cut
from bench.data.pdf import PdfError, read_pdf
from bench.tokens import tokenizer
from bench.types import Dataset, Document
from rse import Segment
from tests.bench.data.pdfs import HEIGHT, WIDTH, page, pdf

PLAIN = Document("notes", "Dogs travel for nothing.", title="Notes")


@pytest.fixture
def renderer(tmp_path):
    """Make a renderer over three pages, the last of them visual, and a document without a file.

    The chunks have 12 characters: `Boats leave ` is the first.
    """
    path = tmp_path / "ferries.pdf"
    pages = (
        page("Boats leave at noon."),
        page("Bicycles pay twice."),
        page("The harbour, drawn.", pictures=[(WIDTH, HEIGHT // 2)]),
    )
    path.write_bytes(pdf(*pages))
    read = read_pdf(path)
    ferries = Document("ferries", read.text, "Ferries", "All.", read.pages, read.visual, path)
    assert [read.text[a:b].strip() for a, b in read.pages] == [
        "Boats leave at noon.",
        "Bicycles pay twice.",
        "The harbour, drawn.",
    ]
    assert read.visual == (2,)

    def make(form, *documents):
        held = {d.id: d for d in documents or (ferries, PLAIN)}
        corpus = cut(Dataset("d", "0", held, ()), Fixed(size=12), tokenizer("o200k_base"))
        return Renderer(form, corpus, PageImages(tmp_path / "images"))

    return make


def chunk_of(renderer, words):
    """Find the chunk of the last of some words; they stand there once."""
    corpus = renderer.corpus
    for document in corpus.documents:
        at = document.text.find(words) + len(words) - 1
        if words in document.text:
            begin, end = corpus.layout.start[corpus.number[document.id] :][:2]
            return max(c for c in range(begin, end) if corpus.start[c] <= at)
    raise AssertionError(words)


def shown(renderer, *pairs):
    """Render segments from the chunk of some words to the chunk of others."""
    segments = [
        Segment(chunk_of(renderer, first), chunk_of(renderer, last) + 1, 0.5)
        for first, last in pairs
    ]
    spans = [renderer.corpus.span(segment) for segment in segments]
    renderer.prepare(spans)
    return renderer.render(spans, segments), [renderer.corpus.slice(s).strip() for s in spans]


FORMS = get_args(Form)
HEAD = "What follows is part of the document 'Ferries'. All.\n\n"
NOTES = "What follows is part of the document 'Notes'.\n\n"
FIRST, THIRD, OTHER = ("Boats", "Boats"), ("drawn", "drawn"), ("Dogs", "travel")


@pytest.mark.parametrize("form", FORMS)
def test_no_segments(renderer, form):
    assert renderer(form).render([], []) == Rendered("", ())


def test_tutorial_counts_chunks_within_their_document(renderer):
    made = renderer("tutorial")
    found, (one, two) = shown(made, OTHER, FIRST)
    last = chunk_of(made, "travel") - chunk_of(made, "Dogs")
    assert found == Rendered(
        f"SEGMENT 1 (Chunks 0-{last}):\n{one}\n\nSEGMENT 2 (Chunks 0-0):\n{two}\n"
    )


def test_text_has_a_heading_for_each_segment(renderer):
    found, (one, two) = shown(renderer("text"), FIRST, OTHER)
    assert found == Rendered(f"{HEAD}{one}\n\n{NOTES}{two}")


def test_pictures_stand_for_text_and_text_stands_where_there_are_none(renderer):
    found, (_, two) = shown(renderer("page_images"), ("Boats", "pay"), OTHER)
    assert found.text == f"{HEAD}[image 1: page 1]\n[image 2: page 2]\n\n{NOTES}{two}"
    assert [path.name[:9] for path in found.images] == ["page-0000", "page-0001"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in found.images)


def test_a_page_is_sent_once(renderer):
    # The second chunk, `at noon.` and `Bic`, stands on two pages.
    found, _ = shown(renderer("page_images"), THIRD, ("noon", "noon"), FIRST)
    third = "[image 1: page 3]"
    both = "[image 2: page 1]\n[image 3: page 2]"
    assert found.text == f"{HEAD}{third}\n\n{HEAD}{both}\n\n{HEAD}[image 2: page 1]"
    assert [path.name[:9] for path in found.images] == ["page-0002", "page-0000", "page-0001"]


def test_dynamic_shows_what_only_a_picture_says(renderer):
    found, (one, _, three) = shown(renderer("dynamic"), FIRST, THIRD, OTHER)
    assert found.text == f"{HEAD}{one}\n\n{HEAD}[image 1: page 3]\n\n{NOTES}{three}"
    assert len(found.images) == 1


def test_one_visual_page_makes_pictures_of_the_whole_segment(renderer):
    found, _ = shown(renderer("dynamic"), ("twice", "drawn"))
    assert found.text == f"{HEAD}[image 1: page 2]\n[image 2: page 3]"


@pytest.mark.parametrize("form", ["page_images", "dynamic"])
def test_no_pages_are_text_and_a_lost_file_is_an_error(renderer, tmp_path, form):
    lost = tmp_path / "lost.pdf"
    none = Document("none", "Boats leave.", file=lost, visual=(0,))
    assert shown(renderer(form, none), ("Boats", "leave"))[0] == Rendered("Boats leave.")
    gone = Document("gone", "Boats leave.", pages=((0, 12),), file=lost, visual=(0,))
    with pytest.raises(PdfError, match=r"cannot read .*lost\.pdf"):
        shown(renderer(form, gone), ("Boats", "leave"))
    unnamed = Document("unnamed", "Boats leave.", pages=((0, 12),), visual=(0,))
    assert shown(renderer(form, unnamed), ("Boats", "leave"))[0] == Rendered("Boats leave.")


def test_overlapping_chunks_are_sliced_from_the_source_not_glued(tmp_path):
    held = {"a": Document("a", "ABCDEFGHIJ")}
    corpus = cut(Dataset("d", "0", held, ()), Fixed(size=4, overlap=2), tokenizer("o200k_base"))
    for form in FORMS:
        made = Renderer(form, corpus, PageImages(tmp_path))
        whole = Segment(0, len(corpus.layout), 1.0)
        assert len(corpus.layout) == 4
        text = made.render([corpus.span(whole)], [whole]).text
        assert text.count("ABCDEFGHIJ") == 1
        assert sum(map(str.isupper, text.removeprefix("SEGMENT 1 (Chunks 0-3)"))) == 10
