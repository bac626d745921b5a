"""Documents of every kind, and files that are none."""

from __future__ import annotations

import sys

import pytest

from bench.data.errors import DatasetError
from bench.data.own.documents import first_heading, read_folder
from tests.bench.data.pdfs import page, pdf


@pytest.fixture
def docs(tmp_path, monkeypatch):
    """Write files of bytes or text and read the folder."""
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "cache"))

    def read(**content):
        folder = tmp_path / "docs"
        for name, said in content.items():
            path = folder / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(said if isinstance(said, bytes) else said.encode())
        return read_folder(folder)

    return read


def test_one_of_each_kind(docs):
    lines = page("The first page speaks of ferries."), page("The second speaks of kilns.")
    found = docs(
        a_txt="\ufeffone\r\ntwo\rthree",
        b_md="intro\n\n## A *title* ##\n\ntext",
        c_html="<title>Site</title><h1>Head</h1><p>x",
        d_html="<title>Site</title><p>x",
        sub__e_pdf=pdf(*lines),
        f_docx="x",
    )
    assert [(d.id, d.title) for d in found.documents.values()] == [
        ("a.txt", "a"),
        ("b.md", "A *title*"),
        ("c.html", "Head"),
        ("d.html", "Site"),
        ("sub/e.pdf", "e"),
    ]
    assert found.documents["a.txt"].text == "one\ntwo\nthree"
    assert found.documents["c.html"].text == "# Head\n\nx"
    read = found.documents["sub/e.pdf"]
    assert [read.text[start:end].strip() for start, end in read.pages] == [
        "The first page speaks of ferries.",
        "The second speaks of kilns.",
    ]
    assert found.kinds == {"txt": 1, "md": 1, "html": 2, "pdf": 1}
    assert list(found.skipped) == ["f.docx"]
    assert found.problems == {}


def test_what_cannot_be_read_is_listed_and_ends_nothing(docs, tmp_path):
    found = docs(
        a_txt="fine",
        b_txt=b"caf\xe9",
        c_pdf=b"%PDF-1.4 broken",
        d_pdf=b"no such thing",
        e_html=b"<meta charset=utf-8>\xff",
        f_pdf=pdf(page(pictures=[(300, 200)])),
    )
    assert list(found.documents) == ["a.txt"]
    assert list(found.problems) == ["b.txt", "c.pdf", "d.pdf", "e.html", "f.pdf"]
    assert found.problems["b.txt"].startswith("is not UTF-8 (byte 3)")
    assert found.problems["c.pdf"].startswith("is damaged")
    assert found.problems["d.pdf"].startswith("is no PDF")
    assert "OCR" in found.problems["f.pdf"]
    assert str(tmp_path) not in str(found.problems)


def test_blank_documents_stay(docs):
    found = docs(a_txt="", b_md=" \n\t\n", c_html="<script>x</script>", d_txt="x")
    assert [document.text.strip() for document in found.documents.values()] == ["", "", "", "x"]
    assert not found.problems


@pytest.mark.parametrize("content", [{}, {"a_docx": "x"}, {"a_txt": b"\xff"}])
def test_nothing_to_read(docs, content, tmp_path):
    (tmp_path / "docs").mkdir()
    with pytest.raises(DatasetError, match=r"no document in .*docs(, which is empty|; found a)"):
        docs(**content)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("", ""),
        ("no heading", ""),
        ("# One\n# Two", "One"),
        ("#\n\n## Two", "Two"),
        ("Over\ntwo lines\n===\n", "Over two lines"),
        ("```\n# code\n```\n# Real #\n", "Real"),
        ("---\nlayout: page\n---\n\n# Real", "Real"),
        ("---\nlayout: page\n---\n\ntext", ""),
        ("# C#", "C#"),
        ("# " + "x" * 300, "x" * 200),
    ],
)
def test_first_heading(text, title):
    assert first_heading(text) == title


@pytest.mark.skipif(sys.platform != "linux", reason="two names differ in nothing but case")
def test_order_is_the_same_whenever_files_were_written(docs):
    assert list(docs(b_txt="x", a_txt="x", a__b_txt="x", A_txt="x").documents) == [
        "A.txt",
        "a.txt",
        "a/b.txt",
        "b.txt",
    ]
