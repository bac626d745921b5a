"""Files of a dataset, checked at the door: JSON against a model, bytes against their digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from bench.data.errors import DatasetError, MissingError

Model = TypeVar("Model", bound=BaseModel)


class Strict(BaseModel):
    """A row of a file: unknown keys and values of another type are an error, not a surprise."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def read(path: Path, model: type[Model]) -> Model:
    """Read one JSON object from a file of its own."""
    return _row(_text(path), model, str(path))


def rows(path: Path, model: type[Model]) -> Iterator[tuple[str, Model]]:
    """Yield each line of a JSONL file as a checked row, with its place for messages."""
    # Only line feeds end a line: JSON may hold the other line ends as they are.
    for number, line in enumerate(StringIO(_text(path), newline="\n"), start=1):
        if not line.strip():
            continue
        place = f"{path.parent.name}/{path.name}, line {number}"
        yield place, _row(line, model, place)


def check_files(folder: Path, sha256: Mapping[str, str]) -> None:
    """Compare files with their recorded digests."""
    for name, expected in sha256.items():
        path = inside(folder, name, f"{folder}: sha256")
        try:
            found = hashlib.sha256(path.read_bytes()).hexdigest()
        except FileNotFoundError:
            raise MissingError(f"{path} is missing") from None
        except OSError as error:
            raise DatasetError(f"cannot read {folder / name}: {error.strerror}") from None
        if found != expected:
            raise DatasetError(f"{folder.name}/{name}: sha256 is {found}, expected {expected}")


def inside(folder: Path, name: str, place: str) -> Path:
    """Return the path of a file that must lie in a folder; `place` says who names it.

    Raises:
        DatasetError: It lies elsewhere, or no file can have such a name.
    """
    if "\0" in name or not (folder / name).resolve().is_relative_to(folder.resolve()):
        raise DatasetError(f"{place} names {name!r}, which is no file of the folder")
    return folder / name


def _row(text: str, model: type[Model], place: str) -> Model:
    try:
        made = model.model_validate_json(text)
        json.loads(text, object_pairs_hook=_once)
    except ValidationError as error:
        raise DatasetError(f"{place}: {_first(error)}") from None
    except DatasetError as error:
        raise DatasetError(f"{place}: {error}") from None
    return made


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Refuse a key that stands twice: JSON leaves open which one counts."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise DatasetError(f"the key {twice!r} stands there twice")
    return found


def _text(path: Path) -> str:
    """Read UTF-8, with or without a byte order mark, and every line end as it is."""
    try:
        content = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise DatasetError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        utf16 = error.object[:2] in {b"\xff\xfe", b"\xfe\xff"}
        kind = "UTF-16, save it as UTF-8" if utf16 else f"not UTF-8 (byte {error.start})"
        raise DatasetError(f"{path} is {kind}") from None
    return content.removeprefix("\ufeff")


def _first(error: ValidationError) -> str:
    problem = error.errors()[0]
    place = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        return f"unknown key {place!r}"
    return f"{place + ': ' if place else ''}{problem['msg']}"
