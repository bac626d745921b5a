"""Small files in upstream's layouts, for the tests of loaders."""

from __future__ import annotations

import hashlib
import json


def asked(ident, question, *answers, **more):
    """Make a question; answers are pairs of text and offset."""
    rows = [{"text": text, "answer_start": start} for text, start in answers]
    return {"id": ident, "question": question, "answers": rows, **more}


def paragraph(context, *questions, **more):
    """Make a paragraph with its questions."""
    return {"context": context, "qas": list(questions), **more}


def article(*paragraphs, **more):
    """Make an article of paragraphs."""
    return {"paragraphs": list(paragraphs), **more}


def publish(folder, file, content):
    """Write a file as upstream has it; return a card that knows its digest."""
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return {"sha256": {file: hashlib.sha256(path.read_bytes()).hexdigest()}}


def gold(dataset):
    """Return the words of each question's gold: passages of alternatives."""
    return {
        question.id: [
            [dataset.documents[s.doc].text[s.start : s.end] for s in passage]
            for passage in question.gold
        ]
        for question in dataset.questions
    }
