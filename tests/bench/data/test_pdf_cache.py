"""Texts of PDF files are kept, and never trusted when damaged."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from bench.data import pdf_cache
from bench.data.pdf import PdfError, read_pdf
from bench.data.pdf_cache import read_pdf_cached
from tests.bench.data.pdfs import page, pdf

WHOLE = pdf(page("Some text, long enough."), page("More of it.", pictures=[(400, 300)]))


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "made.pdf"
    path.write_bytes(WHOLE)
    return path


@pytest.fixture
def reads(monkeypatch):
    """Count how often a PDF is read for good."""
    found = []

    def read(path):
        found.append(path)
        return read_pdf(path)

    monkeypatch.setattr(pdf_cache, "read_pdf", read)
    return found


def test_the_second_read_comes_from_the_cache(path, reads):
    first = read_pdf_cached(path)
    assert first == read_pdf(path) == read_pdf_cached(path)
    moved = path.with_name("moved.pdf")
    path.rename(moved)
    assert read_pdf_cached(moved) == first
    assert len(reads) == 1
    assert first.visual == (1,)


def test_other_bytes_and_other_formats_are_read_anew(path, reads, monkeypatch):
    read_pdf_cached(path)
    path.write_bytes(pdf(page("Another text, long enough.")))
    assert read_pdf_cached(path).text == "Another text, long enough."
    monkeypatch.setattr(pdf_cache, "FORMAT", pdf_cache.FORMAT + 1)
    read_pdf_cached(path)
    assert len(reads) == 3


def _changed(content):
    row = json.loads(content)
    return json.dumps(row | {"text": row["text"].replace("Some", "Same")}).encode()


@pytest.mark.parametrize(
    "damage", [lambda _: b"", lambda content: content[:-9], lambda _: b"\xff", _changed]
)
def test_a_damaged_entry_is_made_again(path, reads, damage):
    whole = read_pdf_cached(path)
    (entry,) = (path.parent / "cache" / "pdf").iterdir()
    good = entry.read_bytes()
    entry.write_bytes(damage(good))
    assert read_pdf_cached(path) == whole
    assert entry.read_bytes() == good
    assert len(reads) == 2


def test_where_nothing_can_be_kept_the_text_is_there(path):
    (path.parent / "cache").write_text("a file, no folder", encoding="utf-8")
    assert read_pdf_cached(path) == read_pdf(path)


def test_errors_are_not_kept(path):
    path.write_bytes(b"none")
    for _ in range(2):
        with pytest.raises(PdfError, match=r"made\.pdf is no PDF"):
            read_pdf_cached(path)
    path.unlink()
    with pytest.raises(PdfError, match="cannot read"):
        read_pdf_cached(path)


@pytest.mark.outside
def test_processes_at_once_agree(path):
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(read_pdf_cached, [path] * 8))
    assert found == [read_pdf(path)] * 8
    assert len(list((path.parent / "cache" / "pdf").iterdir())) == 1
