"""What one session has been given, has to do and has done: lines that are only ever added to a file.

Hooks of one moment run at once. Each adds its marks and then looks who was first, so that nothing is told
twice and no lock is held.
"""

import posix

_LIMIT = 1024 * 1024  # bytes; no session comes near it, so a larger file is not ours
_NAMES = 128  # characters of a session's or sub-agent's id
_CLAIMS = ("given", "reminded", "broke", "refused")  # their last field says which hook run set them


class Unnamed(Exception):
    """The payload names no session that could have an account."""


class Account:
    """The account of one session as one hook run sees it.

    `run` tells this hook run from all that run at the same time.
    """

    def __init__(self, folder: str, session: object, run: str) -> None:
        if not is_name(session) or "_" in str(session):  # the hook itself takes no other
            raise Unnamed
        self._place = f"{folder}/{session}"
        self._run = run
        self._rows = self._read()

    def given(self, agent: str) -> set[str]:
        """Returns the entries that an agent was given and still has before it."""
        return {row[2] for row in self._rows if row[0] == "given" and row[1] == agent}

    def marked(self, word: str, *fields: str) -> bool:
        """Returns whether a mark stands there, whoever set it."""
        return any(row[0] == word and row[1 : len(fields) + 1] == [*fields] for row in self._rows)

    def owed(self) -> list[str]:
        """Returns the entries whose trigger happened, nothing done after it or in its turn, in that order."""
        found: dict[str, list[str]] = {}  # entry -> turns in which it became due and nothing was done
        done: dict[str, set[str]] = {}
        for row in self._rows:
            if row[0] == "owed" and row[2] not in done.get(row[1], ()):
                found.setdefault(row[1], []).append(row[2])
            elif row[0] == "done":
                done.setdefault(row[1], set()).add(row[2])
                found.pop(row[1], None)
        return list(found)

    def add(self, marks: list[tuple[str, ...]]) -> list[bool]:
        """Adds marks and returns for each whether nobody was before us. Raises OSError when it cannot."""
        if not marks:
            return []
        rows = [[*mark, self._run] if mark[0] in _CLAIMS else [*mark] for mark in marks]
        text = "".join(" ".join(row) + "\n" for row in rows)
        self._write(self._place + ".cues", text)
        self._rows = self._read()
        return [self._first(row) == row for row in rows]

    def waits(self, how: str) -> None:
        """Leaves the sign by which the hook sees, without reading the account, that something is owed."""
        handle = posix.open(
            self._place + ".owed", posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | _CAREFULLY, 0o600
        )
        try:
            posix.write(handle, f"{how}\n".encode())
        finally:
            posix.close(handle)

    def waits_no_more(self) -> None:
        """Takes that sign away."""
        try:
            posix.unlink(self._place + ".owed")
        except FileNotFoundError:  # another hook took it
            return

    def _first(self, wanted: list[str]) -> list[str]:
        same = len(wanted) - 1 if wanted[0] in _CLAIMS else len(wanted)
        return next((row for row in self._rows if row[:same] == wanted[:same]), [])

    def _read(self) -> list[list[str]]:
        try:
            handle = posix.open(self._place + ".cues", posix.O_RDONLY | _CAREFULLY)
        except FileNotFoundError:
            return []
        raw = b""
        try:
            while len(raw) <= _LIMIT:
                more = posix.read(handle, 65_536)
                if not more:
                    break
                raw += more
        finally:
            posix.close(handle)
        if len(raw) > _LIMIT:
            raise OverflowError
        rows: list[list[str]] = []
        for line in raw.decode("utf-8", "replace").split("\n")[:-1]:  # what follows the last end is half
            row = line.split(" ")
            if row == ["forget"]:
                rows = [one for one in rows if one[0] != "given"]
            elif len(row) >= _FIELDS.get(row[0], 99):
                rows.append(row)
        return rows

    def _write(self, path: str, text: str) -> None:
        handle = posix.open(path, posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | _CAREFULLY, 0o600)
        try:
            raw = text.encode("utf-8", "replace")
            if posix.write(handle, raw) != len(raw):
                raise OSError(28, "cut short")
        finally:
            posix.close(handle)


# Neither is a link followed nor a pipe waited for, whoever put it there.
_CAREFULLY = posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK
_FIELDS = {"given": 4, "owed": 3, "done": 3, "reminded": 3, "broke": 4, "refused": 4}


def is_name(text: object) -> bool:
    """Returns whether an id can stand in the account and in a file's name."""
    return (
        isinstance(text, str)
        and 0 < len(text) <= _NAMES
        and text.isascii()
        and text.replace("-", "").replace("_", "").isalnum()
    )


def digest(*parts: str) -> str:
    """Returns 64 bits that tell texts apart (FNV-1a); `hashlib` would cost more than the whole look."""
    value = 0xCBF29CE484222325
    for byte in "\0".join(parts).encode("utf-8", "surrogatepass"):
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"
