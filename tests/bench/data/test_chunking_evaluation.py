"""Our numbers against those of the Chroma report's own code, on its data and ours on its rules."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bench.chunking import Fixed
from bench.corpus import cut
from bench.data.chunking_evaluation import CORPORA, load
from bench.data.errors import DatasetError
from bench.metrics.chroma_report import position_as_report, score_as_report
from bench.metrics.spans import score
from bench.places import cache_folder
from bench.retrieval.embedders.cache import VectorCache
from bench.retrieval.embedders.embed import embed
from bench.retrieval.embedders.encoder import minilm
from bench.retrieval.index.flat import DenseIndex
from bench.tokens import tokenizer
from bench.types import Span


@pytest.fixture(scope="module")
def reference(shared):
    path = shared / "reference" / "chroma_minilm.json"
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def dataset(shared):
    return load(shared / "data")


def first_alternatives(question):
    return [passage[0] for passage in question.gold]


def test_the_set_is_whole(dataset):
    assert len(dataset.documents) == 5
    assert len(dataset.questions) == 472
    assert sum(len(question.gold) for question in dataset.questions) == 790
    repeated = [
        passage
        for question in dataset.questions
        for passage in question.gold
        if question.tags["corpus"] == "finance" and len(passage) > 1
    ]
    assert len(repeated) == 96


def test_other_bytes_are_refused_and_missing_ones_named(shared, tmp_path):
    with pytest.raises(DatasetError, match=r"questions_df\.csv: .*downloads them; .*RSE_BENCH_RAW"):
        load(tmp_path)
    folder = tmp_path / "chunking_evaluation"
    (folder / "corpora").mkdir(parents=True)
    source = shared / "data" / "chunking_evaluation"
    for path in [source / "questions_df.csv", *(source / "corpora").glob("*.md")]:
        (folder / path.relative_to(source)).write_bytes(path.read_bytes())
    (folder / "corpora" / "pubmed.md").write_text("something else", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"corpora/pubmed\.md: sha256 is .*, expected 0fd9"):
        load(tmp_path)


@pytest.mark.parametrize("name", ["fixed_200_0", "recursive_200_0", "fixed_400_200"])
def test_metrics_equal_the_stored_ones_for_the_stored_spans(reference, dataset, name):
    order = reference["corpora_order_in_top5"]
    for row in reference["per_question"][name]:
        question = dataset.questions[row["q"]]
        assert question.tags["corpus"] == row["corpus"]
        retrieved = [Span(order[c], start, end) for c, start, end in row["top5"]]
        found = score_as_report(retrieved, first_alternatives(question))
        assert found.recall == pytest.approx(row["recall"], abs=1e-9)
        assert found.precision == pytest.approx(row["precision"], abs=1e-9)
        assert found.iou == pytest.approx(row["iou"], abs=1e-9)
        if name == "recursive_200_0":  # no overlap: the rules of the report and ours agree
            ours = score(retrieved, [(span,) for span in first_alternatives(question)])
            wanted = first_alternatives(question)
            if sum(s.end - s.start for s in wanted) == len(
                {i for s in wanted for i in range(s.start, s.end)}
            ) and len(set(retrieved)) == len(retrieved):
                assert ours["recall"] == pytest.approx(row["recall"], abs=1e-9)


def top5(dataset, size):
    """Search the report's fixed chunks exactly, cut at the model's limit as it does."""
    corpus = cut(dataset, Fixed(size=size, unit="cl100k_base"), tokenizer("o200k_base"))
    encoder = minilm(long="cut")
    cache = VectorCache(cache_folder(), encoder.identity, encoder.dimension)
    texts = [corpus.text(chunk) for chunk in range(len(corpus.layout))]
    index = DenseIndex(embed(texts, encoder, cache), corpus.layout)
    queries = embed([question.text for question in dataset.questions], encoder, cache)
    return corpus, [index.search(query, 5)[0].tolist() for query in queries]


def as_report(corpus, chunks):
    """Put chunks where the report finds their text first."""
    spans = []
    for chunk in chunks:
        doc = corpus.chunk_span(chunk).doc
        text = corpus.documents[corpus.number[doc]].text
        spans.append(Span(doc, *position_as_report(corpus.text(chunk), text)))
    return spans


@pytest.mark.outside
@pytest.mark.parametrize("size", [pytest.param(200, marks=pytest.mark.long), 400])
def test_end_to_end_within_five_hundredths_of_a_point(reference, dataset, size):
    corpus, ranked = top5(dataset, size)
    assert tuple(reference["corpora_order_in_top5"]) == CORPORA
    stored = reference["configs"][f"fixed_{size}_0"]["exact_search"]["n5"]
    found = np.array(
        [
            score_as_report(as_report(corpus, chunks), first_alternatives(question))
            for chunks, question in zip(ranked, dataset.questions, strict=True)
        ]
    )
    wanted = [stored[name][0] for name in ("recall", "precision", "iou")]
    assert 100 * found.mean(axis=0) == pytest.approx(wanted, abs=0.05)
    if size == 200:
        true = [[corpus.chunk_span(chunk) for chunk in chunks] for chunks in ranked]
        by_offset = [
            score(spans, [(span,) for span in first_alternatives(question)])["recall"]
            for spans, question in zip(true, dataset.questions, strict=True)
        ]
        ours = [
            score(spans, question.gold)["recall"]
            for spans, question in zip(true, dataset.questions, strict=True)
        ]
        assert 100 * np.mean(by_offset) == pytest.approx(77.19, abs=0.05)
        assert 100 * np.mean(ours) == pytest.approx(78.98, abs=0.05)
