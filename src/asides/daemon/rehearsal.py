"""A rehearsal: a bundled conversation through the real hook, daemon and store, in a home of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Any

from asides.agents.claude_code.registration import AGENT
from asides.daemon import endpoint
from asides.daemon.app import App
from asides.daemon.desk import Desk
from asides.daemon.views import EntryView, TurnStory
from asides.daemon.waking import Waking
from asides.hook.place import registered
from asides.model import clock
from asides.model.clock import stamp
from asides.model.errors import Unavailable
from asides.paths import Places, places

Told = Callable[[str], None]

SETTLE_WITHIN = 50.0  # seconds


class TookTooLong(Unavailable):
    """The daemon did not finish within {seconds} seconds: {state}."""

    hint = "The machine may be very busy. The log is kept at {log}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """What came of it."""

    turns: tuple[TurnStory, ...]  # in the order in which they were said
    entries: tuple[EntryView, ...]
    delivered: str  # what the next session is given
    announced: str  # what the person is told at its start
    hook_runs: int
    seconds: float


def rehearse(*, told: Told) -> Rehearsal:
    """Returns what came of the bundled conversation; `told` hears of each step.

    Raises TookTooLong, DaemonNotRunning.
    """
    began = time.monotonic()
    with _home() as (home, where):
        project = home / "shop"
        script = json.loads(resources.files("asides.daemon").joinpath("rehearsal.json").read_text("utf-8"))
        _make_project(project, script["files"])
        Waking(where).place_hook()
        stage = _Stage(where, project, home)
        told("session 1 begins")
        stage.hook("SessionStart", source="startup")
        for turn in script["turns"]:
            told(f"“{_short(turn['said'])}”")
            stage.play(turn)
        stage.hook("SessionEnd", reason="prompt_input_exit")
        told("session 1 ends; the daemon judges what was said")
        _settle(where)
        told("session 2 begins")
        answer = stage.next_session()
        _settle(where)
        app = App(where, clock=clock.now)
        try:
            desk = Desk(app, project)
            turns = tuple(reversed(desk.turns(100)))
            entries = desk.entries(None)
            runs = app.ledger.rows("beats", since="", today="")
        finally:
            app.close()
        return Rehearsal(
            turns=turns,
            entries=entries,
            delivered=answer.get("hookSpecificOutput", {}).get("additionalContext", ""),
            announced=answer.get("systemMessage", ""),
            hook_runs=sum(int(str(count)) for what, _, _, count, _ in runs if what == "hook"),
            seconds=round(time.monotonic() - began, 1),
        )


class _Stage:
    """Plays the agent's part: writes its transcript and calls its hooks as the agent would."""

    def __init__(self, where: Places, project: Path, home: Path) -> None:
        self._where = where
        self._project = project
        self._home = home
        self._parent: str | None = None
        # The daemon that the hook starts must not look at anything of the person's either.
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "ASIDES_"))},
            "CLAUDE_CONFIG_DIR": str(home / "claude"),
            "CLAUDE_PROJECT_DIR": str(project),
            "CLAUDE_CODE_SESSION_ATTENDED": "1",
        }
        self._begin()

    def _begin(self) -> None:
        self._session = str(uuid.uuid4())
        self._transcript = self._home / "transcripts" / f"{self._session}.jsonl"
        self._transcript.parent.mkdir(exist_ok=True)
        self._parent = None

    def play(self, turn: dict[str, Any]) -> None:
        """Plays one turn: the prompt, the edits, the answer."""
        prompt_id = str(uuid.uuid4())
        self.hook("UserPromptSubmit", prompt_id=prompt_id, prompt=turn["said"])
        self._write(
            "user",
            {"role": "user", "content": turn["said"]},
            promptId=prompt_id,
            promptSource="typed",
            origin={"kind": "human"},
        )
        for name, text in turn.get("edits", {}).items():
            path = self._project / name
            path.write_text(text, "utf-8")
            self.hook(
                "PostToolUse",
                prompt_id=prompt_id,
                tool_name="Write",
                tool_input={"file_path": str(path), "content": text},
                tool_response={"type": "update", "filePath": str(path)},
            )
        words = [{"type": "text", "text": turn["answered"]}]
        self._write("assistant", {"id": f"msg_{uuid.uuid4().hex}", "role": "assistant", "content": words})
        self.hook(
            "Stop", prompt_id=prompt_id, stop_hook_active=False, last_assistant_message=turn["answered"]
        )

    def next_session(self) -> dict[str, Any]:
        """Begins another session and returns the hook's answer to it."""
        self._begin()
        printed = self.hook("SessionStart", source="startup")
        self.hook("SessionEnd", reason="prompt_input_exit")
        answer = json.loads(printed) if printed else {}
        return answer if isinstance(answer, dict) else {}

    def hook(self, event: str, **fields: Any) -> bytes:
        """Runs the registered hook with one payload; returns what it printed."""
        payload = {
            "session_id": self._session,
            "transcript_path": str(self._transcript),
            "cwd": str(self._project),
            "hook_event_name": event,
            **fields,
        }
        done = subprocess.run(
            registered(self._where.state, AGENT, event),
            input=json.dumps(payload).encode() + b"\n",
            stdout=subprocess.PIPE,
            cwd=self._project,
            env=self._environment,
            timeout=30,
            check=True,
        )
        return done.stdout

    def _write(self, kind: str, message: dict[str, Any], **marks: Any) -> None:
        line = {
            "parentUuid": self._parent,
            "isSidechain": False,
            "type": kind,
            "message": message,
            "uuid": str(uuid.uuid4()),
            "timestamp": stamp(datetime.now(UTC)),
            "cwd": str(self._project),
            "sessionId": self._session,
            **marks,
        }
        self._parent = str(line["uuid"])
        with self._transcript.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


@contextmanager
def _home() -> Iterator[tuple[Path, Places]]:
    """Makes a home that is gone afterwards, with the daemon that served it."""
    home = Path(tempfile.mkdtemp(prefix="asides-try-")).resolve()
    where = places(str(home / "asides"))
    try:
        yield home, where
    finally:
        Waking(where).stop()
        shutil.rmtree(home, ignore_errors=True)


def _make_project(project: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    # A folder below the temporary one is no project unless it is a repository. The least that makes one
    # is enough, needs no git, and cannot be led to another repository by the person's environment.
    for folder in ("objects", "refs"):
        (project / ".git" / folder).mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")


def _settle(where: Places) -> None:
    """Waits until the daemon has nothing left to take in, read on or judge."""
    deadline = time.monotonic() + SETTLE_WITHIN
    state = "it never answered"
    while time.monotonic() < deadline:
        found = endpoint.answering(where.run)
        if found is not None:
            answer = found[1]
            if not (answer.spooled or answer.owed or answer.pending):
                return
            state = f"{answer.spooled} hook runs and {answer.owed} turns are left"
        time.sleep(0.1)
    log = Path(tempfile.mkdtemp(prefix="asides-try-log-")) / "daemon.log"
    if (where.logs / "daemon.log").exists():
        shutil.copy(where.logs / "daemon.log", log)
    raise TookTooLong(what="the daemon", seconds=int(SETTLE_WITHIN), state=state, log=log)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 76 else line[:75] + "…"
