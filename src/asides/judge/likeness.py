"""How a rule reads, so that two rules can be compared: its words, each with its sign and its role."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA
from rapidfuzz.fuzz import token_sort_ratio

from asides.judge.redact import MARKER
from asides.judge.words import STOP, vocabulary, words

_CLAUSE = re.compile(r"[,;:.!?()\n–—]+(?=\s|\Z)|\s-\s|\b(?:and|but|or|so|und|aber)\b|[，。；！？、]")
_REASON = re.compile(
    r"[\s,;:.(–—-]{1,8}(?:because|cause|since|as it|otherwise|or else|so that"
    r"|it (?:breaks|is|was|will)|that'?s)\b.*\Z",
    re.IGNORECASE | re.DOTALL,
)
_NOT = vocabulary(
    """
    not never no none without avoid stop don't dont doesn't doesnt didn't didnt isn't isnt aren't arent
    can't cant cannot shouldn't shouldnt won't wont mustn't mustnt wouldn't wouldnt nobody nothing nor
    neither forbid forbidden не никогда нельзя нет без nicht nie niemals kein keine keinen nunca jamás
    sin jamais pas sans não मत नहीं कभी لا ليس أبدا 不要 不能 不可 不许 不用 禁止 不 别 勿
    """
)
_INSTEAD = vocabulary("instead rather over than off")  # what follows is what is not to be
_ROLES = vocabulary("before after from to until into onto under above below within between against")
# Words that say how strongly or once more, not what; dropped from both sides.
FILLERS = vocabulary(
    """
    always please again remember note fyi btw ever generally rule reminder important really actually
    simply ok okay hey listen told said say everywhere anywhere pls now onwards onward going forward
    future whatever sure make keep mind know everytime
    """
)
_OFTEN_MISSPELT = ("remember", "always", "please", "everytime")
ROUTINE = re.compile(
    r"\b(?:from now on|going forward|in (?:the )?future|as i (?:said|told you)|i (?:already )?told you"
    r"|once again|every ?time|in (?:this|our) (?:project|repo|repository|codebase)|one more time|in general"
    r"|by the way|from here on|at all)\b",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"\b(?:instead|no longer|any ?more|from now on|going forward|switch(?:ed|ing)?|mov(?:e|ed|ing) to"
    r"|chang(?:e|ed|ing)|now|not .{1,40} but)\b",
    re.IGNORECASE,
)
# Numbers of which there can be one only; a port or an issue has siblings.
_QUANTITY = re.compile(
    r"\b(?:under|below|above|over|at most|at least|max(?:imum)?|min(?:imum)?|limit(?:ed)?|up to|within"
    r"|(?:no )?(?:more|longer|less|fewer) than|lines?|columns?|characters|chars|spaces?|width|length|version"
    r"|timeout|coverage|percent|seconds|ms)\b|%",
    re.IGNORECASE,
)
_EXCLUSIVE = vocabulary("use using prefer target deploy default write format answer reply speak run")
_NUMBER = re.compile(r"v?\d+(?:\.\d+)*")
_DIGIT = re.compile(r"\d")

SHARED_WORDS = 2  # content words that two rules must share before one can change the other
TYPO_LENGTH = 6  # letters from which a word with one letter missing, doubled or swapped is the same word


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A rule as it is compared."""

    text: str
    terms: tuple[tuple[str, bool, str], ...]  # word, whether it is affirmed, role
    words: frozenset[str]
    negations: int
    turns: bool  # says that something is otherwise from now on
    quantity: bool

    @property
    def bare(self) -> tuple[str, ...]:
        """The words without sign and role."""
        return tuple(word for word, _, _ in self.terms)


@lru_cache(maxsize=4_096)
def read(body: str) -> Reading:
    """Returns how a rule reads. A reason at its end does not count, nor politeness and insistence."""
    ruled = ROUTINE.sub(" ", MARKER.sub(" ", without_reason(body)))
    terms: list[tuple[str, bool, str]] = []
    negations = 0
    for clause in _CLAUSE.split(ruled):
        affirmed, role, denials, before = True, "", 0, len(terms)
        for word in words(clause):
            if word in _NOT:
                affirmed = not affirmed
                denials += 1
            elif word in _INSTEAD:
                affirmed = False
                denials += 1
            elif word in _ROLES:
                role = word
            elif word not in STOP and not _is_filler(word):
                terms.append((stem(word), affirmed, role))
                role = ""
        if len(terms) > before:  # a "no" that stands alone answers; it denies nothing here
            negations += denials
    return Reading(
        text=" ".join(words(ruled)),
        terms=tuple(terms),
        words=frozenset(word for word, _, _ in terms),
        negations=negations,
        turns=_TURNS.search(body) is not None,
        quantity=_QUANTITY.search(ruled) is not None,
    )


def without_reason(body: str) -> str:
    """Returns a rule without the reason at its end, where more than two words are left of it."""
    ruled = _REASON.sub("", body)
    return ruled if len(ruled.split()) >= 3 else body


def _is_filler(word: str) -> bool:
    return word in FILLERS or any(_misspelt(word, filler) for filler in _OFTEN_MISSPELT)


def stem(word: str) -> str:
    """Returns a word without the commonest English endings; what holds a digit or is short stays."""
    if word in ("using", "used"):
        return "use"
    if len(word) <= 3 or not word.isascii() or not word.isalpha():
        return word.replace("'", "")
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)]
            if ending in ("ing", "ed") and word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def likeness(one: Reading, other: Reading) -> float:
    """Returns how alike two rules look, 0 to 1; shown to people, decides nothing."""
    return round(token_sort_ratio(one.text, other.text) / 100, 3)


def same(one: Reading, other: Reading) -> bool:
    """Tells whether two rules say the same: the same words, signs and roles, in whatever order of clauses."""
    if not one.terms or not other.terms:
        return one.text == other.text and bool(one.text)
    return _comparable(one, other) and not any(_differences(Counter(one.terms), Counter(other.terms)))


def flipped(one: Reading, other: Reading) -> bool:
    """Tells whether two rules of the same words contradict: in what they deny, or in who has which role."""
    if not _comparable(one, other) or len(set(one.bare)) < SHARED_WORDS or same(one, other):
        return False
    return not any(_differences(_bare(one), _bare(other)))


def changed(new: Reading, old: Reading, *, turning: bool) -> bool:
    """Tells whether `new` replaces one number or name in what is otherwise the sentence `old`.

    A number that limits, or a version, has one value; any other number or name is replaced only where the
    new sentence says that it turns away from the old (`turning`, or by its words) and affirms a choice. Else
    both can hold: never push to one branch, never push to another.
    """
    if not _comparable(new, old):
        return False
    gone, come = _differences(Counter(old.terms), Counter(new.terms))
    if len(gone) != 1 or len(come) != 1:
        return False
    shared = new.words & old.words
    if len(shared) < SHARED_WORDS:
        return False
    (before, was_affirmed, role_before), (after, is_affirmed, role_after) = gone[0], come[0]
    if was_affirmed != is_affirmed or role_before != role_after:
        return False
    turns = turning or new.turns
    if _NUMBER.fullmatch(before) and _NUMBER.fullmatch(after):
        return turns or (new.quantity and old.quantity)
    return turns and is_affirmed and new.negations == 0 and any(stem(word) in shared for word in _EXCLUSIVE)


def _comparable(one: Reading, other: Reading) -> bool:
    """Tells, cheaply, whether two rules can be the same or contradict: neither has a word to spare."""
    most = max(len(one.words), len(other.words))
    return len(one.terms) == len(other.terms) and len(one.words & other.words) * 2 >= most


def _bare(reading: Reading) -> Counter[tuple[str, bool, str]]:
    return Counter((word, True, "") for word in reading.bare)


def _differences(
    one: Counter[tuple[str, bool, str]], other: Counter[tuple[str, bool, str]]
) -> tuple[list[tuple[str, bool, str]], list[tuple[str, bool, str]]]:
    """Returns what only one side holds, misspelt words not counted."""
    left, right = list((one - other).elements()), list((other - one).elements())
    for term in tuple(left):
        twin = next((t for t in right if t[1:] == term[1:] and _misspelt(t[0], term[0])), None)
        if twin is not None:
            left.remove(term)
            right.remove(twin)
    return left, right


def _misspelt(one: str, other: str) -> bool:
    """Tells whether words differ by a letter left out, doubled or swapped; not by one replaced."""
    if (
        min(len(one), len(other)) < TYPO_LENGTH - 1
        or _DIGIT.search(one + other)
        or not (one + other).isalpha()
    ):
        return False
    if len(one) == len(other):
        return sorted(one) == sorted(other) and OSA.distance(one, other) == 1
    return max(len(one), len(other)) >= TYPO_LENGTH and OSA.distance(one, other) == 1
