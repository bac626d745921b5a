"""From a folder and a file of questions to a dataset that loads, and what is said of it."""

from __future__ import annotations

import json
import os

import pytest

from bench.data.errors import DatasetError
from bench.data.load import load
from bench.data.own.command import Options, build
from bench.types import Span
from tests.bench.data.pdfs import page, pdf

FERRY = "# Ferry\n\nBoats leave every hour. Boats leave every hour at night.\n"
FILES = {
    "ferry.md": FERRY.encode(),
    "sub/kiln.html": "<title>Kiln</title><p>The kiln cools for two days.".encode("utf-16"),
    "第一章.txt": "今天下雨。我带了伞！".encode(),
    "copy of ferry.md": FERRY.encode(),
    "blank.txt": b" \n",
    "scan.pdf": pdf(page(pictures=[(300, 200)])),
    "paper.pdf": pdf(page("Glazes melt at cone six."), page("Ash is a flux.")),
    "notes.docx": b"x",
}
ROWS = [
    {"id": "rain", "question": "下雨?", "quote": "今天下雨", "tags": {"language": "zh"}},
    {"id": "kiln", "question": "How long?", "quote": "for two days", "answer": "two days"},
    {"id": "ash", "question": "What is ash?", "doc": "paper.pdf", "page": 2, "scope": "paper.pdf"},
    {"id": "bees", "question": "Who feeds the bees?"},
    {"id": "night", "question": "And at night?", "quote": "every hour at night"},
    {"id": "night", "quote": "boats LEAVE every hour at"},
    {"id": "boats", "question": "When do boats leave?", "quote": "Boats leave every hour"},
    {"id": "lost", "question": "Lost?", "quote": "x", "doc": "fery.md"},
]


@pytest.fixture
def make(tmp_path, monkeypatch, capsys):
    """Write files and questions, build, and return the status and what was printed."""
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)

    def run(files=FILES, rows=ROWS, out="mine", **options):
        for name, content in files.items():
            path = tmp_path / "docs" / os.fsdecode(name.encode())  # in any locale
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        questions = None
        if rows is not None:
            questions = tmp_path / "q.jsonl"
            questions.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        status = build(tmp_path / "docs", questions, tmp_path / out, Options(**options))
        return status, capsys.readouterr().out

    return run


def test_the_dataset_loads_and_says_what_was_asked(make):
    status, _ = make()
    assert status == 0
    found = load("./mine")
    assert list(found.documents) == sorted(set(FILES) - {"scan.pdf", "notes.docx"})
    assert found.documents["ferry.md"].title == "Ferry"
    assert found.documents["sub/kiln.html"].title == "Kiln"
    assert len(found.documents["paper.pdf"].pages) == 2
    asked = {question.id: question for question in found.questions}
    assert list(asked) == ["rain", "kiln", "ash", "bees", "night"]
    assert asked["rain"].gold == ((Span("第一章.txt", 0, 4),),)
    assert asked["rain"].tags == {"language": "zh"}
    assert asked["kiln"].answers == ("two days",)
    assert asked["bees"].gold == ()
    assert asked["ash"].scope == ("paper.pdf",)
    ((ash,),) = asked["ash"].gold
    assert found.documents["paper.pdf"].text[ash.start : ash.end] == "Ash is a flux."


def test_the_report(make, tmp_path):
    _, said = make()
    lines = said.splitlines()
    assert lines[0].startswith("documents: 6 (1 html, 2 md, 1 pdf, 2 txt), ")
    assert "  blank: blank.txt" in lines
    assert "  same text as an earlier one: ferry.md" in lines
    assert any(line.startswith("    notes.docx: none of .txt") for line in lines)
    assert any(line.startswith("    scan.pdf: has hardly any text") for line in lines)
    assert "questions: 5 written, 4 with gold (5 passages), 1 without, 2 left out" in lines
    assert "  quotes that differ from the text in signs or case, look at: night" in lines
    start = next(n for n, line in enumerate(lines) if line.startswith("  boats ("))
    assert lines[start].endswith("q.jsonl, line 7): When do boats leave?")
    first = FERRY.index("Boats")
    assert lines[start + 1].startswith("    the quote 'Boats leave every hour' stands in 2 places")
    assert lines[start + 2] == (
        f"      copy of ferry.md, start {first}: # Ferry [Boats leave every hour]. Boats leave "
        "every hour at ni"
    )
    assert "there is no document 'fery.md'; did you mean 'ferry.md'" in lines[start + 5]
    assert lines[-1].startswith("Written: ")
    assert lines[-1].endswith("-d " + str(tmp_path / "mine"))


def test_json_says_the_same(make):
    _, said = make(json=True)
    found = json.loads(said)
    assert found["written"].endswith("mine")
    assert (found["documents"], found["with_gold"], found["without_gold"]) == (6, 4, 1)
    assert list(found["problems"]) == ["scan.pdf"]
    boats, lost = found["left_out"]
    assert [place["start"] for place in boats["reasons"][0]["places"]] == [9, 33]
    assert lost["id"] == "lost"


def test_strict_writes_nothing_unless_all_is_well(make, tmp_path):
    status, said = make(strict=True)
    assert status == 1
    assert "Nothing written" in said
    assert not (tmp_path / "mine").exists()
    assert json.loads(make(strict=True, json=True)[1])["written"] is None
    (tmp_path / "docs" / "scan.pdf").unlink()
    fine = {name: content for name, content in FILES.items() if name != "scan.pdf"}
    assert make(files=fine, rows=ROWS[:5], strict=True)[0] == 0


def everything(folder):
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_built_twice_it_is_the_same(make, tmp_path):
    said = make()[1]
    before = everything(tmp_path / "mine")
    with pytest.raises(DatasetError, match="--force"):
        make()
    assert make(force=True)[1] == said
    assert everything(tmp_path / "mine") == before
    assert before["paper.pdf"] == FILES["paper.pdf"]
    written = b"".join(text for name, text in before.items() if "json" in name).decode()
    assert str(tmp_path) not in written
    assert json.loads(before["manifest.json"])["source"] == "docs"


def test_the_output_may_stand_among_the_documents(make, tmp_path):
    make(out="docs/mine")
    _, said = make(out="docs/mine", force=True)
    assert "documents.jsonl" not in said
    assert len(load(str(tmp_path / "docs" / "mine")).documents) == 6


def test_without_questions(make, tmp_path):
    status, said = make(rows=None, license="internal")
    assert status == 0
    assert "no questions yet" in said
    manifest = json.loads((tmp_path / "mine" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["license"] == "internal"


def test_nothing_is_written_for_wrong_questions(make, tmp_path):
    with pytest.raises(DatasetError, match=r"line 1: unknown key 'ask'"):
        make(rows=[{"ask": "x"}])
    assert not (tmp_path / "mine").exists()


def test_what_a_terminal_would_obey_is_escaped(make):
    files = {"a\x1b[2J.txt": b"x \x1b[31mred x"}
    rows = [{"question": "\x1b]0;x\x07Q?", "quote": "x"}]
    assert "\x1b" not in make(files=files, rows=rows)[1]


def test_long_lists_are_cut_short(make):
    files = {f"{number:02}.docx": b"x" for number in range(15)} | {"a.txt": b"x " * 15}
    _, said = make(files=files, rows=[{"question": "Q?", "quote": "x"}])
    assert "  skipped: 15\n" in said
    assert said.count(".docx: none of") == 10
    assert "    and 5 more\n" in said
    assert said.count("a.txt, start") == 10
    assert "      and 5 more\n" in said
