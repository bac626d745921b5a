"""What is sent is what the run had rendered: laid out again from the records, and the same."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bench.answers.contexts import asked, chosen, segments
from bench.answers.settings import AnswersError
from bench.catalog import chunker
from bench.content.render import Renderer
from bench.corpus import cut
from bench.export.stored import stored
from bench.family import COST
from bench.store.folder import ResultsError
from bench.store.records import RECORDS, read, save
from bench.tokens import tokenizer
from bench.types import Dataset, Document, Span
from rse import Segment
from rse.checks import ParameterError

GRIDS = (
    {"strategy": "topk", "params": {"k": [1, 20]}},
    {"strategy": "window", "params": {"k": [2], "size": [1]}},
    {"strategy": "rse", "scores": ["minmax", "none"]},
)
CHUNKERS = ("fixed[size=36]", "fixed[size=30,overlap=10]", "parent_child[size=20,parent_size=60]")
NAMES = [
    f"{arm} / fixed[size=36] / minilm" for arm in ("rse / none", "rse / minmax", "topk / none")
]


@pytest.mark.parametrize("form", ["tutorial", "text"])
def test_it_is_what_the_run_rendered(ran, monkeypatch, form):
    rendered = {}
    render = Renderer.render

    def remember(self, spans, chosen):
        found = render(self, spans, chosen)
        rendered.setdefault(tuple(spans), set()).add(found.text)
        return found

    monkeypatch.setattr(Renderer, "render", remember)
    folder = ran(grids=GRIDS, chunkers=CHUNKERS, content=form)
    monkeypatch.undo()
    run = stored(folder, None)
    records = {(r.arm, r.question): r for r in run.records()}
    found = asked(run, sorted({arm for arm, _ in records}), None)
    assert len(found) == len(records) == 5 * 3 * 4
    count = tokenizer(COST).count
    for one in found:
        record = records[one.arm, one.question.id]
        assert one.context in rendered[record.context.spans]
        assert count(one.context) == record.prompt_tokens


@pytest.mark.parametrize("name", CHUNKERS)
def test_segments_come_back_from_their_spans(name):
    texts = {
        "a": "One two.  Three four five six seven. Eight nine ten.",
        "b": " ",
        "c": "x y " * 30,
    }
    documents = {key: Document(key, text) for key, text in texts.items()}
    corpus = cut(Dataset("d", "r", documents, ()), chunker(name)[1], tokenizer(COST))
    start = corpus.layout.start.tolist()
    every = [
        Segment(first, last, 0.0)
        for begin, end in pairwise(start)
        for first in range(begin, end)
        for last in range(first + 1, end + 1)
    ]
    assert len(every) > 10
    assert segments(corpus, [corpus.span(one) for one in every]) == every
    for wrong in (Span("a", 1, 5), Span("a", 0, 3), Span("c", 0, 1000), Span("b", 0, 1)):
        with pytest.raises(ResultsError, match="does not begin and end where chunks do now"):
            segments(corpus, [wrong])


def test_only_some(ran):
    run = stored(ran(), None)
    arms = [name for name in dict.fromkeys(r.arm for r in run.records()) if "k=1]" in name]
    found = asked(run, arms, 2)
    assert [(one.arm, one.question.id) for one in found] == [(arms[0], "often"), (arms[0], "多久")]


def test_records_of_other_chunks(ran):
    folder = ran()
    rows = read(folder / RECORDS)
    spans = [{"doc": "ferry", "start": 1, "end": 9, "score": 1.0}]
    save(folder / RECORDS, [{**row, "spans": spans} for row in rows])
    run = stored(folder, None)
    with pytest.raises(ResultsError, match=r"ferry:1-9 does not begin and end"):
        asked(run, [rows[0]["arm"]], None)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ([], NAMES),
        (["rse"], NAMES[:1]),
        (["rse/minmax"], NAMES[1:2]),
        (["topk[k=10]", "rse / minmax"], NAMES[1:]),  # k=10 is the default
        ([NAMES[2]], NAMES[2:]),
        (["rse / none / fixed[size=36]"], NAMES[:1]),
    ],
)
def test_arms_by_their_first_parts(wanted, expected):
    assert chosen(NAMES, wanted) == expected


def test_arms_that_are_not_there():
    with pytest.raises(AnswersError, match=r"no arm 'topk\[k=3\]'; it has: rse / none / fixed"):
        chosen(NAMES, ["rse", "topk[k=3]"])
    with pytest.raises(ParameterError, match=r"no strategy 'rsee'; there are: "):
        chosen(NAMES, ["rsee"])
