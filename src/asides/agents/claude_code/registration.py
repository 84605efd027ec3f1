"""Which events of Claude Code asides is called for, and how its own entries are recognised."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from asides.agents.jsontext import JsonValue

AGENT = "claude-code"
OLDEST_CLIENT = "2.1.197"
HOOK_TAIL = "/hook/hook.sh"  # how the path of our hook ends, wherever the state folder lies

# Tools that can change a file; MultiEdit is gone from newer clients and harmless to name.
WRITERS = "Write|Edit|MultiEdit|NotebookEdit|Bash"

# What a tool of an MCP server that can change a file has in its name; the guard looks for the same words.
_CHANGES = ("write", "edit", "create", "move", "append", "delete", "patch", "remove", "insert", "replace")

# WRITERS and those tools. The client takes a matcher of letters and bars as a list of whole names, and any
# other as a regular expression that may be found anywhere in a name (seen in OLDEST_CLIENT and 2.1.332), so
# this one says where a name begins and ends. Capitals differ from small letters there: `fileWrite`.
_CHANGING = "|".join(f"[{word[0].upper()}{word[0]}]{word[1:]}" for word in _CHANGES)
GUARDED = f"^({WRITERS}|mcp__.*({_CHANGING}).*)$"

# What is looked at before it runs: those, and the tool that opens a file, since an entry about a file is due
# then. (The clients name NotebookRead in their permission rules and have no such tool.)
WATCHED = GUARDED.replace("^(", "^(Read|", 1)

# Seconds. The hook takes milliseconds; this bounds a machine that hangs. At SessionEnd any value
# raises the client's 1.5 s for all hooks together (integration contract, failure behaviour).
TIMEOUT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """One event that asides registers for."""

    event: str
    matcher: str | None = None
    timeout: int = TIMEOUT


# Every event here is known to OLDEST_CLIENT: one that it does not know opens a dialog at each
# start, or as part of a plugin silently takes all of the plugin's hooks away.
REGISTRATIONS = (
    Registration(event="SessionStart"),
    Registration(event="UserPromptSubmit"),
    Registration(event="PreToolUse", matcher=WATCHED),
    Registration(event="PostToolUse", matcher=WRITERS),
    Registration(event="Stop"),
    Registration(event="StopFailure"),
    Registration(event="SubagentStart"),
    Registration(event="SubagentStop"),
    Registration(event="PreCompact"),
    Registration(event="SessionEnd"),
)
EVENTS = tuple(registration.event for registration in REGISTRATIONS)


def group(registration: Registration, command: Sequence[str]) -> dict[str, JsonValue]:
    """Returns the matcher group, in exec form, that runs `command` for one event."""
    handler: dict[str, JsonValue] = {
        "type": "command",
        "command": command[0],
        "args": list(command[1:]),
        "timeout": registration.timeout,
    }
    matcher: dict[str, JsonValue] = {} if registration.matcher is None else {"matcher": registration.matcher}
    return {**matcher, "hooks": [handler]}


def groups(commands: Mapping[str, Sequence[str]]) -> dict[str, dict[str, JsonValue]]:
    """Returns our group for each event of REGISTRATIONS that `commands` has a command for."""
    return {r.event: group(r, commands[r.event]) for r in REGISTRATIONS if r.event in commands}


def is_ours(handler: JsonValue) -> bool:
    """Returns whether a hook handler calls asides for this agent, from this or an older place."""
    if not isinstance(handler, dict):
        return False
    args = handler.get("args")
    if handler.get("type") != "command" or not isinstance(args, list) or len(args) < 3:
        return False
    hook, agent = args[-3:-1]
    return agent == AGENT and isinstance(hook, str) and hook.endswith(HOOK_TAIL)


def our_handlers(settings: JsonValue) -> Iterator[tuple[str, int, int]]:
    """Yields event, group and position of every handler of ours in parsed settings."""
    hooks = settings.get("hooks") if isinstance(settings, dict) else None
    for event, event_groups in hooks.items() if isinstance(hooks, dict) else ():
        for g, event_group in enumerate(event_groups if isinstance(event_groups, list) else ()):
            handlers = event_group.get("hooks") if isinstance(event_group, dict) else None
            for h, handler in enumerate(handlers if isinstance(handlers, list) else ()):
                if is_ours(handler):
                    yield event, g, h


def faults(settings: JsonValue) -> Iterator[str]:
    """Yields a sentence for each hook of anybody's that makes OLDEST_CLIENT drop the whole file."""
    hooks = settings.get("hooks") if isinstance(settings, dict) else None
    for event, event_groups in hooks.items() if isinstance(hooks, dict) else ():
        for g, event_group in enumerate(event_groups if isinstance(event_groups, list) else ()):
            handlers = event_group.get("hooks") if isinstance(event_group, dict) else None
            for h, handler in enumerate(handlers if isinstance(handlers, list) else ()):
                if why := _fault(handler):
                    yield (
                        f"hooks.{event}[{g}].hooks[{h}] {why}: "
                        f"clients such as {OLDEST_CLIENT} ignore the whole file because of it."
                    )


def _fault(handler: JsonValue) -> str | None:
    if not isinstance(handler, dict):
        return "is not an object"
    if handler.get("type") not in ("command", "http", "mcp_tool", "prompt", "agent"):
        return "has a type that is not known"
    timeout = handler.get("timeout", 1)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or timeout <= 0:
        return "has a timeout that is not a number above 0"
    return None
