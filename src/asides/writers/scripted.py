"""A writer for tests: it finds what it is told to find, and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Mapping

from asides.model.entry import Framing, Kind
from asides.model.judgment import Proposal


class Scripted:
    """A `Writer` that proposes each of the given phrases where it stands in a message, word for word.

    `asked` holds the (message, previous) of every call.
    """

    def __init__(
        self,
        phrases: Mapping[str, tuple[Kind, Framing, float]],
        *,
        identity: str = "scripted-1",
        live_threshold: float = 0.7,
        floor: float = 0.3,
    ) -> None:
        self._phrases = dict(phrases)
        self._identity, self._live_threshold, self._floor = identity, live_threshold, floor
        self.asked: list[tuple[str, str]] = []

    @property
    def identity(self) -> str:
        """The name it was given."""
        return self._identity

    @property
    def live_threshold(self) -> float:
        """Score from which a proposal is live at once."""
        return self._live_threshold

    @property
    def floor(self) -> float:
        """Score under which a proposal is dropped."""
        return self._floor

    def salience(self, message: str, previous: str) -> tuple[Proposal, ...]:
        """Returns the phrases found in `message`; of two that overlap, the one that starts first."""
        self.asked.append((message, previous))
        found = sorted(
            (
                Proposal(start=at, end=at + len(phrase), kind=kind.value, framing=framing, score=score)
                for phrase, (kind, framing, score) in self._phrases.items()
                if phrase and (at := message.find(phrase)) >= 0
            ),
            key=lambda p: (p.start, -p.end),
        )
        kept: list[Proposal] = []
        for proposal in found:
            if not kept or proposal.start >= kept[-1].end:
                kept.append(proposal)
        return tuple(kept)
