"""Documents by the names that people write."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import cached_property
from pathlib import PurePosixPath
from unicodedata import normalize

SHOWN = 3


class Names:
    """Ids of documents; letters with accents may be written in one character or in two.

    (Systems differ in how they write the names of files.)
    """

    def __init__(self, ids: Iterable[str]) -> None:
        self._ids = dict.fromkeys(ids)
        self._composed: dict[str, list[str]] = {}
        for id_ in self._ids:
            self._composed.setdefault(normalize("NFC", id_), []).append(id_)

    def __contains__(self, name: str) -> bool:
        return name in self._ids or len(self._composed.get(normalize("NFC", name), ())) == 1

    def __getitem__(self, name: str) -> str:
        """Return the id that a name means; `KeyError` for one that is not `in`."""
        if name in self._ids:
            return name
        (id_,) = self._composed[normalize("NFC", name)]
        return id_

    def near(self, name: str) -> str:
        """Say that there is no such document, and which are called almost so."""
        wanted = name.replace("\\", "/").lower()
        close = get_close_matches(wanted, self._alike, n=2 * SHOWN)
        ids = list(dict.fromkeys(id_ for key in close for id_ in self._alike[key]))[:SHOWN]
        told = "did you mean" if ids else f"there are {len(self._ids):,}, for example"
        some = ", ".join(map(repr, ids or [*self._ids][:SHOWN]))
        return f"there is no document {name!r}; {told} {some}" + ("?" if ids else "")

    @cached_property
    def _alike(self) -> dict[str, list[str]]:
        """Ids by their path, their name and their stem, all in lower case."""
        found: dict[str, list[str]] = {}
        for id_ in self._ids:
            path = PurePosixPath(id_.lower())
            for key in dict.fromkeys((str(path), path.name, path.stem)):
                found.setdefault(key, []).append(id_)
        return found
