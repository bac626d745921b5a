"""What stands above the text of a segment."""

from __future__ import annotations

from bench.content.forms import numbered, titled
from bench.types import Document


def test_the_heading_of_the_tutorial():
    assert numbered(2, 0, 4, "Boats leave.") == "SEGMENT 2 (Chunks 0-4):\nBoats leave.\n"


def test_title_and_summary_stand_above_the_text():
    document = Document("d", "", title="Ferries\n of  the north", summary="How to\ntravel.")
    assert titled(document, "Boats leave.") == (
        "What follows is part of the document 'Ferries of the north'. How to travel.\n\n"
        "Boats leave."
    )


def test_what_is_not_there_leaves_no_trace():
    assert titled(Document("d", "", title="Ferries"), "Boats.") == (
        "What follows is part of the document 'Ferries'.\n\nBoats."
    )
    for title in ("", " \n"):
        assert titled(Document("d", "", title=title, summary="Lost."), "Boats.") == "Boats."
