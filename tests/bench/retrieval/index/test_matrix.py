"""Vectors on disk: whole or absent, found again by what they are of, never trusted when damaged."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from bench.retrieval.index.matrix import digest, is_large, matrix
from tests.bench.retrieval.index.corpora import units

TEXTS = [f"text {number}" for number in range(100)]
ROWS = units(100, 8)
ROOT = Path(__file__).resolve().parents[4]


def blocks(rows=ROWS, size=30):
    return [rows[begin : begin + size] for begin in range(0, len(rows), size)]


def refuse():
    raise AssertionError("made anew")


def file_of(folder):
    (path,) = (folder / "matrices").glob("*.npy")
    return path


def test_made_once_then_mapped(tmp_path):
    made = matrix(tmp_path, "a" * 64, 8, TEXTS, blocks)
    np.testing.assert_array_equal(made, ROWS)
    again = matrix(tmp_path, "a" * 64, 8, TEXTS, refuse)
    assert isinstance(again, np.memmap)
    assert not again.flags.writeable
    np.testing.assert_array_equal(again, ROWS)
    assert {p.suffix for p in (tmp_path / "matrices").iterdir()} == {".npy", ".lock"}


def test_the_name_depends_on_all_that_changes_a_row():
    names = {
        digest(*given)
        for given in (
            ("a", 8, ["x", "y"]),
            ("b", 8, ["x", "y"]),
            ("a", 9, ["x", "y"]),
            ("a", 8, ["y", "x"]),
            ("a", 8, ["xy"]),
            ("a", 8, ["", "xy"]),
            ("a", 8, ["x", "y", ""]),
            ("a", 8, ["x", "\udc80"]),
        )
    }
    assert len(names) == 8


def test_no_texts_need_no_file(tmp_path):
    assert matrix(tmp_path, "a", 8, [], refuse).shape == (0, 8)
    assert not (tmp_path / "matrices").exists()


def test_other_kinds_of_numbers_become_float32(tmp_path):
    given = [np.asfortranarray(block.astype(np.float64)) for block in blocks()]
    found = matrix(tmp_path, "a", 8, TEXTS, lambda: [*given, np.zeros((0, 8))])
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, ROWS)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: blocks(ROWS[:90]), "90 rows were made, but there are 100 texts"),
        (lambda: [*blocks(), ROWS[:1]], "0 rows of 8 numbers are missing"),
        (lambda: [units(100, 7)], r"shape \(100, 7\)"),
        (lambda: [ROWS[0]], r"shape \(8,\)"),
        (lambda: [ROWS[:50], 2 * ROWS[50:]], "vector 50 has length 2, not 1"),
        (lambda: [ROWS[:50], np.full((50, 8), np.nan)], "vector 50 has length nan"),
        (lambda: [np.zeros((100, 8))], "vector 0 has length 0"),
    ],
)
def test_wrong_rows_leave_no_file(tmp_path, made, message):
    with pytest.raises(ValueError, match=message):
        matrix(tmp_path, "a", 8, TEXTS, made)
    assert [p.suffix for p in (tmp_path / "matrices").iterdir()] in ([".lock"], [])
    np.testing.assert_array_equal(matrix(tmp_path, "a", 8, TEXTS, blocks), ROWS)


def _short(path):
    os.truncate(path, path.stat().st_size - 4)


def _long(path):
    with path.open("ab") as file:
        file.write(b"1234")


def _empty(path):
    path.write_bytes(b"")


def _header(path):
    path.write_bytes(b"\x93NUMPY\x01\x00" + b"z" * 500)


def _other_shape(path):
    np.save(path, ROWS[:50])


def _by_columns(path):
    np.save(path, np.asfortranarray(ROWS))


def _objects(path):
    np.save(path, np.array([print] * 100, object), allow_pickle=True)


def _zeros(path):
    with path.open("r+b") as file:
        file.seek(-64, os.SEEK_END)
        file.write(bytes(32))


@pytest.mark.parametrize(
    "damage", [_short, _long, _empty, _header, _other_shape, _by_columns, _objects, _zeros]
)
def test_a_damaged_file_is_set_aside_and_made_anew(tmp_path, damage, caplog):
    matrix(tmp_path, "a", 8, TEXTS, blocks)
    path = file_of(tmp_path)
    damage(path)
    np.testing.assert_array_equal(matrix(tmp_path, "a", 8, TEXTS, blocks), ROWS)
    assert path.with_name(f"{path.name}.corrupt-1").exists()
    assert "is damaged" in caplog.text
    np.testing.assert_array_equal(matrix(tmp_path, "a", 8, TEXTS, refuse), ROWS)
    damage(path)
    matrix(tmp_path, "a", 8, TEXTS, blocks)
    assert path.with_name(f"{path.name}.corrupt-2").exists()


def _build(folder, counter):
    def slowly():
        with counter.get_lock():
            counter.value += 1
        for block in blocks():
            time.sleep(0.05)
            yield block

    np.testing.assert_array_equal(matrix(folder, "a", 8, TEXTS, slowly), ROWS)


def test_two_processes_make_it_once(tmp_path):
    context = multiprocessing.get_context("fork")
    counter = context.Value("i", 0)
    both = [context.Process(target=_build, args=(tmp_path, counter)) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join(20)
    assert [one.exitcode for one in both] == [0, 0]
    assert counter.value == 1


def test_a_killed_process_leaves_nothing_behind_for_long(tmp_path):
    script = """
import sys, time
from pathlib import Path
from bench.retrieval.index.matrix import matrix
from tests.bench.retrieval.index.test_matrix import ROWS, TEXTS
def half():
    yield ROWS[:50]
    print("half", flush=True)
    time.sleep(60)
matrix(Path(sys.argv[1]), "a", 8, TEXTS, half)
"""
    command = [sys.executable, "-c", script, str(tmp_path)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"half\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    folder = tmp_path / "matrices"
    assert list(folder.glob(".*.npy"))
    assert not list(folder.glob("[!.]*.npy"))
    np.testing.assert_array_equal(matrix(tmp_path, "a", 8, TEXTS, blocks), ROWS)
    assert not list(folder.glob(".*.npy"))


def test_a_folder_that_cannot_be_used(tmp_path):
    (tmp_path / "matrices").write_text("a file", encoding="utf-8")
    with pytest.raises(OSError, match="RSE_BENCH_CACHE"):
        matrix(tmp_path, "a", 8, TEXTS, blocks)


def test_a_name_beyond_ascii(tmp_path):
    folder = tmp_path / "数据 集"
    matrix(folder, "a", 8, TEXTS, blocks)
    np.testing.assert_array_equal(matrix(folder, "a", 8, TEXTS, refuse), ROWS)


def test_large_begins_at_64_mib():
    assert not is_large(43_690, 384)
    assert is_large(43_691, 384)
