"""Which project a folder was before: a moved repository is known by its first commit and its mark."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from asides.code.git import find_project, id_of, place_of
from asides.code.program import GitRefused, output
from asides.model.turn import Project, ProjectId

# A walk over all history; 100,000 commits take about a second, and it is done once for each repository.
WALK_SECONDS = 5.0
UNTOLD = "-"  # stands for a first commit that could not be told, and is not looked for again


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A project as it was seen last, with the first commit and the mark that it had then.

    `first_commit` is None before there is one (a plain folder, an unborn or a shallow repository, git
    missing), and `UNTOLD` where the walk for it took too long. `mark` tells its git directory from every
    other, clones too: a move within a file system keeps it. None outside git.
    """

    project: Project
    first_commit: str | None = None
    mark: str | None = None


def identify(
    folder: str,
    known: Callable[[], Iterable[Known]],
    *,
    never: frozenset[str] | None = None,
    program: str = "git",
) -> Known | None:
    """Returns the project that a folder lies in, under the id that it always had; None where it is none.

    A folder keeps its id over `git init` and the first commit; a moved repository keeps it when exactly one
    known project has one of its first commits and its mark. Another repository at a known place, a clone
    wherever it lies, and what was moved to another file system are projects of their own.

    `known`: every project seen before, the one seen last first, each as this function returned it; the answer
    is to be stored over what was stored under its id. Of several stored for one place, the one seen there
    last has it. `never`: as for `find_project`.
    """
    found = find_project(folder, never=never)
    if found is None:
        return None
    mark = mark_of(found)
    seen = tuple(known())
    here = [one for one in seen if place_of(one.project) == place_of(found)]
    git = _Git(program)
    for one in here:
        if one.first_commit not in (None, UNTOLD) and git.has(found, one.first_commit or ""):
            return _now(one, found, one.first_commit, mark)
    if here and here[0].first_commit == UNTOLD:
        return _now(here[0], found, UNTOLD, mark)
    firsts = git.first_commits(found)
    first = UNTOLD if firsts is None else min(firsts, default=None)
    elsewhere = [one for one in seen if one not in here and one.first_commit in (firsts or ())]
    moved = [one for one in elsewhere if mark is not None and one.mark == mark]
    if len(moved) == 1:
        return _now(moved[0], found, moved[0].first_commit, mark)
    for one in here:
        # Without a first commit on either side nothing speaks against its being the same.
        if not firsts or one.first_commit in (None, UNTOLD):
            return _now(one, found, first if one.first_commit is None else one.first_commit, mark)
    return Known(project=replace(found, id=_free_id(found, first, seen)), first_commit=first, mark=mark)


def mark_of(project: Project) -> str | None:
    """Returns `DEVICE:INODE` of the git directory; None outside git, or where that cannot be read."""
    if project.git_dir is None:
        return None
    try:
        there = Path(project.git_dir).stat()
    except OSError:  # closed to us, or gone in between: then only its place is known
        return None
    return f"{there.st_dev}:{there.st_ino}"


def _now(known: Known, found: Project, first: str | None, mark: str | None) -> Known:
    """Returns a known project where it was found now."""
    return Known(project=replace(found, id=known.project.id), first_commit=first, mark=mark)


def _free_id(found: Project, first: str | None, seen: tuple[Known, ...]) -> ProjectId:
    """Returns the id of the place, unless a project that was there before has it."""
    taken = {one.project.id for one in seen}
    if found.id not in taken:
        return found.id
    ids = (id_of(place_of(found), first or "", str(number)) for number in count())
    return next(one for one in ids if one not in taken)


class _Git:
    """What git says of a repository's beginnings."""

    def __init__(self, program: str) -> None:
        self._program = program

    def first_commits(self, project: Project) -> frozenset[str] | None:
        """Returns the commits without parents; none before there are any; None when the walk took too long.

        A shallow repository has none: its history begins at an accident. Nor has any where git refuses.
        """
        if project.git_dir is None or (Path(project.git_dir) / "shallow").exists():
            return frozenset()
        if not self._ask(project, "rev-list", "--all", "--max-count=1"):
            return frozenset()
        listed = self._ask(project, "rev-list", "--max-parents=0", "--all")
        return None if listed is None else frozenset(listed.split())

    def has(self, project: Project, commit: str) -> bool:
        """Tells whether a repository holds a commit; True where git cannot say, and nothing is guessed."""
        if project.git_dir is None:
            return False
        said = self._ask(project, "rev-list", "--no-walk", "--ignore-missing", commit)
        return said is None or said.strip() == commit

    def _ask(self, project: Project, *arguments: str) -> str | None:
        try:
            printed = output(
                [*arguments],
                project.git_dir or project.root,
                program=self._program,
                limit=65_536,
                seconds=WALK_SECONDS,
            )
        except GitRefused:
            return None
        return printed.decode("ascii", "replace")
