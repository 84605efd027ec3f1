"""Answers in the agent's dialect, and the line for the person."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.deliver.answers import Announcement, announcement, answer, event_name
from asides.model.delivery import Occasion
from asides.model.errors import Refused
from tests.support.entries import entries, entry, unhurried


def test_claude_code_is_answered_with_known_keys_only():
    assert answer("claude-code", "SessionStart", "text", "kept 1") == (
        '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"text"},'
        '"systemMessage":"kept 1"}'
    )
    assert answer("claude-code", "SubagentStart", "text") == (
        '{"hookSpecificOutput":{"hookEventName":"SubagentStart","additionalContext":"text"}}'
    )


@unhurried
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_an_answer_is_one_line_that_says_the_same(text):
    told = answer("claude-code", "SessionStart", text or "x")
    assert "\n" not in told
    assert json.loads(told)["hookSpecificOutput"]["additionalContext"] == (text or "x")


def test_an_agent_without_a_dialect_is_refused():
    with pytest.raises(Refused, match="some-agent"):
        answer("some-agent", "SessionStart", "text")


def test_only_a_sub_agent_has_another_event():
    assert [event_name(one) for one in Occasion] == ["SessionStart"] * 3 + ["SubagentStart"]


def test_a_person_is_told_what_was_kept_under_which_id_and_how_to_take_it_back():
    both = [entry("never use axios"), entry("keep it\nsmall", id="bbbbbbbbb")]
    told = announcement(both)
    assert told.line == (
        'kept 2: "never use axios" (aaaaaaaaa); "keep it small" (bbbbbbbbb)'
        " · undo with: asides undo, or one with: asides refuse ID"
    )
    assert told.named == ("aaaaaaaaa", "bbbbbbbbb")
    assert announcement([]) == Announcement()


def test_what_several_judgments_kept_is_not_promised_to_go_with_one_undo():
    told = announcement([entry("never use axios", turn="t1"), entry("keep it small", turn="t2")])
    assert told.line.endswith(" · undo the latest with: asides undo, any one with: asides refuse ID")


@unhurried
@given(entries())
def test_an_announcement_is_one_line_of_at_most_300_characters(made):
    told = announcement(made)
    assert len(told.line) <= 300
    assert len(told.line.splitlines()) == bool(made)
    assert list(told.named) == [one.id for one in made if f"({one.id})" in told.line]
    assert bool(told.named) == bool(made)
    if made:
        assert told.line.startswith(f"kept {len(made)}")
        assert "asides undo" in told.line


def test_what_does_not_fit_is_counted():
    told = announcement([entry(f"rule {number} " + "x" * 60) for number in range(9)]).line
    assert told.startswith('kept 9: "rule 0')
    assert "and 7 more" in told
