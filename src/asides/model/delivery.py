"""What is put before an agent, and the limits on it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from asides.model.entry import Entry

ENTRY_LIMIT = 8  # entries at session start (design, section 5)
TEXT_LIMIT = 2_000  # characters at session start (design, section 5)
SUBAGENT_ENTRY_LIMIT = 4
SUBAGENT_TEXT_LIMIT = 800
BODY_LIMIT = 400  # characters of one entry as delivered (hazard B-210)

# Fences around every text of ours, so that it can be recognised and is never judged.
FENCE_OPEN = "[asides]"
FENCE_CLOSE = "[/asides]"


class Occasion(StrEnum):
    """When a text is delivered; also the name of its file in `ready/`."""

    START = "start"  # startup, clear
    COMPACT = "compact"  # after compaction: the task goes on
    REPLACE = "replace"  # resume, fork: entries changed since this session got them
    SUBAGENT = "subagent"


class Left(StrEnum):
    """Why an entry was not delivered."""

    NOT_LIVE = "not_live"
    COUNT = "count"  # more entries than the limit
    ROOM = "room"  # no characters left
    KIND = "kind"  # sub-agents get laws, hazards and corrections only


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which entries are delivered on one occasion, in order, and why others are not."""

    occasion: Occasion
    chosen: tuple[Entry, ...]
    left: tuple[tuple[Entry, Left], ...]
