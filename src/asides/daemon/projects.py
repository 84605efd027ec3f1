"""Which project a folder belongs to, and what its checkout holds; asked of git, remembered for a minute."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from asides.code.git import find_project, tracked
from asides.model.turn import Project

T = TypeVar("T")

REMEMBERED = 60.0  # seconds; asking git takes 5 to 200 ms, a session asks at every event


@dataclass(slots=True)
class _Remembered(Generic[T]):
    value: T
    until: float


class Projects:
    """Answers from memory where it may. `tick` gives seconds that only ever grow."""

    def __init__(self, tick: Callable[[], float]) -> None:
        self._tick = tick
        self._found: dict[str, _Remembered[Project | None]] = {}
        self._tracked: dict[str, _Remembered[frozenset[str]]] = {}

    def of(self, folder: str) -> Project | None:
        """Returns the project of a folder; None for home, temporary and missing folders."""
        return self._recall(self._found, folder, lambda: find_project(folder))

    def tracked(self, root: str) -> frozenset[str]:
        """Returns the paths that exist in a checkout, from its root."""
        return self._recall(self._tracked, root, lambda: tracked(root))

    def _recall(self, kept: dict[str, _Remembered[T]], key: str, ask: Callable[[], T]) -> T:
        now = self._tick()
        held = kept.get(key)
        if held is None or held.until <= now:
            if len(kept) > 1_000:
                kept.clear()
            held = kept[key] = _Remembered(ask(), now + REMEMBERED)
        return held.value
