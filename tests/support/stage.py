"""Plays coding agents: writes transcripts as Claude Code does and runs the registered hooks, many at once."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from asides.daemon.app import App
from asides.hook.place import registered
from asides.model.clock import stamp
from asides.model.judgment import Writer
from asides.paths import Places
from asides.store.contract import Store

AGENT = "claude-code"

# Twenty syllables of which none becomes another by a slip of one letter, so that no two sentences
# made of them can be taken for the same.
SYLLABLES = [
    a + b + c
    for a, b, c in zip("bdfghjklmnprstvwyzcd", "aeiouaeioauaiouaeiou", "klmrpzlmrvdklvnpbkrg", strict=True)
]


def word(number: int) -> str:
    """Returns a word that no other number below 160,000 has."""
    picked = [SYLLABLES[number // 20**place % 20] for place in range(4)]
    return "".join(picked) + "um"


def rule(number: int) -> str:
    """Returns a standing rule that says something else than the rule of any other number."""
    return f"Never call {word(number)} from the {word(number + 1_711)} layer."


def make_project(folder: Path) -> Path:
    """Makes a git repository with one commit."""
    folder.mkdir(parents=True)
    (folder / "app.py").write_text("def total(rows):\n    return sum(rows)\n")
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "Begin"]):
        subprocess.run(
            ["git", "-c", "user.name=someone", "-c", "user.email=someone@localhost", *command],
            cwd=folder,
            check=True,
            env={"PATH": os.environ["PATH"], "HOME": str(folder.parent), "GIT_CONFIG_NOSYSTEM": "1"},
        )
    return folder


class Session:
    """One conversation of an agent in one project."""

    def __init__(self, where: Places, project: Path, *, session: str | None = None) -> None:
        self.id = session or str(uuid.uuid4())
        self.project = project
        self.transcript = project.parent / "transcripts" / f"{self.id}.jsonl"
        self.transcript.parent.mkdir(exist_ok=True)
        self.runs = 0  # hooks that were run and left by themselves
        self.killed = 0  # hooks that were killed
        self.said: list[str] = []  # uuids of the lines that a person wrote
        self._where = where
        self._parent: str | None = None

    def hook(self, event: str, *, kill_after: float | None = None, **fields: Any) -> bytes:
        """Runs the registered hook once; returns what it printed.

        `kill_after`: seconds after which it is ended with SIGKILL, unless it has left before.
        """
        payload = {
            "session_id": self.id,
            "transcript_path": str(self.transcript),
            "cwd": str(self.project),
            "hook_event_name": event,
            **fields,
        }
        child = subprocess.Popen(
            registered(self._where.state, AGENT, event),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=self.project,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(self.project.parent),
                "CLAUDE_PROJECT_DIR": str(self.project),
                "CLAUDE_CODE_SESSION_ATTENDED": "1",
            },
        )
        if kill_after is None:
            printed, _ = child.communicate(json.dumps(payload).encode() + b"\n", timeout=60)
            assert child.returncode == 0, f"{event} left with {child.returncode}"
            self.runs += 1
            return printed
        assert child.stdin is not None
        assert child.stdout is not None
        with child.stdout, contextlib.suppress(BrokenPipeError), child.stdin as pipe:
            pipe.write(json.dumps(payload).encode() + b"\n")
            pipe.flush()
            time.sleep(kill_after)
            child.send_signal(signal.SIGKILL)  # does nothing to a child that is known to be gone
        if child.wait(60) == 0:
            self.runs += 1
        else:
            self.killed += 1
        return b""

    def prompt(self, text: str, *, kill_after: float | None = None, **marks: Any) -> str:
        """A person types: the hook hears it, then the line is written. Returns the prompt's id."""
        prompt_id = str(uuid.uuid4())
        self.hook("UserPromptSubmit", kill_after=kill_after, prompt_id=prompt_id, prompt=text)
        self.line(text, promptId=prompt_id, **marks)
        return prompt_id

    def answer(self, text: str, prompt_id: str, *, kill_after: float | None = None) -> None:
        """The agent answers: the line is written, then the hook hears that the reply is complete."""
        self.reply(text)
        self.hook(
            "Stop",
            kill_after=kill_after,
            prompt_id=prompt_id,
            stop_hook_active=False,
            last_assistant_message=text,
        )

    def turn(self, said: str, answered: str = "Done.") -> None:
        """Plays a whole turn."""
        self.answer(answered, self.prompt(said))

    def end(self) -> None:
        """The session ends."""
        self.hook("SessionEnd", reason="prompt_input_exit")

    # what stands in the transcript

    def line(self, text: str, *, source: str | None = "typed", human: bool = True, **marks: Any) -> str:
        """Writes a line in the user's role; returns its uuid."""
        if source is not None:
            marks.setdefault("promptSource", source)
        if human:
            marks.setdefault("origin", {"kind": "human"})
        written = self.write("user", {"role": "user", "content": text}, **marks)
        if human:
            self.said.append(written)
        return written

    def reply(self, text: str, **marks: Any) -> str:
        """Writes a line of the agent; returns its uuid."""
        words = [{"type": "text", "text": text}]
        return self.write(
            "assistant", {"id": f"msg_{uuid.uuid4().hex}", "role": "assistant", "content": words}, **marks
        )

    def write(self, kind: str, message: dict[str, Any], *, after: str | None = None, **marks: Any) -> str:
        """Writes one line of a conversation; `after` is the line that it goes on from, if not the last."""
        line = {
            "parentUuid": self._parent if after is None else (after or None),
            "isSidechain": False,
            "type": kind,
            "message": message,
            "uuid": str(uuid.uuid4()),
            "timestamp": stamp(datetime.now(UTC)),
            "cwd": str(self.project),
            "sessionId": self.id,
            **marks,
        }
        if not line["isSidechain"]:
            self._parent = str(line["uuid"])
        self.raw(json.dumps(line))
        return str(line["uuid"])

    def raw(self, text: str) -> None:
        """Writes any line."""
        with self.transcript.open("a", encoding="utf-8") as file:
            file.write(text + "\n")


class Hurried:
    """A clock that can be set forward."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self._ahead

    def forward(self, seconds: float) -> None:
        """Lets so many seconds pass."""
        self._ahead += timedelta(seconds=seconds)


class Backstage:
    """The daemon's work without a process around it, so that no test waits for a moment to come."""

    def __init__(self, where: Places, load: Callable[[], Writer]) -> None:
        self._where = where
        self._load = load
        self.clock = Hurried()
        self.app = App(where, clock=self.clock, load=load)

    def again(self) -> None:
        """Starts anew over the same files, as after a crash."""
        self.app.close()
        self.app = App(self._where, clock=self.clock, load=self._load)

    def work(self, *, ahead: float = 10.0) -> None:
        """Works until nothing comes due within `ahead` seconds, which it lets pass."""
        passed = 0.0
        while True:
            if self.app.round():
                continue
            due = self.app.next_due()
            if due is None or passed + due > ahead:
                return
            self.clock.forward(due + 0.001)
            passed += due + 0.001

    def turns(self) -> dict[str, tuple[str, str]]:
        """Returns the state and the reason of every turn."""
        rows = self.app.ledger.database.rows("SELECT id, state, reason FROM turn ORDER BY seq")
        return {str(turn): (str(state), str(reason)) for turn, state, reason in rows}

    def store(self) -> Store:
        """Returns the store of the one project."""
        (project,) = self.app.ledger.projects()
        return self.app.shelves.of(project.id)

    def bodies(self) -> dict[str, str]:
        """Returns what was kept and how it stands."""
        return {entry.body: entry.standing.value for entry in self.store().all()}


def together(work: list[threading.Thread]) -> None:
    """Runs threads to their end; what one of them raises is raised here."""
    broken: list[BaseException] = []

    def note(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            broken.append(args.exc_value)

    before, threading.excepthook = threading.excepthook, note
    try:
        for thread in work:
            thread.start()
        for thread in work:
            thread.join()
    finally:
        threading.excepthook = before
    if broken:
        raise broken[0]


@contextlib.contextmanager
def memory_folder() -> Iterator[Path]:
    """Makes a folder in memory where there is one, so that no test depends on a disk's speed."""
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(
        prefix="asides-stage-", dir=shared if os.access(shared, os.W_OK) else None
    ) as folder:
        yield Path(folder).resolve()
