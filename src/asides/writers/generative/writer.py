"""The writer over a language model: asks, reads strictly, points only at words that were said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import assert_never

from asides.model.anchor import Anchor, label
from asides.model.entry import Entry, Framing, Kind, Source
from asides.model.judgment import Draft, New, Proposal, Relation, Sighting, Supersedes
from asides.writers.further import Further
from asides.writers.generative import grammar, prompts
from asides.writers.generative.answers import Fault, Line, Replaces, Same, Unlike, read
from asides.writers.generative.card import UNMEASURED_CEILING, Card
from asides.writers.generative.completion import Completes, Completion, TooLong
from asides.writers.generative.passes import anchored, related
from asides.writers.generative.scores import scores
from asides.writers.generative.view import harmless, shown

LEAST_SHARE = 1 / 16  # of the usual bounds; what is still too long then is not asked

# Answer lines do not say how a rule was framed. Words by which developers flag one.
_FLAGGED = re.compile(
    r"\b(?:from now on|going forward|always|never|remember|rule|in (?:the )?future|every time|whenever|"
    r"for the record|note to self|keep in mind)\b",
    re.IGNORECASE,
)


class Generative:
    """A `Writer` over anything that completes a prompt.

    `asked` counts the questions since it was loaded, and `refusals` what of their answers counted as NONE, by
    fault. `told` hears of each answer with faults, in words that hold nothing of the message.
    """

    def __init__(
        self, completes: Completes, *, card: Card | None = None, told: Callable[[str], None] | None = None
    ) -> None:
        self._completes = completes
        self._card = card or Card()
        self._told = told
        self.asked = 0
        self.refusals: Counter[Fault] = Counter()

    @property
    def identity(self) -> str:
        """Name and version of the weights."""
        return self._completes.identity

    @property
    def live_threshold(self) -> float:
        """Score from which a proposal is live at once."""
        return self._card.live_threshold

    @property
    def floor(self) -> float:
        """Score under which a proposal is dropped."""
        return self._card.floor

    def salience(self, message: str, previous: str) -> tuple[Proposal, ...]:
        """Returns what may be worth keeping in `message`, given the agent's last words.

        Spans are exact, never overlap and come in order of `start`. Long messages are read at both ends only;
        see `view`. No text makes it raise; NoAnswer, TooSlow and UselessAnswer mean the model.
        """
        text = harmless(message)
        faults: Counter[Fault] = Counter()
        found = self._answered(text, harmless(previous), faults)
        self._tell(faults)
        return found

    @property
    def further(self) -> Further:
        """Itself: the same model answers the second and the third question."""
        return self

    def places(self, drafts: Sequence[Draft], offered: Sequence[Anchor]) -> tuple[Anchor, ...] | None:
        """Returns what each draft is about, one of the places or General; None for an answer refused."""
        lines = [Line(kind=Kind(draft.kind), body=_in_one_line(draft.body)) for draft in drafts]
        answered, fault = anchored(lines, [label(place) for place in offered], self._completes)
        self.asked += 1
        if fault is None:
            return tuple(line.anchor for line in answered)
        self._tell(Counter([fault]))
        return None

    def relation(self, draft: Draft, standing: Sequence[Entry]) -> Relation | None:
        """Returns how a draft stands to these entries, the likeliest first; None for an answer refused."""
        said, fault = related(draft.body, [entry.body for entry in standing], self._completes)
        self.asked += 1
        if fault is not None:
            self._tell(Counter([fault]))
            return None
        match said:
            case Same(number=number):
                return Sighting(entry=standing[number - 1].id, likeness=1.0)
            case Replaces(number=number):
                return Supersedes(entry=standing[number - 1].id, likeness=1.0)
            case Unlike():
                return New()
            case _:
                assert_never(said)

    def _tell(self, faults: Counter[Fault]) -> None:
        self.refusals += faults
        if faults and self._told:
            self._told(", ".join(f"{fault} {count}" for fault, count in faults.items()))

    def _answered(self, text: str, previous: str, faults: Counter[Fault]) -> tuple[Proposal, ...]:
        completion = self._asked(text, previous, faults)
        if completion is None:
            return ()
        answer = read(completion.text) if completion.whole else Fault.CUT
        if isinstance(answer, Fault):
            faults[answer] += 1
            return ()
        return self._located(text, answer, scores(completion, len(answer)), faults)

    def _asked(self, text: str, previous: str, faults: Counter[Fault]) -> Completion | None:
        """Returns the answer about as much of the message as there is room for, None if it was not asked."""
        share = 1.0
        while view := shown(text, share=share):
            rules = grammar.salience(view)
            if rules is None:
                return None
            try:
                completion = self._completes.complete(prompts.salience(view, previous), grammar=rules)
            except TooLong:
                share /= 2
                if share < LEAST_SHARE:
                    faults[Fault.TOO_LONG] += 1
                    return None
            else:
                self.asked += 1
                return completion
        return None

    def _located(
        self,
        text: str,
        lines: tuple[Line, ...],
        odds: tuple[float | None, ...],
        faults: Counter[Fault],
    ) -> tuple[Proposal, ...]:
        found: list[Proposal] = []
        for line, chance in zip(lines, odds, strict=True):
            if line.source is not Source.HUMAN:
                faults[Fault.SOURCE] += 1
                continue
            if line.body not in text:
                faults[Fault.NOT_VERBATIM] += 1
                continue
            start = _free(text, line.body, found)
            if start is None:
                faults[Fault.REPEATED] += 1
                continue
            found.append(
                Proposal(
                    start=start,
                    end=start + len(line.body),
                    kind=line.kind.value,
                    framing=Framing.EXPLICIT if _FLAGGED.search(line.body) else Framing.PASSING,
                    score=self._score(chance),
                    source=line.source,
                )
            )
        return tuple(sorted(found, key=lambda proposal: proposal.start))

    def _score(self, chance: float | None) -> float:
        if chance is None:
            # Whether it is right cannot be told, so a person is asked: between both thresholds.
            return (self._card.floor + self._card.live_threshold) / 2
        return chance if self._card.measured_on else min(chance, UNMEASURED_CEILING)


def _in_one_line(body: str) -> str:
    return " ".join(harmless(body).split())


def _free(text: str, body: str, taken: list[Proposal]) -> int | None:
    """Returns where the body stands first without lying on a span that is taken; None where nowhere."""
    at = text.find(body)
    while at >= 0:
        if all(at >= other.end or at + len(body) <= other.start for other in taken):
            return at
        at = text.find(body, at + 1)
    return None
