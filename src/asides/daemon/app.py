"""Where the rooms meet: the daemon's work, and what faces ask for, over one set of files."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime

from asides import settings as settings_file
from asides.code.git import checkout
from asides.daemon import marks
from asides.daemon.auditing import Auditing
from asides.daemon.delivering import Delivering
from asides.daemon.endpoint import Answer
from asides.daemon.following import Following
from asides.daemon.intake import Intake
from asides.daemon.judging import Judging
from asides.daemon.marks import Mark
from asides.daemon.noticing import Noticing
from asides.daemon.patience import Patient
from asides.daemon.projects import Projects
from asides.daemon.reading import Reading
from asides.daemon.shelves import Shelves
from asides.daemon.tidying import tidy
from asides.daemon.waking import Waking
from asides.db.connection import Cell
from asides.deliver.cues import Modes
from asides.intake.ledger import Ledger
from asides.model.clock import Clock, stamp
from asides.model.errors import AsidesError, BrokenStore
from asides.model.health import Heartbeat, Outcome
from asides.model.judgment import Writer
from asides.model.turn import Project, ProjectId, SessionId, TurnId
from asides.paths import Places, agent_config, private_folder
from asides.writers.loading import chosen, meaning

log = logging.getLogger("asides.daemon")

SWEEP_EVERY = 300.0  # seconds between two looks at what was left open


class App:
    """Holds what lives as long as the process. `mark` is None where a face works without a daemon.

    `load` gives the writer, the one that the settings name unless said otherwise.
    """

    def __init__(
        self,
        places: Places,
        *,
        clock: Clock,
        mark: Mark | None = None,
        load: Callable[[], Writer] | None = None,
    ) -> None:
        self.places = places
        self.clock = clock
        # Only a daemon's work hangs on them: a typo must not keep a person from what is kept.
        self.settings = settings_file.load(places.settings) if mark else settings_file.usable(places.settings)
        private_folder(places.state)
        self.ledger = _ledger(places, clock) if mark else Ledger(places.ledger)
        self.projects = Projects(self.ledger, time.monotonic)
        self.shelves = Shelves(places, clock=clock)
        self.following = Following(self.ledger, self.shelves, clock=clock)
        self.noticing = Noticing(self.shelves, clock=clock)
        self.delivering = Delivering(
            places,
            self.ledger,
            self.projects,
            self.shelves,
            clock=clock,
            modes=Modes(
                cues=self.settings.cues,
                hold=self.settings.hold,
                checks=self.settings.checks,
                owed=self.settings.owed,
            ),
        )
        self.auditing = Auditing(self.ledger, self.settings, config=agent_config(), clock=clock)
        self.intake = Intake(
            self.ledger,
            self.projects,
            places.spool,
            clock=clock,
            heard=self.delivering.heard,
            noticed=self.noticing.heard,
            paused=self._paused,
        )
        self.reading = Reading(self.ledger, clock=clock, unmasked=self._unmasked)
        self.judging = Judging(
            self.ledger,
            self.projects,
            self.shelves,
            self.settings,
            clock=clock,
            changed=self._changed,
            load=load or self._writer,
            closeness=meaning(),
        )
        self.meanwhile: Callable[[], None] = lambda: None  # what a daemon does while a slow writer works
        self._mark = mark
        self._swept_at: float | None = None
        self._unprepared: list[Project] = []

    def close(self) -> None:
        """Lets go of every file."""
        self.shelves.close()
        self.ledger.close()

    # the daemon's work

    def began(self, told: str) -> None:
        """Does what each start owes: the record, current hook files, prepared texts."""
        self._beat("daemon", Outcome.OK, f"began: {told}")
        try:
            Waking(self.places).refresh_hook()
        except (AsidesError, OSError) as error:  # the hook of an older version goes on
            log.exception("the hook's files could not be renewed")
            self._beat("hook files", Outcome.FAILED, str(error))
        # One by one, in rounds: with a hundred projects this takes so long that we would be held for deaf.
        self._unprepared = self.ledger.projects()

    def ended(self, why: str) -> None:
        """Records why the daemon leaves."""
        self._beat("daemon", Outcome.OK, f"left: {why}")

    def round(self) -> bool:
        """Does the next piece of work; returns whether there may be more at once."""
        busy = self.intake.drain()
        self._sweep()
        busy = self._prepare_next() or busy
        busy = self.reading.advance_due() or busy
        return self.judging.next() or busy

    def next_due(self) -> float | None:
        """Returns in how many seconds a session, a job or the sweep comes due; None when nothing will."""
        sweep = self.reading.next_sweep(self.settings.sweep_after)
        return self._seconds_until(self.reading.next_due(), self.judging.next_due(), sweep)

    def state(self) -> Answer:
        """Returns what a client of the socket is told."""
        if self._mark is None:
            raise AssertionError("only a daemon answers on the socket")
        error = ""
        owed: tuple[Cell, ...] | None = None
        pending = False
        try:
            owed = self.ledger.one("count_owed")
            pending = bool(self._unprepared) or self.reading.next_due() is not None
        except AsidesError as broken:  # who asks is told; a question never ends the daemon
            error = str(broken)
        return Answer(
            nonce=self._mark.nonce,
            version=self._mark.version,
            pid=self._mark.pid,
            owed=int(str(owed[0])) if owed else 0,
            spooled=sum(1 for _ in self.places.spool.glob("*.json")) if self.places.spool.is_dir() else 0,
            pending=pending,
            writer=self.judging.writer_name,
            error=error,
        )

    def displaced(self) -> bool:
        """Returns whether the marks on disk are no longer ours: the folder went, or a successor came."""
        return self._mark is not None and marks.read(self.places.run) != self._mark

    def failed(self, error: Exception) -> None:
        """Records a round that broke; when even that fails, the log has it."""
        try:
            self._beat("daemon", Outcome.FAILED, f"{type(error).__name__}: {error}")
        except AsidesError:
            log.exception("the failure could not be recorded")

    def _prepare_next(self) -> bool:
        """Prepares the texts of one project as a start owes it; returns whether there was one."""
        if not self._unprepared:
            return False
        project = self._unprepared.pop(0)
        self._see_to(project, self.delivering.prepare)
        return True

    def _see_to(self, project: Project, act: Callable[[ProjectId], None]) -> None:
        """Does something for one project's entries; one in trouble must not hold up the others."""
        try:
            act(project.id)
        except (AsidesError, OSError) as error:
            log.exception("the entries of project %s could not be seen to", project.id)
            self._beat("prepare", Outcome.FAILED, f"{project.name}: {error}")

    def _seconds_until(self, *moments: str | None) -> float | None:
        known = [moment for moment in moments if moment]
        if not known:
            return None
        return max(0.0, (datetime.fromisoformat(min(known)) - self.clock()).total_seconds())

    def _sweep(self) -> None:
        now = time.monotonic()
        due = self._seconds_until(self.reading.next_sweep(self.settings.sweep_after))
        if due != 0 and self._swept_at is not None and now - self._swept_at < SWEEP_EVERY:
            return
        self._swept_at = now
        self.intake.bury()
        tidy(self.ledger, self.places, now=self.clock())
        swept = self.reading.sweep(self.settings.sweep_after)
        if swept:
            self._beat("sweep", Outcome.OK, f"{swept} sessions closed")

    def _paused(self, project: ProjectId, session: SessionId, agent_ran: bool) -> None:
        known = self.ledger.project(project)
        if known is None:
            return
        at_hand = self.ledger.session(session)
        folder = at_hand.cwd if at_hand else known.root
        self._see_to(known, lambda _: self._follow(known, folder))
        if agent_ran:
            top = checkout(folder) or known.root
            self._see_to(known, lambda _: self.noticing.settle(project, session, top))
        self.auditing.look(known, session, agent_ran=agent_ran)

    def _follow(self, project: Project, folder: str) -> None:
        """Follows the code of a project where a session works; what lies ready is of now afterwards."""
        if self.following.look(project, folder):
            self.delivering.prepare(project.id)
        else:
            self.delivering.ensure(project.id)

    def _changed(self, project: ProjectId) -> None:
        """Binds new entries to their subjects, and prepares what the next session reads."""
        known = self.ledger.project(project)
        if known is not None:
            self.following.bind(known, known.root)
        self.delivering.prepare(project)

    def _unmasked(self, turns: list[TurnId]) -> None:
        for project in self.judging.unmask(turns):
            self.delivering.prepare(project)

    def _writer(self) -> Writer:
        """Loads the writer that the settings name. The bundled one is fast enough to be waited for."""
        if self.settings.writer == "encoder":
            return chosen(self.settings)
        return Patient(
            lambda told: chosen(self.settings, told=told),
            meanwhile=lambda: self.meanwhile(),
            told=self._answer_refused,
        )

    def _answer_refused(self, reason: str) -> None:
        log.info("an answer of the writer counts as NONE, in whole or in part: %s", reason)
        self._beat("answer", Outcome.REFUSED, reason)

    def _beat(self, what: str, outcome: Outcome, reason: str = "") -> None:
        self.ledger.beat(Heartbeat(what=what, at=stamp(self.clock()), outcome=outcome, reason=reason[:500]))


def _ledger(places: Places, clock: Clock) -> Ledger:
    """Opens the ledger; a damaged one is put aside and begun anew.

    Nothing is lost by that: entries are not in it, and transcripts are read again. A turn judged again
    finds its own entries.
    """
    try:
        return Ledger(places.ledger)
    except BrokenStore as error:
        log.exception("the ledger is damaged")
        aside = places.ledger.with_name(f"writer.{clock():%Y%m%dT%H%M%S}.damaged")
        places.ledger.replace(aside)
        for end in ("-wal", "-shm"):
            places.ledger.with_name(places.ledger.name + end).unlink(missing_ok=True)
        ledger = Ledger(places.ledger)
        reason = f"the ledger was damaged and is begun anew ({error.facts['why']}); kept as {aside.name}"
        ledger.beat(Heartbeat(what="ledger", at=stamp(clock()), outcome=Outcome.FAILED, reason=reason[:500]))
        return ledger
