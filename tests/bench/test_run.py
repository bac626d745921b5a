"""Whole runs: what is counted, what is kept, and what is refused before any work."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from time import sleep
from typing import ClassVar

import pytest

from baselines import MMR
from bench import catalog
from bench.content import images
from bench.data import load_all as load_all_module
from bench.data.errors import DatasetError
from bench.data.pdf import page_image, read_pdf
from bench.errors import RunError
from bench.store.folder import ResultsError
from bench.store.records import read
from bench.types import Dataset, Document, Question, Span
from rse import Segment
from tests.bench.data.pdfs import page, pdf

TOPK = [{"strategy": "topk", "params": {"k": [1, 3]}}]
FIRST = "Boats leave every twenty minutes."
SECOND = "Bicycles need a ticket of their own."
COPIES = {
    "a": f"{FIRST} Dogs travel for nothing. {SECOND} The last boat waits for the last train.",
    "b": f"The harbour opens at six. {FIRST} {SECOND} Nothing else is worth knowing about it.",
    "c": f"{SECOND} Nobody opens the lid above two hundred degrees. Dry the kiln first. {FIRST}",
}


def table(outcome):
    with (outcome.folder / "summary.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def records(outcome):
    return read(outcome.folder / "records.parquet")


def journal(outcome):
    lines = (outcome.folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@dataclass(frozen=True)
class Moody:
    """Gives full gold twice, then nothing, then fails."""

    order: str = "q1 q2 q3 q4"

    def for_question(self, view):
        return Mood(view, self.order.split().index(view.id))

    def select(self, hits, layout):
        raise AssertionError("asked without a view")


@dataclass(frozen=True)
class Mood:
    view: object
    place: int

    def select(self, hits, layout):
        if self.place == 3:
            raise ValueError("a bad day")
        chunks = self.view.gold_chunk.tolist() if self.place < 2 else []
        return [Segment(chunk, chunk + 1, 1.0) for chunk in chunks]


@pytest.fixture
def moody(monkeypatch):
    monkeypatch.setitem(catalog.STRATEGIES, "moody", Moody)


@pytest.mark.parametrize("order", ["q1 q2 q3 q4", "q4 q3 q2 q1"])
def test_failed_and_empty_answers_stay_in_the_mean(bench, made, moody, order):
    outcome = bench(made(), grids=[{"strategy": f"moody[order={order}]"}], keep_going=True)
    (row,) = table(outcome)
    assert (row["mean_recall"], row["questions"], row["failed"]) == ("0.5", "4", "1")
    assert row["empty_rate"] == "0.25"
    assert len(outcome.failures) == 1
    report = (outcome.folder / "report.md").read_text(encoding="utf-8")
    rows = [line for line in report.splitlines() if line.startswith("| moody")]
    assert [row.endswith("| 0 | 1 |") for row in rows].count(True) == 1  # undefined, failed


@pytest.mark.parametrize("order", ["q1 q2 q3 q4", "q4 q3 q2 q1"])
def test_a_failure_stops_and_names_arm_and_question(bench, made, moody, order):
    question = order.split()[-1]
    message = rf"^moody.* failed on question {question}: ValueError: a bad day; --keep-going"
    with pytest.raises(RunError, match=message):
        bench(made(), grids=[{"strategy": f"moody[order={order}]"}])


def test_segments_that_cannot_be_stop_the_run(bench, made, monkeypatch):
    @dataclass(frozen=True)
    class Wrong:
        def select(self, hits, layout):
            return [Segment(0, len(layout), 1.0)]

    monkeypatch.setitem(catalog.STRATEGIES, "wrong", Wrong)
    message = r"^wrong / none / .* failed on question q1: .* \[0, \d+\) .* crosses documents"
    with pytest.raises(RunError, match=message):
        bench(made(), grids=[{"strategy": "wrong"}])


def test_a_dataset_named_twice_counts_once(bench, made):
    path = made()
    rows = table(bench(path, path, grids=TOPK))
    assert [row["questions"] for row in rows] == ["4", "4"]


def test_two_datasets_of_one_name_are_refused_before_any_work(bench, made, tmp_path):
    one, two = made("one", "same"), made("two", "same")
    with pytest.raises(DatasetError, match=r"one' and .*two' are both called 'same': run one"):
        bench(one, two, grids=TOPK)
    assert not list((tmp_path / "results").glob("*.jsonl"))


def test_the_same_data_under_two_names_are_two_datasets(bench, made):
    outcome = bench(made("one"), made("two"), grids=TOPK)
    found = [(row["dataset"], row["questions"]) for row in table(outcome)]
    assert found == [("one", "4"), ("one", "4"), ("two", "4"), ("two", "4")]
    families = json.loads((outcome.folder / "manifest.json").read_text("utf-8"))["families"]
    assert [facts["dataset"] for facts in families] == ["one", "two"]


def test_a_second_run_adds_what_is_missing_and_nothing_else(bench, made):
    path = made()
    first = bench(path, grids=TOPK)
    before, lines = records(first), journal(first)
    assert first.reused == 0
    second = bench(path, grids=[*TOPK, {"strategy": "random"}])
    assert second.reused == len(lines)
    assert journal(second)[: len(lines)] == lines
    assert len(journal(second)) == len(lines) + 4  # one arm, four questions
    assert records(second)[: len(before)] == before
    third = bench(path, grids=[*TOPK, {"strategy": "random"}])
    assert records(third) == records(second)
    assert third.reused == len(journal(second)) == len(journal(third))


def test_a_row_lost_in_the_middle_is_measured_again_and_said(bench, made):
    path = made()
    first = bench(path, grids=TOPK)
    before = records(first)
    file = first.folder / "journal.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:2], b"\x00garbage\n", *lines[3:]]))
    second = bench(path, grids=TOPK)
    assert (second.dropped, second.reused) == (1, len(lines) - 1)
    assert len(journal(second)) == len(lines)
    kept = [row for row in before if row["key"] != json.loads(lines[2])["key"]]
    assert [row for row in records(second) if row in kept] == kept


@pytest.mark.outside
def test_no_arm_of_as_few_tokens_finds_more_than_the_oracle(bench, made):
    asked = {
        "q1": [[("a", FIRST)], [("a", SECOND)]],
        "q2": [[("b", SECOND)], [("c", "Nobody opens the lid above two hundred degrees.")]],
        "q3": [[("c", FIRST)]],
    }
    grids = [
        {"strategy": "oracle", "params": {"tokens": [1, 5, 9, 14, 20, 40]}},
        {"strategy": "topk", "params": {"k": list(range(1, 12))}},
        {"strategy": "random", "params": {"k": [1, 2, 3], "seed": [0, 1, 2, 3, 4, 5, 6, 7]}},
        {"strategy": "rse", "scores": ["none", "minmax"]},
    ]
    rows = records(bench(made(texts=COPIES, asked=asked), grids=grids))
    oracle = [row for row in rows if row["arm"].startswith("oracle")]
    compared = [
        (best, other)
        for best in oracle
        for other in rows
        if other["question"] == best["question"] and other["tokens"] <= best["tokens"]
    ]
    assert len(compared) > 200
    for best, other in compared:
        assert other["recall"] <= best["recall"] + 1e-9


@pytest.mark.parametrize("name", ["summary.csv", "journal.jsonl", "figures"])
def test_what_is_in_the_way_is_found_before_any_work(bench, made, tmp_path, name):
    path = made()
    (tmp_path / "results").mkdir()
    if name == "figures":
        (tmp_path / "results" / name).write_text("")
    else:
        (tmp_path / "results" / name).mkdir()
    with pytest.raises(ResultsError, match=f"{name} is in the way of results"):
        bench(path, grids=TOPK)


def test_an_unusable_row_of_the_journal_is_measured_again(bench, made):
    path = made()
    first = bench(path, grids=TOPK)
    file = first.folder / "journal.jsonl"
    rows = journal(first)
    del rows[1]["kind"]
    rows[3]["spans"] = "none"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    second = bench(path, grids=TOPK)
    assert second.dropped == 2
    assert len(table(second)) == len(table(first))


@dataclass(frozen=True)
class Looks:
    """Takes the first hit, and says what its hits carry."""

    needs_vectors: ClassVar[bool] = False

    def select(self, hits, layout):
        SEEN.append((type(self).__name__, [sorted(one.features) for one in hits]))
        return [Segment(int(hits[0].chunk[0]), int(hits[0].chunk[0]) + 1, 0.5)]


@dataclass(frozen=True)
class LooksCloser(Looks):
    needs_vectors: ClassVar[bool] = True


SEEN = []


def test_vectors_are_given_to_those_who_need_them_only(bench, made, monkeypatch):
    monkeypatch.setitem(catalog.STRATEGIES, "looks", Looks)
    monkeypatch.setitem(catalog.STRATEGIES, "closer", LooksCloser)
    SEEN.clear()
    grids = [{"strategy": "closer", "scores": ["none", "smooth"]}, {"strategy": "looks"}]
    bench(made(), grids=grids)
    assert {(name, str(features)) for name, features in SEEN} == {
        ("LooksCloser", "[['neighbours', 'vectors']]"),
        ("Looks", "[['neighbours']]"),
    }


def test_mmr_runs_and_leaves_the_others_as_they_were(bench, made, monkeypatch):
    monkeypatch.setitem(catalog.STRATEGIES, "mmr", MMR)
    path, topk = made(), {"strategy": "topk", "scores": ["none", "minmax"]}
    alone = [(row["arm"], row["spans"]) for row in records(bench(path, grids=[topk]))]
    mmr = {"strategy": "mmr", "params": {"lambda_mult": [0, 0.5, 1]}}
    rows = records(bench(path, grids=[topk, mmr], content="text"))
    assert [(r["arm"], r["spans"]) for r in rows if r["arm"].startswith("topk")] == alone
    chunks = {}
    for row in rows:
        places = [(span["doc"], span["start"]) for span in row["spans"]]
        chunks.setdefault(" / ".join(row["arm"].split(" / ")[:2]), []).append(places)
    assert chunks["mmr[lambda_mult=1] / none"] == chunks["topk / none"]
    assert chunks["mmr / none"] != chunks["topk / none"]


def test_content_is_part_of_a_row_and_the_default_is_not(bench, made):
    path = made()
    first = bench(path, grids=TOPK)
    lines = journal(first)
    named = bench(path, grids=TOPK, content="tutorial")
    headings = records(named)
    assert named.reused == len(lines) == len(journal(named))
    text = bench(path, grids=TOPK, content="text")
    assert text.reused == 0
    assert len(journal(text)) == 2 * len(lines)
    manifest = json.loads((text.folder / "manifest.json").read_text("utf-8"))
    assert manifest["spec"]["content"] == "text"
    assert "mean_images" not in table(text)[0]
    # No titles in this data: the heading is what is saved.
    for heading, none in zip(headings, records(text), strict=True):
        assert heading["prompt_tokens"] > none["prompt_tokens"] > 0
        assert heading["spans"] == none["spans"]


def test_images_are_counted_and_drawn_before_the_clock_runs(bench, tmp_path, monkeypatch):
    file = tmp_path / "a.pdf"
    file.write_bytes(pdf(page(FIRST), page(SECOND)))
    read_file = read_pdf(file)
    document = Document("a", read_file.text, "A", "", read_file.pages, (1,), file)
    gold = ((Span("a", 0, 10),),)
    data = Dataset("drawn", "1", {"a": document}, (Question("q", "Boats?", gold),))
    monkeypatch.setattr(load_all_module, "load", lambda place, raw: data)
    monkeypatch.setattr(images, "page_image", lambda *asked: sleep(0.3) or page_image(*asked))
    grids = [{"strategy": "topk", "params": {"k": [1, 9]}}]
    found = bench("drawn", grids=grids, content="page_images")
    assert [row["mean_images"] for row in table(found)][1] == "2.0"
    assert [row["images"] for row in records(found)][1] == 2
    assert max(max(row["seconds_render"]) for row in records(found)) < 0.3
    assert len(list((tmp_path / "cache").rglob("*.png"))) == 2
    dynamic = bench("drawn", grids=grids, content="dynamic")
    assert [row["images"] for row in records(dynamic)][1] in {1, 2}
    assert dynamic.reused == 0
    plain = bench("drawn", grids=grids, content="text")
    assert "images" not in records(plain)[0]


def test_strategies_over_sections_run_to_the_end(bench, made):
    grids = [{"strategy": name} for name in ("window", "parent", "merge", "document", "mmr")]
    found = bench(made(), grids=grids, chunkers=["parent_child[size=30,parent_size=80]"])
    assert [row["failed"] for row in table(found)] == ["0"] * len(grids)
    whole = [row["spans"] for row in records(found) if row["arm"].startswith("document")]
    assert all(span["start"] == 0 for spans in whole for span in spans)


def test_a_limit_embeds_only_documents_that_are_searched(bench, made, tmp_path):
    place = made()
    path = tmp_path / "data" / "made" / "questions.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row["scope"] = sorted({span["doc"] for passage in row["gold"] for span in passage})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    few = bench(place, grids=TOPK, limit=1)
    facts = json.loads((few.folder / "manifest.json").read_text(encoding="utf-8"))
    assert facts["families"][0]["documents"] == 1
    assert "only the 1 that they search" in (few.folder / "report.md").read_text(encoding="utf-8")
    whole = bench(place, grids=TOPK)
    assert whole.reused == 3  # two rows and the curve of the first question
    facts = json.loads((whole.folder / "manifest.json").read_text(encoding="utf-8"))
    assert facts["families"][0]["documents"] == 3


def test_a_set_whose_files_are_missing_is_left_out_and_told(bench, made, monkeypatch, tmp_path):
    monkeypatch.delenv("RSE_BENCH_RAW", raising=False)
    found = bench(made(), "qmsum", grids=TOPK)
    assert {row["dataset"] for row in table(found)} == {"made"}
    (reason,) = found.missing
    assert "qmsum needs upstream's raw files" in reason
    with pytest.raises(DatasetError, match="qmsum needs upstream's raw files"):
        bench("qmsum", "covid_qa", grids=TOPK)


@pytest.mark.parametrize("retriever", ["bm25", "hybrid[fusion=weighted]", "minilm+header"])
def test_other_retrievers_run_to_the_end(bench, made, retriever):
    grids = [
        {"strategy": "topk", "params": {"k": [1, 3]}},
        {"strategy": "rse", "scores": ["minmax", "smooth + minmax"]},
    ]
    found = bench(made(), grids=grids, retrievers=[retriever, "minilm"])
    assert [row["failed"] for row in table(found)] == ["0"] * 8
    manifest = json.loads((found.folder / "manifest.json").read_text(encoding="utf-8"))
    models = [facts["model"] for facts in manifest["families"]]
    assert models == [{"b": "bm25", "h": "fake and bm25", "m": "fake"}[retriever[0]], "fake"]
