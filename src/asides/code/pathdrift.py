"""What became of one file or folder: by its path, then by git's renames, then by likeness."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from asides.code.freshness import OTHER, Fresh
from asides.code.sketches import kept, likeness, numbered, parts
from asides.code.subjects import Look, words_of
from asides.model.anchor import Drift, File, Followed, Subject

# Likeness from which a new file is taken for the subject; chosen as those of declarations.
SAME_BASE = 0.3  # it has the same name, in another folder
OTHER_BASE = 0.5  # it has another name
SPLIT = 0.4  # share of the file's parts in the largest of those that it was cut into
DISPLACED = 0.7  # another file, while something else has the path
LIKE = 0.25  # from which a new file leaves a doubt
LEFT = 0.4  # share of the file's parts in what is new, from which there is a doubt
MOST_OF_IT = 0.5  # share of a folder's files that went the same way


class PathDrift:
    """One file or folder, looked for in one look at a tree."""

    def __init__(self, subject: Subject, anchor: File, look: Look, fresh: Callable[[], Fresh]) -> None:
        self._subject = subject
        self._anchor = anchor
        self._look = look
        self._ask = fresh

    def found(self) -> Followed:
        """Returns what became of it; other branches are not asked."""
        path = self._anchor.path
        if self._look.text(path) is not None:
            return self._there()
        if path in self._look.paths:
            return _unknown(f"{path} cannot be read")
        folder = path.rstrip("/")
        if folder in self._look.folders:
            found = self._at(self._anchor)
            return found if found is not None else _unknown(f"{path} cannot be read")
        fresh = self._ask()
        if any(old.startswith(f"{folder}/") for old in fresh.went):
            return self._folder(folder)
        return self._file()

    def _there(self) -> Followed:
        found = self._at(self._anchor)
        if found is None or not self._subject.fingerprint:
            return _unknown(f"{self._anchor.path} could not be read before")
        if 1 - found.edited < OTHER and self._ask().known:
            best = max(self._others(), default=None)
            if (
                best is not None
                and best[0] >= DISPLACED
                and (moved := self._at(File(path=best[1]))) is not None
            ):
                return moved
        return found

    def _file(self) -> Followed:
        fresh = self._ask()
        path = self._anchor.path
        renamed = fresh.home(path)
        if renamed is not None:
            return self._at(File(path=renamed)) or _unknown(f"{renamed} cannot be read")
        if not self._subject.sketch:
            return _unknown("it could not be read before")
        others = sorted(self._others(), reverse=True)
        for like, other in others:
            same = posixpath.basename(other) == posixpath.basename(path)
            if (
                like >= (SAME_BASE if same else OTHER_BASE)
                and (moved := self._at(File(path=other))) is not None
            ):
                return moved
        shares = sorted(((self._share(other), other) for _, other in others), reverse=True)
        if shares and shares[0][0] >= SPLIT and (moved := self._at(File(path=shares[0][1]))) is not None:
            return moved
        if fresh.cut_texts:
            return _unknown("more files changed than are looked through, or one cannot be read")
        if not fresh.known:
            return self._gone_without_git(others)
        for like, other in others:
            if like >= LIKE or posixpath.basename(other) == posixpath.basename(path):
                return _unknown(f"{other} resembles it")
        if fresh.gained_share(self._subject) >= LEFT:
            return _unknown("parts of it stand elsewhere now")
        return Followed(drift=Drift.GONE, subject=None, edited=1.0)

    def _gone_without_git(self, others: list[tuple[float, str]]) -> Followed:
        for like, other in others:
            same = posixpath.basename(other) == posixpath.basename(self._anchor.path)
            if like >= LIKE or same or self._share(other) >= LEFT:
                return _unknown(f"{other} resembles it")
        return Followed(drift=Drift.GONE, subject=None, edited=1.0)

    def _others(self) -> Iterator[tuple[float, str]]:
        """Yields the files that are new, each with how much it resembles the subject."""
        for path in self._ask().new_files:
            if path != self._anchor.path and (other := self._look.subject(File(path=path), "")) is not None:
                yield likeness(self._subject.sketch, other.sketch), path

    def _share(self, path: str) -> float:
        text = self._look.text(path)
        if text is None:
            return 0.0
        return kept(self._subject.sketch, set(numbered(parts(words_of(text, self._look.source(path))))))

    def _folder(self, folder: str) -> Followed:
        """A folder went where most of its files went."""
        fresh = self._ask()
        gone = {
            old[len(folder) + 1 :]: new for old, new in fresh.went.items() if old.startswith(f"{folder}/")
        }
        ways: Counter[str] = Counter()
        for below, new in gone.items():
            if new is not None:
                ways[
                    new.removesuffix(f"/{below}") if new.endswith(f"/{below}") else posixpath.dirname(new)
                ] += 1
        for new in fresh.new_files:
            for below, known in gone.items():
                if known is None and new.endswith(f"/{below}"):
                    ways[new.removesuffix(f"/{below}")] += 1
        if not ways:
            return Followed(drift=Drift.GONE, subject=None, edited=1.0)
        way, votes = ways.most_common(1)[0]
        if way and votes >= MOST_OF_IT * len(gone) and (moved := self._at(File(path=way))) is not None:
            return moved
        return _unknown(f"some of its files are in {way or 'the root'} now")

    def _at(self, anchor: File) -> Followed | None:
        now = self._look.subject(anchor, self._subject.commit)
        if now is None:
            return None
        same = now.fingerprint == self._subject.fingerprint
        share = 0.0 if same else round(1 - likeness(self._subject.sketch, now.sketch), 3)
        now = replace(now, anchor=anchor)
        if anchor != self._anchor:
            return Followed(drift=Drift.MOVED, subject=now, edited=share)
        return Followed(drift=Drift.SAME if same else Drift.EDITED, subject=now, edited=share)


def _unknown(why: str) -> Followed:
    return Followed(drift=Drift.UNKNOWN, subject=None, why=why)
