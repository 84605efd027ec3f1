"""A writer with thresholds of the person's own choice."""

from __future__ import annotations

from asides.model.judgment import Writer
from asides.writers.passing import Passing


class Tuned(Passing):
    """Passes everything on to another writer but the thresholds that are given."""

    def __init__(self, writer: Writer, *, live_threshold: float | None, floor: float | None) -> None:
        super().__init__(writer)
        self._live_threshold = live_threshold
        self._floor = floor

    @property
    def live_threshold(self) -> float:
        """Score from which a proposal is live at once."""
        return self._writer.live_threshold if self._live_threshold is None else self._live_threshold

    @property
    def floor(self) -> float:
        """Score under which a proposal is dropped; never above the live threshold."""
        return min(self.live_threshold, self._writer.floor if self._floor is None else self._floor)
