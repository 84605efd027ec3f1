"""Whether a later rule turns an earlier one round: one chooses what the other rejects, for the same thing."""

from __future__ import annotations

from asides.judge.choices import Choice, Term, choices
from asides.judge.likeness import stem
from asides.judge.rivals import AREAS
from asides.judge.words import vocabulary

_AREAS = frozenset(map(stem, AREAS))
_EVERYWHERE = frozenset(
    map(stem, vocabulary("test tests testing"))
)  # named for what it is, not where it holds
REST = 2  # content words that another sentence of the earlier rule may have without being a rule of its own


def reverses(later: str, earlier: str) -> bool:
    """Tells whether `later` rejects what `earlier` chooses, or chooses what it rejects, in the same scope.

    Precision first: a rule for another place, another purpose or only a part of the same is none, and an
    earlier rule that says something else besides stays.
    """
    news, olds = choices(later), choices(earlier)
    heard = frozenset[str]().union(*(new.named for new in news))
    for old in olds:
        rest = (other for other in olds if other is not old)
        if any(len(other.named - heard) > REST for other in rest):
            continue
        for new in news:
            rejected = (new.rejected & old.chosen) - new.chosen - old.rejected
            if any(_left_behind(new, old, term, heard) for term in rejected):
                return True
            chosen = (new.chosen & old.rejected) - new.rejected - old.chosen
            if any(_taken_up(new, old, heard) for _ in chosen):
                return True
    return False


def _left_behind(new: Choice, old: Choice, term: Term, heard: frozenset[str]) -> bool:
    """Tells whether the new sentence, which rejects the term, means the scope in which the old chooses it."""
    if not _same_places(new, old, heard):
        return False
    scope = new.purposes | new.places
    if (old.purposes or old.places) and not scope <= old.named:
        return False
    if not old.words or old.words & heard:
        return True
    # "no longer jest" holds for whatever jest was for.
    return term in new.left and not scope and old.words <= old.purposes | _EVERYWHERE


def _taken_up(new: Choice, old: Choice, heard: frozenset[str]) -> bool:
    """Tells whether the new sentence, which chooses what the old rejects, is more than an exception."""
    if not _same_places(new, old, heard) or not new.purposes | new.places <= old.named:
        return False
    return not old.words or bool(old.words & heard)


def _same_places(new: Choice, old: Choice, heard: frozenset[str]) -> bool:
    if not new.places <= old.named or not new.words & _AREAS <= old.named:
        return False
    return old.places - _EVERYWHERE <= heard and old.words & _AREAS <= heard
