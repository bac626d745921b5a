"""ragas is imported late, reports nothing home, and may as well be missing."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bench.adapters.ragas_library import UNTRACKED, RagasError, library
from bench.adapters.ragas_scores import Scorer

ROOT = Path(__file__).resolve().parents[3]
SAMPLE = {"retrieved_context_ids": ["a"], "reference_context_ids": ["a", "b"]}
BLOCKED = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name == "ragas" or name.startswith("langchain"):
            raise {error}("not here")
sys.meta_path.insert(0, Blocker())
"""
QUIET = """
import os, socket
os.environ.pop("RAGAS_DO_NOT_TRACK", None)
real = socket.socket.connect
def connect(self, address):
    print("CONNECTED", address)
    return real(self, address)
socket.socket.connect = connect
from bench.adapters.ragas_library import library
from bench.adapters.ragas_scores import Scorer
found = Scorer(library()).score("ragas_id_recall", {sample})
print("recall", found.value, os.environ["RAGAS_DO_NOT_TRACK"])
from ragas._analytics import _analytics_batcher, do_not_track
print("untracked", do_not_track(), len(_analytics_batcher.buffer))
"""


def python(code, folder, **environment):
    """Run code in a fresh process whose folders are all in one place."""
    places = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "RSE_BENCH_CACHE")}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **places, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def test_missing_is_told_in_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "ragas", None)
    with pytest.raises(RagasError, match=r"left out, .*pip install 'rse-bench\[ragas\]'") as told:
        library()
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("error", ["ImportError", "AttributeError", "RuntimeError"])
def test_broken_below_ragas(tmp_path, error):
    """Whatever an upgrade breaks: one line, exit 2, and the rest of the command line works."""
    code = BLOCKED.format(error=error) + (
        "from bench.cli import app, main\n"
        "from bench.adapters.ragas_library import library\n"
        "app.command(name='judge')(library)\n"
        "sys.argv = ['rse-bench', *sys.argv[1:]] if sys.argv[1:] else ['rse-bench', {word!r}]\n"
        "main()\n"
    )
    judged = python(code.replace("{word!r}", "'judge'"), tmp_path)
    assert judged.returncode == 2, judged.stderr
    assert judged.stderr.count("\n") == 1
    assert f"{error}: not here" in judged.stderr
    listed = python(code.replace("{word!r}", "'list'"), tmp_path)
    assert listed.returncode == 0, listed.stderr
    assert "topk" in listed.stdout


def test_help_imports_nothing_of_it():
    """Nor do the modules that are imported to find out what there is to judge."""
    code = (
        "import sys, bench.cli, bench.adapters.cli, bench.adapters.ragas_run\n"
        "print([name for name in sys.modules if name.split('.')[0] in "
        "('ragas', 'langchain_core', 'langchain_community', 'instructor', 'openai')])"
    )
    assert python(code, ROOT).stdout == "[]\n"


def test_the_command_itself_is_light():
    code = (
        "import sys, bench.adapters.cli; print([n for n in ('numpy', 'rse') if n in sys.modules])"
    )
    assert python(code, ROOT).stdout == "[]\n"


def test_nothing_is_sent(ragas, monkeypatch):
    def refuse(*_):
        raise AssertionError("somebody opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert os.environ[UNTRACKED] == "true"
    assert Scorer(ragas).score("ragas_id_recall", SAMPLE).value == 0.5
    from ragas._analytics import _analytics_batcher, do_not_track

    assert do_not_track()
    assert not _analytics_batcher.buffer


def test_tracking_that_somebody_turned_on(ragas, monkeypatch):
    """Also where ragas was imported before, and had looked already."""
    from ragas._analytics import do_not_track

    monkeypatch.setenv(UNTRACKED, "false")
    do_not_track.cache_clear()
    assert not do_not_track()
    library()
    assert do_not_track()


def test_a_version_that_does_not_heed(ragas, monkeypatch):
    import ragas._analytics as analytics

    def asked():
        return False

    asked.cache_clear = lambda: None
    monkeypatch.setattr(analytics, "do_not_track", asked)
    with pytest.raises(RagasError, match="does not heed RAGAS_DO_NOT_TRACK"):
        library()


@pytest.mark.outside
def test_a_fresh_process_sends_and_leaves_nothing(ragas, tmp_path):
    done = python(QUIET.format(sample=SAMPLE), tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["recall 0.5 true", "untracked True 0"]
    assert not (tmp_path / "ragas").exists()  # where it would note a user id
