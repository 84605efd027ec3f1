"""Why an entry was retired that the developer took back: written where it is done, read where it is told."""

from __future__ import annotations

import re
from dataclasses import dataclass

from asides.model.turn import TurnId

_NOTED = re.compile(r"taken back in turn (\S+): (.+)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """The words that took an entry back, and the turn that they were said in."""

    turn: TurnId
    words: str


def noted(taken: TakenBack) -> str:
    """Returns the reason that is stored with the operation; `parsed` is the inverse."""
    return f"taken back in turn {taken.turn}: {taken.words}"


def parsed(why: str) -> TakenBack | None:
    """Returns what a stored reason says of a withdrawal, or None where it is of another sort."""
    found = _NOTED.fullmatch(why)
    return TakenBack(turn=TurnId(found[1]), words=found[2]) if found else None
