"""A sentence that leans on its neighbour is kept with it."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.judge.joining import grounded, joined
from asides.model.delivery import BODY_LIMIT
from asides.model.entry import Framing
from asides.model.judgment import Proposal


def proposals(message: str, *parts: str, scores: tuple[float, ...] = ()) -> tuple[Proposal, ...]:
    found = []
    for number, part in enumerate(parts):
        start = message.index(part)
        found.append(
            Proposal(
                start=start,
                end=start + len(part),
                kind=f"kind{number}",
                framing=Framing.PASSING,
                score=scores[number] if scores else 0.5,
            )
        )
    return tuple(found)


def spans(message: str, *parts: str) -> list[str]:
    return [message[one.start : one.end] for one in joined(proposals(message, *parts), message)]


def test_what_it_means_stays_with_it() -> None:
    message = "Raise the timeout. We are moving off requests. Don't use it in anything new."
    assert spans(message, "We are moving off requests.", "Don't use it in anything new.") == [
        "We are moving off requests. Don't use it in anything new."
    ]


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("Never squash them. Env is read once.", ("Never squash them.", "Env is read once.")),
        ("No requests. First fix the build. Don't use it again.", ("No requests.", "Don't use it again.")),
        ("Use tabs.\n\nCents only, so round them.", ("Use tabs.", "Cents only, so round them.")),
        ("Use tabs. Make sure that the tests pass.", ("Use tabs.", "Make sure that the tests pass.")),
    ],
)  # fmt: skip
def test_what_stands_alone_or_elsewhere_stays_apart(message: str, parts: tuple[str, str]) -> None:
    assert spans(message, *parts) == list(parts)


def test_the_surer_of_both_says_what_it_is() -> None:
    message = "We left axios. Don't use it."
    (one,) = joined(proposals(message, "We left axios.", "Don't use it.", scores=(0.4, 0.9)), message)
    assert (one.kind, one.score, one.start, one.end) == ("kind1", 0.9, 0, len(message))


def test_a_pair_too_long_to_be_delivered_whole_stays_apart() -> None:
    first, second = "We left axios " + "x" * BODY_LIMIT + ".", "Don't use it."
    message = f"{first} {second}"
    assert spans(message, first, second) == [first, second]


@given(
    st.lists(
        st.sampled_from(["Use it.", "Never mock.", "Drop them now.", "Tabs only."]), min_size=1, max_size=8
    )
)
def test_joining_loses_no_word_and_never_overlaps(parts: list[str]) -> None:
    message = " ".join(parts)
    found, at = [], 0
    for part in parts:
        found.append(Proposal(start=at, end=at + len(part), kind="law", framing=Framing.PASSING, score=0.5))
        at += len(part) + 1
    result = joined(found, message)
    assert " ".join(message[one.start : one.end] for one in result) == message
    assert all(a.end <= b.start for a, b in itertools.pairwise(result))


def grounded_spans(message: str, *parts: str) -> list[str]:
    return [message[one.start : one.end] for one in grounded(proposals(message, *parts), message)]


def test_a_naming_rule_that_does_not_say_of_what_is_kept_with_the_sentence_before_it() -> None:
    message = "Great. We have a new convention for queue names. Always start them with `q_`. Then go on."
    assert grounded_spans(message, "Always start them with `q_`.") == [
        "We have a new convention for queue names. Always start them with `q_`."
    ]


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("Look at the weather. Always start them with `q_`.", ("Always start them with `q_`.",)),
        ("We talk of queue names.\n\nAlways start them with `q_`.", ("Always start them with `q_`.",)),
        ("Queue names matter. Start job names with `j_`.", ("Start job names with `j_`.",)),
        ("Queue names matter. Run `make_all` first.", ("Run `make_all` first.",)),
        ("Queue names matter. Never squash.", ("Never squash.",)),
        ("We name queues. Start with `q_`.", ("We name queues.", "Start with `q_`.")),
    ],
)  # fmt: skip
def test_what_says_its_thing_or_has_none_before_it_stays_as_it_is(
    message: str, parts: tuple[str, ...]
) -> None:
    assert grounded_spans(message, *parts) == list(parts)
