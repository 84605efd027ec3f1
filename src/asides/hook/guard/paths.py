"""Paths as text, and the few questions to the file system that the guard has.

`os` and `pathlib` would take longer to import than the whole guard to run; `posix` is built in.
"""

import posix

_LINKS = 40  # as many as Linux follows
_KIND, _FOLDER = 0o170000, 0o040000


def join(folder: str, path: str) -> str:
    """Returns a path as seen from a folder."""
    return path if path.startswith("/") else folder.rstrip("/") + "/" + path


def base(path: str) -> str:
    """Returns the last part of a path; empty if it ends with a slash."""
    return path.rpartition("/")[2]


def above(path: str) -> str:
    """Returns the folder of a path, as text."""
    return path.rpartition("/")[0] or "/"


def normal(path: str) -> str:
    """Returns an absolute path without `.`, `..` and double slashes, as if no part were a link."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


def real(path: str) -> str:
    """Returns where an absolute path leads, links followed as far as they exist."""
    waiting = path.split("/")[::-1]
    done = ""
    links = 0
    while waiting:
        part = waiting.pop()
        if part in ("", "."):
            continue
        if part == "..":
            done = done.rpartition("/")[0]
            continue
        here = done + "/" + part
        try:
            target = posix.readlink(here) if links < _LINKS else ""
        except (OSError, ValueError):  # not a link, not there, or no possible name
            target = ""
        if not target:
            done = here
            continue
        links += 1
        done = "" if target.startswith("/") else done
        waiting += target.split("/")[::-1]
    return done or "/"


def is_folder(path: str) -> bool:
    """Returns whether a path leads to a folder that exists."""
    try:
        return posix.stat(path).st_mode & _KIND == _FOLDER
    except (OSError, ValueError):
        return False


def exists(path: str) -> bool:
    """Returns whether something bears this name, if only a link to nothing."""
    try:
        posix.lstat(path)
    except (OSError, ValueError):
        return False
    return True


def same(one: str, other: str) -> bool | None:
    """Returns whether two names lead to one file; None if one of them leads nowhere."""
    try:
        first, second = posix.stat(one), posix.stat(other)
    except (OSError, ValueError):
        return None
    return (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)
