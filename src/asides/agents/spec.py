"""What asides knows about one coding agent: constants, and the reader of its formats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from asides.model.event import EventKind, HookEvent, Line


class Adapter(Protocol):
    """Turns what one agent sends and records into the words of `asides.model`."""

    def read_payload(self, raw: bytes, /) -> HookEvent | None:
        """Returns the event that a hook's payload means, or None when it means nothing to us.

        Raises BrokenPayload when it cannot be read or names no session.
        """
        ...

    def read_line(self, raw: bytes, /) -> Line | None:
        """Returns what one line of the agent's transcript means, or None when it means nothing to us.

        Raises BrokenPayload when it is not one whole JSON object.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSpec:
    """One coding agent that asides attaches to."""

    name: str  # as it stands in commands, spool files and turns
    title: str  # as a person reads it
    oldest: str  # the oldest version that is supported
    newest_seen: str  # the newest version whose payloads and transcripts are kept as fixtures
    events: Mapping[str, EventKind]  # the agent's own names of the hook events that asides registers
    changing_tools: tuple[str, ...]  # tools that change files, in alphabetical order
    adapter: Adapter
