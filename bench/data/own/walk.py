"""The files of a folder, those that are left out with the reason."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from bench.data.errors import DatasetError

KINDS = {
    ".txt": "txt",
    ".text": "txt",
    ".md": "md",
    ".markdown": "md",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".pdf": "pdf",
}
"""What files are read, by the end of their name in lower case."""


class File(NamedTuple):
    """A file, or a folder that is not looked into."""

    id: str
    """Path from the folder, with `/`; bytes that are no UTF-8 are escaped."""
    path: Path
    why_not: str
    """Why it is not read; empty: it is."""
    wrong: bool = False
    """Whether that is a problem, and not just none of our files."""

    @property
    def kind(self) -> str:
        """What it is read as."""
        return KINDS[self.path.suffix.lower()]


def files(folder: Path, ignored: Collection[Path] = ()) -> list[File]:
    """List the files in a folder and in the folders in it, by `id`.

    Links are not followed, so nothing outside the folder is read and nothing twice.

    Args:
        folder: Where to look.
        ignored: Files and folders that are passed over without a word.

    Raises:
        DatasetError: No such folder.
    """
    if not folder.is_dir():
        what = "is a file: put it into a folder of its own" if folder.exists() else "is not there"
        raise DatasetError(f"{folder} {what}; expected a folder of {', '.join(KINDS)} files")
    return sorted(_files(folder.resolve(), {path.resolve() for path in ignored}))


def _files(folder: Path, ignored: Collection[Path]) -> Iterator[File]:
    broken: list[OSError] = []
    for root, folders, names in os.walk(folder, onerror=broken.append):
        inside = [name for name in folders if Path(root, name) not in ignored]
        folders[:] = [name for name in inside if not _why_no_folder(Path(root, name))]
        for name in sorted({*inside} - {*folders}):
            path = Path(root, name)
            yield File(_id(path, folder) + "/", path, _why_no_folder(path))
        for path in (Path(root, name) for name in names):
            if path not in ignored:
                yield _file(path, folder)
    for error in broken:
        path = Path(error.filename)
        yield File(_id(path, folder) + "/", path, f"cannot be read: {error.strerror}", wrong=True)


def _file(path: Path, folder: Path) -> File:
    id_ = _id(path, folder)
    if why_not := _why_no_file(path):
        return File(id_, path, why_not)
    if os.fsencode(path.relative_to(folder).as_posix()) != id_.encode("utf-8"):
        return File(id_, path, "has a name that is not UTF-8: rename it", wrong=True)
    return File(id_, path, "")


def _why_no_folder(path: Path) -> str:
    if path.name.startswith("."):
        return "hidden"
    return "a link" if path.is_symlink() else ""


def _why_no_file(path: Path) -> str:
    if why := _why_no_folder(path):
        return why
    if path.suffix.lower() not in KINDS:
        return f"none of {', '.join(KINDS)}"
    return "" if path.is_file() else "no regular file"


def _id(path: Path, folder: Path) -> str:
    return unicode_name(path.relative_to(folder).as_posix())


def unicode_name(name: str) -> str:
    """Return the name of a file as Unicode whatever the locale; bytes that are none are escaped."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")
