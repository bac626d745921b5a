"""Pictures of pages: the right ones, drawn once."""

from __future__ import annotations

import struct

import pytest

from bench.content import images
from bench.content.images import DPI, PageImages
from bench.data.pdf import PdfError
from tests.bench.data.pdfs import HEIGHT, WIDTH, page, pdf


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf(page("One page."), page("Another page, with more to say.")))
    return path


@pytest.fixture
def drawn(monkeypatch):
    """List the pages that are drawn, not merely looked up."""
    calls, draw = [], images.page_image

    def counted(path, number, dpi):
        calls.append((path.name, number))
        return draw(path, number, dpi)

    monkeypatch.setattr(images, "page_image", counted)
    return calls


def test_a_png_of_the_page_in_its_size(file, tmp_path):
    path = PageImages(tmp_path / "deep" / "images").draw(file, 1)
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    assert width == pytest.approx(WIDTH * DPI / 72, abs=1)
    assert height == pytest.approx(HEIGHT * DPI / 72, abs=1)
    assert path.is_relative_to(tmp_path / "deep" / "images")


def test_drawn_once_by_content(file, tmp_path, drawn):
    first = PageImages(tmp_path / "images")
    one, two = first.draw(file, 0), first.draw(file, 1)
    assert one.read_bytes() != two.read_bytes()
    copy = tmp_path / "copy.pdf"
    copy.write_bytes(file.read_bytes())
    again = PageImages(tmp_path / "images")
    assert (again.draw(copy, 0), again.draw(file, 1)) == (one, two)
    assert drawn == [("a.pdf", 0), ("a.pdf", 1)]


def test_another_content_is_another_picture(file, tmp_path, drawn):
    before = PageImages(tmp_path / "images").draw(file, 0)
    file.write_bytes(pdf(page("Something else."), page("And more.")))
    after = PageImages(tmp_path / "images").draw(file, 0)
    assert before != after
    assert before.read_bytes() != after.read_bytes()
    assert len(drawn) == 2


def test_what_cannot_be_drawn_is_named(tmp_path, file):
    made = PageImages(tmp_path / "images")
    with pytest.raises(PdfError, match=r"cannot read .*none\.pdf"):
        made.draw(tmp_path / "none.pdf", 0)
    with pytest.raises(PdfError, match=r"a\.pdf has no page 2"):
        made.draw(file, 2)
    (tmp_path / "notes.txt").write_text("no PDF", encoding="utf-8")
    with pytest.raises(PdfError, match=r"notes\.txt is no PDF"):
        made.draw(tmp_path / "notes.txt", 0)
    assert list((tmp_path / "images").rglob("*.png")) == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path, file):
    (tmp_path / "images").write_text("in the way", encoding="utf-8")
    with pytest.raises(OSError, match=r"cannot keep page images in .*set RSE_BENCH_CACHE"):
        PageImages(tmp_path / "images").draw(file, 0)
