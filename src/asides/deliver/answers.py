"""Answers in each agent's dialect, and the line that tells the person what was kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from asides.deliver.plain import one_line, shortened
from asides.model.delivery import Occasion
from asides.model.entry import Entry, EntryId
from asides.model.errors import Refused

ANNOUNCEMENT_LIMIT = 300  # characters
_QUOTE_LIMIT = 70
_UNDO = "undo with: asides undo, or one with: asides refuse ID"
_UNDO_SEVERAL = "undo the latest with: asides undo, any one with: asides refuse ID"


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """The line for a person, and the entries that it names."""

    line: str = ""
    named: tuple[EntryId, ...] = ()


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


def announcement(entries: Sequence[Entry]) -> Announcement:
    """Returns the one line that tells a person what was kept, at most 300 characters; empty for nothing.

    Entries that find no room on the line are counted there, not named, and are announced another time.
    """
    if not entries:
        return Announcement()
    # One judgment is one step to undo; what several judgments kept is several.
    several = len({entry.turn for entry in entries}) > 1
    start, end = f"kept {len(entries)}: ", f" · {_UNDO_SEVERAL if several else _UNDO}"
    quotes = [f'"{shortened(one_line(entry.body), _QUOTE_LIMIT)}" ({entry.id})' for entry in entries]
    shown = len(quotes)
    while shown > 1 and len(_listed(quotes, shown)) > ANNOUNCEMENT_LIMIT - len(start) - len(end):
        shown -= 1
    return Announcement(
        line=start + _listed(quotes, shown) + end, named=tuple(entry.id for entry in entries[:shown])
    )


def _listed(quotes: Sequence[str], shown: int) -> str:
    more = [f"and {len(quotes) - shown} more"] if shown < len(quotes) else []
    return "; ".join([*quotes[:shown], *more])
