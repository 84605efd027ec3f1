"""Claude Code's hook payloads: wire type to event, unknown to nothing, broken to an error."""

from __future__ import annotations

import posixpath
from typing import Any

import msgspec

from asides.agents.claude_code.origin import is_machine
from asides.agents.claude_code.registration import AGENT
from asides.agents.lenient import NOTHING, clean, decode, name, part
from asides.model.errors import BrokenPayload
from asides.model.event import EventKind, HookEvent
from asides.model.turn import SessionId

EVENTS: dict[str, EventKind] = {
    "SessionStart": EventKind.SESSION_STARTED,
    "UserPromptSubmit": EventKind.PROMPTED,
    "PreToolUse": EventKind.ABOUT_TO_USE_TOOL,
    "PostToolUse": EventKind.USED_TOOL,
    "Stop": EventKind.REPLIED,
    "StopFailure": EventKind.REPLY_FAILED,
    "SubagentStart": EventKind.SUBAGENT_STARTED,
    "SubagentStop": EventKind.SUBAGENT_STOPPED,
    "PreCompact": EventKind.COMPACTING,
    "SessionEnd": EventKind.SESSION_ENDED,
}

CHANGING_TOOLS = ("Bash", "Edit", "MultiEdit", "NotebookEdit", "Write")


class Wire(msgspec.Struct, frozen=True):
    """A hook payload as it arrives. Fields are loose: a type that changed must not cost the event."""

    session_id: Any = None
    transcript_path: Any = None
    cwd: Any = None
    hook_event_name: Any = None
    prompt_id: Any = None
    prompt: Any = None
    source: Any = None
    reason: Any = None
    error: Any = None
    last_assistant_message: Any = None
    agent_id: Any = None
    agent_type: Any = None
    tool_name: Any = None
    # Raw: whole files travel here, and are never built.
    tool_input: msgspec.Raw = NOTHING
    tool_response: msgspec.Raw = NOTHING


class ToolInput(msgspec.Struct, frozen=True):
    """The paths in a tool's input."""

    file_path: Any = None
    notebook_path: Any = None


class ToolResponse(msgspec.Struct, frozen=True, rename="camel"):
    """The paths in a tool's answer."""

    file_path: Any = None
    bash_edit_diff: msgspec.Raw = NOTHING


class BashEditDiff(msgspec.Struct, frozen=True):
    """What a shell command changed, as the client noticed it (auto mode, 2.1.332)."""

    files: list[msgspec.Raw] = []


def read_payload(raw: bytes) -> HookEvent | None:
    """Returns the event that a payload means to us, or None.

    None stands for an event that asides does not register, and for the end of the nameless
    sub-agent that writes a compaction's summary.
    Raises BrokenPayload when it is not one JSON object or names no session.
    """
    wire = decode(raw, Wire)
    session = name(wire.session_id)
    if session is None:
        raise BrokenPayload(why="it names no session")
    event = clean(wire.hook_event_name)
    kind = EVENTS.get(event)
    if kind is None or (kind is EventKind.SUBAGENT_STOPPED and wire.agent_type == ""):
        return None
    prompt = clean(wire.prompt) if kind is EventKind.PROMPTED else ""
    cwd = clean(wire.cwd)
    tool = clean(wire.tool_name)
    return HookEvent(
        agent=AGENT,
        kind=kind,
        name=event,
        session=SessionId(session),
        cwd=cwd,
        transcript=name(wire.transcript_path),
        prompt_id=name(wire.prompt_id),
        prompt=prompt,
        machine=is_machine(prompt),
        reply=clean(wire.last_assistant_message) if kind is EventKind.REPLIED else "",
        source=clean(wire.source) if kind is EventKind.SESSION_STARTED else "",
        reason=_reason(kind, wire),
        tool=tool,
        files=_files(tool, wire, cwd) if kind is EventKind.USED_TOOL else (),
        subagent=name(wire.agent_id),
    )


def _reason(kind: EventKind, wire: Wire) -> str:
    if kind is EventKind.SESSION_ENDED:
        return clean(wire.reason)
    return clean(wire.error) if kind is EventKind.REPLY_FAILED else ""


def _files(tool: str, wire: Wire, cwd: str) -> tuple[str, ...]:
    """Returns the absolute paths that this tool call changed, each once."""
    if tool not in CHANGING_TOOLS:
        return ()
    response = part(wire.tool_response, ToolResponse)
    if tool == "Bash":
        diff = part(response.bash_edit_diff, BashEditDiff)
        told = [part(file, ToolResponse).file_path for file in diff.files]
    else:
        asked = part(wire.tool_input, ToolInput)
        told = [response.file_path or asked.file_path or asked.notebook_path]
    paths = (posixpath.normpath(posixpath.join(cwd, clean(path))) for path in told if name(path))
    return tuple(dict.fromkeys(path for path in paths if posixpath.isabs(path)))
