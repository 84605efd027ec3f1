"""How one saying is heard, to be held against another: its words, their signs, its turns of phrase.

Looser than `likeness.read`: what is heard here decides nothing alone, it is weighed (`kinship`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from asides.judge import cues
from asides.judge.likeness import FILLERS, stem
from asides.judge.naming import LITERAL, Naming, naming
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
    nunca sin не нельзя forget scrap ban banned quit rid
    """
)
_CLAUSE = re.compile(
    r"[,;:!?()\n–—]+|\.(?=\s|\Z)|\s-+\s|\b(?:and|but|so|because|since|und|aber|weil)\b|[，。；！？]"
)
_RATHER = re.compile(r"\b(?:over|off)\b", re.IGNORECASE)
_IS = r"(?:is|are|was|were|got|get|gets|has been|have been|being|is being|are being|will be)"
# What stands before these is not to be.
_BARRED = re.compile(
    rf"\b(?:{_IS} )?(?:banned|forbidden|off limits|a no.?go|verboten|noise"
    r"|not (?:ok|okay|allowed|acceptable|fine))\b",
    re.IGNORECASE,
)
# What stands before these is over.
_OVER = re.compile(
    rf"\b{_IS} (?:(?:now|all|completely|finally|so|just) )?(?:deprecated|retired|dropped|removed"
    rf"|deleted|archived"
    r"|frozen|replaced|cancelled|discontinued|closed|sunset|shut down|phased out|unmaintained"
    r"|abandoned|thrown out"
    r"|ripped out|kicked out|dissolved|outdated|end of life|eol|over|off the table)\b"
    r"|\b(?:(?:is|are) )?(?:gone|dead|history|obsolete|going away|out(?= *\Z)|no more(?= *\Z))\b"
    r"|\b(?:has |have )?left\b",
    re.IGNORECASE,
)
# What stands after these, up to what comes instead, is over.
_LEAVES = re.compile(
    r"\b(?:no longer (?:use|using|run|running|on|with)?|no more|got rid of|get rid of|getting rid of"
    r"|done with"
    r"|(?:we |i |they |lead |team )(?:have |'ve )?(?:dropped|ditched|abandoned|removed|left"
    r"|kicked out|threw out)"
    r"|(?:mov|switch|migrat)(?:e|ed|ing) (?:off of|off|away from|from)|instead of|rather than|in place of"
    r"|ya no usamos|nicht mehr)\s",
    re.IGNORECASE,
)
_SWAPS = re.compile(
    r"\b(?:swap(?:ped|ping)?|trad(?:ed|ing)|exchang(?:ed|ing)) (?P<gone>.{1,40}?) (?:for|with|against) ",
    re.IGNORECASE,
)
_REPLACES = re.compile(
    r"\b(?:replaced|replaces|replacing|supersedes|superseded|won over|beats)\b", re.IGNORECASE
)
_PASSIVE = re.compile(r"\b(?:is|was|were|been|got|are|gets) (?:\w+ )?\Z", re.IGNORECASE)
_INSTEAD = re.compile(r"\s(?:to|for|with|by|use|take)\s", re.IGNORECASE)
_WAS = re.compile(
    r"\b(?:instead of|rather than|not|from|no longer|no more) \w*\d[\w.]*"
    r"|\w*\d[\w.]* (?:was|were|is too|are too)\b"
    r"|\b(?:twenty|thirty|forty|fifty|sixty|hundred|two|three|four|five|ten) (?:was|were|is too)\b",
    re.IGNORECASE,
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
    over: frozenset[str]  # of these, what is said to have been
    names: frozenset[str]  # as written, in small letters: tools and the like
    literals: frozenset[str]  # what is written to be taken letter by letter: 'x_', foo.ts, --dry-run
    naming: Naming  # which slots a naming rule fills
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
    over: set[str] = set()
    for clause in _CLAUSE.split(plain):
        if clause:
            _signs(clause, about, denied, over)
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
        over=frozenset(over),
        names=frozenset(SHORT.get(word, word) for word in (*every, *_NAME.findall(plain.casefold()))),
        literals=_literals(plain),
        naming=naming(plain),
        numbers=_numbers(plain),
        standing_numbers=_numbers(_WAS.sub(" ", plain)),
        areas=areas,
        placed_areas=areas
        & frozenset(w for found in _PLACE.finditer(plain) for w in _areas(words(found.group(1)), plain)),
        places=places & about,
        subjects=subjects & about,
        quantity=cues.QUANTITY.search(plain) is not None,
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


def _literals(plain: str) -> frozenset[str]:
    return frozenset(
        (found["quoted"] or found["bare"]).casefold().strip(".,:;()") for found in LITERAL.finditer(plain)
    ) - {""}


def _areas(every: list[str], plain: str) -> frozenset[str]:
    found = {SHORT.get(word, word) for word in every} & _AREAS
    if "go" in found and not _GO.search(plain):
        found.discard("go")
    return frozenset(map(stem, found))


def _numbers(text: str) -> frozenset[str]:
    spelt = {_NUMERALS[word] for word in words(text) if word in _NUMERALS}
    found = {number.lstrip("0") or "0" for number in _NUMBER.findall(text)}
    return frozenset((found - {"0"} or found) | spelt)


def _signs(clause: str, about: set[str], denied: set[str], over: set[str]) -> None:
    """Adds what a clause is about, what of it it denies, and what it says is over."""
    for form in (_OVER, _BARRED):
        found = form.search(clause)
        before = _content(clause[: found.start()]) if found else frozenset()
        if found and before:
            about |= before | _content(clause[found.end() :])
            denied |= before
            if form is _OVER:
                over |= before
            return
    swapped = _SWAPS.search(clause)
    replaces = None if swapped else _REPLACES.search(clause)
    if swapped is not None:
        gone = _content(swapped.group("gone"))
        about |= gone | _content(clause[: swapped.start()]) | _content(clause[swapped.end() :])
    elif replaces is not None and not _PASSIVE.search(clause[: replaces.start()]):
        gone = _content(clause[replaces.end() :])
        about |= gone | _content(clause[: replaces.start()])
    elif (leaves := _LEAVES.search(clause)) is not None:
        rest = clause[leaves.end() :]
        instead = _INSTEAD.search(rest)
        gone = _content(rest[: instead.start()] if instead else rest)
        about |= (
            gone
            | _content(clause[: leaves.start()])
            | (_content(rest[instead.end() :]) if instead else set())
        )
    else:
        _denials(clause, about, denied)
        return
    denied |= gone
    over |= gone


def _denials(clause: str, about: set[str], denied: set[str]) -> None:
    rather = _RATHER.search(clause)
    limit = rather.start() if rather else len(clause) + 1
    deny = False
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
