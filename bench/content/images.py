"""Pictures of pages, drawn once and kept in a folder."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from bench.data.pdf import PdfError, page_image
from bench.store.atomic import write_bytes

DPI = 150
"""Dots an inch: small print can be read."""


@dataclass(frozen=True, slots=True)
class PageImages:
    """A folder of PNG files, each named by what it shows.

    The name holds the digest of the PDF's bytes and the versions of what drew it: a picture that
    is there is the right one.
    """

    folder: Path
    _digests: dict[Path, str] = field(default_factory=dict, init=False, repr=False)

    def draw(self, file: Path, page: int) -> Path:
        """Return the picture of a page, counted from 0; draw it if it is not there.

        Raises:
            PdfError: The file cannot be read or has no such page.
            OSError: The folder cannot be written.
        """
        path = self.folder / self._digest(file) / f"page-{page:04}-{DPI}dpi.png"
        if not path.is_file():
            picture = page_image(file, page, DPI)
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_bytes(path, picture)
            except OSError as error:
                raise OSError(
                    f"cannot keep page images in {self.folder}: {error}; set RSE_BENCH_CACHE to "
                    "another folder, one that can be written"
                ) from error
        return path

    def _digest(self, file: Path) -> str:
        """Name a file's content, read once; a run's documents do not change under it."""
        if file not in self._digests:
            try:
                content = file.read_bytes()
            except OSError as error:
                raise PdfError(f"cannot read {file}: {error.strerror}") from None
            found = hashlib.sha256(_versions().encode() + b"\0" + content)
            self._digests[file] = found.hexdigest()[:32]
        return self._digests[file]


def _versions() -> str:
    from pypdfium2 import version

    return f"{version.PYPDFIUM_INFO.version} {version.PDFIUM_INFO.version}"
