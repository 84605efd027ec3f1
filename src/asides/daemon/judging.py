"""Judges what is owed, one turn at a time, and lets the store absorb it. Each turn exactly once."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence

from asides.code.declaring import declaring
from asides.code.git import checkout
from asides.daemon.projects import Projects
from asides.daemon.shelves import Shelves
from asides.intake.assembly import later
from asides.intake.ledger import Kept, Ledger
from asides.judge.judge import judge
from asides.judge.kinship import Closeness
from asides.model.clock import Clock, stamp
from asides.model.entry import Actor, EntryId, Standing
from asides.model.errors import NoSuchEntry, Unavailable, WriterUnavailable
from asides.model.health import Heartbeat, Outcome
from asides.model.judgment import Judgment, Packet, Reason, Writer
from asides.model.turn import ProjectId, TurnId
from asides.settings import Settings
from asides.store.absorb import absorb
from asides.store.contract import Store
from asides.writers.tuned import Tuned

log = logging.getLogger("asides.daemon")

TRIES = 3  # a job that breaks the judge three times is parked and counted (hazard B-061)
RETRY_AFTER = 30.0  # seconds
WRITER_RETRY = 300.0  # seconds; weights that do not load now will hardly load in a second


class Judging:
    """One for the daemon. `changed` is told of projects whose entries changed."""

    def __init__(
        self,
        ledger: Ledger,
        projects: Projects,
        shelves: Shelves,
        settings: Settings,
        *,
        clock: Clock,
        changed: Callable[[ProjectId], None],
        load: Callable[[], Writer],
        closeness: Closeness | None = None,
    ) -> None:
        self._ledger = ledger
        self._projects = projects
        self._shelves = shelves
        self._settings = settings
        self._clock = clock
        self._changed = changed
        self._load = load
        self._closeness = closeness
        self._writer: Writer | None = None
        self._load_after: str = ""

    @property
    def writer_name(self) -> str:
        """Identity of the writer, once it is loaded."""
        return self._writer.identity if self._writer else ""

    def next_due(self) -> str | None:
        """Returns the moment at which a job may be tried again."""
        row = self._ledger.one("next_retry")
        moment = None if row is None or row[0] is None else str(row[0])
        waiting = self._ledger.one("count_owed")
        if self._load_after and waiting is not None and waiting[0]:
            return max(self._load_after, moment or "")
        return moment

    def next(self) -> bool:
        """Judges the oldest turn that is owed; returns whether there was one."""
        now = stamp(self._clock())
        row = self._ledger.one("next_owed", now=now)
        if row is None or now < self._load_after:
            return False
        kept = self._ledger.turn(TurnId(str(row[0])))
        writer = self._ready()
        if kept is None or writer is None:
            return False
        try:
            self._judge(kept, writer)
        except Unavailable as error:  # a full disk or a busy store is not the turn's fault: no try is spent
            reason = str(error)[:500]
            after = later(self._clock, RETRY_AFTER)
            self._ledger.run("postponed", id=kept.turn.id, reason=reason, after=after)
            self._beat(Outcome.FAILED, kept.turn.session, reason)
        except Exception as error:  # one bad turn must not hold up the others; it is counted and parked
            log.exception("turn %s could not be judged", kept.turn.id)
            reason = f"{type(error).__name__}: {error}"[:500]
            after = later(self._clock, RETRY_AFTER)
            self._ledger.run("tried", id=kept.turn.id, reason=reason, after=after, most=TRIES)
            self._beat(Outcome.FAILED, kept.turn.session, reason)
        return True

    def unmask(self, turns: list[TurnId]) -> set[ProjectId]:
        """Retires what was kept from turns that turned out to be a script's; returns the projects."""
        touched = set()
        for turn in turns:
            kept = self._ledger.turn(turn)
            if kept is None or kept.state != "judged":
                continue
            store = self._shelves.of(kept.turn.project)
            for found in store.findings(turn=turn, kept=True):
                if found.entry is None or not _stands(store, found.entry):
                    continue
                store.retire(
                    found.entry, actor=Actor.CHECK, why="the same prompt comes again and again: a script's"
                )
                touched.add(kept.turn.project)
        return touched

    def _ready(self) -> Writer | None:
        if self._writer is None:
            try:
                self._writer = Tuned(
                    self._load(), live_threshold=self._settings.live_threshold, floor=self._settings.floor
                )
                self._load_after = ""
            except WriterUnavailable as error:
                self._load_after = later(self._clock, WRITER_RETRY)
                self._ledger.beat(
                    Heartbeat(
                        what="writer",
                        at=stamp(self._clock()),
                        outcome=Outcome.FAILED,
                        reason=str(error)[:500],
                    )
                )
        return self._writer

    def _near(self, text: str, others: Sequence[str]) -> Sequence[float] | None:
        """Asks how near texts are in meaning; without vectors words alone have to do, until a restart."""
        if self._closeness is None:
            return None
        try:
            return self._closeness(text, others)
        except WriterUnavailable as error:
            log.warning("what repeats is judged by words alone: %s", error)
            self._closeness = None
            self._ledger.beat(
                Heartbeat(
                    what="meaning",
                    at=stamp(self._clock()),
                    outcome=Outcome.FAILED,
                    reason=str(error)[:500],
                )
            )
            return None

    def _judge(self, kept: Kept, writer: Writer) -> None:
        turn = kept.turn
        store = self._shelves.of(turn.project)
        project = self._ledger.project(turn.project)
        packet = Packet(
            turn=turn,
            standing=store.all((Standing.LIVE, Standing.PROPOSED)),
            refused=store.all((Standing.REFUSED,)),
            delivered=store.delivered_to(turn.session),
        )
        top = checkout(turn.cwd) or (project.root if project else None)
        judgment = judge(
            packet,
            writer=writer,
            now=self._clock,
            root=top,
            tracked=lambda: self._projects.tracked(top) if top else frozenset(),
            gone=store.gone,
            closeness=self._near,
            declared=lambda names, first: self._declaring(top, names, first),
        )
        at = stamp(self._clock())
        absorbed = absorb(store, judgment, at=at)
        with self._ledger.transaction():
            self._ledger.judged(judgment, at=at)
            self._beat(
                Outcome.KEPT if judgment.kept else Outcome.QUIET,
                turn.session,
                _told(judgment),
                seconds=judgment.seconds,
            )
        # After a try that broke behind the store, nothing changes any more, and is not prepared yet.
        if absorbed.changed or (kept.reason and judgment.kept):
            self._changed(turn.project)

    def _declaring(
        self, top: str | None, names: Sequence[str], first: Sequence[str]
    ) -> Mapping[str, frozenset[str]]:
        """Returns the files of the checkout that declare names; outside git none is known."""
        return declaring(top, names, tracked=self._projects.tracked(top), first=first) if top else {}

    def _beat(self, outcome: Outcome, session: str, reason: str, seconds: float | None = None) -> None:
        self._ledger.beat(
            Heartbeat(
                what="judge",
                at=stamp(self._clock()),
                outcome=outcome,
                session=session,
                seconds=seconds,
                reason=reason,
            )
        )


def _told(judgment: Judgment) -> str:
    if judgment.reason is not Reason.OK:
        return str(judgment.reason)
    return f"{len(judgment.kept)} kept"


def _stands(store: Store, entry: EntryId) -> bool:
    """Returns whether an entry can still be retired; a person may have undone it since."""
    try:
        return store.get(entry).standing in (Standing.LIVE, Standing.PROPOSED)
    except NoSuchEntry:
        return False
