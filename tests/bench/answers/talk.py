"""Small data, and a model that answers right: what is asked is told by the system's words."""

from __future__ import annotations

import csv
import json
import re
from collections import namedtuple

from bench.answers import judge, prefer
from bench.answers.prompt import Conversation
from tests.bench.endpoints.stub import said, user_text

AFTER = namedtuple("AFTER", ("outcome", "folder", "told"))  # a test's own

TEXTS = {
    "ferry": "Boats leave every twenty minutes. Bicycles need a ticket of their own. "
    "Dogs travel for nothing. The last boat waits for the last train.",
    "渡船": "渡船每二十分钟开一班。自行车要单独买票。",
    "kiln": "The {kiln} reaches a thousand degrees. {question} Dry it before the first firing.",
}
QUESTIONS = {
    "often": {
        "text": "How often do boats leave?",
        "answers": ["every twenty minutes", "every 20 minutes"],
        "gold": [("ferry", "Boats leave every twenty minutes.")],
    },
    "多久": {
        "text": "渡船多久开一班？",
        "answers": ["二十分钟"],
        "gold": [("渡船", "渡船每二十分钟开一班。")],
    },
    "dry": {
        "text": "What comes before firing?",
        "gold": [("kiln", "Dry it before the first firing.")],
    },
    "cats": {"text": "Do cats pay?", "answers": ["not stated"], "gold": []},
}
GRIDS = ({"strategy": "topk", "params": {"k": [1, 20]}},)
SAID = {
    "How often do boats leave?": "Every 20 minutes.",
    "渡船多久开一班？": "每二十分",
    "What comes before firing?": "drying",
    "Do cats pay?": "I do not know",
}
RIGHT = {"score": 5, "reason": "says it"}


def kind(payload):
    """Tell what a model is asked for: an answer, a judgement, a preference."""
    system = payload["messages"][0]["content"]
    return {judge.ROLE: "judge", prefer.ROLE: "prefer"}.get(system, "answer")


def fenced(payload, name):
    """Return the texts between marks of a name."""
    pattern = rf"<({name}-\w+)(?: number=\"\d+\")?>\n(.*?)\n</\1>"
    return [match[2] for match in re.finditer(pattern, user_text(payload), re.DOTALL)]


def right(payload):
    """Answer right, give full marks, prefer the shorter answer."""
    match kind(payload):
        case "judge":
            return said(json.dumps(RIGHT))
        case "prefer":
            first, second = fenced(payload, "answer")
            return said(json.dumps({"better": 1 if len(first) <= len(second) else 2}))
    return said(SAID[fenced(payload, "question")[0]])


def of(asked, wanted):
    """Return the payloads of one kind."""
    return [payload for _, payload in asked if kind(payload) == wanted]


def lines(path):
    """Read strict JSON lines."""

    def refuse(constant):
        raise AssertionError(constant)

    text = path.read_text(encoding="utf-8")
    return [json.loads(line, parse_constant=refuse) for line in text.splitlines()]


def table(path):
    """Read CSV as texts."""
    with path.open(encoding="utf-8", newline="") as rows:
        return list(csv.DictReader(rows))


def talk(text):
    """Return a conversation."""
    return Conversation("Be brief.", text)
