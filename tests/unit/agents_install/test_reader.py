"""What the agent may not write, by mode."""

from pathlib import Path

import pytest

from asides.agents.claude_code.reader import Mode, protected, rules

HOME = Path("/home/dev")
CONFIG = HOME / ".claude"


def test_denial_covers_memory_and_instruction_files_wherever_they_lie():
    assert rules(Mode.DENY, config=CONFIG, home=HOME).deny == (
        "Edit(~/.claude/projects/*/memory/**)",
        "Edit(~/.claude/CLAUDE.md)",
        "Edit(//**/.claude/rules/**)",
        "Edit(//**/CLAUDE.md)",
        "Edit(//**/CLAUDE.local.md)",
        "Edit(//**/AGENTS.md)",
    )


@pytest.mark.parametrize("mode", [Mode.OFF, Mode.AUDIT])
def test_off_and_audit_write_no_rules(mode):
    assert rules(mode, config=CONFIG, home=HOME) == rules(Mode.OFF, config=CONFIG, home=HOME)
    assert rules(mode, config=CONFIG, home=HOME).deny == rules(mode, config=CONFIG, home=HOME).ask == ()


def test_asking_puts_the_same_rules_where_the_client_asks():
    asked, denied = (rules(mode, config=CONFIG, home=HOME) for mode in (Mode.ASK, Mode.DENY))
    assert asked.ask == denied.deny
    assert asked.deny == denied.ask == ()


def test_a_folder_outside_home_is_named_from_the_root():
    found = rules(Mode.DENY, config=Path("/srv/claude"), home=HOME).deny
    assert found[:2] == ("Edit(//srv/claude/projects/*/memory/**)", "Edit(//srv/claude/CLAUDE.md)")
    assert "Edit(//srv/claude/rules/**)" in found


@pytest.mark.parametrize(
    ("setting", "rule"),
    [
        ("~/notes/", "Edit(~/notes/**)"),
        ("/srv/notes", "Edit(//srv/notes/**)"),
        ("/home/dev/n", "Edit(~/n/**)"),
    ],
)
def test_a_memory_folder_that_settings_moved_is_covered(setting, rule):
    assert rule in rules(Mode.DENY, config=CONFIG, home=HOME, memory_directory=setting).deny


def test_a_memory_folder_that_the_client_would_ignore_is_ignored():
    assert protected(config=CONFIG, home=HOME, memory_directory="notes") == protected(
        config=CONFIG, home=HOME
    )


def test_the_guard_is_told_which_places_lie_where():
    assert [(place.glob, place.what) for place in protected(config=CONFIG, home=HOME)] == [
        ("/home/dev/.claude/projects/*/memory/**", "memory"),
        ("/home/dev/.claude/CLAUDE.md", "instructions"),
        ("/**/.claude/rules/**", "instructions"),
    ]
