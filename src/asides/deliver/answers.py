"""Answers in each agent's dialect, and the line that tells the person what was kept."""

from __future__ import annotations

import json
from collections.abc import Sequence

from asides.deliver.plain import one_line, shortened
from asides.model.delivery import Occasion
from asides.model.entry import Entry
from asides.model.errors import Refused

ANNOUNCEMENT_LIMIT = 300  # characters
_QUOTE_LIMIT = 70
_UNDO = "undo with: asides undo"


def event_name(occasion: Occasion) -> str:
    """Returns the hook event that is answered on an occasion, as Claude Code calls it."""
    return "SubagentStart" if occasion is Occasion.SUBAGENT else "SessionStart"


def answer(agent: str, event: str, text: str, message: str = "") -> str:
    """Returns one line of JSON that puts `text` before the agent and shows `message` to the person.

    Nothing but known keys: an answer with others may be dropped whole. Raises Refused
    for an agent whose dialect is not known.
    """
    match agent:
        case "claude-code":
            told: dict[str, object] = {}
            if text:
                told["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": text}
            if message:
                told["systemMessage"] = message
            return json.dumps(told, ensure_ascii=False, separators=(",", ":"))
        case _:
            raise Refused(what=f"asides does not know how to answer {agent}.")


def announcement(entries: Sequence[Entry]) -> str:
    """Returns the one line that tells a person what was kept, at most 300 characters; empty for nothing."""
    if not entries:
        return ""
    start, end = f"kept {len(entries)}: ", f" · {_UNDO}"
    quotes = [f'"{shortened(one_line(entry.body), _QUOTE_LIMIT)}"' for entry in entries]
    for shown in range(len(quotes), 0, -1):
        more = [f"and {len(quotes) - shown} more"] if shown < len(quotes) else []
        told = start + "; ".join(quotes[:shown] + more) + end
        if len(told) <= ANNOUNCEMENT_LIMIT:
            return told
    return f"kept {len(entries)}{end}"
