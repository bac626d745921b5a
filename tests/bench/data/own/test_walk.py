"""Which files of a folder are documents."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.data.errors import DatasetError
from bench.data.own.walk import files


@pytest.fixture
def tree(tmp_path):
    """Write files; each holds its own name."""

    def write(*names):
        for name in names:
            path = tmp_path / "docs" / os.fsdecode(name.encode())  # in any locale
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name, encoding="utf-8")
        return tmp_path / "docs"

    return write


def read(folder, ignored=()):
    return [file.id for file in files(folder, ignored) if not file.why_not]


def skipped(folder, ignored=()):
    return {file.id: file.why_not for file in files(folder, ignored) if file.why_not}


def test_by_path_with_slashes_and_case_kept(tree):
    names = ["b.md", "B.txt", "a/z.html", "a/b/c.PDF", "a.txt", "数据 集/第一 章.txt", "a b.htm"]
    assert read(tree(*names)) == sorted(names)


def test_same_stems_are_different_documents(tree):
    assert read(tree("a/b.md", "a_b.md", "a/b.txt")) == ["a/b.md", "a/b.txt", "a_b.md"]


def test_others_are_skipped_with_the_reason(tree):
    folder = tree("a.txt", ".hidden.txt", ".git/x.txt", "s/.t/y.txt", "x.docx", "none", "z.md.bak")
    assert read(folder) == ["a.txt"]
    found = skipped(folder)
    assert list(found) == [".git/", ".hidden.txt", "none", "s/.t/", "x.docx", "z.md.bak"]
    assert found[".git/"] == found[".hidden.txt"] == found["s/.t/"] == "hidden"
    assert found["none"] == "none of .txt, .text, .md, .markdown, .html, .htm, .xhtml, .pdf"


def test_ignored_files_and_folders_leave_no_word(tree):
    folder = tree("a.txt", "q.csv", "made/documents.jsonl", "made/x.txt")
    assert read(folder, [folder / "q.csv", folder / "made"]) == ["a.txt"]
    assert skipped(folder, [folder / "q.csv", folder / "made"]) == {}


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_are_not_followed(tree, tmp_path):
    folder = tree("a.txt", "in/b.txt")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (folder / "out.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "gone.txt").symlink_to(tmp_path / "nowhere")
    assert read(folder) == ["a.txt", "in/b.txt"]
    assert skipped(folder) == dict.fromkeys(["gone.txt", "loop/", "out.txt"], "a link")
    (tmp_path / "way").symlink_to(folder, target_is_directory=True)
    assert read(tmp_path / "way") == ["a.txt", "in/b.txt"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_is_not_waited_for(tree):
    folder = tree("a.txt")
    os.mkfifo(folder / "pipe.txt")
    assert skipped(folder) == {"pipe.txt": "no regular file"}


@pytest.mark.skipif(sys.platform != "linux", reason="names are Unicode there")
def test_a_name_in_no_encoding_is_a_problem(tree):
    folder = tree("a.txt")
    (folder / os.fsdecode(b"caf\xe9.txt")).write_text("x", encoding="utf-8")
    (found,) = (file for file in files(folder) if file.wrong)
    assert found.id == "caf\\xe9.txt"
    assert "not UTF-8: rename" in found.why_not


def test_no_folder(tree, tmp_path):
    with pytest.raises(DatasetError, match=r"nowhere is not there; expected a folder of \.txt"):
        files(tmp_path / "nowhere")
    with pytest.raises(DatasetError, match=r"a\.txt is a file: put it into a folder"):
        files(tree("a.txt") / "a.txt")


def test_a_folder_that_cannot_be_opened_is_a_problem(tree, monkeypatch):
    folder = tree("a.txt", "shut/b.txt")
    scandir = os.scandir

    def refuse(path):
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert read(folder) == ["a.txt"]
    assert skipped(folder) == {"shut/": "cannot be read: Permission denied"}


@pytest.mark.skipif(sys.platform != "linux", reason="names are Unicode whatever the locale there")
def test_names_are_unicode_in_an_ascii_locale(tree):
    code = "import sys, pathlib; from bench.data.own.walk import files\n"
    code += "for file in files(pathlib.Path(sys.argv[1])): print(ascii(file.id), file.why_not)"
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    found = subprocess.run(
        [sys.executable, "-c", code, str(tree("数据 集/é.txt"))],
        env=os.environ | ascii_only | {"PYTHONPATH": str(Path(__file__).resolve().parents[4])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == ascii("数据 集/é.txt")
