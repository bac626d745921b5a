"""The command line as people use it: what it prints, where, how fast, and how it fails."""

from __future__ import annotations

import csv
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from bench import catalog
from bench.cli import main
from bench.data.errors import DatasetError
from bench.errors import RunError
from bench.summary.latency import STAGES
from rse.checks import ParameterError
from tests.bench.retrieval.fakes import Fake

ROOT = Path(__file__).resolve().parents[2]
SMOKE = ROOT / "specs" / "smoke.yaml"
TIMES = ("_ms",)


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def command(cache, tmp_path):
    """Run rse-bench as a process of its own, in an empty folder."""

    def run(*words, check=0, timeout=240, **environment):
        found = subprocess.run(
            [sys.executable, "-m", "bench", *map(str, words)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), "RSE_BENCH_CACHE": str(cache)}
            | {key: str(value) for key, value in environment.items()},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=timeout,
            check=False,
        )
        assert found.returncode == check, found.stderr
        assert "Traceback" not in found.stderr
        return found

    return run


@pytest.fixture
def here(cache, tmp_path, monkeypatch, capsys):
    """Run rse-bench inside this process, which loads the model once for all tests."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RSE_BENCH_CACHE", str(cache))

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["rse-bench", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        found = capsys.readouterr()
        assert not ended.value.code, found.err
        return found

    return run


@pytest.fixture
def quick(here, monkeypatch):
    """Run rse-bench inside this process with an encoder that costs nothing."""
    monkeypatch.setattr("bench.family._encoder", lambda _: Fake())
    return here


QUICK = """
from bench import family
from tests.bench.retrieval.fakes import Fake
family._encoder = lambda _: Fake()
from bench.cli import main
main()
"""
"""The same as a process of its own."""


def small(tmp_path, **changes):
    """Write a spec of a few arms."""
    spec = {
        "datasets": ["tiny"],
        "chunkers": ["recursive[size=200]"],
        "depth": 20,
        "grids": [
            {"strategy": "topk", "params": {"k": [1, 3]}},
            {"strategy": "rse", "scores": ["none", "minmax"]},
            {"strategy": "optimal", "params": {"segment_cost": [0]}, "scores": ["minmax"]},
            {"strategy": "oracle", "params": {"tokens": [100]}},
            {"strategy": "random", "params": {"k": [2]}},
        ],
    } | changes
    path = tmp_path / "small.yaml"
    path.write_text(json.dumps(spec), encoding="utf-8")
    return path


def table(folder):
    with (folder / "summary.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def without_times(folder):
    """Everything a run says, but how long things took."""
    import pyarrow.parquet as pq

    summary = [{k: v for k, v in row.items() if not k.endswith(TIMES)} for row in table(folder)]
    records = pq.read_table(folder / "records.parquet").to_pylist()
    curves = pq.read_table(folder / "curves.parquet").to_pylist()
    for row in records:
        for stage in STAGES:
            del row[f"seconds_{stage}"]
    figure = (folder / "figures" / "recall_tokens_tiny.svg").read_bytes()
    return summary, records, curves, figure


def test_a_run_leaves_what_it_promises(here, tmp_path):
    found = here("run", small(tmp_path))
    folder = tmp_path / "results" / "small"
    rows = table(folder)
    assert [row["arm"].split(" / ")[:2] for row in rows] == [
        ["topk[k=1]", "none"],
        ["topk[k=3]", "none"],
        ["rse", "none"],
        ["rse", "minmax"],
        ["optimal[segment_cost=0]", "minmax"],
        ["oracle[tokens=100]", "none"],
        ["random[k=2]", "none"],
    ]
    needed = "dataset arm questions mean_recall low_recall high_recall mean_precision mean_iou "
    needed += "mean_context_precision mean_tokens empty_rate p50_select_ms p95_select_ms "
    needed += "p50_total_ms p95_total_ms margin recall_at_1000"
    assert set(needed.replace("recall_at", "mean_recall_at").split()) <= set(rows[0])
    assert all(row["questions"] == "10" and row["undefined"] == "1" for row in rows)
    told = re.sub(r"(?m)^.* \d+ of \d+, \d+ s left\n", "", found.err)  # on a slow machine
    assert told == ""  # no bars, no warnings, where nobody watches
    assert "Report: results/small/report.md" in found.out
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["families"][0]["documents_without_chunks"] == 1
    assert manifest["families"][0]["cold_start_seconds"]["first_search"] > 0
    assert (folder / "figures" / "recall_tokens_tiny.png").stat().st_size > 10_000
    report = (folder / "report.md").read_text(encoding="utf-8")
    assert "recursive\\[size=200\\] / minilm" in report


def test_the_promises_between_arms_hold_question_by_question(quick, tmp_path):
    import pyarrow.parquet as pq

    quick("run", SMOKE)
    rows = pq.read_table(tmp_path / "results" / "smoke" / "records.parquet").to_pylist()
    by = {(row["arm"], row["question"]): row for row in rows}
    optimum = [row for row in rows if row["arm"].startswith("optimal[segment_cost=0] / ")]
    assert optimum
    for row in optimum:
        greedy = by[row["arm"].replace("optimal[segment_cost=0]", "rse"), row["question"]]
        total = sum(span["score"] for span in row["spans"])
        assert total >= sum(span["score"] for span in greedy["spans"]) - 1e-9
    asked = [row for row in rows if row["recall"] is not None]
    assert all(row["ceiling"] >= row["recall"] for row in asked)
    for fewer, more in ((1, 3), (3, 5)):
        shallow = [row for row in asked if row["arm"].startswith(f"topk[k={fewer}] / none")]
        assert len(shallow) == 2 * 9  # two chunkers, nine questions with gold
        for row in shallow:
            arm = row["arm"].replace(f"[k={fewer}]", f"[k={more}]")
            assert by[arm, row["question"]]["recall"] >= row["recall"]
    oracle = [row for row in asked if row["arm"].startswith("oracle")]
    assert len(oracle) == 2 * 2 * 9
    for best in oracle:
        family = best["arm"].split(" / ")[2:]
        for row in asked:
            if row["question"] == best["question"] and row["arm"].split(" / ")[2:] == family:
                assert row["tokens"] > best["tokens"] or row["recall"] <= best["recall"] + 1e-9


@pytest.mark.outside
def test_same_numbers_whatever_the_hash_seed_and_the_threads(command, here, tmp_path):
    spec = small(tmp_path)
    here("run", spec, "--results", tmp_path / "here")
    expected = without_times(tmp_path / "here" / "small")

    def run(seed):  # seeds 1 and 2 with as many threads
        results = tmp_path / f"results{seed}"
        command("run", spec, "--results", results, "--threads", seed, PYTHONHASHSEED=seed)
        return without_times(results / "small")

    with ThreadPoolExecutor() as both:  # side by side: loading the model is most of it
        assert list(both.map(run, (1, 2))) == [expected, expected]


@pytest.mark.outside
def test_a_killed_run_goes_on_and_ends_in_the_same_files(quick, tmp_path):
    spec = small(tmp_path)
    quick("run", spec, "--results", tmp_path / "whole")
    whole = tmp_path / "whole" / "small"
    quick("run", spec, "--results", tmp_path / "killed")
    journal = tmp_path / "killed" / "small" / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    half = len(lines) // 2
    journal.write_bytes(b"".join(lines[:half]) + lines[half][:40])  # a torn last line
    found = quick("run", spec, "--results", tmp_path / "killed")
    assert f"{half} rows kept from an earlier run" in found.err
    assert without_times(tmp_path / "killed" / "small") == without_times(whole)


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is not there")
def test_kill_9_at_any_moment_loses_nothing(quick, cache, tmp_path):
    spec = small(tmp_path, chunkers=["fixed[size=100]"])
    process = subprocess.Popen(
        [sys.executable, "-c", QUICK, "run", str(spec)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "RSE_BENCH_CACHE": str(cache)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    journal = tmp_path / "results" / "small" / "journal.jsonl"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        if journal.is_file() and journal.read_bytes().count(b"\n") > 5:
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    quick("run", spec)
    quick("run", spec, "--results", tmp_path / "whole")
    assert without_times(tmp_path / "results" / "small") == without_times(
        tmp_path / "whole" / "small"
    )


@pytest.mark.outside
def test_report_rebuilds_the_same_files(quick, tmp_path):
    quick("run", small(tmp_path))
    folder = tmp_path / "results" / "small"
    names = ("summary.csv", "report.md", "figures/recall_tokens_tiny.svg")
    before = {name: (folder / name).read_bytes() for name in names}
    for name in names:
        (folder / name).unlink()
    quick("report", folder)
    assert {name: (folder / name).read_bytes() for name in names} == before


@pytest.mark.outside
def test_the_gap_to_the_optimum_is_shown_on_request(here, tmp_path):
    found = here("run", small(tmp_path), "--gap")
    assert "rse / minmax: greedy misses the optimum on" in found.out
    rows = {row["arm"]: row for row in table(tmp_path / "results" / "small")}
    gaps = {arm: row["mean_value_gap"] for arm, row in rows.items()}
    assert all(bool(gap) == arm.startswith("rse / ") for arm, gap in gaps.items())
    found = here("run", small(tmp_path), "--gap", "-s", "topk[k=1]")
    assert "no arm of rse" in found.out


def test_strategies_and_data_can_be_named_on_the_command_line(quick, tmp_path):
    folder = tmp_path / "数据 集"
    folder.mkdir()
    for name in ("manifest.json", "documents.jsonl", "questions.jsonl"):
        (folder / name).write_bytes((ROOT / "datasets" / "tiny" / name).read_bytes())
    quick(
        *("run", SMOKE, "-d", folder, "-n", 2, "-s", "topk[k=2]"),
        *("-s", "rse[irrelevant_chunk_penalty=0.3] / max"),
    )
    rows = table(tmp_path / "results" / "smoke")
    assert {(row["strategy"], row["scores"], row["questions"]) for row in rows} == {
        ("topk[k=2]", "none", "2"),
        ("rse[irrelevant_chunk_penalty=0.3]", "max", "2"),
    }


def test_a_dataset_without_gold_is_undefined_not_zero(quick, tmp_path):
    folder = tmp_path / "nogold"
    folder.mkdir()
    (folder / "manifest.json").write_text('{"name": "nogold", "license": "MIT", "source": "test"}')
    (folder / "documents.jsonl").write_text('{"id": "a", "text": "Boats leave at noon."}\n')
    (folder / "questions.jsonl").write_text('{"id": "q", "text": "When do boats leave?"}\n')
    quick("run", small(tmp_path, datasets=[str(folder)]))
    rows = table(tmp_path / "results" / "small")
    assert all(row["mean_recall"] == "" and row["undefined"] == "1" for row in rows)


WRONG = [
    (["run", "nowhere.yaml"], "cannot read the spec nowhere.yaml"),
    (["run", SMOKE, "-d", "nosuch"], "no dataset 'nosuch'; there are: pydata-docs"),
    (["run", SMOKE, "-d", "chunking_evaluation"], "RSE_BENCH_RAW"),
    (["run", SMOKE, "-s", "rsee"], "no strategy 'rsee'; there are: topk, rse"),
    (["run", SMOKE, "-s", "rse[irelevant_chunk_penalty=0.4]"], "no parameter 'irelevant"),
    (["run", SMOKE, "-s", "rse[preset=precise]"], "no preset 'precise'; there are: balanced"),
    (["run", SMOKE, "-s", "rse / sigmod"], "no scores 'sigmod'; there are: none"),
    (["run", SMOKE, "-s", "topk[k=0]"], "k must be a whole number of 1 or more, got 0"),
    (["run", SMOKE, "-n", "0"], "limit"),
    (["run", "empty.yaml"], "topk: params.k lists no values to try"),
    (["run", "size.yaml"], "recursive: Recursive needs the parameter 'size'"),
    (["run", "date.yaml"], "date.yaml: unknown key 'x'"),
    (["run"], "Missing argument"),
    (["rnu"], "No such command 'rnu'"),
    (["run", SMOKE, "--limits", "3"], "No such option"),
    (["run", SMOKE, "-n", "many"], "Invalid value for '-n'"),
    (["run", SMOKE, "-d", "x" * 5000], "or a folder with manifest.json"),
    (["run", SMOKE, "-d", "./tiny"], "no dataset './tiny'"),
    (["run", SMOKE, "-d", "empty"], "the dataset 'empty' has no questions"),
    (["report", "nowhere"], "nowhere holds no results"),
]


@pytest.fixture
def files(tmp_path):
    """Lay out specs and data that nothing can be done with."""
    start = "datasets: [tiny]\nchunkers: [{chunker}]\ngrids: [{{strategy: topk{more}}}]\n"
    specs = {
        "empty": start.format(chunker='"recursive[size=9]"', more=", params: {k: []}"),
        "size": start.format(chunker="recursive", more=""),
        "date": f"x: 2024-99-99\n{start.format(chunker='recursive', more='')}",
    }
    for name, text in specs.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    (tmp_path / "empty").mkdir()
    manifest = '{"name": "empty", "license": "", "source": ""}'
    (tmp_path / "empty" / "manifest.json").write_text(manifest)
    for name in ("documents.jsonl", "questions.jsonl"):
        (tmp_path / "empty" / name).write_text("")


@pytest.fixture
def refused(cache, tmp_path, monkeypatch, capsys):
    """Run rse-bench inside this process; give its exit status and what it said."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RSE_BENCH_CACHE", str(cache))
    monkeypatch.setenv("RSE_BENCH_RAW", "")

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["rse-bench", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code, capsys.readouterr()

    return run


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("words", "message"), WRONG)
def test_wrong_use_is_one_line_and_exit_2(refused, words, message):
    code, found = refused(*words)
    assert code == 2
    assert message in found.err
    assert found.err.startswith("rse-bench: ")
    assert found.err.count("\n") == 1
    assert len(found.err) < 1000
    assert found.out == ""


def test_wrong_use_is_said_within_seconds(command):
    for words in (["run", SMOKE, "-d", "nosuch"], ["run", SMOKE, "-s", "rsee"]):
        began = time.monotonic()
        found = command(*words, check=2)
        assert time.monotonic() - began < 5
        assert found.stderr.count("\n") == 1


def test_called_with_nothing_it_shows_what_there_is(refused):
    code, found = refused()
    assert code == 2
    assert "Commands:" in found.err
    code, found = refused("--help")
    assert code == 0
    assert "Commands:" in found.out


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt(), 130, "interrupted; what was earned is kept"),
        (RunError("topk failed on question q"), 1, "topk failed on question q"),
        (DatasetError("no such data"), 2, "no such data"),
        (ParameterError("k must be more"), 2, "k must be more"),
        (FileNotFoundError(2, "No such file", "x"), 2, "No such file x"),
        (ValueError("shapes differ"), 1, "ValueError: shapes differ (RSE_BENCH_DEBUG=1 shows"),
        (KeyError("arm"), 1, "KeyError: 'arm' (RSE_BENCH_DEBUG=1 shows where)"),
    ],
)
def test_only_our_own_errors_are_taken_for_the_users(refused, monkeypatch, error, code, said):
    def fail():
        raise error

    monkeypatch.setattr("bench.listing.listing", fail)
    monkeypatch.delenv("RSE_BENCH_DEBUG", raising=False)
    found = refused("list")
    assert found[0] == code
    assert found[1].err.startswith(f"rse-bench: {said}")
    assert found[1].err.count("\n") == 1


def test_the_place_of_an_error_is_shown_where_it_is_asked_for(refused, monkeypatch):
    monkeypatch.setattr("bench.listing.listing", lambda: {}["arm"])
    monkeypatch.setenv("RSE_BENCH_DEBUG", "1")
    with pytest.raises(KeyError, match="arm"):
        refused("list")


@pytest.mark.skipif(os.name == "nt", reason="pipes end otherwise there")
def test_a_reader_that_has_enough_is_no_error():
    script = [sys.executable, "-m", "bench", "list"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    reading, writing = os.pipe()
    os.close(reading)
    found = subprocess.run(
        script, stdout=writing, stderr=subprocess.PIPE, env=environment, check=False
    )
    os.close(writing)
    assert (found.returncode, found.stderr) == (0, b"")


def test_a_failed_answer_ends_in_exit_1(refused, made, monkeypatch, tmp_path):
    @dataclass(frozen=True)
    class Broken:
        def select(self, hits, layout):
            raise ValueError("a bad day")

    monkeypatch.setitem(catalog.STRATEGIES, "broken", Broken)
    monkeypatch.setattr("bench.family._encoder", lambda _: Fake())
    path = small(tmp_path, datasets=[made()], grids=[{"strategy": "broken"}])
    code, found = refused("run", path)
    assert code == 1
    assert "broken / none / recursive[size=200] / minilm failed on question q1" in found.err
    code, found = refused("run", path, "--keep-going")
    assert code == 1
    assert "4 answers failed and count as empty: q1: broken" in found.err
    assert "Report: results/small/report.md" in found.out
    assert table(tmp_path / "results" / "small")[0]["mean_recall"] == "0.0"


@pytest.mark.outside
def test_any_name_where_the_system_knows_only_ascii(made, tmp_path):
    path = small(tmp_path, datasets=[made(name="中文数据")], grids=[{"strategy": "topk"}])
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "0", "LC_ALL": "C"}
    environment["RSE_BENCH_CACHE"] = str(tmp_path / "cache")
    script = [sys.executable, "-c", QUICK, "run", str(path), "--results", "r结果"]
    found = subprocess.run(script, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert (found.returncode, found.stderr) == (0, b"")
    assert (tmp_path / "r结果" / "small" / "summary.csv").is_file()


def test_a_typo_in_a_spec_and_a_folder_that_cannot_be_written(refused, tmp_path):
    code, found = refused("run", small(tmp_path, datsets=["tiny"]))
    assert code == 2
    assert "unknown key 'datsets'; there are: name, datasets" in found.err
    (tmp_path / "file").write_text("in the way")
    code, found = refused("run", small(tmp_path), "--results", "file/here")
    assert code == 2
    assert "cannot write results to file/here/small" in found.err
    assert "choose another --results" in found.err


def test_two_runs_at_once_do_not_mix(refused, tmp_path):
    from filelock import FileLock

    folder = tmp_path / "results" / "small"
    folder.mkdir(parents=True)
    with FileLock(folder / ".lock"):
        code, found = refused("run", small(tmp_path))
    assert code == 2
    assert "another run is writing to results/small" in found.err


def test_help_and_list_are_quick_and_import_nothing_heavy(command):
    code = (
        "import sys; sys.argv = ['rse-bench', {word!r}]\n"
        "from bench.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = 'torch ragas matplotlib pandas numba scipy faiss tiktoken'.split()\n"
        "found = [name for name in heavy if name in sys.modules]\n"
        "assert not found, found\n"
    )
    for word in ("--help", "list"):
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        script = [sys.executable, "-c", code.format(word=word)]
        subprocess.run(script, check=True, env=environment, capture_output=True)
        # Processor time, not the clock's: other tests run on the same cores.
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command(word)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime < 1


def test_list_names_everything(command):
    found = command("list").stdout
    for name in (
        "topk[k=10]",
        "minmax",
        "recursive[size,",
        "minilm[long=",
        "tiny",
        "find_all",
    ):
        assert name in found


def test_the_datasets_package_is_not_hidden_by_our_folder():
    # That sentence_transformers loads from here too is seen in tests/bench/retrieval.
    code = "from datasets import load_dataset"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
    assert not list((ROOT / "datasets").rglob("*.py"))


def test_export_writes_what_other_tools_read(quick, tmp_path):
    quick("run", small(tmp_path))
    run = tmp_path / "results" / "small"
    found = quick("export", run, "--to", "trec", "-o", tmp_path / "out")
    written = found.out.split()
    assert all(Path(path).is_file() for path in written)
    assert {Path(path).name for path in written} >= {"chunks.run", "chunks.qrels", "index.jsonl"}
    quick("export", run, "--to", "csv", "-o", tmp_path / "out")
    assert list((tmp_path / "out").glob("*.csv"))
