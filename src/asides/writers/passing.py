"""A writer that passes everything on to another one: what changes something on the way builds on it."""

from __future__ import annotations

from asides.model.judgment import Proposal, Writer
from asides.writers.further import Further, further


class Passing:
    """Is what another `Writer` is, in everything."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    @property
    def identity(self) -> str:
        """Identity of the weights."""
        return self._writer.identity

    @property
    def live_threshold(self) -> float:
        """Score from which a proposal is live at once."""
        return self._writer.live_threshold

    @property
    def floor(self) -> float:
        """Score under which a proposal is dropped."""
        return self._writer.floor

    @property
    def further(self) -> Further | None:
        """Who answers further questions, where the other writer can be asked any."""
        return further(self._writer)

    def salience(self, message: str, previous: str) -> tuple[Proposal, ...]:
        """Returns what the other writer proposes."""
        return self._writer.salience(message, previous)
