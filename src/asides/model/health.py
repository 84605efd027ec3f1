"""Heartbeats: one row for one run of anything."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """How a run ended."""

    OK = "ok"
    QUIET = "quiet"  # ran, had nothing to do or say
    KEPT = "kept"
    FAILED = "failed"
    KILLED = "killed"  # began and never finished
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat:
    """One run: what, when, how long, outcome, reason."""

    what: str  # hook, intake, judge, prepare, daemon, audit, ...
    at: str  # ISO 8601, UTC
    outcome: Outcome
    event: str = ""  # for hooks: the agent's event name
    agent: str = ""
    session: str = ""
    seconds: float | None = None
    reason: str = ""
