"""What is protected: globs over whole paths, and file names anywhere in the project.

Shell words carry marks for what is only known when the shell runs them: private-use characters,
which no path that matters contains.
"""

import sys

from .paths import above, base, exists, join, normal, real, same

TYPE_CHECKING = False  # the name alone tells type checkers; `typing` costs more than the guard
if TYPE_CHECKING:
    from typing import Any

STAR, ONE, UNKNOWN, TEMPORARY = "\ue000", "\ue001", "\ue002", "\ue003"
_WILD = (STAR, ONE)
_CASELESS = sys.platform in ("darwin", "win32")


class Places:
    """The protected places of one machine, seen from one working directory."""

    def __init__(self, guard: "dict[str, Any]", *, cwd: str, home: str, project: str) -> None:
        self.home = home
        self.project = project or cwd
        self.names = [name for name in guard.get("names", ()) if isinstance(name, str)]
        self._globs = []
        for item in guard.get("protected", ()):
            parts = _parts(self._at_home(item["glob"]))
            self._globs.append((parts, str(item.get("what", "memory"))))
        for parts, what in list(self._globs):  # the same place by its real path
            fixed = next((n for n, part in enumerate(parts) if "*" in part or "?" in part), len(parts) - 1)
            led = _parts(real("/" + "/".join(parts[:fixed]))) + parts[fixed:]
            if led != parts:
                self._globs.append((led, what))
        self._roots = {normal(root) for root in (cwd, self.project) if root.startswith("/")}
        self._roots |= {real(root) for root in self._roots}

    def holds(self, path: str, *, removed: bool = False) -> str | None:
        """Returns what is protected at an absolute path ("memory", ...), or None.

        With `removed`, a folder above a protected place counts too.
        """
        path = self._at_home(path)
        if UNKNOWN in path or TEMPORARY in path:
            return self._unknown(path)
        if not path.startswith("/"):
            return None
        for seen in {normal(path), _real(path)}:
            parts = _parts(seen)
            for glob, what in self._globs:
                if _matches(glob, parts) or (removed and _above(parts, glob)):
                    return what
            if self._named(seen):
                return "instructions"
        return None

    def _at_home(self, path: str) -> str:
        return self.home + path[1:] if path == "~" or path.startswith("~/") else path

    def _named(self, path: str) -> bool:
        folder, name = above(path), base(path)
        if not any(_inside(folder, root) or _inside(root, folder) for root in self._roots):
            return False
        for protected in self.names:
            if name == protected:
                return True
            if any(mark in name for mark in _WILD):
                if _fits(name, protected) and exists(join(folder, protected)):
                    return True
            elif name.lower() == protected.lower() and _one_file(path, join(folder, protected)):
                return True
        return False

    def _unknown(self, path: str) -> str | None:
        """Judges a path whose beginning is known only when the command runs."""
        if TEMPORARY in path:
            return None
        parts = path.split("/")
        if parts[-1] in self.names and len(parts) > 1:
            return "instructions"
        if ".claude" not in parts:
            return None
        tail = parts[parts.index(".claude") :]
        for glob, what in self._globs:
            if ".claude" in glob and _matches(glob[glob.index(".claude") :], tail):
                return what
        return None


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part]


def _real(path: str) -> str:
    return path if any(mark in path for mark in _WILD) else real(path)


def _inside(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip("/") + "/")


def _one_file(one: str, other: str) -> bool:
    """Returns whether two spellings name one file, as on a file system that ignores case."""
    known = same(one, other)
    return _CASELESS if known is None else known


def _matches(glob: list[str], parts: list[str]) -> bool:
    """Returns whether a glob covers a path; `**` stands for any number of parts, none included."""
    if not glob:
        return not parts
    if glob[0] == "**":
        return any(_matches(glob[1:], parts[n:]) for n in range(len(parts) + 1))
    return bool(parts) and _alike(glob[0], parts[0]) and _matches(glob[1:], parts[1:])


def _above(parts: list[str], glob: list[str]) -> bool:
    """Returns whether a path names a folder that a glob lies in, below a home or deeper."""
    if len(parts) < 3 or len(parts) >= len(glob):
        return False
    return all(part != "**" and _alike(part, mine) for part, mine in zip(glob, parts, strict=False))


def _alike(glob: str, part: str) -> bool:
    if _CASELESS:
        glob, part = glob.lower(), part.lower()
    return _fits(glob, part) or (any(mark in part for mark in _WILD) and _fits(part, glob))


def _fits(pattern: str, text: str) -> bool:
    """Returns whether `*` and `?` of a pattern cover a whole text, in time linear for one `*`."""
    pattern = pattern.replace(STAR, "*").replace(ONE, "?")
    at, star, held, n = 0, -1, 0, 0
    while n < len(text):
        if at < len(pattern) and pattern[at] == "*":
            star, held = at, n
            at += 1
        elif at < len(pattern) and pattern[at] in ("?", text[n]):
            at, n = at + 1, n + 1
        elif star >= 0:
            held += 1
            at, n = star + 1, held
        else:
            return False
    return pattern[at:].strip("*") == ""
