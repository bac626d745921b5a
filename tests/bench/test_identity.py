"""What a row's key depends on."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import identity

FILES = {
    "rse/a.py": "1",
    "rse/presets/b.yaml": "2",
    "baselines/c.py": "3",
    "bench/d.py": "4",
    "bench/store/e.py": "5",
    "bench/report/f.py": "6",
    "bench/notes.md": "7",
}


def laid_out(root, **changes):
    for name, text in (FILES | changes).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return identity.digest(root)


@pytest.mark.parametrize("parent", ["report", "a/report/b", "bench", "rse"])
def test_the_folders_above_do_not_matter(tmp_path, parent):
    assert laid_out(tmp_path / parent) == laid_out(tmp_path / "elsewhere")


@pytest.mark.parametrize("name", FILES)
def test_every_source_but_that_of_reports_counts(tmp_path, name):
    changed = laid_out(tmp_path / "report" / "changed", **{name: "x"})
    same = name in {"bench/report/f.py", "bench/notes.md"}
    assert (changed == laid_out(tmp_path / "report" / "plain")) == same


def test_our_own_source_is_digested():
    assert identity.code() == identity.digest(Path(identity.__file__).resolve().parents[1])
    assert identity.code() != identity.digest(Path("nowhere"))
