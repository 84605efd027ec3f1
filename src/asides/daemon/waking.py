"""Putting the hook in place and starting the daemon: what install, faces and the daemon share."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

from asides import __version__
from asides.daemon import endpoint, marks, process, start
from asides.daemon.endpoint import Answer
from asides.hook.place import place
from asides.model.errors import DaemonNotRunning
from asides.paths import Places

log = logging.getLogger("asides.daemon")


class Waking:
    """Knows how this installation is called from outside it."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def place_hook(self) -> list[Path]:
        """Writes the hook's files; returns those that had to be written."""
        return place(self._places.state, plain_python=plain_python(), daemon_python=sys.executable)

    def refresh_hook(self) -> list[Path]:
        """Brings the hook's files to this version where there are any."""
        return self.place_hook() if (self._places.state / "hook" / "hook.sh").exists() else []

    def daemon(self) -> Answer:
        """Returns the answer of the daemon, started if none answers.

        Raises DaemonNotRunning, and NoDaemonCanWork with the reason.
        """
        found = endpoint.answering(self._places.run)
        if found is not None and start.release(found[1].version) >= start.release(__version__):
            return found[1]
        home = {"ASIDES_HOME": str(self._places.state.parent)} if self._moved else {}
        return start.launch(self._places.run, environment=home)

    def stop(self) -> bool:
        """Asks the daemon to leave; returns whether one was there and is gone."""
        mark = marks.read(self._places.run)
        if mark is None or not process.is_same(mark.pid, mark.start):
            return False
        try:
            endpoint.ask(self._places.run, "stop")
        except DaemonNotRunning:
            log.info("process %s does not answer and is ended", mark.pid)
        return process.stop(mark.pid, mark.start, patience=start.LEAVE_WITHIN)

    @property
    def _moved(self) -> bool:
        return self._places.state.parent == self._places.data.parent and self._places.state.name == "state"


def plain_python() -> str:
    """Returns an interpreter outside any virtual environment, which outlives ours."""
    return str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
