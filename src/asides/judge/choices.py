"""What a rule chooses and what it turns down: "npm here, no longer pnpm" chooses npm and rejects pnpm.

Only fixed forms count. What stands in none of them chooses and rejects nothing, so that a rule is never put
out of force by words that merely stand near each other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from asides.judge.likeness import FILLERS, ROUTINE, stem, without_reason
from asides.judge.words import STOP, vocabulary

Term = tuple[str, ...]  # stems of one name: ("npm",), ("class", "component")

LONGEST_TERM = 3  # words

# One clause ends at a bar. Names keep their dots and slashes.
_PIECE = re.compile(
    r"(?P<word>[@\w](?:[\w@/+#'_-]|\.(?=\w))*)|(?P<arrow>→|->|=>)|(?P<end>[,;:.!?()\n–—]|\s-\s)"
)
_SENTENCE = re.compile(r"[.!?;\n]+(?=\s|\Z)")

_DETERMINERS = vocabulary("the a an our your my any plain")
_PLACES = vocabulary("in inside within under at on across")
_PURPOSES = vocabulary("for when whenever to while during of if with before after unless")
_OTHER_ENDS = vocabulary(
    """
    as any from into onto over off not never no longer more instead rather than but because is are was again
    anymore back both either neither nor now only just by until once without directly
    """
)
_FILLERS = FILLERS | vocabulary(
    """
    use using uses prefer run write stick going went switch switched switching move moved moving change
    changed changes changing migrate migrated plan update correction decided decide decision back again
    history gone dead out longer more any anymore instead rather than project repo repository codebase code
    file files thing things anything everything everybody everyone team all only new not no never don't dont
    stop stopped avoid over still yet well yes yeah nope directly both one everyones today off from
    drop dropped ditch ditched replaced done rid get got settled standardize standardise
    """
)
_ENDS = STOP | FILLERS | _PLACES | _PURPOSES | _OTHER_ENDS

_DONT = r"(?:don't|dont|do not|never|shouldn't|should not|must not|mustn't|can't|cannot|won't|not to)"
_VERB = r"(?:use|run|reach for|go with|pull in|import|install|write in)"
# X comes after. These say that it was otherwise before.
_LEAVES = re.compile(
    r"\b(?:no longer (?:(?:use|using|run|running|on|with) )?|no more |stop(?:ped)? using "
    r"|(?:mov|switch|migrat)(?:e|ed|ing) (?:off of|off|away from|from) |went (?:off|away from|from) "
    r"|(?:ditch(?:ed|ing)?|dropp(?:ed|ing)|abandon(?:ed|ing)?|replac(?:ed|ing)) |(?:got|get|getting) rid of "
    r"|done with )"
)
# These only say what is not to be.
_DENIES = re.compile(
    rf"(?:\b(?:{_DONT} (?:ever )?{_VERB} |(?:instead of|rather than|in place of|avoid) (?:using )?|never "
    r"|(?<!\bdo )(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bdid )(?<!\bdoes )(?<!\bwhy )(?<!\bif )not "
    r"|prefer [^|]{1,60}? over |no (?!longer|more|need|idea|way|one\b))"
    r"|(?:^|(?<=\| ))(?:drop|ditch|forget) )"
)
# Said with these, what is denied was so before.
_TURNING = re.compile(
    r"\b(?:now|nowadays|from now on|from here on|going forward|change of plans?"
    r"|(?:moved|switched|went) (?:back )?to)\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(r"(?: [^ |]+){0,4}? any ?more\b")
# X comes before.
_OVER = re.compile(
    r" (?:(?:is|are) (?:now )?(?:history|gone|dead|deprecated|retired|obsolete|over|out(?! of))"
    r"|(?:is|was|are|were|got|has been|have been) replaced)(?= |\Z)"
)
_ARROW = re.compile(r" → ")
_CHOOSES = re.compile(
    r"\b(?<!\bof )(?:use|using|uses|prefer|stick(?:ing)? (?:to|with)|go(?:ing)? with|went with|run"
    r"|write (?:(?:it|everything|code|tests) )?in|(?:we're|we are|we are now|we're now) on"
    r"|(?:switch|mov|migrat|chang)(?:e|ed|ing) (?:back |over )?to|(?:(?:go|going|gone|went) )?back to"
    r"|settled on|standardi[sz]e on) "
)
_FROM_TO = re.compile(r"\bfrom [^|]{1,40}? to ")
_BEFORE_NOT = re.compile(
    r"(?: (?:here|now|again|everywhere|please))* (?:\| )?(?:not|no longer|instead of|rather than) "
)
# What may stand between the beginning of a clause and the verb that chooses.
_LEADS = FILLERS | vocabulary(
    """
    we you i they should must will we'll we're we've are have has to so and but then also here our the a team
    project repo this in from on change of plan for decided going gonna want need do yes no update correction
    instead still all be let's lets us went switched it's went back now just only everyone that is
    """
)
_PLACED = re.compile(r"(?:for|in|on) (?:[^ |]+ ){1,4}?we ")
_UNSURE = re.compile(
    r"\b(?:if|when|whenever|once|until|till|unless|before|after|while|maybe|might|could|would|eventually"
    r"|someday|soon|later|consider|thinking|why|whether|wish|tomorrow|next)\b"
)
# The verb that chooses is denied, or belongs to a form that rejects.
_UNASKED = re.compile(rf"(?:{_DONT} (?:ever )?|no longer |stop |instead of |rather than |avoid |not )\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What one sentence chooses, what it rejects, and for what.

    `left`: of what is rejected, that which the sentence says was otherwise before. `purposes` and `places`
    are those of `words` that stand after "for" and the like, and after "in" and the like.
    """

    chosen: frozenset[Term]
    rejected: frozenset[Term]
    left: frozenset[Term]
    words: frozenset[str]  # content words besides the terms
    purposes: frozenset[str]
    places: frozenset[str]

    @property
    def named(self) -> frozenset[str]:
        """Every content word, those of the terms too."""
        return self.words.union(*self.chosen, *self.rejected)


@lru_cache(maxsize=4_096)
def choices(body: str) -> tuple[Choice, ...]:
    """Returns what each sentence of a rule chooses and rejects, a reason at its end left out."""
    plain = ROUTINE.sub(" ", without_reason(body).replace("’", "'"))
    turning = _TURNING.search(body) is not None
    return tuple(_choice(clauses, turning) for clauses in map(_clauses, _SENTENCE.split(plain)) if clauses)


def _clauses(sentence: str) -> str:
    """Returns a sentence in small letters, one blank between words, a bar between clauses."""
    pieces: list[str] = []
    for piece in _PIECE.finditer(sentence.casefold()):
        if piece["word"]:
            pieces += re.sub(r"(?<=\w)(?<!\blet)'s\Z", " is", piece["word"]).rstrip("'").split()
        else:
            pieces.append("→" if piece["arrow"] else "|")
    return " ".join(pieces).strip("| ")


def _choice(clauses: str, turning: bool) -> Choice:
    chosen: set[Term] = set()
    left: set[Term] = set()
    denied: set[Term] = set()
    taken: list[tuple[int, int]] = []

    def after(found: re.Match[str], terms: set[Term]) -> None:
        term, end = _after(clauses, found.end())
        if term:
            terms.add(term)
            taken.append((found.start(), end))
            if clauses.startswith((" or ", " nor "), end):
                second, further = _after(clauses, clauses.index("or ", end) + 3)
                if second:
                    terms.add(second)
                    taken.append((end, further))

    def before(found: re.Match[str], terms: set[Term]) -> None:
        term, start = _before(clauses, found.start())
        if term:
            terms.add(term)
            taken.append((start, found.end()))

    for found in _LEAVES.finditer(clauses):
        if not _UNSURE.search(_lead(clauses, found.start())):
            after(found, left)
    for found in _DENIES.finditer(clauses):
        if not _UNSURE.search(_lead(clauses, found.start())):
            _, end = _after(clauses, found.end())
            after(found, left if turning or _AGAIN.match(clauses, end) else denied)
    for form in (_OVER, _ARROW):
        for found in form.finditer(clauses):
            if not _UNSURE.search(_lead(clauses, found.start())):
                before(found, left)
    for found in _CHOOSES.finditer(clauses):
        lead = _lead(clauses, found.start())
        leads = set(_PLACED.sub("", f"{lead} ", count=1).split()) <= _LEADS
        if leads and not _UNASKED.search(clauses[max(0, found.start() - 24) : found.start()]):
            after(found, chosen)
    for form in (_ARROW, _FROM_TO):
        for found in form.finditer(clauses):
            after(found, chosen)
    for found in _BEFORE_NOT.finditer(clauses):
        term, start = _before(clauses, found.start())
        if term and set(_lead(clauses, start).split()) <= _LEADS:
            chosen.add(term)
            taken.append((start, found.start()))
    words, purposes, places = _scope(clauses, taken)
    return Choice(
        chosen=frozenset(chosen),
        rejected=frozenset(left | denied),
        left=frozenset(left),
        words=words,
        purposes=purposes,
        places=places,
    )


def _lead(clauses: str, position: int) -> str:
    """Returns what stands in a clause before a position."""
    return clauses[clauses.rfind("|", 0, position) + 1 : position].strip()


def _after(clauses: str, position: int) -> tuple[Term, int]:
    """Returns the name that begins at a position, and where it ends; no name where none does."""
    term: list[str] = []
    end = position
    for word in re.finditer(r"[^ ]+", clauses[position : position + 200]):
        if not term and word.group() in _DETERMINERS:
            continue
        if word.group() in _ENDS or word.group() in "|→" or len(term) == LONGEST_TERM:
            break
        term.append(stem(word.group()))
        end = position + word.end()
    return tuple(term), end


def _before(clauses: str, position: int) -> tuple[Term, int]:
    """Returns the name that ends at a position, and where it begins."""
    term: list[str] = []
    start = position
    for word in reversed(list(re.finditer(r"[^ ]+", clauses[max(0, position - 200) : position]))):
        if word.group() in _ENDS or word.group() in _FILLERS or word.group() in "|→":
            break
        term.insert(0, stem(word.group()))
        start = max(0, position - 200) + word.start()
    return (tuple(term), start) if len(term) <= LONGEST_TERM else ((), position)


def _scope(
    clauses: str, taken: list[tuple[int, int]]
) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Returns the content words outside the terms: all, those of a purpose, those of a place."""
    every: set[str] = set()
    purposes: set[str] = set()
    places: set[str] = set()
    role: set[str] | None = None
    for word in re.finditer(r"[^ ]+", clauses):
        said = word.group()
        if any(start <= word.start() < end for start, end in taken) or said in "|→":
            role = None
        elif said in _PLACES:
            role = places
        elif said in _PURPOSES:
            role = purposes
        elif said == "as":  # "as the package manager" says what it is, not where it holds
            role = set()
        elif said not in STOP and said not in _FILLERS:
            if role is None:
                every.add(stem(said))
            else:
                role.add(stem(said))
    return frozenset(every | purposes | places), frozenset(purposes), frozenset(places)
