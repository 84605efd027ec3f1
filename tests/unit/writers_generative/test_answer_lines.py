"""Answer lines are read strictly: what is not exactly the form counts as NONE."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.model.anchor import Declaration, File, General
from asides.model.entry import Kind, Source
from asides.writers.generative.answers import (
    LINES_AT_MOST,
    Fault,
    Line,
    Replaces,
    Same,
    Unlike,
    expressible,
    read,
    read_anchored,
    read_relation,
    render,
)

GOOD = "MEMORY | kind=law | source=human | anchor=general | env vars are read in config/env.js only"
LINE = Line(kind=Kind.LAW, body="env vars are read in config/env.js only")

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
names = st.text(st.characters(exclude_characters="|\n:", exclude_categories=["Cs"]), min_size=1, max_size=20)
paths = names.filter(lambda name: name == name.strip() and name != "general")
anchors = st.one_of(
    st.just(General()),
    st.builds(File, path=paths),
    st.builds(Declaration, path=paths, name=paths),
)
lines = st.lists(
    st.builds(
        Line,
        kind=st.sampled_from(Kind),
        source=st.sampled_from(Source),
        anchor=anchors,
        body=text.filter(expressible),
    ),
    max_size=LINES_AT_MOST,
)


@given(lines)
def test_rendered_lines_are_read_as_they_were(said):
    assert read(render(said)) == tuple(said)


@given(st.text(st.characters(exclude_categories=()), max_size=200))
def test_no_text_makes_reading_raise(answer):
    got = read(answer)
    assert isinstance(got, Fault | tuple)
    read_relation(answer, 3)
    assert isinstance(read_anchored(answer, [LINE], ["a.py"]), Fault | tuple)


@given(lines.filter(bool), st.data())
def test_an_answer_with_one_character_missing_from_its_form_counts_as_none(said, data):
    answer = render(said)
    prefix = answer.index("anchor=")
    at = data.draw(st.integers(0, prefix - 1))
    assert read(answer[:at] + answer[at + 1 :]) == Fault.FORM


def test_none_is_no_lines():
    assert read("NONE") == read(" NONE\n") == ()


def test_a_body_may_hold_bars():
    line = read("MEMORY | kind=loop | source=human | anchor=a.py::f | use a | b | c")
    assert line == (Line(kind=Kind.LOOP, anchor=Declaration(path="a.py", name="f"), body="use a | b | c"),)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "none",
        "NONE.",
        "NONE\nNONE",
        f"NONE\n{GOOD}",
        f"{GOOD}\n\n{GOOD}",
        f"Here it is:\n{GOOD}",
        f"{GOOD}\nThat is all.",
        f"- {GOOD}",
        f"```\n{GOOD}\n```",
        f"<think>\n</think>\n{GOOD}",
        GOOD.replace("MEMORY", "Memory"),
        GOOD.replace("kind=law", "kind=rule"),
        GOOD.replace("kind=law", "kind=LAW"),
        GOOD.replace("source=human", "source=tool"),
        GOOD.replace("anchor=general", "anchor="),
        GOOD.replace("anchor=general", "anchor= a.py"),
        GOOD.replace(" | ", "|"),
        GOOD[: GOOD.rindex("|") + 1],
        GOOD[: GOOD.rindex("|") + 1] + "  ",
        "\n".join([GOOD] * (LINES_AT_MOST + 1)),
    ],
)
def test_anything_else_counts_as_none(answer):
    assert read(answer) == Fault.FORM


def test_anchoring_may_change_nothing_but_anchors():
    other = Line(kind=Kind.LOOP, body="clean up the mocks later")
    moved = Line(kind=LINE.kind, body=LINE.body, anchor=File(path="config/env.js"))
    assert read_anchored(render([moved, other]), [LINE, other], ["config/env.js"]) == (moved, other)
    for answer in (
        render([moved]),  # one is dropped
        render([moved, other, other]),  # one is added
        render([other, moved]),  # the order
        render([moved, Line(kind=Kind.LAW, body=other.body)]),  # the kind
        render([moved, Line(kind=Kind.LOOP, body="clean up the mocks")]),  # the words
        render([Line(kind=LINE.kind, body=LINE.body, anchor=File(path="other.js")), other]),  # not offered
        "NONE",
    ):
        assert read_anchored(answer, [LINE, other], ["config/env.js"]) == Fault.FORM


@pytest.mark.parametrize(
    ("answer", "count", "meaning"),
    [
        ("NEW", 3, Unlike()),
        ("SAME 2", 3, Same(number=2)),
        ("REPLACES 3\n", 3, Replaces(number=3)),
        ("SAME 4", 3, Fault.FORM),
        ("SAME 0", 3, Fault.FORM),
        ("SAME", 3, Fault.FORM),
        ("SAME 1, 2", 3, Fault.FORM),
        ("It is NEW", 3, Fault.FORM),
    ],
)
def test_a_relation_names_one_of_the_numbered_entries(answer, count, meaning):
    assert read_relation(answer, count) == meaning
