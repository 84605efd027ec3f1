"""Reads transcripts on and closes the turns that are complete. Each statement exactly once."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from asides.agents import AGENTS
from asides.daemon.gateway import safe
from asides.intake.assembly import Assembly, later
from asides.intake.branches import Branches
from asides.intake.ledger import Ledger, Session
from asides.intake.tail import Position, TailState, read_on
from asides.model.clock import Clock, stamp
from asides.model.errors import BrokenPayload, Unavailable
from asides.model.event import Line
from asides.model.health import Heartbeat, Outcome
from asides.model.turn import SessionId, TurnId, Via

log = logging.getLogger("asides.daemon")

PIECE = 8 * 1024 * 1024  # bytes of a transcript read with one transaction
RECALLED = 512 * 1024  # bytes before the watermark read again to know the branches after a restart
BRANCHES_HELD = 64  # sessions whose branches stay in memory, about 1 MB each at most
UNSEEN = (TailState.NEVER_WRITTEN, TailState.MISSING, TailState.UNREADABLE)  # prompts may lie behind these
TRIES = 3  # readings of one transcript that may break in a row (hazard B-061)
RETRY_AFTER = 30.0  # seconds


class Reading:
    """One for the daemon. `unmasked` is told of turns that turned out to be a script's."""

    def __init__(self, ledger: Ledger, *, clock: Clock, unmasked: Callable[[list[TurnId]], None]) -> None:
        self._ledger = ledger
        self._clock = clock
        self._unmasked = unmasked
        self._branches: dict[str, Branches] = {}
        self._stumbles: dict[str, int] = {}

    def advance_due(self) -> bool:
        """Reads on one session that is due; returns whether there was one."""
        now = stamp(self._clock())
        for (session_id,) in self._ledger.rows("due_sessions", now=now):
            session = self._ledger.session(SessionId(str(session_id)))
            if session is None:
                continue
            try:
                self._advance(session, now)
            except Unavailable:
                raise
            except Exception as error:  # one bad transcript must not hold up the others
                self._stumbled(session, error)
            return True
        return False

    def next_due(self) -> str | None:
        """Returns the moment at which a session comes due."""
        row = self._ledger.one("next_due")
        return None if row is None or row[0] is None else str(row[0])

    def next_sweep(self, silent_for: float) -> str | None:
        """Returns the moment from which a session that is open now has been silent for so many seconds."""
        row = self._ledger.one("longest_silent")
        if row is None or row[0] is None:
            return None
        return stamp(datetime.fromisoformat(str(row[0])) + timedelta(seconds=silent_for))

    def sweep(self, silent_for: float) -> int:
        """Schedules the end of sessions that have been silent for so many seconds; returns how many."""
        before = stamp(self._clock() - timedelta(seconds=silent_for))
        found = self._ledger.rows("forgotten_sessions", before=before)
        now = stamp(self._clock())
        for (session_id,) in found:
            self._ledger.run("reschedule", id=session_id, due_at=None, close_at=now, ended_at=now)
        return len(found)

    def _stumbled(self, session: Session, error: Exception) -> None:
        """Counts a reading that broke; after TRIES of them the session waits for its next event."""
        log.error("session %s could not be read on", session.id, exc_info=error)
        tries = self._stumbles[session.id] = self._stumbles.get(session.id, 0) + 1
        reason = f"{type(error).__name__}: {error}"
        self._failed(session, reason)
        again = later(self._clock, RETRY_AFTER) if tries < TRIES else None
        if again is None:
            del self._stumbles[session.id]
        close = again if again and session.close_at else None
        # Ended, or the sweep would take it up again at once.
        ended = None if again else stamp(self._clock())
        self._ledger.run("reschedule", id=session.id, due_at=again, close_at=close, ended_at=ended)

    def _advance(self, session: Session, now: str) -> None:
        try:
            self._advance_whole(session, now)
        except BaseException:
            # What it had understood of lines that were not stored after all must not be believed.
            self._branches.pop(session.id, None)
            raise

    def _advance_whole(self, session: Session, now: str) -> None:
        branches = self._branches_of(session)
        assembly = Assembly(self._ledger, session, branches, redact=safe, clock=self._clock)
        broken: list[str] = []
        with self._ledger.transaction():
            more = self._read_piece(session, assembly, broken)
            if not more:
                session.due_at = None
                if session.close_at is not None and session.close_at <= now:
                    if session.transcript_state in UNSEEN:
                        self._from_payloads(session)
                    assembly.close_all()
                    session.close_at = None
                    self._branches.pop(session.id, None)
            self._ledger.save(session)
        if broken:
            self._failed(session, f"{len(broken)} lines skipped: {broken[0]}")
        if assembly.scripted:
            self._unmasked(assembly.scripted)

    def _read_piece(self, session: Session, assembly: Assembly, broken: list[str]) -> bool:
        """Reads the transcript on by one piece; returns whether there is more."""
        spec = AGENTS.get(session.agent)
        if session.transcript is None or spec is None:
            session.transcript_state = TailState.NEVER_WRITTEN
            return False
        position = msgspec.json.decode(session.position, type=Position) if session.position else None
        result = read_on(Path(session.transcript), position, limit_bytes=PIECE)
        for raw in result.lines:
            try:
                line = spec.adapter.read_line(raw)
            except BrokenPayload as error:
                broken.append(str(error))
                continue
            if line is not None:
                assembly.take(line)
        if result.skipped:
            broken.append(f"{result.skipped} lines too long to be read")
        if result.reason:
            broken.append(result.reason)
        session.transcript_state = result.state
        if result.position is not None:
            session.position = msgspec.json.encode(result.position).decode()
        return result.more

    def _from_payloads(self, session: Session) -> None:
        """Makes turns of what the hooks heard and no transcript shows.

        No line vouches for a person then, so what is kept of them is proposed at most.
        """
        if session.project is None:
            return
        rows = self._ledger.rows("payload_prompts", session=session.id, all=session.position is None)
        for number, (event_id, at, prompt_id, text) in enumerate(rows):
            turn = f"payload-{event_id!s}"
            if self._ledger.one("has_turn", turn) is not None:
                continue
            self._ledger.run(
                "put_turn",
                id=turn,
                session=session.id,
                agent=session.agent,
                project=session.project,
                via=Via.UNPROVEN,
                said_at=at,
                message=text,
                previous="",
                prompt_id=prompt_id,
                cwd=session.cwd,
            )
            last = self._ledger.one("last_reply", session=session.id, prompt_id=prompt_id)
            self._ledger.run(
                "close_turn",
                id=turn,
                state="owed",
                reason="",
                following=str(rows[number + 1][3])[:2000] if number + 1 < len(rows) else "",
                files="[]",
                reply=str(last[0]) if last else "",
                at=stamp(self._clock()),
            )

    def _branches_of(self, session: Session) -> Branches:
        found = self._branches.get(session.id)
        if found is None:
            if len(self._branches) >= BRANCHES_HELD:
                self._branches.pop(next(iter(self._branches)))
            found = self._branches[session.id] = Branches()
            for line in self._lines_before(session):
                found.add(line)
        return found

    def _lines_before(self, session: Session) -> Iterable[Line]:
        """Yields the lines shortly before the watermark, so that branches are known after a restart."""
        spec = AGENTS.get(session.agent)
        if session.position is None or session.transcript is None or spec is None:
            return
        offset = msgspec.json.decode(session.position, type=Position).offset
        begin = max(0, offset - RECALLED)
        try:
            with Path(session.transcript).open("rb") as file:
                file.seek(begin)
                raw = file.read(offset - begin)
        except OSError as error:
            log.info("branches of %s not recalled: %s", session.id, error)
            return
        lines = raw.split(b"\n")
        for text in lines[1 if begin else 0 :]:
            try:
                line = spec.adapter.read_line(text) if text else None
            except BrokenPayload:
                continue  # counted when it was read first
            if line is not None:
                yield line

    def _failed(self, session: Session, reason: str) -> None:
        self._ledger.beat(
            Heartbeat(
                what="transcript",
                at=stamp(self._clock()),
                outcome=Outcome.FAILED,
                session=session.id,
                reason=reason[:500],
            )
        )
