"""What stands above chunks when they are searched."""

from __future__ import annotations

from bench.chunking import Markdown, Recursive
from bench.corpus import cut
from bench.retrieval.headers import LONGEST, headed_texts
from bench.tokens import tokenizer
from bench.types import Dataset, Document

TEXT = """Opening words.

# Ferries

Boats leave at noon.

## Tickets

Children pay half.

### Dogs
Dogs are free.

Winter
------

No boats.
"""


def heads(document, chunker):
    corpus = cut(Dataset("d", "0", {document.id: document}, ()), chunker, tokenizer("o200k_base"))
    texts, _ = headed_texts(corpus, corpus.documents)
    plain = [corpus.text(chunk) for chunk in range(len(corpus.layout))]
    assert all(text.endswith(one) for text, one in zip(texts, plain, strict=True))
    return {one: text.removesuffix(one).strip() for text, one in zip(texts, plain, strict=True)}


def test_title_summary_and_the_path_of_sections():
    document = Document("d", TEXT, title="Island  guide", summary="How to\nget there.")
    found = heads(document, Markdown(size=60))
    above = "Island guide\nHow to get there."
    assert found["Opening words."] == above
    assert found["# Ferries\n\nBoats leave at noon."] == above
    assert found["## Tickets\n\nChildren pay half."] == f"{above}\nFerries"
    assert found["### Dogs\nDogs are free."] == f"{above}\nFerries > Tickets"
    assert found["Winter\n------\n\nNo boats."] == f"{above}\nFerries"


def test_a_chunk_in_the_middle_of_a_section_has_its_heading():
    found = heads(Document("d", TEXT), Recursive(size=22))
    assert found["Children pay half."] == "Ferries > Tickets"
    assert found["No boats."] == "Ferries > Winter"
    assert found["Opening words."] == ""


def test_nothing_is_said_twice_and_nothing_at_length():
    document = Document("d", TEXT, title="Ferries", summary="Ferries")
    assert heads(document, Markdown(size=60))["## Tickets\n\nChildren pay half."] == "Ferries"
    long = heads(Document("d", "One.", title="t" * 1000), Recursive(size=99))
    assert long["One."] == "t" * LONGEST


def test_a_long_summary_gives_way_to_the_section_and_is_counted():
    document = Document("d", TEXT, title="Guide", summary="word " * 100)
    corpus = cut(Dataset("d", "0", {"d": document}, ()), Markdown(size=60), tokenizer("o200k_base"))
    texts, shortened = headed_texts(corpus, corpus.documents)
    (dogs,) = [text for text in texts if text.endswith("Dogs are free.")]
    head = dogs.removesuffix("\n\n### Dogs\nDogs are free.")
    assert head.startswith("Guide\nword word ")
    assert head.endswith(" word\nFerries > Tickets")
    assert LONGEST - 5 <= len(head) <= LONGEST
    assert shortened == len(texts)
    short = Document("d", TEXT, title="Guide", summary="word")
    assert headed_texts(corpus, [short])[1] == 0
