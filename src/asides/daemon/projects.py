"""Which project a folder belongs to, and what its checkout holds; asked of git, remembered for a minute."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from asides.code.git import tracked
from asides.code.identity import Known, identify
from asides.intake.ledger import Ledger
from asides.model.turn import Project, ProjectId

T = TypeVar("T")

REMEMBERED = 60.0  # seconds; asking git takes 5 to 200 ms, a session asks at every event


@dataclass(slots=True)
class _Remembered(Generic[T]):
    value: T
    until: float


class Projects:
    """Answers from memory where it may. `tick` gives seconds that only ever grow."""

    def __init__(self, ledger: Ledger, tick: Callable[[], float]) -> None:
        self._ledger = ledger
        self._tick = tick
        self._found: dict[str, _Remembered[Project | None]] = {}
        self._tracked: dict[str, _Remembered[frozenset[str]]] = {}
        self._identities: dict[ProjectId, Known] = {}

    def of(self, folder: str) -> Project | None:
        """Returns the project of a folder; None for home, temporary and missing folders."""
        return self._recall(self._found, folder, lambda: self._identified(folder))

    def know(self, project: Project, *, at: str) -> None:
        """Remembers for good where a project, which `of` returned, was seen."""
        seen = self._identities.get(project.id, Known(project=project))
        self._ledger.know(project, first_commit=seen.first_commit, mark=seen.mark, at=at)

    def is_there(self, project: Project) -> bool:
        """Returns whether no other project was seen since at the place of this one."""
        seen_there = (one.id for one in self._ledger.projects() if one.key == project.key)
        return next(seen_there, project.id) == project.id

    def tracked(self, root: str, *, fresh: bool = False) -> frozenset[str]:
        """Returns the paths that exist in a checkout, from its root; `fresh`: those of this moment."""
        if fresh:
            self._tracked.pop(root, None)
        return self._recall(self._tracked, root, lambda: tracked(root))

    def _identified(self, folder: str) -> Project | None:
        known = identify(folder, self._known)
        if known is None:
            return None
        self._identities[known.project.id] = known
        return known.project

    def _known(self) -> list[Known]:
        return [
            Known(project=project, first_commit=first, mark=mark)
            for project, first, mark in self._ledger.known()
        ]

    def _recall(self, kept: dict[str, _Remembered[T]], key: str, ask: Callable[[], T]) -> T:
        now = self._tick()
        held = kept.get(key)
        if held is None or held.until <= now:
            if len(kept) > 1_000:
                kept.clear()
            held = kept[key] = _Remembered(ask(), now + REMEMBERED)
        return held.value
