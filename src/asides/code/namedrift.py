"""What became of one declaration: by its name where it was, then by likeness among what is new."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from rapidfuzz import fuzz

from asides.code.declarations import Declared, language_of
from asides.code.freshness import OTHER, Candidate, Fresh
from asides.code.sketches import likeness
from asides.code.subjects import Look, of_declaration
from asides.model.anchor import Declaration, Drift, Followed, Subject

# Likeness from which something new is taken for the subject. Chosen on one half of the histories and scripts
# of bench/anchors, where they were the lowest that let no other declaration pass.
SAME_NAME = 0.25  # it has the whole name, in another file
SAME_LAST_HERE = 0.35  # the last part of the name, in the same file: its class was renamed
SAME_LAST = 0.45  # the last part of the name, in another file
ONLY_NAMESAKE = 0.2  # the last part of the name, which is a long one that nothing else new has
KIN_HERE = 0.3  # much the same name, in the same file
KIN = 0.45  # much the same name, in another file
OTHER_NAME_HERE = 0.5  # another name, in the same file
OTHER_NAME = 0.6  # another name, in another file
PLACED = 0.25  # another name, between the same two neighbours
ALIKE = 0.8  # under which it is asked whether the name was given to something else
DISPLACED = 0.7  # another name, while something else bears the old one
SMALL = 16  # words and signs under which another name needs all of them, since so little resembles much
SMALLER = (
    5.0  # added to the likeness that is needed, for each word and sign: 0.3 for 16 of them, 0.05 for 100
)
TINY = 8  # under which even that says nothing: `return self.name` is everywhere
RIVAL = 0.1  # by which another that vanished may not resemble a candidate more
LIKE_LITTLE = 0.15  # likeness from which something new leaves a doubt, of what has few words
LIKE = 0.3  # likeness from which something new leaves a doubt
NAMED_ALIKE = 80.0  # of 100 letters that two names share, from which they are much the same
LONG_NAME = 6  # letters from which a name is seldom used twice by chance
LEFT = 0.5  # share of the subject's parts in what is new, from which there is a doubt
DEPTH = 8  # names that stand in one another


@dataclass(frozen=True, slots=True, kw_only=True)
class _Match:
    candidate: Candidate
    likeness: float
    score: float
    enough: bool


class NameDrift:
    """One declaration, looked for in one look at a tree."""

    def __init__(
        self, subject: Subject, anchor: Declaration, look: Look, fresh: Callable[[], Fresh], depth: int = 0
    ) -> None:
        self._subject = subject
        self._anchor = anchor
        self._look = look
        self._ask = fresh
        self._depth = depth
        self._scope, _, self._last = anchor.name.rpartition(".")

    def found(self) -> Followed:
        """Returns what became of it; other branches are not asked."""
        path = self._anchor.path
        text = self._look.text(path)
        if text is None and path in self._look.paths:
            return _unknown(f"{path} cannot be read")
        if language_of(path) is None or (text is not None and self._look.source(path) is None):
            return _unknown(f"{path} cannot be parsed")
        one = self._look.declared(path).get(self._anchor.name)
        if one is not None:
            return self._there(path, one)
        home = self._ask().home(path)
        if home is not None and home != path and self._look.text(home) is None:
            return _unknown(f"{home} cannot be read")
        one = self._look.declared(home).get(self._anchor.name) if home is not None else None
        if home is not None and one is not None:
            return self._there(home, one)
        return self._moved() or self._gone(home)

    def _there(self, path: str, one: Declared) -> Followed:
        """The name is where it was: it is the subject, unless that is elsewhere and this is another thing."""
        if one.fingerprint == self._subject.fingerprint:
            return self._at(path, one)
        found = self._at(path, one)
        if 1 - found.edited < ALIKE and (moved := self._displaced(path, one, 1 - found.edited)) is not None:
            return moved
        return found

    def _displaced(self, path: str, one: Declared, like: float) -> Followed | None:
        """Returns where the subject went when its name was given to something else.

        That is so where what bears the name now is hardly like it, or was something else before.
        """
        if self._subject.size < TINY or not self._ask().known:
            return None
        usurped = self._usurped(path, one, like)
        if like >= OTHER and not usurped:
            return None
        best = max(self._matches(), key=lambda match: match.likeness, default=None)
        if best is None or best.likeness < max(DISPLACED, like + RIVAL) or not best.candidate.sure:
            return None
        if self._subject.size < SMALL and best.candidate.one.fingerprint != self._subject.fingerprint:
            return None
        # What is new and calls it kept the old name for its callers: to them it is the subject.
        delegates = best.candidate.last in one.tokens and not usurped
        if delegates or _within(best.candidate.one.name, self._anchor.name):
            return None
        return self._at(best.candidate.path, best.candidate.one)

    def _usurped(self, path: str, one: Declared, like: float) -> bool:
        """Tells whether what bears the name now bore another one at the commit."""
        fresh, old = self._ask(), self._anchor.path
        now = fresh.drawn(path, one)
        others = (other for other in fresh.vanished(old) if other.name != self._anchor.name)
        least = max(DISPLACED, like + RIVAL)
        return any(likeness(fresh.drawn_before(old, other), now) >= least for other in others)

    def _moved(self) -> Followed | None:
        in_scope = self._with_its_scope()
        if in_scope is not None:
            return in_scope
        matches = sorted(
            (match for match in self._matches() if match.enough), key=lambda match: match.score, reverse=True
        )
        if not matches:
            return None
        best = matches[0]
        rivals = [
            match
            for match in matches[1:]
            if best.score - match.score < 0.02
            and match.candidate.last != best.candidate.last  # of two namesakes the nearer path is taken
            and not _nested(match.candidate, best.candidate)
        ]
        if rivals:
            names = " and ".join(one.candidate.one.name for one in (best, rivals[0]))
            return _unknown(f"it can be {names}")
        return self._at(best.candidate.path, best.candidate.one)

    def _with_its_scope(self) -> Followed | None:
        """Returns it where what it stood in is now, under its own name, whatever is left of it."""
        outer = self._outer()
        if outer is None:
            return None
        anchor, one = outer
        there = NameDrift(
            of_declaration(anchor, one, self._subject.commit), anchor, self._look, self._ask, self._depth + 1
        ).found()
        if there.subject is None or not isinstance(there.subject.anchor, Declaration):
            return None
        place = there.subject.anchor
        mine = self._look.declared(place.path).get(f"{place.name}.{self._last}")
        return self._at(place.path, mine) if mine is not None and there.drift is Drift.MOVED else None

    def _outer(self) -> tuple[Declaration, Declared] | None:
        """Returns the declaration that it stood in at the commit."""
        if not self._scope or self._depth == DEPTH:
            return None
        old = self._ask().before(self._anchor.path)
        outer = Declaration(path=self._anchor.path, name=self._scope)
        declared = old.declared if old is not None else ()
        return next(((outer, one) for one in declared if one.name == self._scope), None)

    def _matches(self) -> list[_Match]:
        fresh = self._ask()
        home = fresh.home(self._anchor.path)
        found = []
        for candidate in fresh.nearest(self._subject, self._last):
            if candidate.path == home and candidate.one.name == self._anchor.name:
                continue
            like = likeness(self._subject.sketch, candidate.sketch)
            whole = candidate.one.name == self._anchor.name
            last = _folded(candidate.last) == _folded(self._last)
            here = candidate.path == home
            alike = 1.0 if last else _alike(candidate.last, self._last)
            placed = here and self._ask().in_place_of(self._anchor, candidate)
            least = self._least(candidate, whole=whole, last=last, here=here, kin=alike > 0)
            if placed:
                least = min(least, PLACED + min(0.2, 3 / max(1, self._subject.size)))
            enough = like >= least
            if enough and not whole and self._belongs_to_another(candidate, like):
                enough = False
            beside = here and candidate.one.name.rpartition(".")[0] == self._scope
            near = fuzz.ratio(candidate.path, self._anchor.path) / 100
            score = like + 0.3 * whole + 0.2 * alike + 0.05 * here + 0.1 * placed + 0.1 * beside + 0.04 * near
            found.append(_Match(candidate=candidate, likeness=like, score=score, enough=enough))
        return found

    def _least(self, candidate: Candidate, *, whole: bool, last: bool, here: bool, kin: bool) -> float:
        """Returns the likeness from which a candidate is the subject; more than 1 where none is enough."""
        if candidate.one.fingerprint == self._subject.fingerprint and self._subject.size >= TINY:
            return 0.0
        size = max(1, self._subject.size)
        if whole or last:
            least = SAME_NAME if whole else SAME_LAST_HERE if here else SAME_LAST
            only = len(self._last) >= LONG_NAME and len(self._ask().named(self._last)) == 1
            return max(least, 0.5) if not candidate.sure else min(least, ONLY_NAMESAKE) if only else least
        if not candidate.sure:
            return 2.0
        if kin:
            return (KIN_HERE if here else KIN) + min(0.2, SMALLER / size)
        if self._subject.size < SMALL:
            return 2.0
        return (OTHER_NAME_HERE if here else OTHER_NAME) + SMALLER / size

    def _belongs_to_another(self, candidate: Candidate, like: float) -> bool:
        """Tells whether something else that vanished from the file is more likely what the candidate was."""
        fresh = self._ask()
        for one in fresh.vanished(self._anchor.path):
            nested = _within(one.name, self._anchor.name) or _within(self._anchor.name, one.name)
            if one.name == self._anchor.name or nested or not one.tokens:
                continue
            last = one.name.rpartition(".")[2]
            theirs = likeness(fresh.drawn_before(self._anchor.path, one), candidate.sketch)
            named = last == candidate.last and candidate.last != self._last
            if theirs > like + RIVAL or (named and theirs >= min(like, SAME_LAST)):
                return True
        if candidate.path != fresh.home(self._anchor.path):
            return fresh.nearer(candidate, self._anchor)
        return False

    def _gone(self, home: str | None) -> Followed:
        """Returns that it is gone, or what leaves a doubt."""
        fresh = self._ask()
        path = self._anchor.path
        old = fresh.before(path)
        mine = next((one for one in old.declared if one.name == self._anchor.name), None) if old else None
        matches = self._matches()
        there = self._look.source(home) if home is not None else None
        if fresh.paths is not None and fresh.cut:
            return _unknown("more files changed than are looked through, or one cannot be read")
        if there is not None and there.broken and (old is None or not old.broken):
            return _unknown(f"{home} cannot be parsed")
        if (namesake := fresh.namesake(self._anchor)) is not None:
            return _unknown(f"{namesake} declares it, and changed too")
        for named in () if fresh.common(self._last) else fresh.named(self._last):
            return _unknown(f"{named.one.name} is new in {named.path}")
        if (writes := fresh.written(self._last, path, mine)) is not None:
            return _unknown(f"its name is written in {writes}")
        if (mentions := fresh.mentioned(self._last)) is not None:
            return _unknown(f"{mentions} names it, in a language that is not read")
        nearest = max(matches, key=lambda match: match.likeness, default=None)
        little = self._subject.size < 2 * SMALL  # then likeness says little, and its place more
        if little and any(
            fresh.in_place_of(self._anchor, one) for one in fresh.candidates if one.path == home
        ):
            return _unknown(f"something else stands in its place in {home}")
        if nearest is not None and nearest.likeness >= (LIKE_LITTLE if little else LIKE):
            return _unknown(f"{nearest.candidate.one.name} resembles it")
        if fresh.left(self._subject, path, mine) >= LEFT:
            return _unknown("parts of it stand elsewhere now")
        return Followed(drift=Drift.GONE, subject=None, edited=1.0)

    def _at(self, path: str, one: Declared) -> Followed:
        anchor = replace(self._anchor, path=path, name=one.name)
        now = of_declaration(anchor, one, self._subject.commit)
        same = now.fingerprint == self._subject.fingerprint
        share = 0.0 if same else round(1 - likeness(self._subject.sketch, now.sketch), 3)
        if anchor != self._anchor:
            return Followed(drift=Drift.MOVED, subject=now, edited=share)
        return Followed(drift=Drift.SAME if same else Drift.EDITED, subject=now, edited=share)


def _unknown(why: str) -> Followed:
    return Followed(drift=Drift.UNKNOWN, subject=None, why=why)


def _alike(one: str, other: str) -> float:
    """Returns how much two names share, 0 to 1, where they are much the same; else 0."""
    return fuzz.ratio(_folded(one), _folded(other), score_cutoff=NAMED_ALIKE) / 100


def _folded(name: str) -> str:
    """Returns a name however a language's custom writes it: `get_path` and `getPath` are one."""
    return name.casefold().replace("_", "")


def _within(inner: str, outer: str) -> bool:
    return inner.startswith(f"{outer}.")


def _nested(one: Candidate, other: Candidate) -> bool:
    """Tells whether one stands in the other: a class of one method is nearly that method."""
    return one.path == other.path and (
        _within(one.one.name, other.one.name) or _within(other.one.name, one.one.name)
    )
