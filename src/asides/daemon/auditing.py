"""The hash audit: what the agent wrote into its memory and instruction files in spite of everything."""

from __future__ import annotations

import os
from pathlib import Path

from asides.agents.claude_code import audit
from asides.intake.ledger import Ledger
from asides.model.clock import Clock, stamp
from asides.model.health import Heartbeat, Outcome
from asides.model.turn import Project, SessionId
from asides.settings import Settings


class Auditing:
    """Compares the watched files of a project with how they were at the last look."""

    def __init__(self, ledger: Ledger, settings: Settings, *, config: Path, clock: Clock) -> None:
        self._ledger = ledger
        self._settings = settings
        self._config = config
        self._clock = clock

    def look(self, project: Project, session: SessionId, *, agent_ran: bool) -> int:
        """Records what changed since the last look; returns how many files did.

        A change found while no agent ran (`agent_ran` is False) is the person's own: it only becomes
        the new state. The first look of a project has nothing to compare with.
        """
        if self._settings.guard == "off":
            return 0
        known = {
            Path(str(path)): str(digest) for path, digest in self._ledger.rows("file_digests", project.id)
        }
        watched = audit.watched(config=self._config, root=Path(project.root))
        seen = {_shown(path): digest for path, digest in audit.snapshot(watched).items()}
        first = self._ledger.one("first_look", project=project.id) is None
        changes = audit.compare(known, seen)
        at = stamp(self._clock())
        slipped = len(changes) if agent_ran and not first else 0
        with self._ledger.transaction():
            for change in changes:
                if change.after is None:
                    self._ledger.run("drop_file_digest", project=project.id, path=str(change.path))
                else:
                    self._ledger.run(
                        "put_file_digest", project=project.id, path=str(change.path), digest=change.after
                    )
                if slipped:
                    self._ledger.run(
                        "put_slip",
                        project=project.id,
                        session=session,
                        at=at,
                        path=str(change.path),
                        change=change.how,
                    )
            self._ledger.beat(
                Heartbeat(
                    what="audit",
                    at=at,
                    outcome=Outcome.OK if slipped else Outcome.QUIET,
                    session=session,
                    event=project.id,
                    reason=f"{slipped} files changed while the agent worked" if slipped else "",
                )
            )
        return slipped


def _shown(path: Path) -> Path:
    """Returns a path that can be stored as text, whatever bytes its name is made of."""
    return Path(os.fsencode(path).decode("utf-8", "replace"))
