"""The set of the Chroma report, and its own code's scores of stored answers."""

from __future__ import annotations

import json

import pytest

from bench.data.chunking_evaluation import load
from bench.data.errors import DatasetError
from bench.metrics.chroma_report import score_as_report
from bench.metrics.spans import score
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
    assert len(reference["per_question"][name]) == 472
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
