"""What reaches us from an agent: hook events and transcript lines, already understood."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from asides.model.turn import SessionId, Via


class EventKind(StrEnum):
    """What a hook event means to us, whatever the agent calls it."""

    SESSION_STARTED = "session_started"
    PROMPTED = "prompted"  # something entered the conversation in the user's role
    REPLIED = "replied"  # the reply is complete
    REPLY_FAILED = "reply_failed"
    ABOUT_TO_USE_TOOL = "about_to_use_tool"
    USED_TOOL = "used_tool"
    SUBAGENT_STARTED = "subagent_started"
    SUBAGENT_STOPPED = "subagent_stopped"
    COMPACTING = "compacting"
    SESSION_ENDED = "session_ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class HookEvent:
    """One hook payload, understood. Texts are raw: intake redacts them before anything else."""

    agent: str
    kind: EventKind
    name: str  # the agent's own event name
    session: SessionId
    cwd: str
    transcript: str | None = None
    prompt_id: str | None = None
    prompt: str = ""  # PROMPTED
    machine: bool = False  # PROMPTED: written by tooling for certain (a task notification, ...)
    reply: str = ""  # REPLIED: the agent's last visible words
    source: str = ""  # SESSION_STARTED: startup, resume, clear, compact, fork
    reason: str = ""  # SESSION_ENDED
    tool: str = ""
    files: tuple[str, ...] = field(default=())  # USED_TOOL: absolute paths it changed
    subagent: str | None = None  # id of the sub-agent this happened in


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A line that a person wrote."""

    uuid: str
    parent: str | None
    session: str
    via: Via
    text: str
    at: str
    prompt_id: str | None
    cwd: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """Visible words of the agent."""

    uuid: str
    parent: str | None
    session: str
    text: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """Any other line of the conversation; kept only so that branches can be followed.

    `parent` of a compaction boundary is its logical parent.
    """

    uuid: str
    parent: str | None
    session: str


Line = Said | Answered | Linked
