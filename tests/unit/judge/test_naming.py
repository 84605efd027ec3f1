"""Which slots a naming rule fills: what is named, at which end, with what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.judge.naming import Slot, naming


def filled(body: str) -> dict[tuple[str, str], set[str]]:
    return {
        (" ".join(sorted(slot.things)), slot.place): set(literals)
        for slot, literals in naming(body).filled.items()
    }


QUEUES = {("queu", "front"): {"q_"}}


@pytest.mark.parametrize(
    "body",
    [
        "queue names start with `q_`",
        "names of queues start with `q_`",
        "the queues' names begin with 'q_'",
        "every queue's name should begin with `q_`",
        "when naming queues, use the prefix `q_`",
        "when you define a queue, start its name with `q_` like `q_mail`",
        "prefix your queue names with `q_`, please",
        "we're now prefixing queues with `q_`",
        "start using `q_` as a prefix for all queue names",
        "queues get a `q_` in front",
        "for queues it's `q_` as prefix from now on, not `m_`",
        "we've moved from `m_` to `q_` as the prefix of queues",
        "rename the prefix of our queues from `m_` to `q_`",
        "let's talk about queue names. They start with `q_` in future",
        "document every job and start queue names with `q_`",
        "queue names with `q_`",
        "the `q_` prefix helps us to identify queues",
        "you don't start your queue names with `q_`",
        "don't forget to start queue names with `q_`",
        "start queue names with `q_` to show in the logs what they are",
    ],
)
def test_the_same_slot_is_heard_in_whatever_words(body: str) -> None:
    assert filled(body) == QUEUES


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("queue names start with `q_`", "queue names end with `_q`"),
        ("function names start with `f_`", "test function names start with `f_`"),
        ("method names start with `m_`", "private method names start with `m_`"),
        ("function names start with `f_`", "in tests, function names start with `f_`"),
        ("function names start with `f_`", "function names start with `f_` in test modules"),
        ("class names end in `_c`", "class names of value objects end in `_c`"),
        ("argument names end in `_a`", "attribute names end in `_a`"),
    ],
)
def test_another_end_another_thing_or_a_narrower_one_is_another_slot(one: str, other: str) -> None:
    assert naming(one).filled
    assert naming(other).filled
    assert not naming(one).filled.keys() & naming(other).filled.keys()


def test_arguments_are_those_of_functions_and_parameters_are_arguments() -> None:
    said = [
        "argument names end in `_a`",
        "function argument names end in `_a`",
        "end the parameters of functions in `_a`",
    ]
    assert {frozenset(naming(body).filled) for body in said} == {
        frozenset({Slot(things=frozenset({"argument"}), place="back")})
    }


def test_several_rules_of_one_sentence_are_told_apart() -> None:
    assert filled(
        "start job names with `j_` and end queue names with `_q`, functions and methods with `_f`"
    ) == {
        ("job", "front"): {"j_"},
        ("queu", "back"): {"_q"},
        ("function", "back"): {"_f"},
        ("method", "back"): {"_f"},
    }
    assert filled("start job names with `j_` and end them with `_j`") == {
        ("job", "front"): {"j_"},
        ("job", "back"): {"_j"},
    }
    assert filled("job names start with `j_` or `k_`") == {("job", "front"): {"j_", "k_"}}


@pytest.mark.parametrize(
    "body",
    [
        "don't start functions with `get_`",
        "we no longer start functions with `get_`",
        "stop prefixing functions with `get_`",
        "`get_` is gone as a prefix for functions",
    ],
)
def test_what_is_not_to_be_fills_no_slot(body: str) -> None:
    assert not naming(body).filled


@pytest.mark.parametrize("body", ["start them with `x_`", "`x_` it is", "run `make x_all` for the functions"])
def test_a_literal_without_a_thing_or_an_end_is_loose(body: str) -> None:
    found = naming(body)
    assert not found.filled
    assert found.loose


@pytest.mark.parametrize(
    "body",
    [
        "function names can also start with `x_`",
        "function names start with `x_` except in tests",
        "once we are on v3, function names start with `x_`",
        "should function names start with `x_`?",
    ],
)
def test_what_is_allowed_limited_put_off_or_asked_is_not_sure(body: str) -> None:
    assert not naming(body).sure


THINGS = st.sampled_from(
    ["function", "method", "class", "queue", "event handler", "private method", "column"]
)
ENDS = st.sampled_from([("start", "front"), ("begin", "front"), ("end", "back")])
LITERALS = st.from_regex(r"\A[a-z]{1,4}\Z")


@given(thing=THINGS, end=ENDS, letters=LITERALS)
def test_each_plain_rule_is_heard_with_its_literal(thing: str, end: tuple[str, str], letters: str) -> None:
    verb, place = end
    literal = f"{letters}_" if place == "front" else f"_{letters}"
    ways = [
        f"{thing} names {verb} with '{literal}'",
        f"I'd like you to {verb} all {thing} names with `{literal}` from now on",
        f"for {thing} names, please {verb} them with '{literal}'",
    ]
    heard = [naming(way).filled for way in ways]
    assert len(heard[0]) == 1
    assert heard[0] == heard[1] == heard[2]
    assert [(slot.place, set(literals)) for slot, literals in heard[0].items()] == [(place, {literal})]


@given(st.text(max_size=300))
def test_any_text_is_heard_and_no_literal_is_both_loose_and_filling(body: str) -> None:
    found = naming(body)
    assert all(slot.things and slot.place and literals for slot, literals in found.filled.items())
