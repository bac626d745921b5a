"""How scores are written in an arm's name: steps joined by `+`, fitted ones by their file."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

from bench.arms import parse
from rse.calibration import Calibration, Chain, Smooth, default_share, from_json, permitted
from rse.calibration.features import WINDOW
from rse.checks import ParameterError, named

DIGITS = 12
"""Hexadecimal digits of a file's sha256 that an arm's name shows."""


def pieces(text: str, like: str = "smooth[own=0.3] + minmax") -> list[str]:
    """Split `smooth[own=0.3] + minmax` into its steps; a `+` in brackets is part of a value.

    Args:
        text: What to split.
        like: An example for the message.
    """
    found, depth = [""], 0
    for character in text:
        depth += {"[": 1, "]": -1}.get(character, 0)
        if character == "+" and depth <= 0:
            found.append("")
        else:
            found[-1] += character
    if len(found) > 1 and not all(piece.strip() for piece in found):
        raise ParameterError(f"cannot read {text!r}; write it like {like}")
    return found


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """Names a calibration read from a JSON file that `rse.calibration.to_json` made the content of.

    Raises:
        ParameterError: The file cannot be read, is no calibration, is not the one the digest
            names, or has a path that an arm's name cannot hold.
    """

    file: str
    """Path of the file, from where the program runs."""

    digest: str = ""
    """`sha256:` and the first digits of the file's digest; filled in when left out."""

    allow_fitted: bool = False
    """Whether it may be applied to documents it was fitted on."""

    calibration: Calibration = field(init=False, repr=False)
    """What the file holds."""

    def __post_init__(self) -> None:
        content = _read(self.file)
        # The prefix keeps digits alone from being read as a number.
        digest = f"sha256:{hashlib.sha256(content).hexdigest()[:DIGITS]}"
        if self.digest not in {"", digest}:
            raise ParameterError(
                f"{self.file} has the digest {digest}, not {self.digest}: "
                f"it is another file, or has changed"
            )
        if not isinstance(self.allow_fitted, bool):
            raise ParameterError(f"allow_fitted must be true or false, got {self.allow_fitted!r}")
        try:
            made = from_json(json.loads(content))
        except ParameterError as error:
            raise ParameterError(f"{self.file}: {error}") from None
        except (ValueError, RecursionError) as error:  # ValueError: no JSON, or no UTF-8
            raise ParameterError(f"{self.file} is not JSON: {error}") from None
        object.__setattr__(self, "digest", digest)
        object.__setattr__(self, "calibration", permitted(made) if self.allow_fitted else made)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Shipped:
    """The fitted shares that come with the code, see `rse.calibration.default_share`."""

    allow_fitted: bool = False
    """Whether they may be applied to documents they were fitted on."""

    calibration: Calibration = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.allow_fitted, bool):
            raise ParameterError(f"allow_fitted must be true or false, got {self.allow_fitted!r}")
        made = default_share(allow_fitted=self.allow_fitted)
        object.__setattr__(self, "calibration", made)


def neighbours_needed(scores: Calibration) -> int:
    """Return how many chunks on either side of a hit a calibration looks at."""
    if isinstance(scores, Chain):
        return max(map(neighbours_needed, scores.steps))
    if isinstance(scores, Smooth):
        return scores.window
    return WINDOW if "neighbours" in getattr(scores, "features", ()) else 0


def _read(file: object) -> bytes:
    """Read a file whose path can be written in an arm's name and read back from it."""
    if not isinstance(file, str):
        raise ParameterError(f"file must be a path, got {file!r}")
    written = f"fitted[file={file}]"
    try:
        again = parse(written)[1].get("file") if len(pieces(written)) == 1 else None
    except ParameterError:
        again = None
    if again != file or " / " in file:
        raise ParameterError(f"an arm's name cannot hold the path {file!r}; rename the file")
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise ParameterError(f"cannot read {file}: {error.strerror or error}") from None
