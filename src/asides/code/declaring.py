"""Where names are declared in a checkout: which files declare `total` or `Cart.total`, asked of the files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from asides.code.declarations import MOST_CHARACTERS, declarations, language_of
from asides.code.program import GitRefused, output

FILES_READ = 60  # at most so many that hold a name; one that more of them hold is said everywhere
NAMES_LOOKED_FOR = 16
_NAME = re.compile(r"[\w.$-]*[\w$][?!]?")
# A package is not declared where it is listed, and rules about it hold after it has left the list.
_LISTED = re.compile(r"(?:^|\.)\w*[dD]ependencies\.|^packages\.")
_LOCK = re.compile(r"[-.]lock\b")


def declaring(
    root: str,
    names: Iterable[str],
    *,
    tracked: frozenset[str],
    first: Iterable[str] = (),
    program: str = "git",
) -> Mapping[str, frozenset[str]]:
    """Returns the files of a checkout that declare one of these names, each with the full names that do.

    `names` are written as in speech: `total`, `Cart.total`; a full name fits when it is one or ends with one
    after a dot. Files that hold the names are found by git among `tracked` paths (slashes, from the root), or
    only those of `first` are read, where git refuses. `first` is read before others, since no more than
    FILES_READ are.
    """
    wanted = [name for name in dict.fromkeys(names) if _NAME.fullmatch(name)][:NAMES_LOOKED_FOR]
    if not wanted:
        return {}
    begin = [path for path in dict.fromkeys(first) if path in tracked and language_of(path)]
    found: dict[str, frozenset[str]] = {}
    for path in list(dict.fromkeys([*begin, *_holding(root, wanted, tracked, program)]))[:FILES_READ]:
        full = _declared(root, path)
        fits = frozenset(
            name for name in full if any(name == one or name.endswith(f".{one}") for one in wanted)
        )
        if fits:
            found[path] = fits
    return found


def _holding(root: str, names: list[str], tracked: frozenset[str], program: str) -> list[str]:
    """Returns the source files in which a name's last part stands as a word, in order of their paths."""
    sought = [part for name in names for part in ("-e", name.rpartition(".")[2].rstrip("?!"))]
    try:
        listed = output(
            ["grep", "-lzwIF", "--untracked", "--no-color", *sought, "--"],
            root,
            program=program,
            limit=1 << 20,
        )
    except GitRefused:  # also its exit code when nothing is found
        return []
    paths = (raw.decode("utf-8", "replace") for raw in listed.split(b"\0")[:-1])
    return sorted(path for path in paths if path in tracked and language_of(path))


def _declared(root: str, path: str) -> list[str]:
    language = None if _LOCK.search(path) else language_of(path)
    file = Path(root, path)
    try:
        if language is None or file.stat().st_size > 4 * MOST_CHARACTERS:
            return []
        text = file.read_text("utf-8", errors="replace")
    except OSError:  # removed or closed to us in between: it declares nothing that could be read
        return []
    return [one.name for one in declarations(text, language) if not _LISTED.search(one.name)]
