"""Stores, statements and judgments as tests need them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from asides.model.anchor import General
from asides.model.clock import Clock
from asides.model.entry import Framing, Kind, Source, Standing
from asides.model.judgment import Draft, Finding, Judgment, New, Reason, Relation, Verdict
from asides.model.turn import ProjectId, SessionId, Turn, TurnId, Via
from asides.store.contract import Statement

PROJECT = ProjectId("shop")
FIRST = datetime(2026, 11, 28, 10, 0, tzinfo=UTC)


def ticking(start: datetime = FIRST) -> Clock:
    """Returns a clock that is a second later at every look."""
    seconds = itertools.count()
    return lambda: start + timedelta(seconds=next(seconds))


def counting_words() -> Callable[[], str]:
    """Returns random words that are not random."""
    numbers = itertools.count()
    return lambda: f"word-{next(numbers)}"


def statement(
    body: str = "never use axios",
    *,
    turn: str | None = "turn-1",
    start: int = 0,
    kind: Kind = Kind.LAW,
    standing: Standing = Standing.LIVE,
    said_at: str = "2026-11-28T09:00:00.000Z",
) -> Statement:
    """Returns words said in a turn; with `turn=None`, words added by hand."""
    return Statement(
        body=body,
        kind=kind,
        standing=standing,
        writer="person" if turn is None else "encoder-1",
        session=None if turn is None else SessionId("session-1"),
        turn=None if turn is None else TurnId(turn),
        start=start,
        end=start + len(body),
        said_at=said_at,
    )


def finding(
    body: str = "never use axios",
    *,
    message: str | None = None,
    kept: bool = True,
    standing: Standing = Standing.LIVE,
    relation: Relation | None = None,
    reason: Reason = Reason.OK,
) -> Finding:
    """Returns a checked draft of a span of `message` (the body itself when not given)."""
    start = (message or body).index(body)
    return Finding(
        draft=Draft(
            body=body,
            start=start,
            end=start + len(body),
            kind="law",
            framing=Framing.PASSING,
            source=Source.HUMAN,
            score=0.91,
        ),
        verdicts=(
            Verdict(check="verbatim", passed=True, reason=Reason.OK, measure=1.0),
            Verdict(check="refused", passed=kept, reason=reason, measure=0.97, detail="measured"),
        ),
        kept=kept,
        standing=standing,
        anchor=General(),
        relation=relation or New(),
    )


def judgment(
    *findings: Finding,
    turn: str = "turn-1",
    message: str = "never use axios",
    said_at: str = "2026-11-28T09:00:00.000Z",
) -> Judgment:
    """Returns a judgment of one turn with these findings."""
    return Judgment(
        turn=Turn(
            id=TurnId(turn),
            session=SessionId("session-1"),
            project=PROJECT,
            agent="claude-code",
            via=Via.TYPED,
            said_at=said_at,
            message=message,
        ),
        writer="encoder-1",
        reason=Reason.OK,
        findings=findings,
    )
