"""An entry's words, cut into clauses; what in them leaves a doubt."""

from __future__ import annotations

import itertools
import re

LENGTH = 600  # characters of an entry that are looked at; longer ones tell a story, and are not certain

_CODE = re.compile(
    r"`[^`\n]{1,80}`|(?:# ?)?\btype: ignore\b|\b(?:e?println|e?print|dbg|panic|todo"
    r"|unimplemented|unreachable|vec|format)!(?!!)"
)
_DROPPED = re.compile(
    r"^(?:and |ok |so )?(?:we(?:'ve| have)? (?:dropped|removed|ripped out|killed|retired|banned|left|ditched)"
    r"|nobody uses) (`[^`]+`|\S+)(?: any ?more)?$",
    re.I,
)
_IT = re.compile(
    r"^((?:and |so |please )?(?:do not|don't|dont|never) (?:use|import|add|bring in) )(?:it|them|that)\b",
    re.I,
)
_STORY = re.compile(
    r"\b(?:used to|was|were|wasn't|weren't|meant|mean|said|says|saying|told|tells|exceptions?"
    r"|gone|wrong|forget|forgot"
    r"|ignore|disregard|existing|legacy|still|keep|keeps|already|rule is|old rule|true|allow"
    r"|allows|exempt|excluded"
    r"|excluding|instead of that|(?<!nobody )can(?!'?t|not)|may|wrote|writes|asks|asked|thinks?|claims?"
    r"|reads|suggests?|recommends?"
    r"|according|people|someone|somebody|others|wants|by default|in general|as needed|where"
    r" needed|back then|ha(?:s|ve) to|its own|back in)\b"
    r"|^(?!it\b|its\b|it's|they\b|we\b|nobody\b|that\b|node\b).*\b(?:needs?|uses)\b",
    re.I,
)
_TOLD = re.compile(
    (
        r"^(?:(?:like|as) )?(?:i|we)(?:'ve| have)? (?:told you|said)(?: (?:this|that"
        r"|it))?(?: before| already)?$"
    ),
    re.I,
)
# Where one clause ends: at a sign that is followed by a blank, never inside of a name or a path.
_END = re.compile(r"(?:[.;:!?,]+(?=\s|$)|\s(?:-{1,2}|–|—|→|=>)\s|\n)+\s*")
_DOUBT = re.compile(
    r"""\b(?:
        unless | except(?!\s+clauses?\b)
        | (?:where|if|when|wherever|whenever)(?:ever)?\s+(?:you\s+can|possible)
        | prefer(?:ably|red|s)? | try\s+(?:to|not) | maybe | perhaps | probably | ideally | possibly
        | i\s+(?:think|guess|wonder) | rather\s+not | for\s+now | not\s+yet | yet | today | tonight
        | tomorrow | this\s+(?:time|one|pr|file|task|branch|week|sprint) | at\s+some\s+point | later
        | once | until | till | however | but | though | although | usually | mostly | generally
        | normally | sometimes | often
        | (?:is|are|'s|its|be|am)\s+(?:ok|okay|fine|allowed|good|alright) | whatever | never\s*mind
        | (?:don'?t|doesn'?t|do\s+not|does\s+not)\s+(?:have|need) | no\s+need
        | only\s+(?:if|when|for|on) | if | when | whenever | wherever | while | during | without
        | here | there | for\s+the | as\s+long | apart\s+from | besides | optional(?:ly)? | or\s+so
        | could | might | would | some | most | temporar(?:y|ily) | say | stay | can\s+stay | asking
        | in\s+(?:the\s+)?tests?
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)


def plain(body: str) -> str:
    """Returns an entry's words with straight quotes and single blanks."""
    body = body.translate({0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0xB4: "'", 0xA0: " "})
    return re.sub(r"[ \t]+", " ", body).strip()


def in_doubt(text: str) -> bool:
    """Returns whether words leave a rule conditional, partial or open; code is not looked at."""
    text = _CODE.sub("`x`", text)
    return bool(_DOUBT.search(text)) or asks(text)


def asks(text: str) -> bool:
    """Returns whether there is a question in a text; a `?` that stands alone is a sign of code."""
    return bool(re.search(r"[^\s]\?(?=[\s!?.)]|$)", _CODE.sub("`x`", text)))


def tells(text: str) -> bool:
    """Returns whether a clause tells of something that was, or of what somebody else says."""
    return bool(_STORY.search(_CODE.sub("`x`", text))) and not _TOLD.match(text)


def clauses(text: str) -> list[str]:
    """Returns the clauses of a text, code in them whole, without blanks and signs around them."""
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match.group())
        return f"\x00{len(kept) - 1}\x00"

    cut = _END.split(_CODE.sub(keep, text))
    parts = [re.sub(r"\x00(\d+)\x00", lambda match: kept[int(match.group(1))], part) for part in cut]
    return _named(
        [part.strip(" \t*>") if part[:1] in "*>" else part.strip() for part in parts if part.strip()]
    )


def _named(parts: list[str]) -> list[str]:
    """Returns the clauses with the name for "it", where the clause before has just told what was dropped."""
    for n, (before, part) in enumerate(itertools.pairwise(parts)):
        dropped = _DROPPED.match(before)
        if dropped:
            parts[n + 1] = _IT.sub(lambda match, name=dropped[1]: match[1] + name, part)  # type: ignore[misc]
    return parts
