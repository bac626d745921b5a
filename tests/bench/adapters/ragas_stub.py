"""A judge that goes by the letter: a sentence is supported where it stands word for word."""

from __future__ import annotations

import json
import re

from tests.bench.endpoints.stub import said, user_text

FORM = re.compile(r'"title": "(\w+)", "type": "object"\}Do not use single quotes')

REFERENCES = {
    "q1": "Boats leave every twenty minutes.",
    "q3": "Dogs travel for nothing. Cats do not.",
    "q4": "One line, no more.",
}
ANSWERS = {
    "q1": "Boats leave every twenty minutes. The moon is cheese.",
    "q2": "Dry it before the first firing.",
    "q3": None,
    "q4": "One line, no more.",
}


def judged(payload, **changes):
    """Answer a prompt of ragas; `changes` maps a form to another answer."""
    prompt = user_text(payload)
    (form,) = FORM.findall(prompt)
    given = json.loads(prompt.rpartition("input: ")[2].rpartition("Output:")[0])
    answer = changes.get(form, FORMS[form])
    return said(f"Here it is:\n{json.dumps(answer(given))}\nThat is all.")


def sentences(text):
    return re.findall(r"[^.?!]+[.?!]", text.strip())


def _recall(given):
    return {
        "classifications": [
            {"statement": one, "reason": "", "attributed": int(one.strip() in given["context"])}
            for one in sentences(given["answer"])
        ]
    }


def _nli(given):
    return {
        "statements": [
            {"statement": one, "reason": "", "verdict": int(one in given["context"])}
            for one in given["statements"]
        ]
    }


def _correctness(given):
    told, true = given["answer"], given["ground_truth"]
    kinds = {
        "TP": [one for one in told if one in true],
        "FP": [one for one in told if one not in true],
        "FN": [one for one in true if one not in told],
    }
    return {k: [{"statement": one, "reason": ""} for one in some] for k, some in kinds.items()}


FORMS = {
    "ContextPrecisionOutput": lambda given: {
        "reason": "",
        "verdict": int(any(one in given["context"] for one in sentences(given["answer"]))),
    },
    "ContextRecallOutput": _recall,
    "StatementGeneratorOutput": lambda given: {
        "statements": [one.strip() for one in sentences(given["answer"])]
    },
    "NLIStatementOutput": _nli,
    "AnswerRelevanceOutput": lambda given: {
        "question": f"What of this: {given['response']}",
        "noncommittal": 0,
    },
    "ClassificationWithReason": _correctness,
}
