"""Documents by the names that people write."""

from __future__ import annotations

import unicodedata

import pytest

from bench.data.own.names import Names

IDS = ["ferry.md", "sub/kiln.txt", "a/café.md", "Ferry Rules.md"]


def test_exact_names_and_accents_in_either_form():
    names = Names([unicodedata.normalize("NFD", id_) for id_ in IDS])
    for form in ("NFC", "NFD"):
        written = unicodedata.normalize(form, "a/café.md")
        assert written in names
        assert names[written] == unicodedata.normalize("NFD", "a/café.md")
    assert "FERRY.md" not in names
    assert "kiln.txt" not in names


def test_two_forms_of_one_name_are_two_documents():
    both = ["é.md", "e\u0301.md"]
    names = Names(both)
    assert [names[name] for name in both] == both


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        ("fery.md", "ferry.md"),
        ("ferry", "ferry.md"),
        ("kiln.txt", "sub/kiln.txt"),
        ("sub\\kiln.txt", "sub/kiln.txt"),
        ("FERRY RULES.MD", "Ferry Rules.md"),
    ],
)
def test_near(wanted, meant):
    found = Names(IDS).near(wanted)
    assert found.startswith(f"there is no document {wanted!r}; did you mean ")
    assert repr(meant) in found


def test_nothing_near_names_some():
    assert Names(IDS).near("zzzzzz") == (
        "there is no document 'zzzzzz'; there are 4, for example 'ferry.md', 'sub/kiln.txt', "
        "'a/café.md'"
    )
