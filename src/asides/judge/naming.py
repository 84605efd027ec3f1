"""Which slots a naming rule fills with what: "boolean columns start with `is_`" says how they begin.

A slot holds one rule at a time: the same slot with another literal is a change, whatever words surround it.
Prefix and suffix are different slots, and so are functions and test functions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from asides.judge.named import named, narrowed

LITERAL = re.compile(
    r"(?<!\w)(?P<quote>[`'\"‘“])(?P<quoted>[^`'\"‘’“”\n]{1,40})[`'\"’”](?!\w)"
    r"|(?<![\w`'\"])(?P<bare>--?[a-z][\w-]+|[\w./*@$#-]*(?:[_/*@$#]|\w\.[a-z]|[a-z][A-Z])[\w./*@$#-]*)"
)
_PLACE = re.compile(
    # in "start ending them" and "begin to use" the verb only says that something begins
    r"\b(?!(?:start|begin)(?:s|ing)? (?:to\b|\w+ing\b(?! (?:prefix|suffix))))(?:"
    r"(?P<front>start(?:s|ing)?|begin(?:s|ning)?|prefix(?:es|ed|ing)?|prepend(?:s|ed|ing)?|lead(?:s|ing)?"
    r"|front)"
    r"|(?P<back>end(?:s|ed|ing)?|finish(?:es|ing)?|(?:suf|post)fix(?:es|ed|ing)?|append(?:s|ed|ing)?"
    r"|trail(?:s|ing)?)"
    r"|(?P<called>called|named)|(?P<within>includ(?:e|es|ing)|contain(?:s|ing)?))\b",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\W*(?:(?:as|to|at|for|in) )?(?:(?:a|an|the|your|our|its) )?(?:\w+ )?"
    r"(?:(?P<front>prefix|front|beginning|start)|(?P<back>suffix|postfix|ending|end))\b",
    re.IGNORECASE,
)
WITHIN = "within"  # of what is to be somewhere in a name there can be several
_CLAUSE = re.compile(r"[,;:.!?()\n–—]+(?=\s|\Z)|\b(?:and|but|so)\b")
_PURPOSE = re.compile(
    r"\b(?:(?:in order )?to (?:indicate|distinguish|show|signal|signify|make|help|avoid|keep|mark"
    r"|maintain|denote)"
    r"|indicat(?:es|ing)|signif(?:ies|ying)|helps?|as in|like|such as|for example|followed by)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_TO_HAVE = re.compile(
    r"\b(?:with|using|use|have|has|get|gets|carry|take)(?: (?:a|an|the|only|now))*\s*\Z", re.IGNORECASE
)
_EXAMPLE = re.compile(
    r"(?:\b(?:like|like this|as in|for example|for instance|such as|say|becomes?|indicating|meaning|short for"
    r"|stands? for)|\be\.?g\.?|\bi\.?e\.?)[\s,:(]*\Z",
    re.IGNORECASE,
)
# A literal after these is what was, or what is not to be.
_LEFT = re.compile(
    r"\b(?:not|no longer|no more|from|over|previously|formerly|was|were"
    r"|replac(?:es|ed|ing)|dropped|drop|old|never|anything but)"
    r"(?: (?:a|an|the|our|with|in|using|by|prefix|suffix|current|old|previous))*\s*\Z"
    r"|\b(?:instead of|rather than|in place of|other than|besides|apart from)\b[^,;:.!?]*\Z"
    # "you don't end them with" is a reproach, and says what is to be
    r"|(?<!you )(?<!you're )(?<!you are )\b(?:no longer|not(?! only)|don't(?! forget)|never|stop|quit"
    r"|changed (?:my|our) minds? (?:on|about)|used to)\b[^,;:.!?]*\Z",
    re.IGNORECASE,
)
_OVER = re.compile(r"\W*(?:is|are|was) (?:out|gone|over|dead|history|no longer)\b", re.IGNORECASE)
_LISTED = re.compile(r"\W*(?:or|and)?\W*\Z", re.IGNORECASE)
_GOES_ON = re.compile(r"\W*(?:or|and|to|into|but|now|use|with|by|rather)?\W*\Z", re.IGNORECASE)
# What holds beside another rule, for a part of it, or not yet.
_BESIDE = re.compile(
    r"\b(?:can|may|could|might)(?: (?:also|still|just|optionally))? (?:start|begin|end|be|use|have|carry)\b"
    r"|\b(?:allowed|acceptable|optional(?:ly)?|except|exception|apart from|elsewhere|otherwise|unless|until"
    r"|once|eventually|someday|maybe|whether|consider|wondering|only (?:for|in|on|when|if))\b|\?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """What is named, as the words that say which of these and where, and at which end."""

    things: frozenset[str]
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """The slots that a saying fills, each with its literals, and what else of literals it holds."""

    filled: dict[Slot, frozenset[str]]
    loose: frozenset[str]  # literals that fill no slot which could be told
    sure: bool  # speaks for all of what it names, from now on


@lru_cache(maxsize=4_096)
def naming(plain: str) -> Naming:
    """Returns which slots a saying fills; examples and what is left behind fill none."""
    filled: dict[Slot, frozenset[str]] = {}
    loose: set[str] = set()
    what: tuple[frozenset[str], ...] = ()
    place = ""
    aside = False
    found = list(LITERAL.finditer(plain))
    ends = [0, *(one.end() for one in found)]
    begins = [*(one.start() for one in found[1:]), len(plain)]
    for one, since, until in zip(found, ends, begins, strict=False):
        literal = (one["quoted"] or one["bare"]).casefold().strip(".,:;()")
        lead, rest = plain[since : one.start()], plain[one.end() : until]
        clause = _CLAUSE.split(rest, maxsplit=1)[0]
        tail = _PURPOSE.sub(" ", clause)
        before, after = named(lead), named(tail)
        left = _LEFT.search(lead) is not None
        example = _EXAMPLE.search(lead) is not None or (not before and _shown(literal, filled))
        listed = aside and _LISTED.match(lead) is not None
        aside = listed or left or example or _OVER.match(rest) is not None
        if aside:
            if left:
                what, place = before or what, _place(lead, "") or place
            continue
        what = before or after or what or named(clause)
        goes_on = bool(since) and (bool(before) or _GOES_ON.match(lead) is not None)
        place = _place(lead, tail) or _shape(literal, lead) or (place if goes_on else "")
        if not place or not what:
            loose.add(literal)
            continue
        for things in what:
            slot = Slot(things=narrowed(things, tail) if before else things, place=place)
            filled[slot] = filled.get(slot, frozenset()) | {literal}
    return Naming(filled=filled, loose=frozenset(loose), sure=_BESIDE.search(plain) is None)


def _place(lead: str, tail: str) -> str:
    """Returns the place that the words around a literal name; a noun after it, "`x_` prefix", is surest."""
    places = [found.lastgroup or "" for found in _PLACE.finditer(lead)]
    noun = _AFTER.match(tail)
    if noun and (not places or noun.group().casefold().endswith("fix")):
        return noun.lastgroup or ""
    return places[-1] if places else ""


def _shape(literal: str, lead: str) -> str:
    """Returns the place that the looks of a literal tell, where something is to have it: with `_id`."""
    front, back = literal.endswith("_"), literal.startswith("_")
    if front == back or _TO_HAVE.search(lead) is None:
        return ""
    return "front" if front else "back"


def _shown(literal: str, filled: dict[Slot, frozenset[str]]) -> bool:
    """Tells whether a literal is only an example of one before: `fetch_user` after `fetch_`."""
    return any(
        literal != one and (literal.endswith(one) if slot.place == "back" else literal.startswith(one))
        for slot, literals in filled.items()
        for one in literals
    )
