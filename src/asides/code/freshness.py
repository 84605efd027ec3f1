"""What is new in the files that changed: where a subject can have gone, and what is left of it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import fuzz

from asides.code.changes import Changes
from asides.code.declarations import OWN, Declared, Source, language_of
from asides.code.sketches import kept, likeness, numbered, parts, sketch
from asides.code.subjects import Look, source_of, words_of
from asides.model.anchor import Declaration, Subject

FILES_READ = 600  # changed files looked through; a change of more is a new import or a formatter's
CHARACTERS_READ = 12_000_000  # of them together; parsing takes about a second for each two million
OTHER = 0.2  # likeness under which what bears a name now is another thing than what bore it
PROSE = (".md", ".rst", ".txt", ".adoc", ".org")  # it also names what is gone
AS_NEAR = 5.0  # of 100 letters of a path, by which one file is no nearer than another
COMMON = 4  # declarations of one name in the changed files, from which it is like `main` and `__init__`
_GIVES = frozenset({"=", ":", ":=", "=>", "->", "::"})
_DEFINES = frozenset(
    [
        "def",
        "fn",
        "func",
        "fun",
        "function",
        "class",
        "struct",
        "trait",
        "type",
        "enum",
        "val",
        "var",
        "let",
        "const",
    ]
)
_NEAREST = 12  # candidates compared in full, of those that share most with a subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A declaration that is new where it stands. `sure`: the file's old text is known not to have had it."""

    path: str
    one: Declared
    sketch: tuple[int, ...]
    sure: bool

    @property
    def last(self) -> str:
        """The name without what it stands in."""
        return self.one.name.rpartition(".")[2]


class Fresh:
    """The changed files of one look, next to their texts at a commit.

    Without `changes` all files of the tree count as changed, and nothing is known of what they were.
    """

    def __init__(self, look: Look, changes: Changes | None) -> None:
        self._look = look
        self._changes = changes
        self._origin = {new: old for old, new in changes.renamed.items()} if changes is not None else {}
        self._old: dict[str, Source | None] = {}
        self._sketches: dict[tuple[str, str], tuple[int, ...]] = {}
        self._old_sketches: dict[tuple[str, str], tuple[int, ...]] = {}
        self.cut = False  # whether there was more than is looked through, or something that cannot be read

    @property
    def known(self) -> bool:
        """Whether the files are known as they were at the commit."""
        return self._changes is not None

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The changed files that declare something, as far as they are looked through."""
        every = self._look.paths if self._changes is None else self._changes.changed
        found: list[str] = []
        left = CHARACTERS_READ
        for path in sorted(path for path in every if language_of(path) is not None):
            text = self._look.text(path)
            if (
                text is None
                or len(found) == FILES_READ
                or len(text) > left
                or self._look.source(path) is None
            ):
                self.cut = self.cut or text is not None or path in self._look.paths
                continue
            left -= len(text)
            found.append(path)
        return tuple(found)

    def home(self, path: str) -> str | None:
        """Returns where a file is now, by its own path or by git's renames; None where it is not there."""
        if self._look.text(path) is not None or path in self._look.paths:
            return path
        return self._changes.renamed.get(path) if self._changes is not None else None

    def before(self, path: str) -> Source | None:
        """Returns a file at the commit, by its path then; None where that is not known."""
        if path not in self._old:
            self._old[path] = source_of(path, self.text_before(path))
        return self._old[path]

    def text_before(self, path: str) -> str | None:
        if self._changes is None:
            return None
        touched = (
            path in self._changes.changed or path in self._changes.removed or path in self._changes.renamed
        )
        if not touched:
            return self._look.text(path)
        return None if path in self._changes.added else self._changes.before(path)

    def was(self, path: str) -> Source | None:
        """Returns what a file of the tree was at the commit, by its path now."""
        return self.before(self._origin.get(path, path))

    def new(self, path: str) -> bool:
        """Returns whether a file is known not to have been there, under no name."""
        return self._changes is not None and path in self._changes.added and path not in self._origin

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        return tuple(one for path in self.paths for one in self._new_in(path))

    def _new_in(self, path: str) -> Iterator[Candidate]:
        old = self.was(path)
        names = {one.name: one for one in old.declared} if old is not None else {}
        for one in self._look.declared(path).values():
            former = names.get(one.name)
            if former is not None and former.fingerprint == one.fingerprint:
                continue
            drawn = self.drawn(path, one)
            if (
                former is None
                or likeness(self.drawn_before(self._origin.get(path, path), former), drawn) < OTHER
            ):
                yield Candidate(path=path, one=one, sketch=drawn, sure=old is not None or self.new(path))

    def drawn(self, path: str, one: Declared) -> tuple[int, ...]:
        """Returns the sketch of a declaration of the tree."""
        key = (path, one.name)
        if key not in self._sketches:
            self._sketches[key] = sketch(one.tokens)
        return self._sketches[key]

    @cached_property
    def _sharing(self) -> dict[int, list[int]]:
        sharing = defaultdict(list)
        for at, candidate in enumerate(self.candidates):
            for part in candidate.sketch:
                sharing[part].append(at)
        return sharing

    @cached_property
    def _by_last(self) -> dict[str, list[Candidate]]:
        named = defaultdict(list)
        for candidate in self.candidates:
            named[candidate.last].append(candidate)
        return named

    def named(self, last: str) -> Sequence[Candidate]:
        """Returns the candidates of a name, whatever they stand in."""
        return self._by_last.get(last, ())

    def common(self, last: str) -> bool:
        """Returns whether a name is used for so many things that a new one of it says nothing."""
        return self._lasts[last] >= COMMON

    @cached_property
    def _lasts(self) -> Counter[str]:
        every = (name for path in self.paths for name in self._look.declared(path))
        return Counter(name.rpartition(".")[2] for name in every)

    def namesake(self, anchor: Declaration) -> str | None:
        """Returns another changed file that declares the whole name, be it that it always did."""
        others = (path for path in self.paths if path != anchor.path)
        return next((path for path in others if anchor.name in self._look.declared(path)), None)

    def nearest(self, subject: Subject, last: str) -> list[Candidate]:
        """Returns the candidates that can be the subject: its namesakes, and those most like it."""
        shared = Counter(at for part in subject.sketch for at in self._sharing.get(part, ()))
        near = [self.candidates[at] for at, _ in shared.most_common(_NEAREST)]
        return list({(one.path, one.one.name): one for one in (*near, *self.named(last))}.values())

    def vanished(self, path: str) -> list[Declared]:
        """Returns what a file declared at the commit, and does not declare any more where it is now."""
        old, home = self.before(path), self.home(path)
        there = self._look.declared(home) if home is not None else {}
        return [one for one in old.declared if one.name not in there] if old is not None else []

    def drawn_before(self, path: str, one: Declared) -> tuple[int, ...]:
        """Returns the sketch of a declaration of the old text of a file."""
        key = (path, one.name)
        if key not in self._old_sketches:
            self._old_sketches[key] = sketch(one.tokens)
        return self._old_sketches[key]

    def in_place_of(self, anchor: Declaration, candidate: Candidate) -> bool:
        """Tells whether a candidate stands between the two names that an anchor's stood between."""
        old = self.before(anchor.path)
        if old is None:
            return False
        was = [one.name for one in old.declared]
        before = _neighbours(was, anchor.name) if anchor.name in was else None
        return before is not None and before == _neighbours(
            list(self._look.declared(candidate.path)), candidate.one.name
        )

    def nearer(self, candidate: Candidate, anchor: Declaration) -> bool:
        """Tells whether the same thing vanished from a file that is as near to where a candidate is now."""
        mine = fuzz.ratio(anchor.path, candidate.path)
        for path, name in self._vanished_everywhere.get(candidate.one.fingerprint, ()):
            nearer = fuzz.ratio(path, candidate.path) > mine - AS_NEAR
            if (path, name) != (anchor.path, anchor.name) and nearer:
                return True
        return False

    @cached_property
    def _vanished_everywhere(self) -> dict[str, list[tuple[str, str]]]:
        vanished = defaultdict(list)
        if self._changes is not None:
            touched = (self._changes.changed - self._changes.added) | set(self.went)
            for path in sorted(path for path in touched if language_of(path) is not None)[:FILES_READ]:
                for one in self.vanished(path):
                    vanished[one.fingerprint].append((path, one.name))
        return vanished

    @cached_property
    def _gained(self) -> dict[str, Counter[int]]:
        """For each file the parts that it has more often than before."""
        gained = {}
        for path in self.paths:
            now, was = self._look.source(path), self.was(path)
            assert now is not None
            gained[path] = parts(now.tokens) - (parts(was.tokens) if was is not None else Counter())
        return gained

    @cached_property
    def _gained_together(self) -> Counter[int]:
        together: Counter[int] = Counter()
        for gained in self._gained.values():
            together.update(gained)
        return together

    def left(self, subject: Subject, path: str, one: Declared | None) -> float:
        """Returns the share of a declaration's parts that stand, newly, anywhere in the changed files.

        `one`: the declaration as it was in the old text of `path`, when that is known.
        """
        home = self.home(path)
        now = self._look.source(home) if home is not None else None
        here = parts(now.tokens) if now is not None else Counter[int]()
        if one is None:
            everything = self._gained_together | here
            return kept(subject.sketch, set(numbered(everything)))
        mine, old = parts(one.tokens), self.before(path)
        was = parts(old.tokens) if old is not None else Counter[int]()
        own = self._gained.get(home or "", Counter())
        stands = 0
        for part, times in mine.items():
            elsewhere = self._gained_together[part] - own[part]
            stands += min(times, elsewhere + max(0, here[part] - max(0, was[part] - times)))
        return stands / mine.total() if mine else 0.0

    @property
    def went(self) -> Mapping[str, str | None]:
        """The paths that are no longer there, each with where git saw it go."""
        if self._changes is None:
            return {}
        return {**dict.fromkeys(self._changes.removed), **self._changes.renamed}

    @cached_property
    def new_files(self) -> tuple[str, ...]:
        """The files that were not there; all that are there, where nothing is known of what they were."""
        if self._changes is None:
            return tuple(sorted(self._look.paths)[:FILES_READ])
        return tuple(sorted(self._changes.added - set(self._origin))[:FILES_READ])

    @cached_property
    def cut_texts(self) -> bool:
        """Whether more files are new, or changed, than are looked through."""
        every = self._look.paths if self._changes is None else self._changes.changed
        return len(every) > FILES_READ

    @cached_property
    def _texts_gained(self) -> frozenset[int]:
        together: Counter[int] = Counter()
        for path in sorted(self._changes.changed)[:FILES_READ] if self._changes is not None else ():
            text, old = self._look.text(path), self.text_before(self._origin.get(path, path))
            if text is not None:
                was = words_of(old, self.was(path)) if old is not None else ()
                together.update(parts(words_of(text, self._look.source(path))) - parts(was))
        return frozenset(numbered(together))

    def gained_share(self, subject: Subject) -> float:
        """Returns the share of a file's parts that stand, newly, in the changed files."""
        return kept(subject.sketch, self._texts_gained)

    def mentioned(self, last: str) -> str | None:
        """Returns a changed file of no language, and no prose, that names something more than before."""
        if self._changes is None:
            return None
        word, left = re.compile(rf"(?<!\w){re.escape(last)}(?!\w)"), CHARACTERS_READ
        others = (path for path in self._changes.changed if language_of(path) is None and not _is_prose(path))
        for path in sorted(others)[:FILES_READ]:
            text = self._look.text(path)
            if text is None or last not in text or len(text) > left:
                continue
            left -= len(text)
            before = self.text_before(self._origin.get(path, path)) or ""
            if len(word.findall(text)) > len(word.findall(before)):
                return path
        return None

    def written(self, last: str, path: str, one: Declared | None) -> str | None:
        """Returns a changed file that defines a name anew in a way that declares nothing.

        Such are `exports.pay = ...`, `pay: ...`, and what stands where a file cannot be parsed. In its
        own file each new mention is one: that can be how it is imported from where it is now.
        """
        home = self.home(path)
        for changed in dict.fromkeys([*([home] if home is not None else []), *self.paths]):
            now, was = self._look.source(changed), self.was(changed)
            if now is None or last not in now.tokens:
                continue
            before = was.tokens if was is not None else ()
            defined = _defined(now.tokens, last) - _defined(before, last)
            written = now.tokens.count(last) - before.count(last)
            if one is not None and changed == home:
                written += one.tokens.count(OWN)
            if defined > 0 or (written > 0 and (now.broken or changed == home)):
                return changed
        return None


def _is_prose(path: str) -> bool:
    return path.lower().endswith(PROSE) or "change" in path.rpartition("/")[2].lower()


def _neighbours(names: list[str], name: str) -> tuple[str, str, str]:
    """Returns what a name stands in, and those before and after it there, empty where there are none."""
    scope = name.rpartition(".")[0]
    beside = ["", *(one for one in names if one.rpartition(".")[0] == scope), ""]
    at = beside.index(name)
    return scope, beside[at - 1], beside[at + 1]


def _defined(words: Sequence[str], name: str) -> int:
    """Returns how often a name stands before what gives it a value, or after what defines it."""
    rows = zip(("", *words), words, (*words[1:], ""), strict=False)
    return sum(word == name and (after in _GIVES or before in _DEFINES) for before, word, after in rows)
