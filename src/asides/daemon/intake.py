"""Takes hook runs in, reads transcripts on, closes what is complete. Everything exactly once."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from asides.agents import AGENTS
from asides.daemon import process
from asides.daemon.projects import Projects
from asides.intake import spool
from asides.intake.assembly import Assembly, later
from asides.intake.branches import Branches
from asides.intake.ledger import Ledger, Session
from asides.intake.spool import Run
from asides.intake.tail import Position, TailState, read_on
from asides.judge.redact import admit, clean
from asides.model.clock import Clock, stamp
from asides.model.errors import AsidesError, BrokenPayload, Unavailable
from asides.model.event import EventKind, HookEvent, Line
from asides.model.health import Heartbeat, Outcome
from asides.model.turn import ProjectId, SessionId, TurnId, Via

log = logging.getLogger("asides.daemon")

BATCH = 100  # spool files taken in with one transaction: one fsync instead of a hundred
PIECE = 8 * 1024 * 1024  # bytes of a transcript read with one transaction
PROMPT_SETTLES = (
    1.0  # seconds; the prompt's line is not in the transcript when its hook runs (contracts, 1.5)
)
END_SETTLES = 1.5  # seconds; the last line may follow the end hook
RECALLED = 512 * 1024  # bytes before the watermark read again to know the branches after a restart
PAUSES = {  # whether the agent has just worked, at each event between its turns
    EventKind.SESSION_STARTED: False,
    EventKind.PROMPTED: False,
    EventKind.REPLIED: True,
    EventKind.REPLY_FAILED: True,
    EventKind.SESSION_ENDED: True,
}
UNSEEN = (TailState.NEVER_WRITTEN, TailState.MISSING, TailState.UNREADABLE)  # prompts may lie behind these
BROKEN_KEPT = 20  # spool files that could not be read
TRIES = 3  # readings of one transcript that may break in a row (hazard B-061)
RETRY_AFTER = 30.0  # seconds
TEXT_OF_EVENT = 20_000  # characters of a prompt or reply that an event row keeps


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A hook run that put a prepared text before an agent."""

    session: SessionId
    project: ProjectId
    occasion: str
    version: str
    at: str
    announced: bool


Pauses = dict[ProjectId, tuple[SessionId, bool]]


class Intake:
    """One for the daemon.

    `heard` is told of deliveries, `unmasked` of turns that were a script's, `paused` of moments at which
    the agent begins (False) or has finished (True) working for a project.
    """

    def __init__(
        self,
        ledger: Ledger,
        projects: Projects,
        spool_folder: Path,
        *,
        clock: Clock,
        heard: Callable[[Delivery], None],
        unmasked: Callable[[list[TurnId]], None],
        paused: Callable[[ProjectId, SessionId, bool], None],
    ) -> None:
        self._ledger = ledger
        self._projects = projects
        self._spool = spool_folder
        self._clock = clock
        self._heard = heard
        self._unmasked = unmasked
        self._paused = paused
        self._branches: dict[str, Branches] = {}
        self._stumbles: dict[str, int] = {}

    def drain(self) -> bool:
        """Takes in what the spool holds, at most one batch; returns whether it took anything."""
        taken: list[Path] = []
        broken: list[Path] = []
        deliveries: list[Delivery] = []
        pauses: Pauses = {}
        with self._ledger.transaction():
            for path in spool.finished(self._spool):
                try:
                    run = spool.read(path)
                    with self._ledger.transaction():
                        delivery = self._take(run, pauses)
                except FileNotFoundError:
                    continue
                except Unavailable:
                    raise
                except Exception as error:  # one bad file must not hold up the others; it is kept and counted
                    self._note_broken(path, error)
                    broken.append(path)
                else:
                    taken.append(path)
                    if delivery is not None:
                        deliveries.append(delivery)
                if len(taken) + len(broken) >= BATCH:
                    break
        # Only now is it certain that the rows are on disk. A crash before the files are gone takes
        # them in again, and their identities are known then.
        for delivery in deliveries:
            self._tell(delivery)
        for path in taken:
            path.unlink(missing_ok=True)
        for path in broken:
            self._set_aside(path)
        for project, (session, agent_ran) in pauses.items():
            self._paused(project, session, agent_ran)
        return bool(taken or broken)

    def bury(self) -> int:
        """Counts hooks that began and never finished, and removes what they left; returns how many."""
        dead = list(spool.remnants(self._spool, running=process.is_running, now=self._clock()))
        if not dead:
            return 0
        with self._ledger.transaction():
            for remnant in dead:
                identity = f"remnant {remnant.path.name} {remnant.at}"
                if not self._note_once(identity, remnant.at):
                    continue  # counted already; only its removal was interrupted
                reason = "could not write" if remnant.size == 0 else f"cut off after {remnant.size} bytes"
                self._beat("hook", Outcome.KILLED, at=remnant.at, reason=reason)
        for remnant in dead:
            remnant.path.unlink(missing_ok=True)
        return len(dead)

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

    # one hook run

    def _take(self, run: Run, pauses: Pauses) -> Delivery | None:
        agent = run.note("agent")
        printed = run.note("printed")
        spec = AGENTS.get(agent)
        event = spec.adapter.read_payload(run.payload) if spec else None
        if self._ledger.one("has_event", run.identity) is not None:
            known = self._ledger.session(event.session) if event else None
            return self._delivery(run, event, known) if event and known else None
        self._note_event(run, event)
        guard = run.note("guard")
        said = " ".join(
            part for part in (printed if printed != "none" else "", guard and f"guard {guard}") if part
        )
        self._beat(
            "hook",
            Outcome.OK if said else Outcome.QUIET,
            at=run.at,
            event=run.note("event"),
            agent=agent,
            session=event.session if event else run.note("session"),
            seconds=run.seconds,
            reason=" ".join(part for part in (said, run.note("guard_path")) if part),
        )
        if event is None:
            return None
        session = self._begin(run, event)
        if event.subagent is None:
            self._schedule(event, session)
            if session.project is not None and event.kind in PAUSES:
                # Of a whole turn taken in at once there is one look, and the agent has worked before it.
                _, ran = pauses.get(session.project, (event.session, False))
                pauses[session.project] = event.session, ran or PAUSES[event.kind]
        return self._delivery(run, event, session)

    def _delivery(self, run: Run, event: HookEvent, session: Session) -> Delivery | None:
        """Returns what the run put before the agent, if anything."""
        printed = run.note("printed")
        if printed not in ("start", "compact", "replace", "subagent") or session.project is None:
            return None
        return Delivery(
            session=event.session,
            project=session.project,
            occasion=printed,
            version=run.note("version"),
            at=run.at,
            announced=run.note("announced") == "1",
        )

    def _tell(self, delivery: Delivery) -> None:
        """Hands on a delivery; a project that is in trouble must not hold up what belongs to others."""
        try:
            self._heard(delivery)
        except (AsidesError, OSError) as error:
            self._beat("delivery", Outcome.FAILED, session=delivery.session, reason=str(error))

    def _note_event(self, run: Run, event: HookEvent | None) -> None:
        text = "" if event is None else (event.prompt or event.reply)
        self._ledger.run(
            "put_event",
            id=run.identity,
            at=run.at,
            agent=run.note("agent"),
            kind=event.kind if event else "other",
            session=event.session if event else run.note("session"),
            prompt_id=event.prompt_id if event else None,
            subagent=event.subagent if event else None,
            tool=event.tool if event else "",
            files=json.dumps([clean(name) for name in event.files]) if event else "[]",
            text=safe(text)[:TEXT_OF_EVENT],
            detail=safe(_detail(event)) if event else "",
        )

    def _begin(self, run: Run, event: HookEvent) -> Session:
        known = self._ledger.session(event.session)
        if known is not None and known.project is not None:
            return self._ledger.begin(event.session, event, known.project, at=run.at)
        project = self._projects.of(run.note("project") or event.cwd)
        if project is not None:
            self._projects.know(project, at=run.at)
        return self._ledger.begin(event.session, event, project.id if project else None, at=run.at)

    def _schedule(self, event: HookEvent, session: Session) -> None:
        now = stamp(self._clock())
        due, close, ended = now, session.close_at, None
        match event.kind:
            case EventKind.SESSION_STARTED:
                close = None
            case EventKind.PROMPTED:
                due, close = later(self._clock, PROMPT_SETTLES), None
            case EventKind.SESSION_ENDED:
                close, ended = later(self._clock, END_SETTLES), now
            case EventKind.REPLIED | EventKind.REPLY_FAILED | EventKind.COMPACTING:
                ended = now if close else None
            case _:
                return
        self._ledger.run("reschedule", id=session.id, due_at=due, close_at=close, ended_at=ended)

    def _note_once(self, identity: str, at: str) -> bool:
        """Notes something that no event comes of; returns False when it was noted before."""
        return bool(
            self._ledger.run(
                "put_event",
                id=identity,
                at=at,
                agent="",
                kind="other",
                session="",
                prompt_id=None,
                subagent=None,
                tool="",
                files="[]",
                text="",
                detail="",
            )
        )

    def _note_broken(self, path: Path, error: Exception) -> None:
        """Counts a file that cannot be read, once."""
        if not isinstance(error, BrokenPayload):
            log.error("spool file %s could not be taken in", path.name, exc_info=error)
        try:
            written = f"{path.stat().st_mtime_ns}"
        except OSError as gone:
            log.info("%s: %s", path.name, gone)
            written = ""
        event, agent = spool.named(path)
        if self._note_once(f"broken {path.name} {written}", stamp(self._clock())):
            reason = str(error) if isinstance(error, AsidesError) else f"{type(error).__name__}: {error}"
            self._beat("hook", Outcome.FAILED, event=event, agent=agent, reason=reason)

    def _set_aside(self, path: Path) -> None:
        """Keeps a file that cannot be read, out of the way."""
        aside = self._spool / "broken"
        aside.mkdir(mode=0o700, exist_ok=True)
        path.replace(aside / f"{path.stem}-{self._clock():%Y%m%d%H%M%S%f}.json")
        # Raw payloads may hold secrets, so only the last few stay to be looked at; the rows stay all.
        for old in sorted(aside.iterdir(), key=lambda each: each.stat().st_mtime)[:-BROKEN_KEPT]:
            old.unlink(missing_ok=True)

    # one transcript

    def _stumbled(self, session: Session, error: Exception) -> None:
        """Counts a reading that broke; after TRIES of them the session waits for its next event."""
        log.error("session %s could not be read on", session.id, exc_info=error)
        tries = self._stumbles[session.id] = self._stumbles.get(session.id, 0) + 1
        reason = f"{type(error).__name__}: {error}"
        self._beat("transcript", Outcome.FAILED, session=session.id, reason=reason)
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
            self._beat(
                "transcript",
                Outcome.FAILED,
                session=session.id,
                reason=f"{len(broken)} lines skipped: {broken[0]}",
            )
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
            if len(self._branches) >= 64:
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

    def _beat(
        self,
        what: str,
        outcome: Outcome,
        *,
        at: str | None = None,
        event: str = "",
        agent: str = "",
        session: str = "",
        seconds: float | None = None,
        reason: str = "",
    ) -> None:
        self._ledger.beat(
            Heartbeat(
                what=what,
                at=at or stamp(self._clock()),
                outcome=outcome,
                event=event,
                agent=agent,
                session=session,
                seconds=seconds,
                reason=reason[:500],
            )
        )


def _detail(event: HookEvent) -> str:
    return "machine" if event.machine else event.source or event.reason


def safe(text: str) -> str:
    """Returns text that may be logged, judged and stored: cleaned, secrets and private parts replaced."""
    return admit(text).text
