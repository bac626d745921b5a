"""Preset cards: a strategy with its scores, chosen by a sweep, with what it was worth held out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from os import PathLike
from pathlib import Path
from typing import Any

from rse.checks import ParameterError
from rse.optimal import Optimal
from rse.priced import Priced
from rse.simple import Simple
from rse.strategy import RSE
from rse.types import Hits, Layout, Segment, Strategy

FORMAT = 1
KINDS: Mapping[str, Callable[..., Strategy]] = {
    "rse": RSE,
    "optimal": Optimal,
    "priced": Priced,
    "simple": Simple,
}
"""Strategies a card may name."""


@dataclass(frozen=True, slots=True)
class Card:
    """A preset as a sweep wrote it; selects segments from raw scores."""

    name: str
    strategy: Strategy
    calibration: Any
    """Puts raw scores where the strategy expects them: a `rse.calibration.Calibration`."""
    chunker: str
    """The chunks it was chosen on, as rse-bench names them."""
    retriever: str
    """Whose scores it was chosen on."""
    figures: Mapping[str, Any]
    """What the card says it was worth: recall and tokens on documents it was not chosen on..."""

    def select(self, hits: Sequence[Hits], layout: Layout) -> list[Segment]:
        """Calibrate the scores of each query, then select."""
        return self.strategy.select([self.calibration.apply(one, layout) for one in hits], layout)


def load_preset(path: str | PathLike[str]) -> Card:
    """Read a preset card; nothing in it is executed.

    Raises:
        ParameterError: The file cannot be read, is no card, or names what does not exist; says
            what there is.
    """
    content = read_card(path)
    name, parameters = content["strategy"]["name"], content["strategy"]["parameters"]
    if name not in KINDS:
        raise ParameterError(
            f"{path}: the strategy {name!r} is none of rse's; there are: {', '.join(KINDS)} "
            f"(rse-bench run -s preset:FILE runs all of its own)"
        )
    try:
        strategy = KINDS[name](**parameters)
        calibration = _calibration(content["scores"])
    except (ParameterError, TypeError) as error:
        raise ParameterError(f"{path}: {error}") from None
    return Card(
        str(content["name"]),
        strategy,
        calibration,
        str(content["chunker"]),
        str(content["retriever"]),
        content.get("held_out") or {},
    )


def card_names() -> list[str]:
    """List the cards that come with the package: `minilm/balanced`..."""
    found = []
    for folder in sorted(_shipped().iterdir(), key=lambda entry: entry.name):
        if folder.is_dir():
            names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".yaml"))
            found += [f"{folder.name}/{name.removesuffix('.yaml')}" for name in names]
    return found


def read_card(path: str | PathLike[str]) -> dict[str, Any]:
    """Read and check the form of a card: a file, or one of `card_names`.

    Raises:
        ParameterError: The file cannot be read, or is no card.
    """
    import yaml

    try:
        content = yaml.safe_load(_text(path))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ParameterError(f"cannot read the preset card {path}: {_reason(error)}") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ParameterError(
            f"{path} is no preset card of format {FORMAT}; `rse-bench sweep` writes such cards"
        )
    needed = ("name", "strategy", "scores", "chunker", "retriever")
    missing = [key for key in needed if key not in content]
    steps = content.get("scores")
    parts = [content.get("strategy"), *(steps if isinstance(steps, list) else [None])]
    if missing or not all(_is_part(part) for part in parts):
        what = f"it lacks {missing[0]!r}" if missing else "a part lacks name or parameters"
        raise ParameterError(f"{path} is a damaged preset card: {what}; sweep again")
    return content


def _text(path: str | PathLike[str]) -> str:
    name = str(path)
    if name in card_names():
        folder, _, file = name.partition("/")
        return (_shipped() / folder / f"{file}.yaml").read_text(encoding="utf-8")
    if not Path(path).exists() and not name.endswith((".yaml", ".yml")):
        known = ", ".join(card_names()) or "none"
        raise ParameterError(f"no file and no preset {name!r}; presets that come along: {known}")
    return Path(path).read_text(encoding="utf-8-sig")


def _shipped() -> Traversable:
    return files("rse") / "presets"


def _is_part(part: object) -> bool:
    return (
        isinstance(part, dict)
        and isinstance(part.get("name"), str)
        and isinstance(part.get("parameters"), dict)
    )


def _calibration(steps: Sequence[Mapping[str, Any]]) -> Any:  # noqa: ANN401
    from rse.calibration import UNFITTED, Chain, default_share

    made = []
    for step in steps:
        if step["name"] == "share":
            made.append(default_share())
        elif step["name"] in UNFITTED:
            made.append(UNFITTED[step["name"]](**step["parameters"]))
        else:
            raise ParameterError(
                f"no scores {step['name']!r}; there are: {', '.join([*UNFITTED, 'share'])}"
            )
    return made[0] if len(made) == 1 else Chain(tuple(made))


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return " ".join(str(error).split())
