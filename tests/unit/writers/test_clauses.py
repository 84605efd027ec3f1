"""Clauses: exact offsets on any text, and the borders a person would draw."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.writers.clauses import Sort, clauses

ANY = st.text(max_size=400)
MARKS = st.lists(
    st.sampled_from(
        [
            *("- ", "* ", "1. ", "\n", "\n\n", "```", "```py\n", "> ", ". ", "; ", " - ", ", and ", "fix it"),
            *("Never do", "  at run (a.js:1:2)", "x = 1;", "{", "é", "\u2028", "\x00", "e.g. ", "don't"),
            "http://a.b/c?d=1",
        ]
    ),
    max_size=60,
).map("".join)


def said(text: str) -> list[str]:
    return [text[c.start : c.end] for c in clauses(text) if c.sort is Sort.PROSE]


@given(st.one_of(ANY, MARKS))
def test_clauses_come_in_order_and_never_overlap(text):
    found = clauses(text)
    borders = [n for c in found for n in (c.start, c.end)]
    assert borders == sorted(borders)
    assert all(0 <= c.start < c.end <= len(text) for c in found)


@given(st.one_of(ANY, MARKS))
def test_a_clause_has_no_blank_at_either_end(text):
    assert all(text[c.start : c.end] == text[c.start : c.end].strip() for c in clauses(text))


@given(st.one_of(ANY, MARKS))
def test_no_word_is_lost_between_clauses(text):
    covered = set()
    for c in clauses(text):
        covered.update(range(c.start, c.end))
    lost = "".join(ch if n not in covered else "" for n, ch in enumerate(text))
    # What lies between clauses is blanks and list marks: at most one letter or three digits each.
    assert not any(len(word.strip("().:#*-+•–—")) > 3 for word in lost.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fix the test. Then push it.", ["Fix the test.", "Then push it."]),
        ("- first thing\n- second thing", ["first thing", "second thing"]),
        ("1) rename it\n2) run the tests", ["rename it", "run the tests"]),
        ("Use e.g. sqlite for it. Done?", ["Use e.g. sqlite for it.", "Done?"]),
        ("See app.config.ts for that.", ["See app.config.ts for that."]),
        ("push it; I look later", ["push it;", "I look later"]),
        (
            "please add the button to the settings page, and we never use inline styles here",
            ["please add the button to the settings page,", "and we never use inline styles here"],
        ),
        (
            "this line is broken by the editor in the middle of a sentence that is long\nand goes on here",
            ["this line is broken by the editor in the middle of a sentence that is long\nand goes on here"],
        ),
    ],
)
def test_a_message_is_cut_where_a_thought_ends(text, expected):
    assert said(text) == expected


@pytest.mark.parametrize(
    "pasted",
    [
        "```\nnever do this. always do that.\n```",
        "Traceback (most recent call last):",
        '  File "/srv/app.py", line 3, in run',
        "    at Basket (Basket.tsx:22:31)",
        "2026-03-02 08:00:01 never mind",
        "npm ERR! code ERESOLVE",
        "src/cart.ts:41:7 - error TS2322: no",
        "> never use recursion here",
        "const a = always({",
    ],
)
def test_code_logs_and_quotes_are_not_prose(pasted):
    assert said(f"look at this\n{pasted}\nwhat is it") == ["look at this", "what is it"]


def test_a_fence_that_is_never_closed_takes_the_rest():
    assert said("look\n```\nnever do that\nalways do this") == ["look"]
