"""Which tools the guard is asked about: the client looks for the matcher anywhere in a tool's name."""

import re

import pytest

from asides.agents.claude_code import registration
from asides.hook.guard import door


@pytest.mark.parametrize(
    "tool",
    [
        *registration.WRITERS.split("|"),
        "mcp__filesystem__write_file",
        "mcp__filesystem__edit_file",
        "mcp__filesystem__move_file",
        "mcp__filesystem__create_directory",
        "mcp__serena__replace_regex",
        "mcp__serena__insert_after_symbol",
        "mcp__desktop-commander__append_file",
        "mcp__ide__fileWrite",
        "mcp__ide__deleteFile",
        "mcp__plugin_ide_files__apply_patch",
        "mcp__ide__Remove",
    ],
)
def test_a_tool_that_can_change_a_file_is_looked_at(tool):
    assert re.search(registration.GUARDED, tool)
    assert re.search(registration.WATCHED, tool)


def test_a_file_that_is_opened_is_looked_at_and_not_guarded():
    assert re.search(registration.WATCHED, "Read")
    assert not re.search(registration.GUARDED, "Read")


@pytest.mark.parametrize(
    "tool",
    ["TodoWrite", "BashOutput", "ReadFile", "Glob", "Agent", "mcp__filesystem__read_file", "write_file"],
)
def test_any_other_tool_costs_nothing(tool):
    assert not re.search(registration.WATCHED, tool)


def test_every_mcp_tool_that_the_guard_would_judge_reaches_it():
    for word in door._OTHERS:
        for name in (word, word.capitalize()):
            assert re.search(registration.GUARDED, f"mcp__server__{name}_it")


def test_after_a_tool_only_the_agents_own_are_recorded():
    matchers = {each.event: each.matcher for each in registration.REGISTRATIONS}
    assert (matchers["PreToolUse"], matchers["PostToolUse"]) == (registration.WATCHED, registration.WRITERS)
