"""The table of agents agrees with what is registered and with what is read."""

from __future__ import annotations

from asides.agents import AGENTS
from asides.agents.claude_code import registration
from asides.model.event import EventKind


def test_an_agent_is_found_under_the_name_its_events_carry():
    for name, spec in AGENTS.items():
        assert spec.name == name


def test_what_is_registered_in_the_agent_is_what_is_read_from_it():
    spec = AGENTS["claude-code"]
    assert set(spec.events) == set(registration.EVENTS)
    assert set(spec.changing_tools) == set(registration.WRITERS.split("|"))
    assert spec.oldest == registration.OLDEST_CLIENT


def test_every_kind_of_event_can_come_from_claude_code():
    assert set(AGENTS["claude-code"].events.values()) == set(EventKind)
