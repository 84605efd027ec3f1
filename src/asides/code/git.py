"""Which project a folder belongs to, and what its checkout holds.

A project is found by reading `.git` alone, so a hostile repository runs nothing and git need not be there. Its
id comes from the folder that holds the git common directory: worktrees share it, and it stays the same from a
plain folder over `git init` to the first commit. When a repository was moved, its first commit tells.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from asides.code.program import GitRefused, output
from asides.model.turn import Project, ProjectId

PATH_LIMIT = 200_000  # paths of one checkout; the largest public monorepos hold more, and are then cut
WALK_LIMIT = 20_000  # paths looked at without git
DEEPEST = 64  # folders above a path; the kernel allows more, nobody uses them

_POINTER_LIMIT = 4_096  # bytes of a `.git` file; it holds one path
_SKIPPED = frozenset({"node_modules", "__pycache__", "target", "dist", "build", "venv"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A project seen before, with the first commit it had then."""

    project: Project
    first_commit: str | None


def find_project(path: str, *, never: frozenset[str] | None = None) -> Project | None:
    """Returns the project that a folder lies in, or None: home, temporary folders and what lies above are none.

    A repository below them is a project, a plain folder below a temporary one is not. `never` replaces the
    folders that are excluded (`excluded()`); those ending in a slash exclude plain folders below them too.
    """
    barred = excluded() if never is None else never
    folder = _canonical(path)
    if folder is None:
        return None
    walked = folder
    for _ in range(DEEPEST):
        if walked in barred or walked + "/" in barred:
            break
        common = _common_directory(walked)
        if common is not None:
            return _repository(walked, common)
        if walked == os.path.dirname(walked):
            break
        walked = os.path.dirname(walked)
    return _plain(folder, barred)


def excluded() -> frozenset[str]:
    """Returns the folders that are never projects; with a slash behind those below which no plain folder is one."""
    home = _real(str(Path.home()))
    above = {home, *map(str, Path(home).parents), "/"}
    temporary = {_real(folder) + "/" for folder in (tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm")}  # noqa: S108
    return frozenset(above | temporary)


def first_commit(project: Project, *, program: str = "git") -> str | None:
    """Returns the first commit of a repository, the smallest name if there are several.

    None for a folder, an unborn or shallow repository (its history begins at an accident), or when git is missing
    or refuses.
    """
    if project.git_dir is None or os.path.exists(os.path.join(project.git_dir, "shallow")):
        return None
    try:
        listed = output(
            ["rev-list", "--max-parents=0", "--all"], project.git_dir, program=program, limit=65_536
        )
    except GitRefused:
        return None
    return min(listed.decode("ascii", "replace").split(), default=None)


def settled(project: Project, first: str | None, known: Iterable[Known]) -> Project:
    """Returns the project under the id that it had before it was moved, else as it is.

    It was moved when exactly one known project has the same first commit and its place is empty now. A clone
    beside the original is a project of its own.
    """
    if first is None:
        return project
    seen = tuple(known)
    if any(one.project.id == project.id for one in seen):
        return project
    gone = [
        one.project
        for one in seen
        if one.first_commit == first and one.project.git_dir and not os.path.exists(one.project.git_dir)
    ]
    return replace(project, id=gone[0].id) if len(gone) == 1 else project


def checkout(path: str) -> str | None:
    """Returns the top folder of the checkout (worktree, submodule) that a path lies in; None outside git."""
    walked = _canonical(path) or ""
    for _ in range(DEEPEST):
        if walked and _common_directory(walked) is not None:
            return walked
        if walked in ("", "/"):
            return None
        walked = os.path.dirname(walked)
    return None


def tracked(root: str, *, limit: int = PATH_LIMIT, program: str = "git") -> frozenset[str]:
    """Returns the paths below `root` that exist there and are not ignored, with slashes, at most `limit`.

    Without git, or where it refuses, the folder is walked, hidden and generated folders left out. Names that
    are not UTF-8 are left out, since nothing can be said about them in text.
    """
    options = ["ls-files", "-z"]
    try:
        listed = _names(
            output([*options, "-co", "--exclude-standard"], root, program=program, limit=limit * 256)
        )
        deleted = _names(output([*options, "-d"], root, program=program, limit=limit * 256))
    except GitRefused:
        return _walked(root, min(limit, WALK_LIMIT))
    there = [name for name in listed if name not in set(deleted)] if deleted else listed
    return frozenset(there[:limit])


def _names(listed: bytes) -> list[str]:
    names: list[str] = []
    for raw in listed.split(b"\0")[:-1]:  # what follows the last NUL was cut off, or is nothing
        try:
            names.append(raw.decode("utf-8"))
        except UnicodeDecodeError:
            continue  # left out, as promised
    return names


def _walked(root: str, limit: int) -> frozenset[str]:
    found: list[str] = []
    looked = 0
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one not in _SKIPPED)
        for file in sorted(files):
            path = os.path.relpath(os.path.join(folder, file), root).replace(os.sep, "/")
            if path.isprintable():
                found.append(path)
        looked += len(files) + 1
        if looked >= limit:
            break
    return frozenset(found[:limit])


def _canonical(path: str) -> str | None:
    """Returns the real path of a folder; of a path that is gone, so that its repository can still be found."""
    if not path or "\0" in path or not os.path.isabs(path):
        return None
    real = _real(path)
    return os.path.dirname(real) if os.path.isfile(real) else real


def _real(path: str) -> str:
    return os.path.realpath(path)


def _common_directory(folder: str) -> str | None:
    """Returns the git common directory that `folder/.git` leads to, if it does."""
    entry = os.path.join(folder, ".git")
    if os.path.isdir(entry):
        git = entry
    else:
        pointed = _line(entry)
        if pointed is None or not pointed.startswith("gitdir:"):
            return None
        git = os.path.join(folder, pointed.removeprefix("gitdir:").strip())
    shared = _line(os.path.join(git, "commondir"))
    common = _real(os.path.join(git, shared) if shared else git)
    return common if os.path.isfile(os.path.join(common, "HEAD")) else None


def _line(path: str) -> str | None:
    """Returns the first line of a small file; None when it cannot be read as one."""
    try:
        if not os.path.isfile(path):
            return None
        with open(path, "rb") as file:
            raw = file.read(_POINTER_LIMIT)
        return raw.decode("utf-8").partition("\n")[0].strip()
    except (OSError, UnicodeDecodeError):
        return None  # the caller's answer is then "not a repository"


def _repository(top: str, common: str) -> Project:
    holder, last = os.path.split(common)
    root = holder if last == ".git" else top
    place = holder if last == ".git" else common
    name = os.path.basename(root)
    if last not in (".git", ".bare") and last.endswith(".git"):  # a bare repository with worktrees
        name = last.removesuffix(".git")
    elif last == ".bare":
        name = os.path.basename(holder)
    return Project(id=_id(place), root=root, git_dir=common, name=name or place)


def _plain(folder: str, barred: frozenset[str]) -> Project | None:
    inside_temporary = any(
        (folder + "/").startswith(bar) for bar in barred if bar.endswith("/") and bar != "/"
    )
    if folder in barred or inside_temporary or not os.path.isdir(folder):
        return None
    return Project(id=_id(folder), root=folder, git_dir=None, name=os.path.basename(folder))


def _id(place: str) -> ProjectId:
    """Returns the id of a place: 16 hexadecimal digits, so that two of a million collide once in 37 million users."""
    return ProjectId(hashlib.sha256(os.fsencode(place)).hexdigest()[:16])
