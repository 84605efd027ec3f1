"""The stores of all projects, each opened when it is first needed."""

from __future__ import annotations

from asides.model.clock import Clock
from asides.model.turn import ProjectId
from asides.paths import Places
from asides.store.contract import Store
from asides.store.sqlite import open_store

OPEN_AT_ONCE = 8  # stores; memory stays the same however many projects there are


class Shelves:
    """Hands out stores; closes the one not used for longest when there are too many."""

    def __init__(self, places: Places, *, clock: Clock) -> None:
        self._places = places
        self._clock = clock
        self._open: dict[ProjectId, Store] = {}

    def of(self, project: ProjectId) -> Store:
        """Returns the store of a project, made when there is none."""
        store = self._open.pop(project, None)
        if store is None:
            if len(self._open) >= OPEN_AT_ONCE:
                self._open.pop(next(iter(self._open))).close()
            store = open_store(self._places.store(project), project, now=self._clock)
        self._open[project] = store
        return store

    def exists(self, project: ProjectId) -> bool:
        """Returns whether anything was ever kept for a project."""
        return self._places.store(project).exists()

    def close(self) -> None:
        """Closes every store."""
        for store in self._open.values():
            store.close()
        self._open.clear()
