"""The writer over a language model: asks once, reads strictly, points only at words that were said."""

from __future__ import annotations

import logging
import re
from collections import Counter

from asides.model.entry import Framing, Source
from asides.model.judgment import Proposal
from asides.writers.generative import grammar, prompts
from asides.writers.generative.answers import Fault, Line, read
from asides.writers.generative.card import UNMEASURED_CEILING, WITHOUT_ODDS, Card
from asides.writers.generative.completion import Completes, Completion, TooLong
from asides.writers.generative.scores import scores
from asides.writers.generative.view import harmless, shown

log = logging.getLogger("asides.writers")

LEAST_SHARE = 1 / 16  # of the usual bounds; what is still too long then is not asked

# Answer lines do not say how a rule was framed. Words by which developers flag one.
_FLAGGED = re.compile(
    r"\b(?:from now on|going forward|always|never|remember|rule|in (?:the )?future|every time|whenever|"
    r"for the record|note to self|keep in mind)\b",
    re.IGNORECASE,
)


class Generative:
    """A `Writer` over anything that completes a prompt.

    `refusals` counts what counted as NONE, by fault, and `asked` the questions, since it was loaded; each
    refusal is also logged, without any of the words.
    """

    def __init__(self, completes: Completes, *, card: Card | None = None) -> None:
        self._completes = completes
        self._card = card or Card()
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
        see `view`. No text makes it raise. NoAnswer, TooSlow and UselessAnswer say what the model could not do.
        """
        text = harmless(message)
        completion = self._asked(text, harmless(previous))
        if completion is None:
            return ()
        answer = read(completion.text) if completion.whole else Fault.CUT
        if isinstance(answer, Fault):
            self._refuse(answer)
            return ()
        return self._located(text, answer, scores(completion, len(answer)))

    def _asked(self, text: str, previous: str) -> Completion | None:
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
                    self._refuse(Fault.TOO_LONG)
                    return None
            else:
                self.asked += 1
                return completion
        return None

    def _located(
        self, text: str, lines: tuple[Line, ...], odds: tuple[float | None, ...]
    ) -> tuple[Proposal, ...]:
        found: list[Proposal] = []
        for line, chance in zip(lines, odds, strict=True):
            if line.source is not Source.HUMAN:
                self._refuse(Fault.SOURCE)
                continue
            if line.body not in text:
                self._refuse(Fault.NOT_VERBATIM)
                continue
            start = _free(text, line.body, found)
            if start is None:
                self._refuse(Fault.REPEATED)
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
        score = WITHOUT_ODDS if chance is None else chance
        return score if self._card.measured_on else min(score, UNMEASURED_CEILING)

    def _refuse(self, fault: Fault) -> None:
        self.refusals[fault] += 1
        log.info("%s: an answer or a line of it counts as NONE: %s", self.identity, fault)


def _free(text: str, body: str, taken: list[Proposal]) -> int | None:
    """Returns where the body stands first without lying on a span that is taken; None where nowhere."""
    at = text.find(body)
    while at >= 0:
        if all(at >= other.end or at + len(body) <= other.start for other in taken):
            return at
        at = text.find(body, at + 1)
    return None
