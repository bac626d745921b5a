"""PDF files made by hand, whole and broken."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from bench.data import pdf as module
from bench.data.errors import DatasetError
from bench.data.pdf import PdfError, page_image, read_pdf
from tests.bench.data.pdfs import HEIGHT, LOCKED, WIDTH, page, pdf

SAID = "a picture beside some longer text"


@pytest.fixture
def made(tmp_path):
    """Write bytes as a PDF file; give its path."""

    def write(content, name="made.pdf"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write


def test_pages_are_joined_and_known_by_their_spans(made):
    read = read_pdf(made(pdf(page("One line.", "And two."), page(), page("The last page."))))
    assert [read.text[begin:end] for begin, end in read.pages] == [
        "One line.\nAnd two.",
        "",
        "The last page.",
    ]
    assert read.text == "One line.\nAnd two.\n\nThe last page."
    assert read.visual == ()


@pytest.mark.parametrize(
    ("sign", "said"),
    [("FB01", "efficient"), ("FB13", "ef\u0574\u0576cient"), ("D835DC00", "ef\U0001d400cient")],
)
def test_ligatures_are_letters_and_signs_beyond_the_first_plane_are_kept(made, sign, said):
    assert read_pdf(made(pdf(page(r"an ef\001cient rule"), sign=sign))).text == f"an {said} rule"


def test_words_cut_at_a_line_end_are_whole(made):
    read = read_pdf(made(pdf(page("A fair taxa-", "tion, long-", "term."), page("so long-term."))))
    assert read.text == "A fair taxation, long-term.\nso long-term."
    assert read.pages == ((0, 27), (28, 41))


@pytest.mark.parametrize(
    ("lines", "pictures", "visual"),
    [
        ([SAID], {"pictures": [(WIDTH, HEIGHT / 2)]}, True),
        ([SAID], {"pictures": [(WIDTH, HEIGHT / 3.1)]}, False),
        ([SAID], {"pictures": [(200, 101), (200, 101)]}, True),
        ([SAID], {"form": 21}, True),  # the form's 10 units: 210 x 210 of 400 x 300
        ([SAID], {"form": 19}, False),
        ([], {"pictures": [(9, 9)]}, True),
        (["nineteen characters"], {"pictures": [(9, 9)]}, True),
        (["nineteen characters."], {"pictures": [(9, 9)]}, False),
        (["few"], {}, False),
    ],
)
def test_pages_whose_pictures_say_more_are_visual(made, lines, pictures, visual):
    read = read_pdf(made(pdf(page(SAID), page(*lines, **pictures))))
    assert read.visual == ((1,) if visual else ())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"made\.pdf is no PDF"),
        (b"<html>", r"made\.pdf is no PDF"),
        (pdf(page(SAID))[:900], r"made\.pdf is damaged"),
        (pdf(page(SAID), trailer=LOCKED), r"made\.pdf is encrypted and needs a password"),
        (pdf(page(pictures=[(400, 300)])), r"made\.pdf has hardly any text \(1 pages, 0 char"),
        (pdf(page()), r"made\.pdf has hardly any text \(1 pages, 0 characters\)"),
        (
            pdf(page("9 letters", pictures=[(400, 300)]), page(pictures=[(400, 300)])),
            r"hardly any text \(2 pages, 8 characters\)",
        ),
    ],
)
def test_what_cannot_be_read_is_named(made, content, message):
    with pytest.raises(PdfError, match=message):
        read_pdf(made(content))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(DatasetError, match=r"cannot read .*none\.pdf: No such file"):
        read_pdf(tmp_path / "none.pdf")


@pytest.mark.parametrize("length", range(0, len(pdf(page(SAID))), 97))
def test_every_cut_is_named_or_read(made, length):
    path = made(pdf(page(SAID))[:length])
    try:
        said = read_pdf(path).text
    except PdfError as error:
        said = str(error)
    assert said == SAID or str(path) in said


def test_a_page_is_drawn(made):
    path = made(pdf(page(SAID), page(pictures=[(WIDTH, HEIGHT)])))
    image = Image.open(BytesIO(page_image(path, 1, dpi=144)))
    assert (image.format, image.size) == ("PNG", (2 * WIDTH, 2 * HEIGHT))
    assert image.convert("L").getpixel((WIDTH, HEIGHT)) == 0x80
    assert page_image(path, 0) == page_image(path, 0)


@pytest.mark.parametrize("number", [-1, 1])
def test_pages_that_do_not_exist_are_not_drawn(made, number):
    with pytest.raises(PdfError, match=f"no page {number}: it has 1, counted from 0"):
        page_image(made(pdf(page(SAID))), number)


@pytest.mark.parametrize("dpi", [0, -1, float("inf"), float("nan")])
def test_no_dots_an_inch_draw_nothing(made, dpi):
    with pytest.raises(PdfError, match="dpi must be above 0"):
        page_image(made(pdf(page(SAID))), 0, dpi)


def test_a_page_beyond_measure_is_drawn_smaller(made, monkeypatch):
    monkeypatch.setattr(module, "MOST_PIXELS", 10_000)
    width, height = Image.open(BytesIO(page_image(made(pdf(page(SAID))), 0, dpi=600))).size
    assert 9_000 < width * height <= 10_500


def test_a_pdf_without_pages_is_damaged_whatever_was_read_before(made):
    with pytest.raises(PdfError, match="is encrypted"):
        read_pdf(made(pdf(page(SAID), trailer=LOCKED)))
    with pytest.raises(PdfError, match="is damaged"):
        read_pdf(made(b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF"))


def test_nothing_stays_open_after_a_failure(made):
    for _ in range(2):
        with pytest.raises(PdfError):
            read_pdf(made(pdf(page(SAID), trailer=LOCKED)))
    assert not module._PDFIUM.locked()
    assert read_pdf(made(pdf(page(SAID)))).text == SAID
