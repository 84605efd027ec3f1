"""Sentences about asides itself."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from asides.cli.main import COMMANDS
from asides.observe.verdict import SPOOL_STALE, Facts, problems

WELL = Facts(
    silenced=False,
    settings_fault="",
    attached=("/home/dev/.claude/settings.json",),
    detached=(),
    hook_in_place=True,
    waiting=3,
    oldest=2.0,
    answers=True,
    refused="",
    owed=5,
    writer_trouble="",
    parked=0,
    broken=0,
    broken_folder="/state/spool/broken",
    log="/state/logs/daemon.log",
)
WRONG = {
    "silenced": replace(WELL, silenced=True),
    "settings": replace(WELL, settings_fault="settings.toml: guard is 'x'."),
    "not installed": replace(WELL, attached=()),
    "detached": replace(WELL, detached=WELL.attached),
    "hook gone": replace(WELL, hook_in_place=False),
    "refused": replace(WELL, answers=False, refused="5 starts in 600 s."),
    "spool stale": replace(WELL, oldest=SPOOL_STALE + 1),
    "writer": replace(WELL, writer_trouble="The writer encoder could not be loaded."),
    "parked": replace(WELL, parked=2),
    "broken": replace(WELL, broken=1),
}


def test_a_healthy_machine_raises_nothing() -> None:
    assert problems(WELL) == ()
    assert problems(replace(WELL, answers=False, waiting=0)) == (), (
        "no daemon is no fault: it comes when needed"
    )


@pytest.mark.parametrize("name", WRONG)
def test_each_fault_is_one_sentence(name: str) -> None:
    (sentence,) = problems(WRONG[name])
    assert sentence.endswith(".")
    assert ".." not in sentence


def test_every_command_named_in_a_sentence_exists() -> None:
    said = " ".join(sentence for facts in WRONG.values() for sentence in problems(facts))
    named = re.findall(r"`asides (\w+)", said)
    assert named
    assert set(named) <= set(COMMANDS)


def test_a_refusal_of_the_past_is_no_fault_once_a_daemon_answers() -> None:
    assert problems(replace(WRONG["refused"], answers=True)) == ()
