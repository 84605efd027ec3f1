"""How one saying is heard, to be held against another: its words, their signs, its turns of phrase.

Looser than `likeness.read`: what is heard here decides nothing alone, it is weighed (`kinship`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from asides.judge import cues
from asides.judge.likeness import FILLERS, QUANTITY, stem
from asides.judge.redact import MARKER
from asides.judge.rivals import AREAS
from asides.judge.trade import MANNER, SHORT
from asides.judge.words import STOP, vocabulary, words

_NUMERALS = {
    word: str(number)
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
} | {"twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "hundred": "100"}
_AREAS = frozenset(SHORT.get(word, word) for word in AREAS)
_GO = re.compile(r"\b(?:Go|(?:in|for|of|our) go|go (?:code|files?))\b")
_NAME = re.compile(r"[\w#+-]+")
_NUMBER = re.compile(r"\d+(?:\.\d+)*")

_DENIES = vocabulary(
    """
    no not never none without avoid don't dont doesn't doesnt isn't isnt aren't arent can't cant cannot
    shouldn't shouldnt won't wont mustn't mustnt wouldn't neither nor stop stopped ditch ditched drop
    dropped remove removed removing dropping forbid forbidden nicht nie kein keine keinen pas jamais
    nunca sin не нельзя forget scrap ban banned quit
    """
)
_CLAUSE = re.compile(
    r"[,;:!?()\n–—]+|\.(?=\s|\Z)|\s-+\s|\b(?:and|but|so|because|since|und|aber|weil)\b|[，。；！？]"
)
_OTHERWISE = re.compile(r"\b(?:instead of|rather than|in place of|over|off)\b", re.IGNORECASE)
_DENIED_AFTER = re.compile(
    r"\b(?:is|are|was|were|got|get|gets|has been|have been|being)? ?(?:(?:now|all|completely|finally|so) )?"
    r"(?:banned|forbidden|off limits|a no.?go|not (?:ok|okay|allowed|acceptable|fine)|gone|dead|history"
    r"|out(?= *\Z)"
    r"|deprecated|retired|obsolete|dropped|removed|deleted|archived|frozen|replaced|cancelled|verboten"
    r"|going away|thrown out|ripped out|kicked out|left|noise|over(?= *\Z))\b",
    re.IGNORECASE,
)
_WAS = re.compile(
    r"\b(?:instead of|rather than|not|from|no longer|no more) \w*\d[\w.]*"
    r"|\w*\d[\w.]* (?:was|were|is too|are too)\b"
    r"|\b(?:twenty|thirty|forty|fifty|sixty|hundred|two|three|four|five|ten) (?:was|were|is too)\b",
    re.IGNORECASE,
)
_SWAPS = re.compile(
    r"\b(?:swap(?:ped|ping)?|trad(?:ed|ing)|exchang(?:ed|ing)) (?P<gone>.{1,40}?) (?:for|with|against) ",
    re.IGNORECASE,
)
_REPLACES = re.compile(
    r"\b(?:replaced|replaces|replacing|supersedes|superseded|won over|beats)\b", re.IGNORECASE
)

_PLACE = re.compile(
    r"\b(?:in|for|on|under|inside|within|during|when|if|from|at|with|im|für|bei|pour|dans|para|en)\s+"
    r"(?:the |a |an |our |your |my |all |each |every |some |der |den |dem |das )?"
    r"((?:[\w@][\w./@*-]*)(?: (?!is\b|are\b|may\b|can\b|we\b|you\b|they\b|the\b|it\b)[\w@][\w./@*-]*)?)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"(?:\A|[,;:.]\s+)((?:[^\s,;:.]+\s+){1,5}?)"
    r"(?:is|are|was|were|may|can|could|must|should|don't|doesn't|do not|need"
    r"|needs|get|gets|stay|stays|go|goes|keep|keeps|has|have|take|takes|use|uses|live|lives|run|runs|can't"
    r"|require|requires|remain|remains|bleibt|bleiben|darf|dürfen)\b",
    re.IGNORECASE,
)
_PRONOUNS = re.compile(
    r"\A(?:i|we|you|it|that|this|they|there|he|she|what|everything|nothing)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """One saying as it is heard."""

    text: str  # folded, for measures over letters
    words: frozenset[str]  # stems of what it is about
    denied: frozenset[str]  # of these, what is said not to be
    names: frozenset[str]  # as written, in small letters: tools and the like
    numbers: frozenset[str]
    standing_numbers: frozenset[str]  # without those that are named as what was
    areas: frozenset[str]  # parts of a project that are named
    placed_areas: frozenset[str]  # of these, those that say where
    places: frozenset[str]  # of the words, those that say where, when or for what
    subjects: frozenset[str]  # of the words, those that a sentence is about
    quantity: bool  # names a measure of which there can be one only
    turns: bool
    gone: bool
    permits: bool
    limits: bool
    insists: bool
    drops: bool
    supposes: bool  # speaks of what may be or come
    asks: bool
    length: int  # words

    @property
    def affirmed(self) -> frozenset[str]:
        """What is said to be."""
        return self.words - self.denied


@lru_cache(maxsize=4_096)
def hear(body: str) -> Saying:
    """Returns how a saying is heard."""
    plain = MARKER.sub(" ", body).replace("’", "'").replace("()", "")
    every = words(plain)
    about: set[str] = set()
    denied: set[str] = set()
    for clause in _CLAUSE.split(plain):
        if clause:
            _signs(clause, about, denied)
    places = frozenset(word for found in _PLACE.finditer(plain) for word in _content(found.group(1)))
    subjects = frozenset(
        word
        for found in _SUBJECT.finditer(plain)
        if not _PRONOUNS.match(found.group(1))
        for word in _content(found.group(1))
    )
    areas = _areas(every, plain)
    return Saying(
        text=" ".join(every),
        words=frozenset(about),
        denied=frozenset(denied),
        names=frozenset(SHORT.get(word, word) for word in (*every, *_NAME.findall(plain.casefold()))),
        numbers=_numbers(plain),
        standing_numbers=_numbers(_WAS.sub(" ", plain)),
        areas=areas,
        placed_areas=areas
        & frozenset(w for found in _PLACE.finditer(plain) for w in _areas(words(found.group(1)), plain)),
        places=places & about,
        subjects=subjects & about,
        quantity=QUANTITY.search(plain) is not None,
        turns=cues.TURNS.search(plain) is not None,
        gone=cues.GONE.search(plain) is not None,
        permits=cues.PERMITS.search(plain) is not None,
        limits=cues.LIMITS.search(plain) is not None,
        insists=cues.INSISTS.search(plain) is not None,
        drops=cues.DROPS.search(plain) is not None,
        supposes=cues.SUPPOSES.search(plain) is not None,
        asks="?" in plain,
        length=len(every),
    )


def _areas(every: list[str], plain: str) -> frozenset[str]:
    found = {SHORT.get(word, word) for word in every} & _AREAS
    if "go" in found and not _GO.search(plain):
        found.discard("go")
    return frozenset(map(stem, found))


def _numbers(text: str) -> frozenset[str]:
    spelt = {_NUMERALS[word] for word in words(text) if word in _NUMERALS}
    found = {number.lstrip("0") or "0" for number in _NUMBER.findall(text)}
    return frozenset((found - {"0"} or found) | spelt)


def _signs(clause: str, about: set[str], denied: set[str]) -> None:
    """Adds what a clause is about, and what of it it denies."""
    turned = _OTHERWISE.search(clause)
    ended = _DENIED_AFTER.search(clause)
    over = _REPLACES.search(clause)
    swapped = _SWAPS.search(clause)
    if swapped is not None:
        gone = _content(swapped.group("gone"))
        about |= gone
        denied |= gone
        about |= _content(clause[: swapped.start()]) | _content(clause[swapped.end() :])
        return
    passive = over is not None and re.search(
        r"\b(?:is|was|were|been|got|are) (?:\w+ )?\Z", clause[: over.start()]
    )
    if over is not None and not passive:
        about |= _content(clause[: over.start()])
        gone = _content(clause[over.end() :])
        about |= gone
        denied |= gone
        return
    if ended is not None and clause[: ended.start()].strip():
        gone = _content(clause[: ended.start()])
        about |= gone
        denied |= gone
        about |= _content(clause[ended.end() :])
        return
    deny = False
    limit = turned.start() if turned else len(clause) + 1
    for found in re.finditer(r"\S+", clause):
        for word in words(found.group()):
            if word in _DENIES:
                deny = True
            elif kept := _content(word):
                about |= kept
                if deny or found.start() > limit:
                    denied |= kept


def _content(text: str) -> frozenset[str]:
    return frozenset(
        stem(SHORT.get(word, word))
        for word in words(text)
        if word not in STOP
        and word not in MANNER
        and word not in FILLERS
        and word not in _NUMERALS
        and not _NUMBER.fullmatch(word)
    )
