"""Files appear whole or not at all: written beside their place, then renamed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def write(path: Path, fill: Callable[[Path], None]) -> None:
    """Let `fill` write a temporary file, then put it in place of `path`.

    Raises:
        OSError: It cannot be written; names `path`. What stood there is as it was.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=path.suffix, dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        fill(temporary)
        temporary.chmod(0o644)
        temporary.replace(path)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):  # a full disk says nothing of where
            error.filename = str(path)
        raise


def write_bytes(path: Path, content: bytes) -> None:
    """Write bytes as they are."""
    write(path, lambda temporary: _bytes(temporary, content))


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 with line feeds, whatever the platform."""
    write_bytes(path, text.encode("utf-8"))


def _bytes(path: Path, content: bytes) -> None:
    path.write_bytes(content)
