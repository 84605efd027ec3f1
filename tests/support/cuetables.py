"""Tables of cues, and the payloads of tool calls that may make something of them due."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import CompletedProcess

from asides.deliver.cues import Modes, write_cues
from asides.model.entry import Entry, EntryId, Kind
from asides.model.turn import ProjectId
from asides.model.watch import Check, Deed, Form, Proof, Sign, Trigger, Watch
from tests.support.hookrun import Spooled, run_hook, spooled

AGENT = "claude-code"
SESSION = "00000000-0000-4000-8000-000000000001"
TURN = "00000000-0000-4000-8000-0000000000aa"

# Stands for hook/cues/lines.py where a test is not about what breaks a check.
LINES = """
def broken(check, path, lines):
    found = []
    for n, line in enumerate(lines):
        found += [(n, sign["text"]) for sign in check["signs"] if sign["text"] in line]
    return found
"""


def entry(name: str, body: str, kind: Kind = Kind.LAW, *, verify: str = "") -> Entry:
    """Returns a live entry."""
    return Entry(id=EntryId(name), project=ProjectId("p"), body=body, kind=kind, verify=verify)


def at(name: str, *places: str, body: str = "") -> tuple[Entry, Watch]:
    """Returns an entry that is due where these files are read or edited."""
    return entry(name, body or f"About {name}."), Watch(entry=EntryId(name), places=places)


def on_command(name: str, *words: str, said: str = "", body: str = "") -> tuple[Entry, Watch]:
    """Returns an entry that is due when a command runs."""
    trigger = Trigger(deeds=(Deed.RUN,), commands=(words,), said=said)
    return entry(name, body or f"About {name}.", Kind.RITUAL), Watch(entry=EntryId(name), triggers=(trigger,))


def ritual(name: str, trigger: Trigger, proof: Proof, body: str = "") -> tuple[Entry, Watch]:
    """Returns a ritual that can be seen to be owed and to be done."""
    told = entry(name, body or f"Ritual {name}.", Kind.RITUAL)
    return told, Watch(entry=EntryId(name), triggers=(trigger,), proof=proof)


def forbids(name: str, text: str, *, form: Form = Form.TEXT, body: str = "") -> tuple[Entry, Watch]:
    """Returns an entry that an added line with a text breaks."""
    check = Check(signs=(Sign(form=form, text=text),))
    return entry(name, body or f"Never use {text}."), Watch(entry=EntryId(name), check=check)


MIGRATION = ritual(
    "migration",
    Trigger(deeds=(Deed.CREATE,), globs=("migrations/**/*.sql",), said="after adding a migration"),
    Proof(globs=("docs/schema.md",), said="update docs/schema.md"),
    "After adding a migration, update docs/schema.md.",
)
COMMIT = ritual(
    "commitone",
    Trigger(deeds=(Deed.RUN,), commands=(("git", "commit"),), said="after every commit"),
    Proof(commands=(("npm", "test"),), said="run npm test"),
    "After every commit run npm test.",
)
PUSH = ritual(
    "pushing00",
    Trigger(deeds=(Deed.RUN,), commands=(("git", "push"),), said="before you push"),
    Proof(commands=(("make", "check"),), said="run make check"),
    "Before you push, run make check.",
)


def table(state: Path, key: Path, *watched: tuple[Entry, Watch], modes: Modes | None = None) -> Path:
    """Writes the table of a project and returns its folder."""
    ready = state / "ready"
    place = str(key.resolve())
    write_cues(watched, key=place, agent=AGENT, ready=ready, modes=modes or Modes())
    return ready / "at" / place.lstrip("/") / AGENT


@dataclass(frozen=True, kw_only=True)
class Told:
    """What came of one hook run: what the agent is told, and what the trailer says."""

    context: str = ""
    denied: str = ""
    reason: str = ""  # why it must go on
    trailer: dict[str, str] = field(default_factory=dict)

    @property
    def silent(self) -> bool:
        """Whether the agent is told nothing."""
        return not (self.context or self.denied or self.reason)


@dataclass(frozen=True, kw_only=True)
class Agent:
    """An agent at work: a session in a project, each tool call a real hook run."""

    state: Path
    repo: Path
    session: object = SESSION
    subagent: str = ""
    turn: str = TURN
    shell: str | None = None
    attended: str = "1"
    cwd: Path | None = None

    def hook(self, event: str, **facts: object) -> Told:
        """Runs the hook for one event."""
        payload: dict[str, object] = {
            "session_id": self.session,
            "transcript_path": f"/home/dev/.claude/projects/-home-dev-shop/{SESSION}.jsonl",
            "cwd": str(self.cwd or self.repo),
            "prompt_id": self.turn,
            "permission_mode": "default",
            **({"agent_id": self.subagent, "agent_type": "general-purpose"} if self.subagent else {}),
            "hook_event_name": event,
            **facts,
        }
        return self.sends(
            event, json.dumps(payload, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        )

    def sends(self, event: str, payload: bytes) -> Told:
        """Runs the hook with a payload as it stands."""
        env = {
            "CLAUDE_PROJECT_DIR": str(self.repo),
            "CLAUDE_CODE_SESSION_ATTENDED": self.attended,
            "CLAUDE_CODE_SESSION_ID": self.session if isinstance(self.session, str) else "",
        }
        folder = self.cwd or self.repo
        run = run_hook(self.state, AGENT, event, payload, folder, env, shell=self.shell)
        (kept,) = spooled(self.state)
        kept.path.unlink()
        return told(run, kept)

    def before(self, tool: str, **given: object) -> Told:
        """Returns what is said before a tool runs."""
        return self.hook("PreToolUse", tool_name=tool, tool_input=given)

    def after(self, tool: str, response: object = None, **given: object) -> Told:
        """Returns what is said after a tool ran."""
        return self.hook("PostToolUse", tool_name=tool, tool_input=given, tool_response=response)

    def reads(self, path: str) -> Told:
        """Returns what is said before a file is read."""
        return self.before("Read", file_path=f"{self.repo}/{path}")

    def edits(self, path: str, old: str = "a", new: str = "b") -> Told:
        """Returns what is said before a file is edited."""
        return self.before("Edit", file_path=f"{self.repo}/{path}", old_string=old, new_string=new)

    def edited(self, path: str, *added: str) -> Told:
        """Returns what is said after lines were added to a file."""
        hunk = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1 + len(added)}
        lines = [" import os", *(f"+{line}" for line in added)]
        response = {
            "filePath": f"{self.repo}/{path}",
            "originalFile": "import os\n",
            "structuredPatch": [{**hunk, "lines": lines}],
        }
        return self.after("Edit", response, file_path=f"{self.repo}/{path}", old_string="", new_string="")

    def created(self, path: str, content: str = "x\n") -> Told:
        """Returns what is said after a file was made."""
        response = {"type": "create", "content": content, "structuredPatch": [], "originalFile": None}
        return self.after("Write", response, file_path=f"{self.repo}/{path}", content=content)

    def runs(self, command: str) -> Told:
        """Returns what is said before a command runs."""
        return self.before("Bash", command=command, description="Run it")

    def ran(self, command: str) -> Told:
        """Returns what is said after a command ran."""
        return self.after("Bash", {"stdout": "", "stderr": "", "interrupted": False}, command=command)

    def stops(self, **facts: object) -> Told:
        """Returns what is said when the reply is complete."""
        facts = {
            "stop_hook_active": False,
            "last_assistant_message": "Done.",
            "background_tasks": [],
            **facts,
        }
        return self.hook("Stop", **facts)

    def is_asked(self) -> Told:
        """Returns what is said at a prompt."""
        return self.hook("UserPromptSubmit", prompt="Go on.")


def told(run: CompletedProcess[bytes], kept: Spooled) -> Told:
    """Returns what a hook run said; fails where it is not one line of JSON in the client's dialect."""
    assert (run.returncode, run.stderr) == (0, b"")
    trailer = {key: value for key, value in kept.trailer.items() if key != "daemon"}
    assert kept.complete
    if not run.stdout:
        assert trailer["printed"] == "none"
        return Told(trailer=trailer)
    assert run.stdout.count(b"\n") == 1
    answer = json.loads(run.stdout)
    assert run.stdout.isascii()
    if "decision" in answer:
        assert set(answer) == {"decision", "reason"}
        return Told(reason=answer["reason"], trailer=trailer)
    (said,) = answer.values()
    assert said.pop("hookEventName") == trailer["event"]
    context = said.pop("additionalContext", "")
    denied = said.pop("permissionDecisionReason", "")
    assert said == ({"permissionDecision": "deny"} if denied else {})
    return Told(context=context, denied=denied, trailer=trailer)
