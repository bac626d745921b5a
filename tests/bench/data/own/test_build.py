"""A dataset is written whole or not at all, and never over what is somebody's."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path

import pytest

from bench.data.errors import DatasetError
from bench.data.folder import Manifest, QuestionRow, load_folder
from bench.data.own.build import check_free, name_of, write
from bench.types import Document

DOCUMENTS = [Document("数据.txt", "one\u2028line"), Document("b", "")]
QUESTIONS = [QuestionRow(id="q1", text="谁?")]
ABOUT = Manifest(name="mine", license="MIT", source="notes")


@pytest.fixture
def out(tmp_path):
    return tmp_path / "above" / "mine"


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_what_is_written(out):
    write(out, DOCUMENTS, QUESTIONS, ABOUT)
    found = content(out)
    manifest = json.loads(found.pop("manifest.json"))
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in found.items()}
    assert manifest["sha256"] == digests
    joined = digests["documents.jsonl"] + "\n" + digests["questions.jsonl"]
    assert manifest["revision"] == hashlib.sha256(joined.encode()).hexdigest()[:16]
    assert found["documents.jsonl"].decode().count("\n") == 2
    assert load_folder(out).documents["数据.txt"].text == "one\u2028line"
    assert [path.name for path in out.parent.iterdir()] == ["mine"]


def test_pdfs_go_with_the_dataset(out, tmp_path):
    paper = tmp_path / "elsewhere.pdf"
    paper.write_bytes(b"%PDF-1.4 whatever")
    given = [Document("文 件/a.pdf", "one\ntwo", "", "", ((0, 4), (4, 7)), (1,), paper)]
    write(out, given, [], ABOUT)
    paper.unlink()
    found = load_folder(out).documents["文 件/a.pdf"]
    assert found.file == out / "files" / "文 件/a.pdf"
    assert found.file.read_bytes() == b"%PDF-1.4 whatever"
    assert (found.pages, found.visual) == (((0, 4), (4, 7)), (1,))
    check_free(out, force=True)
    (out / "files" / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(DatasetError, match="was not built by this"):
        check_free(out, force=True)


def test_twice_the_same(out):
    write(out, DOCUMENTS, QUESTIONS, ABOUT)
    first = content(out)
    write(out, DOCUMENTS, QUESTIONS, ABOUT, force=True)
    assert content(out) == first


def test_an_earlier_build_is_replaced_by_force_alone(out):
    check_free(out, force=False)
    write(out, DOCUMENTS, QUESTIONS, ABOUT)
    with pytest.raises(DatasetError, match="from an earlier build: --force replaces it"):
        check_free(out, force=False)
    check_free(out, force=True)
    write(out, DOCUMENTS[:1], [], ABOUT, force=True)
    assert len(load_folder(out).documents) == 1


def test_an_empty_folder_is_free(out):
    out.mkdir(parents=True)
    check_free(out, force=False)
    write(out, DOCUMENTS, QUESTIONS, ABOUT)
    assert (out / "manifest.json").is_file()


def spoil_by_a_file(out):
    (out / "notes.txt").write_text("mine", encoding="utf-8")
    return "is no build: it holds 'notes.txt'"


def spoil_by_a_change(out):
    with (out / "questions.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n")
    return "was changed since .*sha256"


def spoil_by_the_manifest(out):
    path = out / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8")) | {"revision": "1"}
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return "was not built by this"


def spoil_by_no_manifest(out):
    (out / "manifest.json").unlink()
    return "is no build, or was changed since .*cannot read"


@pytest.mark.parametrize(
    "spoil", [spoil_by_a_file, spoil_by_a_change, spoil_by_the_manifest, spoil_by_no_manifest]
)
def test_what_is_no_build_is_not_replaced_even_by_force(out, spoil):
    write(out, DOCUMENTS, QUESTIONS, ABOUT)
    message = spoil(out)
    for force in (False, True):
        with pytest.raises(DatasetError, match=message):
            check_free(out, force=force)


def test_a_set_of_ours_is_no_build():
    tiny = Path(__file__).resolve().parents[4] / "datasets" / "tiny"
    with pytest.raises(DatasetError, match=r"is no build: it holds 'README\.md'"):
        check_free(tiny, force=True)


def test_a_file_is_not_replaced(out):
    out.parent.mkdir()
    out.write_text("x", encoding="utf-8")
    with pytest.raises(DatasetError, match="is no folder"):
        check_free(out, force=True)


def test_a_failure_half_way_leaves_everything_as_it_was(out):
    write(out, DOCUMENTS, QUESTIONS, ABOUT)
    before = content(out)

    def broken():
        yield DOCUMENTS[1]
        raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        write(out, broken(), QUESTIONS, ABOUT)
    assert content(out) == before
    assert [path.name for path in out.parent.iterdir()] == ["mine"]


def test_a_failure_at_the_swap_puts_the_earlier_build_back(out, monkeypatch):
    write(out, DOCUMENTS, QUESTIONS, ABOUT)
    before = content(out)
    replace = Path.replace

    def refuse(path, target):
        if path.name == "made":
            raise OSError(28, "No space left on device")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="No space"):
        write(out, DOCUMENTS[:1], QUESTIONS, ABOUT, force=True)
    assert content(out) == before
    assert [path.name for path in out.parent.iterdir()] == ["mine"]


def test_the_folder_gives_the_name(tmp_path, monkeypatch):
    assert name_of(Path("somewhere/my notes")) == "my notes"
    monkeypatch.chdir(tmp_path)
    assert name_of(Path()) == tmp_path.name
    for name in ("a\nb", "x" * 101):
        with pytest.raises(DatasetError, match="gives the dataset its name, expected 1 to 100"):
            name_of(Path(name))


def test_of_two_builds_at_once_the_slower_one_does_not_win(out):
    def slow():
        write(out, DOCUMENTS[:1], [], ABOUT)  # the other one ends while this one still reads
        yield DOCUMENTS[1]

    with pytest.raises(DatasetError, match="from an earlier build: --force replaces it"):
        write(out, slow(), QUESTIONS, ABOUT)
    assert list(load_folder(out).documents) == [DOCUMENTS[0].id]
    assert [path.name for path in out.parent.iterdir()] == ["mine"]


def test_what_a_killed_build_left_is_swept_after_a_day(out):
    write(out, DOCUMENTS, QUESTIONS, ABOUT)
    prefix = f".build-{hashlib.sha256(b'mine').hexdigest()[:8]}-"
    old, recent = out.parent / f"{prefix}old", out.parent / f"{prefix}recent"
    for folder in (old, recent):
        (folder / "made").mkdir(parents=True)
    before = time.time() - 25 * 3600
    os.utime(old, (before, before))
    write(out, DOCUMENTS, QUESTIONS, ABOUT, force=True)
    assert sorted(path.name for path in out.parent.iterdir()) == [recent.name, "mine"]
