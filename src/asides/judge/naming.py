"""The slot that a naming rule fills: "boolean columns start with `is_`" says how boolean columns begin.

A slot holds one rule at a time: the same slot with another literal is a change, whatever words surround it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from asides.judge.likeness import stem
from asides.judge.trade import ELEMENTS, MANNER, SHORT
from asides.judge.words import STOP, vocabulary, words

_FRONT = vocabulary("start starts starting begin begins beginning prefix prefixed prefixes")
_BACK = vocabulary("end ends ending suffix suffixed suffixes")
_CALLED = vocabulary("called named")
_HEAD = vocabulary("name names naming of the all our every each any your")
_OF = re.compile(r"\bof\s+(?:the |all |our |every |each )?([\w-]+(?: [\w-]+)?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """What is named, with the words that say which of these, and at which end."""

    things: frozenset[str]
    place: str


def slot(plain: str) -> Slot | None:
    """Returns the slot that a saying fills, None where it names nothing, or more than one place."""
    said = words(plain)
    places = {
        place
        for place, verbs in (("front", _FRONT), ("back", _BACK), ("called", _CALLED))
        if verbs & set(said)
    }
    if len(places) != 1:
        return None
    things: set[str] = set()
    for at, word in enumerate(said):
        thing = _stemmed(word)
        if thing not in ELEMENTS:
            continue
        things.add(thing)
        before = said[at - 1] if at else ""
        if _tells(before):
            things.add(_stemmed(before))
    if not things:
        return None
    for found in _OF.finditer(plain):
        things |= {_stemmed(word) for word in words(found.group(1)) if _tells(word)}
    return Slot(things=frozenset(things), place=places.pop())


def _tells(word: str) -> bool:
    """Tells whether a word can say which of the things is meant."""
    return bool(word) and word not in STOP | MANNER | _HEAD | _FRONT | _BACK | _CALLED


def _stemmed(word: str) -> str:
    return stem(SHORT.get(word, word))
