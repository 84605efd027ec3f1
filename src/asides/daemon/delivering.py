"""Keeps prepared texts in step with the entries, and records who got them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
from filelock import FileLock, Timeout

from asides.agents import AGENTS
from asides.daemon.intake import Delivery
from asides.daemon.projects import Projects
from asides.daemon.shelves import Shelves
from asides.deliver.choose import ranked
from asides.deliver.cues import Modes, write_cues
from asides.deliver.prepare import announcements_taken, prepare, ready_folder
from asides.intake.ledger import Ledger
from asides.model.clock import Clock, stamp
from asides.model.delivery import Occasion
from asides.model.entry import EntryId
from asides.model.errors import Unavailable
from asides.model.health import Heartbeat, Outcome
from asides.model.turn import ProjectId
from asides.paths import Places, private_folder
from asides.watch.compiling import compile_watch

LOCK_WITHIN = 10.0  # seconds; a prepare takes milliseconds, a stopped command would hold it for ever


class Delivering:
    """Used by the daemon at every change, and by faces that change an entry themselves."""

    def __init__(
        self,
        places: Places,
        ledger: Ledger,
        projects: Projects,
        shelves: Shelves,
        *,
        clock: Clock,
        modes: Modes,
    ) -> None:
        self._places = places
        self._ledger = ledger
        self._projects = projects
        self._shelves = shelves
        self._clock = clock
        self._modes = modes

    def prepare(self, project_id: ProjectId) -> None:
        """Renders what the project's next sessions should read, and leaves it ready on disk."""
        project = self._ledger.project(project_id)
        if project is None or not self._shelves.exists(project_id) or not self._projects.is_there(project):
            return
        private_folder(self._places.ready)
        tracked = self._projects.tracked(project.root, fresh=True)
        # The daemon and a command may both have changed something: whoever comes last must have
        # read the store after the other's change.
        with self._lock(project_id):
            store = self._shelves.of(project_id)
            announce = store.unannounced()
            watched = [
                (one, compile_watch(one, tracked=tracked)) for one in ranked(store.live(), self._clock())
            ]
            for agent in AGENTS:
                prepared = prepare(
                    store.live(),
                    key=project.key,
                    agent=agent,
                    ready=self._places.ready,
                    known_versions=store.versions_given(),
                    announce=announce,
                    now=self._clock,
                )
                write_cues(watched, key=project.key, agent=agent, ready=self._places.ready, modes=self._modes)
                store.note_prepared(prepared.version, prepared.choices, prepared.texts)
                if prepared.announcement:
                    self._ledger.run(
                        "put_announcement",
                        project=project_id,
                        digest=prepared.announcement,
                        entries=msgspec.json.encode(prepared.announced).decode(),
                    )
        self._ledger.beat(
            Heartbeat(what="prepare", at=stamp(self._clock()), outcome=Outcome.OK, reason=prepared.version)
        )

    @contextmanager
    def _lock(self, project: ProjectId) -> Iterator[None]:
        lock = FileLock(self._places.store(project).with_name("prepare.lock"), mode=0o600)
        try:
            with lock.acquire(timeout=LOCK_WITHIN):
                yield
        except Timeout as error:
            raise Unavailable(what=f"The lock {lock.lock_file}, held by another process,") from error

    def ensure(self, project_id: ProjectId) -> None:
        """Prepares what should lie ready and does not, because somebody removed it."""
        project = self._ledger.project(project_id)
        if project is None or not self._shelves.exists(project_id):
            return
        ready = self._places.ready
        there = all((ready_folder(ready, project.key, agent) / "version").exists() for agent in AGENTS)
        if not there and self._shelves.of(project_id).live():
            self.prepare(project_id)

    def heard(self, delivery: Delivery) -> None:
        """Records that a session got a text, and that the person was told of what is new."""
        project = delivery.project
        store = self._shelves.of(project)
        store.note_delivery(delivery.session, Occasion(delivery.occasion), delivery.version, delivery.at)
        if delivery.announced:
            self._told(project)
        if delivery.occasion != Occasion.SUBAGENT:  # changes no session's list, and comes often
            self.prepare(project)

    def _told(self, project: ProjectId) -> None:
        """Records which entries the person was told of: what a hook took away is what it showed."""
        known = self._ledger.project(project)
        if known is None:
            return
        store = self._shelves.of(project)
        for agent in AGENTS:
            for digest in announcements_taken(self._places.ready, key=known.key, agent=agent):
                row = self._ledger.one("announcement", project=project, digest=digest)
                if row is not None:
                    ids = msgspec.json.decode(str(row[0]), type=list[str])
                    store.mark_announced([EntryId(each) for each in ids])
