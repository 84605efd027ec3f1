"""Rules that stand side by side in a sentence are kept each by itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.judge.parting import parted
from asides.model.entry import Framing
from asides.model.judgment import Proposal


def whole(message: str) -> Proposal:
    return Proposal(start=0, end=len(message), kind="law", framing=Framing.EXPLICIT, score=0.9)


def parts(message: str) -> list[str]:
    return [message[one.start : one.end] for one in parted([whole(message)], message)]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (
            "Start job names with `j_` and end queue names with `_q`.",
            ["Start job names with `j_`", "end queue names with `_q`."],
        ),
        ("End classes with `_c`, functions with `_f`", ["End classes with `_c`", "functions with `_f`"]),
        (
            "Keep starting jobs with `j_`, but from now on end tables with `_t`",
            ["Keep starting jobs with `j_`", "from now on end tables with `_t`"],
        ),
        (
            "Use snake_case for files, and start queue names with `q_`",
            ["Use snake_case for files", "start queue names with `q_`"],
        ),
        (
            "End queue names with `_q`, and add the `@seen` decorator to all jobs",
            ["End queue names with `_q`", "add the `@seen` decorator to all jobs"],
        ),
    ],
)
def test_rules_that_each_stand_alone_are_parted(message: str, expected: list[str]) -> None:
    assert parts(message) == expected


@pytest.mark.parametrize(
    "message",
    [
        "Start job names with `j_` and end them with `_j`",
        "Start jobs with 'job' and queues with 'queue'",  # the second part alone says no end
        "Start job names with `j_` and include the string 'chx' in them",
        "Jobs start with `j_` or `k_`",
        "Run `make lint` and `make test` before each commit",
        "Queues start with `q_`, not with `m_`",
    ],
)
def test_what_does_not_stand_alone_stays_whole(message: str) -> None:
    assert parts(message) == [message]


@given(st.text(max_size=200))
def test_parts_lie_in_order_within_the_span(message: str) -> None:
    found = parted([whole(message)], message)
    borders = [at for one in found for at in (one.start, one.end)]
    assert borders == sorted(borders)
    assert borders[0] == 0
    assert borders[-1] == len(message)
