"""What can be wrong with a dataset."""

from __future__ import annotations

from bench.errors import UserError


class DatasetError(UserError):
    """The files are missing or do not say what they promise; the message says which and where."""


class MissingError(DatasetError):
    """Upstream's files are not here: others may be."""
