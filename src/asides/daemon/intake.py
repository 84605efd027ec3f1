"""Takes hook runs in and schedules what they call for. Every run exactly once."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from asides.agents import AGENTS
from asides.daemon import process
from asides.daemon.gateway import safe
from asides.daemon.noticing import Noticed, noticed
from asides.daemon.projects import Projects
from asides.intake import spool
from asides.intake.assembly import later
from asides.intake.ledger import Ledger, Session
from asides.intake.spool import Run
from asides.judge.redact import clean
from asides.model.clock import Clock, stamp
from asides.model.errors import AsidesError, BrokenPayload, Unavailable
from asides.model.event import EventKind, HookEvent
from asides.model.health import Heartbeat, Outcome
from asides.model.turn import ProjectId, SessionId

log = logging.getLogger("asides.daemon")

BATCH = 100  # spool files taken in with one transaction: one fsync instead of a hundred
PROMPT_SETTLES = 1.0  # seconds; the prompt's line is not in the transcript yet when its hook runs
END_SETTLES = 1.5  # seconds; the last line may follow the end hook
PAUSES = {  # whether the agent has just worked, at each event between its turns
    EventKind.SESSION_STARTED: False,
    EventKind.PROMPTED: False,
    EventKind.REPLIED: True,
    EventKind.REPLY_FAILED: True,
    EventKind.SESSION_ENDED: True,
}
BROKEN_KEPT = 20  # spool files that could not be read
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


Told = Delivery | Noticed
Pauses = dict[ProjectId, tuple[SessionId, bool]]


class Intake:
    """One for the daemon.

    `heard` is told of deliveries, `noticed` of cues and checks, `paused` of moments at which the agent begins
    (False) or has finished (True) working for a project.
    """

    def __init__(
        self,
        ledger: Ledger,
        projects: Projects,
        spool_folder: Path,
        *,
        clock: Clock,
        heard: Callable[[Delivery], None],
        noticed: Callable[[Noticed], None],
        paused: Callable[[ProjectId, SessionId, bool], None],
    ) -> None:
        self._ledger = ledger
        self._projects = projects
        self._spool = spool_folder
        self._clock = clock
        self._heard = heard
        self._noticed = noticed
        self._paused = paused

    def drain(self) -> bool:
        """Takes in what the spool holds, at most one batch; returns whether it took anything."""
        taken: list[Path] = []
        broken: list[Path] = []
        told: list[Told] = []
        pauses: Pauses = {}
        with self._ledger.transaction():
            for path in spool.finished(self._spool):
                try:
                    run = spool.read(path)
                    with self._ledger.transaction():
                        more = self._take(run, pauses)
                except FileNotFoundError:
                    continue
                except Unavailable:
                    raise
                except Exception as error:  # one bad file must not hold up the others; it is kept and counted
                    self._note_broken(path, error)
                    broken.append(path)
                else:
                    taken.append(path)
                    told += more
                if len(taken) + len(broken) >= BATCH:
                    break
        # Only now is it certain that the rows are on disk. A crash before the files are gone takes
        # them in again, and their identities are known then.
        for one in told:
            self._tell(one)
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

    # one hook run

    def _take(self, run: Run, pauses: Pauses) -> list[Told]:
        agent = run.note("agent")
        printed = run.note("printed")
        spec = AGENTS.get(agent)
        event = spec.adapter.read_payload(run.payload) if spec else None
        if self._ledger.one("has_event", run.identity) is not None:
            known = self._ledger.session(event.session) if event else None
            return self._told(run, event, known) if event and known else []
        self._note_event(run, event)
        guard, failed = run.note("guard"), run.note("cue_why")
        parts = (
            printed if printed != "none" else "",
            guard and f"guard {guard}",
            failed and f"cue failed: {failed}",
        )
        said = " ".join(part for part in parts if part)
        self._beat(
            "hook",
            Outcome.FAILED if failed else Outcome.OK if said else Outcome.QUIET,
            at=run.at,
            event=run.note("event"),
            agent=agent,
            session=event.session if event else run.note("session"),
            seconds=run.seconds,
            reason=" ".join(part for part in (said, run.note("guard_path")) if part),
        )
        if event is None:
            return []
        session = self._begin(run, event)
        if event.subagent is None:
            self._schedule(event, session)
            if session.project is not None and event.kind in PAUSES:
                # Of a whole turn taken in at once there is one look, and the agent has worked before it.
                _, ran = pauses.get(session.project, (event.session, False))
                pauses[session.project] = event.session, ran or PAUSES[event.kind]
        return self._told(run, event, session)

    def _told(self, run: Run, event: HookEvent, session: Session) -> list[Told]:
        """Returns what the run put before the agent."""
        if session.project is None:
            return []
        found = (
            self._delivery(run, event, session),
            noticed(run, event.session, session.project, event.subagent),
        )
        return [one for one in found if one is not None]

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

    def _tell(self, one: Told) -> None:
        """Hands on what was told; a project that is in trouble must not hold up what belongs to others."""
        try:
            if isinstance(one, Delivery):
                self._heard(one)
            else:
                self._noticed(one)
        except (AsidesError, OSError) as error:
            self._beat("delivery", Outcome.FAILED, session=one.session, reason=str(error))

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
