"""XQuAD: 48 articles of SQuAD and their questions, the same in several languages."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from bench.data.squad_layout import Form, load_form, named_by_title
from bench.types import Dataset

NAME = "xquad"


def load(raw: Path | None, language: str = "en") -> Dataset:
    """Load a language: 48 documents and 1,190 questions, alike by id in all languages.

    Raises:
        DatasetError: No raw files, or other bytes than those of the pinned revision.
    """
    tags = {"language": language, "kind": "short answer"}
    form = Form(f"{NAME}-{language}", f"xquad.{language}.json", named_by_title, tags)
    return load_form(raw, NAME, form)


load_zh = partial(load, language="zh")
"""Load the Chinese translation."""
