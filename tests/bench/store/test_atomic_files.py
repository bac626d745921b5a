"""Files appear whole or not at all, and a full disk says where it was full."""

from __future__ import annotations

import errno

import pytest

from bench.store.atomic import write, write_text


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "数据.csv"
    write_text(path, "one\n")
    write_text(path, "two\n")
    assert path.read_bytes() == b"two\n"
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyError("x")])
def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "a.csv"
    write_text(path, "one\n")

    def fill(temporary):
        temporary.write_bytes(b"tw")
        raise error

    with pytest.raises(type(error)) as found:
        write(path, fill)
    assert path.read_bytes() == b"one\n"
    assert [one.name for one in tmp_path.iterdir()] == ["a.csv"]
    if isinstance(error, OSError):
        assert found.value.filename == str(path)
