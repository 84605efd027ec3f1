"""What is prepared is what the real hook prints, by the source of the session start."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path

import pytest

from asides.deliver.prepare import prepare
from asides.model.delivery import Occasion
from tests.support.entries import entry

LAW = entry("never use axios")
OTHER = entry("keep it small", id="bbbbbbbbb")


class Machine:
    """A home with a project and the hook in it."""

    def __init__(self, root: Path) -> None:
        self.state = root / "state"
        self.project = root / "my shop"
        (self.project / ".git").mkdir(parents=True)
        (self.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        (self.state / "hook").mkdir(parents=True)
        (self.state / "given").mkdir()
        shutil.copy(str(resources.files("asides.hook") / "hook.sh"), self.state / "hook" / "hook.sh")

    def prepare(self, *made, known=(), announce=()):
        return prepare(
            made,
            key=str((self.project / ".git").resolve()),
            agent="claude-code",
            ready=self.state / "ready",
            known_versions=known,
            announce=announce,
            now=lambda: datetime.now(UTC),
        )

    def start(self, source: str, session: str = "s-1", event: str = "SessionStart") -> dict[str, object]:
        """Runs the hook as the agent does and returns its answer, empty for none."""
        payload = {"session_id": session, "hook_event_name": event, "source": source}
        done = subprocess.run(
            ["/bin/sh", "-c", '. "$0"', str(self.state / "hook" / "hook.sh"), "claude-code", event],
            input=json.dumps(payload),
            cwd=self.project,
            env={"PATH": os.environ["PATH"], "CLAUDE_CODE_SESSION_ATTENDED": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(done.stdout) if done.stdout else {}


@pytest.fixture
def machine(tmp_path) -> Machine:
    return Machine(tmp_path)


def context(told: dict[str, object]) -> object:
    specific = told["hookSpecificOutput"]
    assert isinstance(specific, dict)
    return specific["additionalContext"]


def test_each_source_gets_its_own_text(machine):
    texts = machine.prepare(LAW).texts
    assert context(machine.start("startup")) == texts[Occasion.START]
    assert context(machine.start("clear")) == texts[Occasion.START]
    assert context(machine.start("compact")) == texts[Occasion.COMPACT]
    assert context(machine.start("", event="SubagentStart")) == texts[Occasion.SUBAGENT]


def test_a_resumed_session_gets_nothing_unless_something_changed(machine):
    machine.prepare(LAW)
    machine.start("startup")
    assert machine.start("resume") == {}
    texts = machine.prepare(LAW, OTHER).texts
    assert context(machine.start("resume")) == texts[Occasion.REPLACE]
    assert machine.start("resume") == {}


def test_a_resumed_session_is_told_that_what_it_was_given_no_longer_holds(machine):
    version = machine.prepare(LAW).version
    machine.start("startup")
    machine.prepare(known=[version])
    assert "withdrawn" in str(context(machine.start("resume")))
    assert machine.start("resume") == {}
    assert machine.start("startup", session="s-2") == {}


def test_a_fork_of_which_nothing_is_known_gets_nothing_while_all_hold_the_same(machine):
    version = machine.prepare(LAW).version
    texts = machine.prepare(LAW, known=[version]).texts
    assert machine.start("fork", session="s-9") == {}
    machine.prepare(LAW, known=[version, "older"])
    assert context(machine.start("fork", session="s-9")) == texts[Occasion.REPLACE]


def test_a_person_is_told_once_of_what_was_kept(machine):
    texts = machine.prepare(LAW, announce=[LAW]).texts
    first = machine.start("startup")
    assert first["systemMessage"].startswith('kept 1: "never use axios" (aaaaaaaaa) · undo with: asides undo')
    assert context(first) == texts[Occasion.START]
    machine.prepare(LAW, announce=[LAW])
    assert "systemMessage" not in machine.start("startup", session="s-2")
