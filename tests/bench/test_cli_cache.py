"""`rse-bench cache`: what people see."""

from __future__ import annotations

import json
import sys

import pytest

from bench.cli import main


@pytest.fixture
def say(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path))

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["rse-bench", "cache", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        found = capsys.readouterr()
        return ended.value.code, found.out, found.err

    return run


@pytest.fixture
def pdfs(tmp_path):
    (tmp_path / "pdf").mkdir()
    (tmp_path / "pdf" / "one.json").write_bytes(b"x" * 1_234_000)
    return tmp_path / "pdf"


def test_info(say, pdfs, tmp_path):
    code, out, err = say("info")
    assert (code, err) == (0, "")
    assert str(tmp_path) in out
    assert "pdf             1.2 MB             text of PDF files" in out


def test_info_as_json(say, pdfs):
    found = json.loads(say("info", "--json")[1])
    by_kind = {one["kind"]: one for one in found["kept"]}
    assert by_kind["pdf"]["bytes"] == 1_234_000
    assert by_kind["vectors"]["entries"] is None


def test_clear(say, pdfs):
    assert say("clear", "vectors")[0] == 0
    assert pdfs.exists()
    assert say("clear", "--all")[:2][1].count("removed") == 10
    assert not pdfs.exists()


@pytest.mark.parametrize("words", [("clear",), ("clear", "pdf", "--all"), ("clear", "nope")])
def test_wrong_use(say, pdfs, words):
    code, _, err = say(*words)
    assert code == 2
    assert "there are: vectors" in err
    assert pdfs.exists()
