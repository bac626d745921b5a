"""TREC files of a dataset, read back by ir-measures."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

from bench.chunking import Fixed
from bench.corpus import cut
from bench.export import trec as module
from bench.export.rankings import Rankings
from bench.export.text import span_of
from bench.export.trec import write_trec
from bench.metrics.judged import judge_chunks, judge_documents, rank_documents
from bench.metrics.ranked import ranked
from bench.tokens import tokenizer
from bench.types import Dataset, Document, Question, Span

NAMES = ["plain", "two words", "tab\tand\nline", "雨\u3000:x", "100%", "\u2028"]


@pytest.fixture(scope="module")
def dataset():
    documents = {name: Document(name, "0123456789" * 6) for name in NAMES}
    rng = np.random.default_rng(1)

    def passage():
        starts = rng.integers(0, 50, 2).tolist()
        return tuple(Span(NAMES[int(rng.integers(6))], s, s + 9) for s in starts)

    questions = [
        Question(f"q {n}", "?", tuple(passage() for _ in range(n % 4)), scope=scope)
        for n in range(30)
        for scope in [None if n % 3 else tuple(NAMES)]
    ]
    return Dataset("odd names", "r", documents, tuple(questions))


@pytest.fixture(scope="module")
def rankings(dataset):
    corpus = cut(dataset, Fixed(size=10), tokenizer("o200k_base"))
    rng = np.random.default_rng(2)
    found = {
        question.id: rng.permutation(len(corpus.layout))[: rng.integers(0, 25)].tolist()
        for question in dataset.questions[:-1]  # one was never answered
    }
    return Rankings("fixed[size=10] / bm25", corpus, found)


def test_examples():
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize("what", ["chunks", "documents"])
def test_ir_measures_reads_our_numbers(dataset, rankings, what, tmp_path):
    import ir_measures as ir

    write_trec(dataset, rankings, tmp_path)
    measures = {
        "recall@5": ir.R @ 5, "precision@5": ir.P @ 5, "ndcg@5": ir.nDCG @ 5,
        "mrr": ir.RR, "map": ir.AP, "set_precision": ir.SetP,
    }  # fmt: skip
    theirs = {}
    for one in ir.iter_calc(
        list(measures.values()),
        ir.read_trec_qrels(str(tmp_path / f"{what}.qrels")),
        ir.read_trec_run(str(tmp_path / f"{what}.run")),
    ):
        theirs[str(one.measure), one.query_id] = one.value
    judge = judge_chunks if what == "chunks" else judge_documents
    gold = [judge(rankings.corpus, q, plain=True) for q in dataset.questions]
    found = [rankings.chunks.get(q.id, []) for q in dataset.questions]
    if what == "documents":
        found = [rank_documents(rankings.corpus, ranking) for ranking in found]
    defined = 0
    for name, values in ranked(found, gold, [5]).items():
        for question, value in zip(dataset.questions, values.tolist(), strict=True):
            key = str(measures[name]), question.id.replace(" ", "%20")
            assert (key in theirs) == bool(question.gold)
            if question.gold:
                defined += 1
                assert value == pytest.approx(theirs[key], abs=1e-6), name
    assert defined > 100


def test_lines_can_be_taken_apart(dataset, rankings, tmp_path):
    files = write_trec(dataset, rankings, tmp_path)
    assert [path.name for path in files] == [
        "chunks.run", "chunks.qrels", "documents.run", "documents.qrels",
    ]  # fmt: skip
    rows = [line.split() for line in files[0].read_text(encoding="utf-8").splitlines()]
    assert {len(row) for row in rows} == {6}
    assert {row[5] for row in rows} == {"fixed[size=10]/bm25"}
    first = dataset.questions[0].id
    of_first = [row for row in rows if row[0] == first.replace(" ", "%20")]
    assert [span_of(row[2]) for row in of_first] == [
        rankings.corpus.chunk_span(chunk) for chunk in rankings.chunks[first]
    ]
    for rank, row in enumerate(of_first, start=1):
        assert int(row[3]) == rank
    scores = [float(row[4]) for row in of_first]
    assert len(set(scores)) == len(scores)
    assert scores == sorted(scores, reverse=True)


def test_the_same_bytes_again(dataset, rankings, tmp_path):
    once = [path.read_bytes() for path in write_trec(dataset, rankings, tmp_path / "1")]
    assert once == [path.read_bytes() for path in write_trec(dataset, rankings, tmp_path / "2")]
