"""A run exported to every form, and refused where its data has changed."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from bench.data.beir import load_beir
from bench.errors import UserError
from bench.export.command import export
from bench.report.write import MANIFEST
from bench.store.records import CURVES, RECORDS, read, save

GRIDS = ({"strategy": "topk", "params": {"k": [1, 3]}},)


@pytest.fixture
def ran(made, bench):
    return bench(made(), grids=GRIDS).folder


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_trec(ran, tmp_path):
    import ir_measures as ir

    files = export(ran, "trec", tmp_path / "out", None).files
    assert all(path.is_file() for path in files)
    (row,) = lines(tmp_path / "out" / "index.jsonl")
    assert row["dataset"] == "made"
    assert row["family"] == "fixed[size=36] / minilm"
    folder = tmp_path / "out" / row["file"]
    value = ir.calc_aggregate(
        [ir.R @ 100],
        ir.read_trec_qrels(str(folder / "chunks.qrels")),
        ir.read_trec_run(str(folder / "chunks.run")),
    )[ir.R @ 100]
    assert value == 1.0  # so small a corpus is returned as a whole


@pytest.mark.parametrize("what", ["chunks", "documents"])
def test_ir_measures_finds_the_numbers_of_the_report(ran, tmp_path, what):
    """A passage over two chunks, one in two places; k up to what is there to be ranked."""
    import ir_measures as ir

    with (ran / "rankings.csv").open(encoding="utf-8", newline="") as rows:
        (row,) = [r for r in csv.DictReader(rows) if (r["of"], r["judged_by"]) == (what, "items")]
    searched = float(row["searched"])
    export(ran, "trec", tmp_path / "out", None)
    (index,) = lines(tmp_path / "out" / "index.jsonl")
    folder = tmp_path / "out" / index["file"]
    measures = {"mrr": ir.RR, "map": ir.AP}
    for k in [k for k in (1, 3, 5, 10) if k <= searched]:
        measures |= {f"recall@{k}": ir.R @ k, f"precision@{k}": ir.P @ k}
        measures[f"ndcg@{k}"] = ir.nDCG @ k
    found = ir.calc_aggregate(
        list(measures.values()),
        ir.read_trec_qrels(str(folder / f"{what}.qrels")),
        ir.read_trec_run(str(folder / f"{what}.run")),
    )
    assert searched == (9 if what == "chunks" else 3)
    for name, measure in measures.items():
        assert float(row[f"mean_{name}"]) == pytest.approx(found[measure], abs=1.01e-6), name


def test_ragas(ran, tmp_path):
    export(ran, "ragas", tmp_path / "out", None)
    index = lines(tmp_path / "out" / "index.jsonl")
    assert len(index) == 2
    for row in index:
        samples = lines(tmp_path / "out" / row["file"])
        k = 3 if "k=3" in row["arm"] else 1
        assert [len(sample["retrieved_contexts"]) for sample in samples] == [k] * 4
        assert [sample["user_input"] for sample in samples] == [f"{q}?" for q in row["questions"]]


def test_beir(ran, tmp_path):
    done = export(ran, "beir", tmp_path / "out", None)
    again = load_beir(tmp_path / "out" / "made")
    assert [q.id for q in again.questions] == ["q1", "q2", "q3", "q4"]
    assert done.notes[0].startswith("made: ")


def test_csv(ran, tmp_path):
    (path,) = export(ran, "csv", tmp_path / "out", None).files
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    recall = [float(row["value"]) for row in rows if row["metric"] == "recall"]
    assert recall == [row["recall"] for row in read(ran / RECORDS)]
    assert len(recall) == 8


def test_changed_data_is_refused(ran, tmp_path):
    place = json.loads((ran / MANIFEST).read_text(encoding="utf-8"))["spec"]["datasets"][0]
    path = Path(place) / "documents.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("kiln", "oven", 1), encoding="utf-8")
    questions = Path(place) / "questions.jsonl"
    kept = [r for r in lines(questions) if r["id"] in {"q1", "q4"}]
    questions.write_text("".join(json.dumps(r) + "\n" for r in kept), encoding="utf-8")
    for form in ("trec", "ragas", "beir", "csv"):
        with pytest.raises(UserError, match=r"'made' has changed since the run"):
            export(ran, form, tmp_path / "out", None)
    assert not (tmp_path / "out").exists()


def test_a_limited_run(made, bench, tmp_path):
    folder = bench(made(), grids=GRIDS, limit=2).folder
    export(folder, "beir", tmp_path / "out", None)
    assert len(load_beir(tmp_path / "out" / "made").questions) == 2


def test_damage_is_told(ran, tmp_path):
    out = tmp_path / "out"
    with pytest.raises(UserError, match="no form 'xml' to export to; there are: trec, ragas"):
        export(ran, "xml", out, None)
    with pytest.raises(UserError, match="holds no results"):
        export(tmp_path / "nowhere", "csv", out, None)
    curves = read(ran / CURVES)
    save(ran / CURVES, [{k: v for k, v in row.items() if k != "chunks"} for row in curves])
    with pytest.raises(UserError, match="of another version of rse-bench; run again"):
        export(ran, "trec", out, None)
    save(ran / CURVES, [{**row, "chunks": [999]} for row in curves])
    with pytest.raises(UserError, match="ranks chunk 999 of made"):
        export(ran, "trec", out, None)
    save(ran / CURVES, [{**row, "question": "who"} for row in curves])
    with pytest.raises(UserError, match="answers the question who of made"):
        export(ran, "trec", out, None)
    records = read(ran / RECORDS)
    spans = [{"doc": "kiln", "start": 0, "end": 99999, "score": 1.0}]
    save(ran / RECORDS, [{**row, "spans": spans} for row in records])
    with pytest.raises(UserError, match="is no place in made"):
        export(ran, "csv", out, None)
    (ran / RECORDS).write_bytes(b"")
    with pytest.raises(UserError, match="missing, empty or damaged"):
        export(ran, "csv", out, None)
    (ran / MANIFEST).write_text("{", encoding="utf-8")
    with pytest.raises(UserError, match="is damaged; run again"):
        export(ran, "csv", out, None)
    assert not out.exists()


def test_one_dataset_after_another(made, bench, tmp_path):
    folder = bench(
        made("one"), made("two"), grids=GRIDS, chunkers=("fixed[size=36]", "page")
    ).folder
    export(folder, "trec", tmp_path / "out", None)
    index = lines(tmp_path / "out" / "index.jsonl")
    assert [(row["dataset"], row["family"].split(" / ")[0]) for row in index] == [
        (name, chunker) for name in ("one", "two") for chunker in ("fixed[size=36]", "page")
    ]
    assert len({row["file"].casefold() for row in index}) == 4
