"""Searched questions in a file of plain arrays, which every process of a sweep reads."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from bench.metrics.selections import Ground, Targets
from bench.store.atomic import write_bytes
from bench.sweep.searched import Asked, Searched
from rse import Hits, Layout, QuestionView

Arrays = dict[str, NDArray[Any]]
FEATURE, TARGET, GROUND = "feature_", "target_", "ground_"


def save(path: Path, held: Searched) -> None:
    """Write everything, atomically.

    Raises:
        OSError: The file cannot be written.
    """
    arrays: Arrays = {"start": held.layout.start, "length": held.layout.length}
    for name in ("tokens", "parent"):
        if (column := getattr(held.layout, name)) is not None:
            arrays[name] = column
    if held.layout.identity is not None:
        arrays["identity"] = np.array(held.layout.identity, np.str_)
    arrays |= {f"{GROUND}{name}": column for name, column in held.ground._asdict().items()}
    arrays["id"] = np.array([one.id for one in held.asked], np.str_)
    arrays["queries"] = np.array([len(one.hits) for one in held.asked], np.int64)
    arrays |= _hits([hits for one in held.asked for hits in one.hits])
    arrays |= _gold(held.asked)
    content = io.BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, content.getvalue())


def load(path: Path) -> Searched:
    """Read everything back; nothing in the file is executed.

    Raises:
        OSError: There is no such file.
        ValueError: It is damaged.
    """
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        return _read(arrays)
    except (KeyError, EOFError, ValueError, BadZipFile) as error:
        raise ValueError(f"{path} is damaged: {error}") from None


def _hits(lists: Sequence[Hits]) -> Arrays:
    names = {frozenset(hits.features) for hits in lists}
    if len(names) > 1:
        raise ValueError(f"questions differ in the features of their hits: {names}")
    arrays: Arrays = {
        "hits": np.array([len(hits.chunk) for hits in lists], np.int64),
        "scorer": np.array([hits.scorer for hits in lists], np.str_),
        "chunk": _joined([hits.chunk for hits in lists], np.int64),
        "score": _joined([hits.score for hits in lists], np.float64),
    }
    for name in sorted(next(iter(names), frozenset())):
        arrays[f"{FEATURE}{name}"] = np.concatenate([hits.features[name] for hits in lists])
    return arrays


def _gold(asked: Sequence[Asked]) -> Arrays:
    scopes = [one.view.documents for one in asked]
    return {
        "targets": np.array([len(one.targets.passage) for one in asked], np.int64),
        **{
            f"{TARGET}{name}": _joined([getattr(one.targets, name) for one in asked], np.int64)
            for name in Targets._fields
        },
        "golds": np.array([len(one.view.gold) for one in asked], np.int64),
        "gold_chunk": _joined([one.view.gold_chunk for one in asked], np.int64),
        "gold": _joined([one.view.gold for one in asked], np.float64),
        "scopes": np.array([-1 if scope is None else len(scope) for scope in scopes], np.int64),
        "scope": _joined([scope for scope in scopes if scope is not None], np.int64),
    }


def _read(arrays: Arrays) -> Searched:
    identity = arrays.get("identity")
    layout = Layout(
        arrays["start"],
        arrays["length"],
        tokens=arrays.get("tokens"),
        parent=arrays.get("parent"),
        identity=None if identity is None else tuple(identity.tolist()),
    )
    ground = Ground(*(arrays[f"{GROUND}{name}"] for name in Ground._fields))
    lists = _lists(arrays)
    of_question = _ends(arrays["queries"])
    targets, golds = _ends(arrays["targets"]), _ends(arrays["golds"])
    scopes = _ends(np.maximum(arrays["scopes"], 0))
    asked = []
    for number, name in enumerate(arrays["id"].tolist()):
        here = slice(*targets[number : number + 2])
        gold = slice(*golds[number : number + 2])
        scope = arrays["scope"][slice(*scopes[number : number + 2])]
        view = QuestionView(
            name,
            None if arrays["scopes"][number] < 0 else scope,
            arrays["gold_chunk"][gold],
            arrays["gold"][gold],
        )
        columns = (arrays[f"{TARGET}{field}"][here] for field in Targets._fields)
        hits = tuple(lists[slice(*of_question[number : number + 2])])
        asked.append(Asked(name, hits, Targets(*columns), view))
    return Searched(layout, ground, tuple(asked))


def _lists(arrays: Arrays) -> list[Hits]:
    ends = _ends(arrays["hits"])
    features = [name for name in arrays if name.startswith(FEATURE)]
    found = []
    for place, scorer in enumerate(arrays["scorer"].tolist()):
        here = slice(*ends[place : place + 2])
        own = {name.removeprefix(FEATURE): arrays[name][here] for name in features}
        found.append(Hits(arrays["chunk"][here], arrays["score"][here], own, scorer=scorer))
    return found


def _ends(counts: NDArray[np.int64]) -> list[int]:
    """Return where each part begins, and where the last one ends."""
    ends: list[int] = np.cumsum([0, *counts.tolist()]).tolist()
    return ends


def _joined(parts: Sequence[NDArray[Any]], kind: Any) -> NDArray[Any]:  # noqa: ANN401
    return np.concatenate([np.empty(0, kind), *parts]).astype(kind)
