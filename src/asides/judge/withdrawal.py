"""Words that take back a standing rule: "forget what I said about tabs", "the pnpm rule is off".

Only fixed forms count, and only those that speak of a rule or of what was said: "forget the tests for now" is
an order for the task at hand. What a withdrawal is about is then looked for among the entries.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from asides.judge.kinship import Closeness, spoken_of
from asides.model.entry import Entry

_DROP = (
    r"(?:forget(?: about)?|scrap|drop|disregard|ignore|never ?mind(?: about)?|cancel|lift"
    r"|(?:you can |let's |please )?(?:forget|drop|scrap|ignore|skip))"
)
_LEAD = (
    r"(?:^|(?<=[.!?\n,;:–—])|(?<= - ))[ \t]{0,8}(?:(?:oh|ah|ok|okay|so|and|also|btw|actually|please|pls"
    r"|right|hey|no|well|anyway|fyi|by the way|you can|you may|you could|we can|let's|just"
    r"|now|then)[ ,]{1,3}){0,4}"
)
_RULE = (
    r"(?:rules?|thing|preference|request|policy|requirement|instructions?|convention|step|idea|habit|stuff"
    r"|guideline|restriction|ban|limit|exception)"
)
_ABOUT = r"(?:about|on|regarding|concerning|for|with|that says|of|to)"
_SAID = (
    r"(?:what|everything|anything|all(?: that)?|the things?|that thing|the stuff)"
    r" (?:i|we)(?:'ve|'d| have| had)? "
    r"(?:ever |just |once |previously |earlier )?(?:said|told you|wrote|mentioned|asked|asked for|taught you"
    r"|decided)(?: to you| you| earlier| before| once| last (?:week|time|month)| yesterday)?"
)
_X = r"(?P<x>[^.!?\n;:–—]{2,80}?)"
_END = (
    r"(?=[.!?\n;:,–—]|\s-\s|\Z"
    r"| (?:because|since|as it|it'?s|it was|we|i|that was|was|from (?:last|this|now)|for good|please|pls"
    r"|ok|okay|thanks)\b)"
)
_OURS = r"(?:the|that|this|my|our)"
_GIVEN = r"(?: (?:i|we) (?:said|told you|gave you|mentioned|had))?"
_IS_OFF = (
    rf"(?:{_DROP} it|is (?:off|over|gone|dead|history|obsolete)|no longer (?:holds|applies|counts)"
    r"|(?:doesn't|does not) (?:hold|apply|count) (?:any ?more|any longer)|can go)\b"
)
_NOW_ON = r"(?:any ?more|any longer|no longer|from now on|going forward|from here on)"
# These speak of a rule or of what was said, and of nothing else.
_OF_A_RULE = tuple(
    re.compile(form, re.IGNORECASE | re.MULTILINE)
    for form in (
        rf"(?:{_LEAD}|\b(?:so|and|then) ){_DROP} {_SAID} {_ABOUT} {_X}{_END}",
        rf"{_LEAD}{_DROP} {_OURS} {_RULE}{_GIVEN} {_ABOUT} {_X}{_END}",
        rf"{_LEAD}{_DROP} {_OURS} {_X}[ -]{_RULE}{_END}",
        rf"{_LEAD}{_DROP} {_OURS} (?P<x>[^.!?\n;:–—,]{{2,60}}?[ -](?:rule|step|requirement|policy|ban)s?"
        rf" (?:after|before|for|in|on|when|whenever) [^.!?\n;:–—,]{{2,60}}?){_END}",
        rf"{_LEAD}{_DROP} that about {_X}{_END}",
        rf"{_LEAD}{_OURS} {_RULE}{_GIVEN} {_ABOUT} {_X}[,:]? {_IS_OFF}",
        rf"{_LEAD}{_OURS} {_X} {_RULE}{_GIVEN}[,:]? {_IS_OFF}",
        r"^(?:bitte )?(?:vergiss|ignoriere?)(?: bitte)?,? (?:das )?was ich (?:über|zu|zum|zur|wegen) "
        r"(?P<x>[^.!?\n;:,]{2,60}?) gesagt (?:habe|hab)\b",
        r"^(?:olvida|ignora) lo que (?:dije|te dije) (?:sobre|de) (?P<x>[^.!?\n;:,]{2,60})",
        r"^oublie ce que j'ai dit (?:sur|à propos de) (?P<x>[^.!?\n;:,]{2,60})",
    )
)
# These say that something need not be done any more, which is a rule as well.
_NEEDLESS = tuple(
    re.compile(form, re.IGNORECASE | re.MULTILINE)
    for form in (
        rf"{_LEAD}(?:there(?:'s| is) )?no more need (?:to|for) {_X}{_END}",
        rf"{_LEAD}stop (?:asking|telling|bothering|reminding) me (?:about|for|to|whether|if) {_X}{_END}",
        rf"{_LEAD}you (?:can|may) stop (?P<x>\w+ing\b[^.!?\n;:–—,]{{2,80}}?){_END}",
        rf"{_LEAD}(?:we|i)(?:'re| are|'m| am) not going to {_X} {_NOW_ON}\b",
        rf"{_LEAD}(?:we|i) (?:won't|will not) (?:do |need ){_X},? {_DROP} (?:it|that)\b",
        rf"{_LEAD}{_X} is off the table\b",
        rf"{_LEAD}(?P<x>[^.!?\n;:–—,]{{2,60}}? (?:don't|doesn't|do not|does not) need "
        rf"[^.!?\n;:–—,]{{2,60}}?) {_NOW_ON}\b",
        rf"{_LEAD}(?:there(?:'s| is) )?no (?:more )?need (?:to|for) {_X} {_NOW_ON}\b",
        rf"{_LEAD}(?:you|we) (?:don't|do not|no longer) (?:have|need) to {_X} {_NOW_ON}\b",
        rf"{_LEAD}(?:you|we) no longer (?:have|need) to {_X}{_END}",
        rf"{_LEAD}{_X} (?:isn't|aren't|is not|are not) (?:needed|necessary|required|mandatory) {_NOW_ON}\b",
        rf"{_LEAD}{_X} (?:is|are) no longer (?:needed|necessary|required|mandatory)\b",
    )
)
_FOR_NOW = re.compile(
    r"\b(?:for (?:now|the moment|today|this (?:one|task|pr|time|commit|file)|once)|this time|at the moment"
    r"|today|just here|right now|temporarily|in this (?:pr|file|commit|case|test))\b",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\?\s*\Z")
# A message longer than this explains something else; in characters.
LONGEST = 2_000

# Among 1,761 pairs these bars retire no entry that a near miss speaks of (train/consolidation.py).
COVERED = 0.75  # share of what the withdrawal names that the entry names too
CLOSE = 0.55  # cosine of what it names to the entry, where half of it is named
MARGIN = 0.15  # by which the best entry has to be ahead of the next


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal:
    """Words of a message, half open, and what they are about.

    `bare`: they only speak of a rule or of what was said; "no need to run it any more" is a rule as well.
    """

    start: int
    end: int
    subject: str
    bare: bool


def withdrawals(message: str) -> tuple[Withdrawal, ...]:
    """Returns where a message takes back a rule; nothing for what holds for now only, or is asked."""
    found: list[Withdrawal] = []
    text = message[:LONGEST].replace("’", "'")
    for form in (*_OF_A_RULE, *_NEEDLESS):
        for match in form.finditer(text):
            sentence = _sentence(text, match.start("x"), match.end())
            if _FOR_NOW.search(sentence) or _ASKS.search(sentence):
                continue
            start = match.start() + len(match.group()) - len(match.group().lstrip())
            if any(start < one.end and one.start < match.end() for one in found):
                continue
            found.append(
                Withdrawal(
                    start=start, end=match.end(), subject=match.group("x").strip(), bare=form in _OF_A_RULE
                )
            )
    return tuple(sorted(found, key=lambda one: one.start))


def meant(subject: str, entries: Sequence[Entry], closeness: Closeness | None) -> tuple[Entry, float] | None:
    """Returns the one entry that a withdrawal is about, and how surely, 0 to 1; None where unsure."""
    near = closeness(subject, [entry.body for entry in entries]) if closeness and entries else None
    scored: list[tuple[float, Entry]] = []
    for place, entry in enumerate(entries):
        share = spoken_of(subject, entry.body)
        close = near[place] if near is not None else share
        if share >= COVERED or (share >= 0.5 and close >= CLOSE):
            scored.append(((share + max(0.0, close)) / 2, entry))
    scored.sort(key=lambda one: -one[0])
    if not scored or (len(scored) > 1 and scored[0][0] - scored[1][0] < MARGIN):
        return None
    return scored[0][1], round(scored[0][0], 3)


def _sentence(text: str, start: int, end: int) -> str:
    """Returns the sentence around a place."""
    ends = [at for mark in ".!?\n" if (at := text.find(mark, end)) >= 0]
    begins = max(text.rfind(mark, 0, start) for mark in ".!?\n")
    return text[begins + 1 : (min(ends) + 1) if ends else len(text)]
