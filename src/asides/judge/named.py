"""What words say is being named: "all private method names in the api" names private methods there.

English only. What comes out is compared, never shown: words are stems, and what says nothing is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from asides.judge.likeness import FILLERS, stem
from asides.judge.trade import ELEMENTS, MANNER, SHORT
from asides.judge.words import STOP, vocabulary, words

_NAMES = vocabulary("name names identifier identifiers")
_NAMING = _NAMES | {"naming"}
_THINGS = ELEMENTS | frozenset(
    map(stem, vocabulary("file module package service helper test fixture suite branch folder"))
)
# They say what is done or how it is talked about, not which of the things is meant.
_SAYS_NOTHING = vocabulary(
    """
    add adding append appended apply attach begin beginning begins begun call called calls carry change come
    comes coming contain contains continue create declare define denote distinguish do end ended ending ends
    ensure finish follow followed get give have has help helps identify include indicate initialize introduce
    keep know lead leading like look make mark mention move need needs note notice pick place placed prefer
    prefix prefixed prefixes prefixing prepend put regard remember see should speak standardize start started
    starting starts suffix suffixed suffixes suffixing switch take tail talk trail trailing update use want
    word write standardizing
    front initial initials lowercase uppercase single letter letters character characters string
    addition additional additionally both consistent descriptive first firstly last likewise meaningful new
    next one ones own second secondly similarly specific specifically such sure themselves third way
    code coding codebase base project projects repo repository team teams company standard standards
    convention conventions guideline guidelines style consistency uniformity clarity readability sake thing
    things rule rules future work everything part point reference practice practices key across within inside
    along
    """
)
_SCOPE = re.compile(
    r"\b(?:in|inside|within|under|for|when|whenever|if|where|returning|(?:that|which) return)\s+"
    r"((?:(?!(?:is|are|i|i'd|we|we'd|to|should|must|please|always|it|they|them|their)\b)"
    r"[^\s,;:.!?()\n–—]+\s*)+)",
    re.IGNORECASE,
)
_BREAK = re.compile(r"[,;:.!?()\n–—]+(?=\s|\Z)")
_ARTICLES = vocabulary("the a an all our your my their every each any new these those both")
_AND = vocabulary("and or but so")
_OF = vocabulary("of that which whose")
_VERBS = vocabulary(
    "start starts end ends begin begins should must get gets have has are is take takes carry use"
)
# What goes without saying: arguments are those of functions, whether they are called variables or not.
_OWNERS = {
    "argument": frozenset({"function", "variabl"}),
    "method": frozenset({"class"}),
    "attribut": frozenset({"class"}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Phrase:
    """A noun phrase that ends in a part of code, or in `names`."""

    things: frozenset[str]
    rank: int  # how surely it is what is named
    joined: bool  # with the one before, by "and"


def named(text: str) -> tuple[frozenset[str], ...]:
    """Returns what a text without literals says is named, each as the words that say which it is.

    "functions and methods" are two; "private methods in tests" is one, of three words.
    """
    for part in reversed(_parts(text)):
        clauses = [(at, phrase) for at, piece in enumerate(part) for phrase in _phrases(piece)]
        if not clauses:
            continue
        phrases = [phrase for _, phrase in clauses]
        # Of equals the last clause, and in it what comes first, mostly its subject.
        best = max(range(len(phrases)), key=lambda place: (phrases[place].rank, clauses[place][0], -place))
        chosen = [phrases[best].things]
        first, last = best, best
        while phrases[first].joined and first:
            first -= 1
            chosen.append(phrases[first].things)
        while last + 1 < len(phrases) and phrases[last + 1].joined:
            last += 1
            chosen.append(phrases[last].things)
        where = _scope(" , ".join(" ".join(piece) for piece in part)) - frozenset().union(*chosen)
        return tuple(dict.fromkeys(_plainly(things | where) for things in chosen))
    return ()


def narrowed(things: frozenset[str], text: str) -> frozenset[str]:
    """Returns things with the words of a text that say where, when or for what something holds."""
    return _plainly(things | _scope(text))


def _scope(text: str) -> frozenset[str]:
    return frozenset(
        _stemmed(word)
        for found in _SCOPE.finditer(text)
        for word in words(found.group(1))
        if _tells(word) and not word.endswith("ing")
    )


def _parts(text: str) -> list[list[list[str]]]:
    """Returns the parts of a text, parted by an "and" after which something else is done, in clauses."""
    parts: list[list[list[str]]] = [[]]
    for piece in _BREAK.split(text):
        said = [word.removesuffix("'s") for word in words(piece.replace("s' ", "s "))]
        begins = 0
        for at, word in enumerate(said):
            if word in _AND and not _joins(said, at):
                parts[-1].append(said[begins:at])
                parts.append([])
                begins = at + 1
        parts[-1].append(said[begins:])
    return parts


def _joins(said: list[str], at: int) -> bool:
    """Tells whether an "and" stands between two things."""
    after = next((word for word in said[at + 1 :] if word not in _ARTICLES), "")
    return at > 0 and (_tells(said[at - 1]) or said[at - 1] in _NAMING) and bool(after) and _tells(after)


def _phrases(said: list[str]) -> list[_Phrase]:
    found: list[_Phrase] = []
    run: list[str] = []
    before: list[str] = []
    joins = widens = False
    for word in [*said, ""]:
        if word and _tells(word) and not (word.endswith("ing") and not run):
            run.append(word)
            continue
        owner = [one for one in before if one not in _ARTICLES][-2:]
        if run and widens:
            found[-1] = replace(found[-1], things=found[-1].things | frozenset(map(_stemmed, run)))
        elif (phrase := _phrase(run, owner, word, joined=joins and bool(found))) is not None:
            found.append(phrase)
        # "methods that talk to the network" are network methods, "names of value objects" theirs.
        if word in _OF:
            last = (before + run)[-1:]
            widens = bool(found and last) and (last[0] in _NAMES or _stemmed(last[0]) in found[-1].things)
        elif word in _VERBS or (run and owner[-1:] == ["of"]):
            widens = False
        joins = word in _AND or (joins and not run and word in _ARTICLES)
        before = [*before, *run, word]
        run = []
    return found


def _phrase(run: list[str], owner: list[str], after: str, *, joined: bool) -> _Phrase | None:
    """Returns a run of words as a phrase; `owner`: the two words before it, `after`: the one after it."""
    stems = [_stemmed(word) for word in run]
    of_names = bool(owner) and (owner[-1] in _NAMING or (owner[-1] in ("of", "for") and owner[0] in _NAMING))
    if of_names or after in _NAMES:
        stems_named = stems
    else:
        heads = [place for place, one in enumerate(stems) if one in _THINGS]
        stems_named = stems[: heads[-1] + 1] if heads else []
    if not stems_named:
        return None
    inside = bool(owner) and owner[-1] in ("in", "within", "inside", "from")
    rank = 3 if of_names else 2 if after in _NAMING else 0 if inside else 1
    return _Phrase(things=frozenset(stems_named), rank=rank, joined=joined)


def _plainly(things: frozenset[str]) -> frozenset[str]:
    things = frozenset("argument" if one == "parameter" else one for one in things)
    return things - frozenset().union(*(_OWNERS.get(one, frozenset()) for one in things))


def _tells(word: str) -> bool:
    """Tells whether a word can say which of the things is meant."""
    if word in STOP or word in MANNER or word in FILLERS or word in _NAMING:
        return False
    return word not in _SAYS_NOTHING and not word.endswith(("n't", "'re", "'ve", "'ll", "'d"))


def _stemmed(word: str) -> str:
    return stem(SHORT.get(word, word))
