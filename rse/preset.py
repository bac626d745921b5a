"""Parameter sets with a name: dsRAG's three, as it ships them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from rse.checks import ParameterError
from rse.strategy import RSE


class _Presets(Mapping[str, RSE]):
    """The files in `rse/presets/`, read when somebody asks."""

    def __getitem__(self, name: str) -> RSE:
        return _read()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_read())

    def __len__(self) -> int:
        return len(_read())


PRESETS: Mapping[str, RSE] = _Presets()
"""RSE by preset name: `balanced`, `precision`, `find_all`.

Written for rerankers whose scores fill [0, 1] (dsRAG with Cohere's, calibrated). On raw cosines of
a small embedding model they return nothing for many questions: calibrate first.
"""


def preset(name: str | Mapping[str, Any], **changes: object) -> RSE:
    """Return RSE under a preset's parameters.

    Args:
        name: A preset's name, or a dict of parameters, filled up from `balanced`.
        changes: Parameters that shall differ.

    Raises:
        ParameterError: No such preset or parameter; the message lists what there is.
    """
    if not isinstance(name, str | Mapping) or not all(isinstance(key, str) for key in name):
        raise ParameterError(f"a preset is a name or a dict of parameters, got {name!r}")
    if isinstance(name, str):
        return RSE(**{**preset_parameters(name), **changes})
    return RSE(**{**preset_parameters("balanced"), **name, **changes})


def preset_parameters(name: str) -> dict[str, Any]:
    """Return the parameters a preset sets, by name."""
    if name not in PRESETS:
        raise ParameterError(f"no preset {name!r}; there are: {', '.join(PRESETS)}")
    return dict(_parameters()[name])


@cache
def _read() -> dict[str, RSE]:
    return {name: RSE(**parameters) for name, parameters in _parameters().items()}


@cache
def _parameters() -> dict[str, dict[str, Any]]:
    import yaml

    folder = files("rse") / "presets"
    found = [
        yaml.safe_load(file.read_text(encoding="utf-8"))
        for file in folder.iterdir()
        if file.name.endswith(".yaml")
    ]
    return {card["name"]: card["parameters"] for card in sorted(found, key=lambda c: c["order"])}
