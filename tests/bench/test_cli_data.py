"""`rse-bench data`: what it prints, and how it ends."""

from __future__ import annotations

import json
import sys

import pytest

from bench.cli import main


@pytest.fixture
def data(capsys, monkeypatch, tmp_path):
    """Call `rse-bench data ...` here; give exit status, output and errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("RSE_BENCH_RAW", raising=False)

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["rse-bench", "data", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        found = capsys.readouterr()
        return ended.value.code, found.out, found.err

    return call


def test_list_shows_every_set_and_whether_it_may_be_used(data):
    code, out, err = data("list")
    assert (code, err) == (0, "")
    rows = {line.split()[0]: line for line in out.splitlines()}
    assert "comes with rse-bench" in rows["pydata-docs"]
    assert rows["financebench"].split()[1:4] == ["missing", "en", "CC-BY-NC-4.0"]
    code, out, _ = data("list", "--json")
    (found,) = [row for row in json.loads(out) if row["name"] == "squad"]
    assert (found["verified"], found["commercial"], found["files"]) == ("no", "yes", "missing")


def test_check_counts_and_json_holds_the_same(data):
    code, out, err = data("check", "tiny")
    assert (code, err) == (0, "")
    assert "questions            10: 9 with gold, 1 without" in out
    code, out, _ = data("check", "tiny", "--json")
    (found,) = json.loads(out)
    assert (found["questions"], found["with_gold"], found["differs"]) == (10, 9, [])


def test_a_missing_set_ends_in_one_line_and_the_others_are_still_looked_at(data):
    code, out, err = data("check", "qmsum")
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert "qmsum needs upstream's raw files, expected RAW/qmsum/data/ALL/val" in err
    assert "`rse-bench data get qmsum` downloads them" in err
    assert "--raw DIR or RSE_BENCH_RAW" in err
    code, out, err = data("check", "qmsum", "tiny", "no-such-set")
    assert code == 1
    assert "tiny (" in out
    assert [line.split()[1] for line in err.splitlines()] == ["qmsum", "no"]


def test_a_card_that_counts_otherwise_ends_in_exit_1(data, monkeypatch):
    monkeypatch.setattr("bench.data.shelf.expected_counts", lambda _: {"questions": 11})
    code, out, _ = data("check", "tiny")
    assert code == 1
    assert "DIFFERS              questions: 10 found, 11 on the card" in out


def test_get_refuses_what_is_not_published_elsewhere(data):
    for name in ("tiny", "no-such-set"):
        code, _, err = data("get", name)
        assert code == 2
        assert f"'{name}' is no dataset whose files are published elsewhere" in err
    code, _, err = data("get", "qasper")
    assert code == 2
    assert "qasper cannot be downloaded file by file: unpack https://" in err
