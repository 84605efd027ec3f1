"""Answers in the agent's dialect, and the line for the person."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.deliver.answers import announcement, answer, event_name
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


def test_a_person_is_told_what_was_kept_and_how_to_take_it_back():
    both = [entry("never use axios"), entry("keep it\nsmall")]
    assert announcement(both) == 'kept 2: "never use axios"; "keep it small" · undo with: asides undo'
    assert announcement([]) == ""


@unhurried
@given(entries())
def test_an_announcement_is_one_line_of_at_most_300_characters(made):
    told = announcement(made)
    assert len(told) <= 300
    assert len(told.splitlines()) == bool(made)
    if made:
        assert told.startswith(f"kept {len(made)}")
        assert told.endswith("asides undo")


def test_what_does_not_fit_is_counted():
    told = announcement([entry(f"rule {number} " + "x" * 60) for number in range(9)])
    assert told.startswith('kept 9: "rule 0')
    assert "and 6 more" in told
