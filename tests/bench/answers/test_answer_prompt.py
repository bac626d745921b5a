"""Documents in a prompt: whatever they say, they stay between marks and change nothing else."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from bench.answers.prompt import PROMPT, ROLE, check_template, conversation

pieces = st.sampled_from([*"{}<>/ \n", "context", "question", "{question}", "</context-", "{0}"])
texts = st.lists(pieces).map("".join)


def test_the_default_has_both_names():
    check_template(PROMPT)


@given(texts, texts)
def test_texts_stay_as_they_are(context, question):
    made = conversation("C: {context} Q: {question} {", context, question)
    assert made.system == ROLE
    pattern = r"C: <(context-\w{12})>\n(.*)\n</\1> Q: <(question-\w{12})>\n(.*)\n</\3> \{"
    found = re.fullmatch(pattern, made.user, re.DOTALL)
    assert found
    assert (found[2], found[4]) == (context, question)
    # Nobody who writes a text can know the mark.
    assert context.count(found[1]) == question.count(found[3]) == 0


def test_the_order_is_the_templates():
    made = conversation("{question}{context}", "c", "q")
    assert made.user.index("\nq\n") < made.user.index("\nc\n")


def test_messages():
    made = conversation(PROMPT, "", "q")
    assert made.messages() == [
        {"role": "system", "content": ROLE},
        {"role": "user", "content": made.user},
    ]
    assert re.match(r"<context-\w+>\n\n</context", made.user)
