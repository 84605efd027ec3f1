"""Which project a folder belongs to, and what its checkout holds.

A project is found by reading `.git` alone, so a hostile repository runs nothing and git need not be there.
Its first id comes from the folder that holds the git common directory: worktrees share it, and it stays the
same from a plain folder over `git init` to the first commit. `identity` tells which one was here before.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from dataclasses import replace
from pathlib import Path

from asides.code.program import GitRefused, output
from asides.model.turn import Project, ProjectId

PATH_LIMIT = 200_000  # paths of one checkout; the largest public monorepos hold more, and are then cut
WALK_LIMIT = 20_000  # paths looked at without git
TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108  # beside the one of the environment

_POINTER_LIMIT = 4_096  # bytes of a `.git` file; it holds one path
_SKIPPED = frozenset({"node_modules", "__pycache__", "target", "dist", "build", "venv"})


def find_project(path: str, *, never: frozenset[str] | None = None) -> Project | None:
    """Returns the project that a folder lies in; None for home, temporary folders and what lies above.

    A repository below them is a project; a plain folder below a temporary one is not. `never` replaces the
    folders that are excluded (`excluded()`); those with a slash behind exclude plain folders below them too.
    """
    barred = excluded() if never is None else never
    folder = _canonical(path)
    if folder is None:
        return None
    for walked in (folder, *folder.parents):
        if str(walked) in barred or f"{walked}/" in barred:
            break
        common = _common_directory(walked)
        if common is not None:
            return _repository(walked, common)
    return _plain(folder, barred)


def excluded() -> frozenset[str]:
    """Returns the folders that are never projects: home and all above it, temporary ones (slash behind)."""
    home = Path.home().resolve()
    temporary = (Path(folder).resolve() for folder in (tempfile.gettempdir(), *TEMPORARY))
    return frozenset({str(home), *map(str, home.parents), *(f"{folder}/" for folder in temporary)})


def place_of(project: Project) -> str:
    """Returns the folder whose path identifies a project: the same before and after `git init`."""
    if project.git_dir is None:
        return project.root
    common = Path(project.git_dir)
    return str(common.parent if common.name == ".git" else common)


def id_of(place: str, *told_apart: str) -> ProjectId:
    """Returns the id of a place: 64 bits in hexadecimal, enough that no two places of one person collide.

    `told_apart`: what distinguishes it from another project that had this id before.
    """
    return ProjectId(hashlib.sha256(os.fsencode("\0".join((place, *told_apart)))).hexdigest()[:16])


def checkout(path: str) -> str | None:
    """Returns the top folder of the checkout (worktree, submodule) that a path lies in; None outside git."""
    folder = _canonical(path)
    if folder is None:
        return None
    return next((str(top) for top in (folder, *folder.parents) if _common_directory(top) is not None), None)


def head(root: str, *, program: str = "git") -> str:
    """Returns the commit that a checkout stands at; empty before the first one, and outside git."""
    try:
        printed = output(["rev-parse", "--verify", "-q", "HEAD^{commit}"], root, program=program, limit=128)
    except GitRefused:
        return ""
    return printed.decode("ascii", "replace").strip()


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
        names = (Path(folder, file).relative_to(root).as_posix() for file in sorted(files))
        found += (name for name in names if name.isprintable())
        looked += len(files) + 1
        if looked >= limit:
            break
    return frozenset(found[:limit])


def _canonical(path: str) -> Path | None:
    """Returns the real path of a folder, also of one that is gone, so that its repository is still found."""
    if "\0" in path or not Path(path).is_absolute():
        return None
    try:
        real = Path(path).resolve()
        return real.parent if real.is_file() else real
    except (OSError, RuntimeError):  # links in a circle, and folders closed to us, lead nowhere
        return None


def _common_directory(folder: Path) -> Path | None:
    """Returns the git common directory that `folder/.git` leads to, if it does and can be read."""
    try:
        git = folder / ".git"
        if not git.is_dir():
            pointed = _line(git)
            if not pointed.startswith("gitdir:"):
                return None
            git = folder / pointed.removeprefix("gitdir:").strip()
        common = (git / _line(git / "commondir")).resolve()
        return common if (common / "HEAD").is_file() else None
    except (OSError, ValueError, RuntimeError):  # closed to us, no text, no path, links in a circle
        return None


def _line(path: Path) -> str:
    """Returns the first line of a small file, empty when there is none."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return file.read(_POINTER_LIMIT).decode("utf-8").partition("\n")[0].strip()


def _repository(top: Path, common: Path) -> Project:
    """Returns the project of a common directory; `top` is the checkout it was found from."""
    root = common.parent if common.name == ".git" else top
    match common.name:
        case ".bare":
            name = common.parent.name
        case bare if bare.endswith(".git") and bare != ".git":  # a bare repository with worktrees
            name = bare.removesuffix(".git")
        case _:
            name = root.name
    project = Project(id=ProjectId(""), root=str(root), git_dir=str(common), name=name or str(common))
    return replace(project, id=id_of(place_of(project)))


def _plain(folder: Path, barred: frozenset[str]) -> Project | None:
    temporary = any(f"{folder}/".startswith(bar) for bar in barred if bar.endswith("/") and bar != "/")
    if str(folder) in barred or temporary or not os.access(folder, os.R_OK | os.X_OK):
        return None
    return Project(id=id_of(str(folder)), root=str(folder), git_dir=None, name=folder.name)
