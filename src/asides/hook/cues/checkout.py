"""Where a path lies in the project that a table is for; None in any other."""

import posix

from ..guard.paths import above, base, is_folder, join, normal, real

_LINE = 4_096  # bytes of a `.git` file; it holds one path


class Checkout:
    """All checkouts of one project, told by the key of its table: its git common directory, or its folder.

    Reads `.git` as `find_project` in src/asides/code/git.py does, and as the hook itself.
    """

    def __init__(self, key: str, home: str) -> None:
        self._key = key
        self._home = real(home) if home.startswith("/") else ""
        self._known: dict[str, str | None] = {}

    def inside(self, path: str) -> str | None:
        """Returns an absolute path as seen from the top of its checkout; None where it is another's.

        A link is where it lies, whatever it leads to; the folders above it are where they lead to.
        """
        path = normal(path)
        if "\0" in path or path == "/":
            return None
        folder = real(above(path))
        top = self._top(folder)
        return None if top is None else (folder.rstrip("/") + "/" + base(path))[len(top.rstrip("/")) + 1 :]

    def holds(self, folder: str) -> bool:
        """Returns whether a folder is one of the project."""
        return "\0" not in folder and self._top(real(folder)) is not None

    def _top(self, folder: str) -> str | None:
        if folder not in self._known:
            self._known[folder] = self._look(folder)
        return self._known[folder]

    def _look(self, folder: str) -> str | None:
        walked = folder
        while not f"{self._home}/".startswith(f"{walked.rstrip('/')}/"):
            common = _common(walked)
            if common:
                return walked if common == self._key else None
            walked = above(walked)
        inside = f"{folder}/".startswith(self._key.rstrip("/") + "/")
        return self._key if inside else None


def _common(folder: str) -> str:
    """Returns the git common directory that `.git` of a folder leads to; empty where there is none."""
    git = folder.rstrip("/") + "/.git"
    if not is_folder(git):
        pointed = _line(git)
        if not pointed.startswith("gitdir:"):
            return ""
        git = join(folder, pointed.removeprefix("gitdir:").strip())
    common = real(join(git, _line(git + "/commondir") or "."))
    try:
        posix.stat(common + "/HEAD")
    except (OSError, ValueError):
        return ""
    return common


def _line(path: str) -> str:
    """Returns the first line of a small file; empty where it cannot be read."""
    try:
        handle = posix.open(path, posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC)
    except (OSError, ValueError):
        return ""
    try:
        return posix.read(handle, _LINE).decode("utf-8", "replace").partition("\n")[0].strip()
    except OSError:  # a folder
        return ""
    finally:
        posix.close(handle)
