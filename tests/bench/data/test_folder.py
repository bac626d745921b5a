"""Our own format: what is read, and every broken promise with file and line."""

from __future__ import annotations

import hashlib
import json

import pytest

from bench.data.errors import DatasetError
from bench.data.folder import load_folder
from bench.types import Span

MANIFEST = {"name": "tiny", "license": "MIT", "source": "ours"}
DOCS = [{"id": "a", "text": "one\r\ntwo"}, {"id": "b", "text": "\ufeffthree"}]
GOLD = [[{"doc": "a", "start": 5, "end": 8, "quote": "two"}, {"doc": "b", "start": 1, "end": 6}]]
ASKED = [{"id": "q1", "text": "?", "gold": GOLD}, {"id": "q2", "text": "!", "scope": ["b"]}]


def lines(rows):
    return "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)


@pytest.fixture
def folder(tmp_path):
    def make(documents=DOCS, questions=ASKED, manifest=MANIFEST):
        path = tmp_path / "tiny"
        path.mkdir(exist_ok=True)
        text = manifest if isinstance(manifest, str) else json.dumps(manifest)
        (path / "manifest.json").write_text(text, encoding="utf-8")
        (path / "documents.jsonl").write_text(lines(documents), encoding="utf-8")
        (path / "questions.jsonl").write_text(lines(questions), encoding="utf-8")
        return path

    return make


def asked(**changes):
    return [ASKED[1], "", {"id": "q3", "text": "?", **changes}]


def gold(**changes):
    return asked(gold=[[{"doc": "a", "start": 0, "end": 3, **changes}]])


def test_offsets_are_mapped_along(folder):
    data = load_folder(folder())
    assert [data.documents[name].text for name in "ab"] == ["one\ntwo", "three"]
    assert data.questions[0].gold == ((Span("a", 4, 7), Span("b", 0, 5)),)
    assert data.questions[0].searches == ("?",)
    assert data.questions[1].scope == ("b",)
    assert (data.name, len(data.revision)) == ("tiny", 16)


def test_pages_are_mapped_along(folder):
    documents = [{"id": "a", "text": "one\r\ntwo", "pages": [[0, 5], [5, 8]]}]
    data = load_folder(folder(documents, []))
    assert data.documents["a"].pages == ((0, 4), (4, 7))


@pytest.mark.parametrize(
    ("page", "message"),
    [([0, 9], r"\[0, 9\)"), ([-1, 3], r"\[-1, 3\)"), ([4, 3], r"\[4, 3\)")],
)
def test_pages_outside_the_text_are_refused(folder, page, message):
    documents = [{"id": "a", "text": "one\r\ntwo", "pages": [[0, 5], page]}]
    expected = f"line 1: pages.1: {message} is no span of 'a', which has 8 characters"
    with pytest.raises(DatasetError, match=expected):
        load_folder(folder(documents, []))


def test_the_same_words_elsewhere_count_and_a_repetition_does_not(folder):
    text = "Boats leave every twenty minutes."
    documents = [{"id": name, "text": text} for name in "ab"]
    gold = [[{"doc": "a", "start": 0, "end": len(text)}]]
    data = load_folder(folder(documents, [{"id": "q", "text": "?", "gold": gold * 2}]))
    assert data.questions[0].gold == ((Span("a", 0, len(text)), Span("b", 0, len(text))),)
    assert [note.partition(":")[0] for note in data.notes] == [
        "Documents with the text of an earlier one",
        "Gold passages that stand in several places in the same words, any of which counts",
        "Gold passages left out because they repeat another one of their question",
    ]


def test_files_with_mark_and_other_line_ends(folder):
    path = folder()
    expected = load_folder(path)
    for name in ("manifest.json", "documents.jsonl", "questions.jsonl"):
        content = (path / name).read_bytes().replace(b"\n", b"\r\n")
        (path / name).write_bytes(b"\xef\xbb\xbf" + content)
    assert load_folder(path) == expected


def test_line_separators_inside_a_text_are_no_line_ends(folder):
    row = '{"id": "a", "text": "x\u2028y\u0085z"}'
    assert load_folder(folder([row], [])).documents["a"].text == "x\u2028y\u0085z"


def test_revision_changes_with_what_can_change_a_number(folder):
    changed = [{**ASKED[0], "gold": [GOLD[0][:1]]}, ASKED[1]]
    found = [load_folder(folder()), load_folder(folder()), load_folder(folder(questions=changed))]
    assert found[0].revision == found[1].revision != found[2].revision
    page = {"id": "a", "text": "one two", "pages": [[0, 3], [4, 7]]}
    paged = [page, page | {"pages": [[0, 3], [3, 7]]}, page | {"visual": [1]}]
    assert len({load_folder(folder([row], [])).revision for row in paged}) == 3


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ([*DOCS, DOCS[0]], "documents.jsonl, line 3: the document 'a' stands there twice"),
        ([DOCS[0], "{"], "documents.jsonl, line 2: .*JSON"),
        ([DOCS[0], "[]"], "documents.jsonl, line 2: "),
        ([{"id": "a"}], "documents.jsonl, line 1: text: Field required"),
        ([{"id": "", "text": ""}], "documents.jsonl, line 1: id: "),
        ([{**DOCS[0], "txt": 1}], "documents.jsonl, line 1: unknown key 'txt'"),
        ([{"id": 1, "text": ""}], "documents.jsonl, line 1: id: .*string"),
        (['{"id": "a", "text": "x", "id": "b"}'], "documents.jsonl, line 1: the key 'id' stands"),
    ],
)
def test_broken_documents(folder, documents, message):
    with pytest.raises(DatasetError, match=f"tiny/{message}"):
        load_folder(folder(documents))


@pytest.mark.parametrize(
    ("questions", "message"),
    [
        (asked(id="q2"), "the question 'q2' stands there twice"),
        (asked(goal=[]), "unknown key 'goal'"),
        (asked(text=""), "text: "),
        (gold(quotes="x"), "unknown key 'gold.0.0.quotes'"),
        (gold(quote="two"), r'at \[0, 3\) of \'a\' stands "one", not the quote "two"'),
        (gold(doc="zz"), "no document 'zz'; there are 2: a, b"),
        (asked(scope=["zz"]), "no document 'zz'; there are 2: a, b"),
        (gold(end=9), r"gold \[0, 9\) is no span of 'a', which has 8 characters"),
        (gold(end=0), r"gold \[0, 0\) is no span"),
        (gold(start=3, end=2), r"gold \[3, 2\) is no span"),
        (gold(start=-1), "gold.0.0.start: "),
        (gold(start=1.5), "gold.0.0.start: "),
        (gold(start=0.0), "gold.0.0.start: "),
        (gold(start=False), "gold.0.0.start: "),
        (gold(start="0"), "gold.0.0.start: "),
        (gold(start=3, end=4), r"gold \[3, 4\) of 'a' holds nothing but"),
        (gold(doc="b", end=1), r"gold \[0, 1\) of 'b' holds nothing but"),
        (asked(gold=[[]]), "a passage of gold needs at least one span"),
        ([*asked()[:2], '{"id": "q3", "te'], ".*JSON"),
    ],
)
def test_broken_questions(folder, questions, message):
    with pytest.raises(DatasetError, match=f"tiny/questions.jsonl, line 3: {message}"):
        load_folder(folder(questions=questions))


def test_digests(folder):
    path = folder()
    digest = hashlib.sha256((path / "questions.jsonl").read_bytes()).hexdigest()
    load_folder(folder(manifest={**MANIFEST, "sha256": {"questions.jsonl": digest}}))
    with pytest.raises(
        DatasetError, match=rf"tiny/questions\.jsonl: sha256 is {digest}, expected 0"
    ):
        load_folder(folder(manifest={**MANIFEST, "sha256": {"questions.jsonl": "0"}}))
    for outside in ("../tiny.json", "/etc/hosts", "a\0b"):
        with pytest.raises(DatasetError, match="which is no file of the folder"):
            load_folder(folder(manifest={**MANIFEST, "sha256": {outside: "0"}}))
    with pytest.raises(DatasetError, match="nope is missing"):
        load_folder(folder(manifest={**MANIFEST, "sha256": {"nope": "0"}}))


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ("{", "JSON"),
        ({**MANIFEST, "x": 1}, "unknown key 'x'"),
        ({}, "name: Field required"),
        ({**MANIFEST, "name": "a\0b"}, "name: .*no control characters"),
        ({**MANIFEST, "name": "a\nb"}, "name: .*no control characters"),
        ({**MANIFEST, "name": "n" * 101}, "name: .*100 characters"),
    ],
)
def test_broken_manifest(folder, manifest, message):
    with pytest.raises(DatasetError, match=f"manifest.json: .*{message}"):
        load_folder(folder(manifest=manifest))


@pytest.mark.parametrize("name", ["manifest.json", "documents.jsonl", "questions.jsonl"])
def test_missing_file(folder, name):
    path = folder()
    (path / name).unlink()
    with pytest.raises(DatasetError, match=f"cannot read .*{name}: No such file"):
        load_folder(path)


def test_not_utf8(folder):
    path = folder()
    (path / "documents.jsonl").write_bytes(b'{"id": "\xff')
    with pytest.raises(DatasetError, match=r"documents.jsonl is not UTF-8 \(byte 8\)"):
        load_folder(path)
    (path / "documents.jsonl").write_text(lines(DOCS), encoding="utf-16")
    with pytest.raises(DatasetError, match=r"documents.jsonl is UTF-16, save it as UTF-8"):
        load_folder(path)


def test_pages_that_say_it_in_pictures_and_their_file(folder):
    page = {"id": "a", "text": "one two", "pages": [[0, 3], [4, 7]], "visual": [1]}
    path = folder([page | {"file": "files/a.pdf"}], [])
    found = load_folder(path).documents["a"]
    assert (found.visual, found.file) == ((1,), path / "files" / "a.pdf")
    with pytest.raises(DatasetError, match=r"line 1: visual names page 2, but there are 2"):
        load_folder(folder([page | {"visual": [2]}], []))
    for file in ("../a.pdf", "/etc/passwd", "a\0b"):
        with pytest.raises(DatasetError, match=r"line 1 names .* which is no file of the folder"):
            load_folder(folder([page | {"file": file}], []))


def test_questions_left_out_when_it_was_made_are_told(folder):
    found = load_folder(folder(manifest=MANIFEST | {"excluded": {"q9": "two places"}}))
    assert found.excluded == {"q9": "two places"}


def test_pages_must_rise(folder):
    page = {"id": "a", "text": "one two", "pages": [[4, 7], [0, 3]]}
    with pytest.raises(DatasetError, match=r"pages.1 begins at 0, before the page before it ends"):
        load_folder(folder([page], []))


def test_gold_that_a_question_cannot_find_is_refused(folder):
    far = [{"doc": "b", "start": 1, "end": 6}]
    for scope in ([], ["a"]):
        row = {"id": "q1", "text": "?", "gold": [far], "scope": scope}
        with pytest.raises(DatasetError, match=r"'q1' has gold in 'b', which its scope"):
            load_folder(folder(questions=[row]))
    either = [{"doc": "a", "start": 0, "end": 3}, *far]
    row = {"id": "q1", "text": "?", "gold": [either], "scope": ["b"]}
    assert len(load_folder(folder(questions=[row])).questions) == 1


@pytest.mark.parametrize("changes", [{"text": " \u3000"}, {"queries": ["one", " "]}])
def test_blank_questions_are_refused(folder, changes):
    with pytest.raises(DatasetError, match="the text of a question must not be blank"):
        load_folder(folder(questions=[ASKED[1] | changes]))
