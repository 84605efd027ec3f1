"""How sure a model is of each line of its answer, from the odds of its tokens.

At the place where a line begins the model chooses between the line and nothing more: NONE, or the end of the
answer. The share of the line among these two is the probability, by the model's own account, that there is
something to keep; a later line is there only if those before it are, so its share is multiplied with theirs.
What the model says within the line does not count: a rare word copied truly is no less worth keeping.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from asides.writers.generative.answers import NOTHING, OPENING
from asides.writers.generative.completion import Completion, Token

UNDERSTOOD = 0.5  # mass on line and nothing together, below which the model does not speak the form
END_MARKS = ("", "<|im_end|>", "<|endoftext|>")


def scores(completion: Completion, lines: int) -> tuple[float | None, ...]:
    """Returns the probability of each line, 0 to 1, or None for all where the odds say nothing."""
    places = _openings(completion.tokens)
    if len(places) != lines or lines == 0:
        return (None,) * lines
    found: list[float] = []
    likely = 1.0
    for number, token in enumerate(places):
        share = _share(token, OPENING, NOTHING) if number == 0 else _share_of_more(token)
        if share is None:
            return (None,) * lines
        likely *= share
        found.append(likely)
    return tuple(found)


def _openings(tokens: Sequence[Token]) -> list[Token]:
    """Returns the tokens at which the model chose to begin a line: the first, and each with a line's end."""
    return [token for place, token in enumerate(tokens) if place == 0 or "\n" in token.text]


def _share(token: Token, wanted: str, other: str) -> float | None:
    mass = {token.text: token.logprob, **dict(token.instead)}
    line = sum(math.exp(p) for text, p in mass.items() if _begins(text, wanted))
    none = sum(math.exp(p) for text, p in mass.items() if _begins(text, other))
    return line / (line + none) if line + none >= UNDERSTOOD else None


def _share_of_more(token: Token) -> float | None:
    mass = {token.text: token.logprob, **dict(token.instead)}
    more = sum(math.exp(p) for text, p in mass.items() if text.startswith("\n"))
    end = sum(math.exp(p) for text, p in mass.items() if text in END_MARKS)
    return more / (more + end) if more + end > 0 else None


def _begins(token: str, word: str) -> bool:
    text = token.lstrip()
    return bool(text) and (word.startswith(text) or text.startswith(word))
