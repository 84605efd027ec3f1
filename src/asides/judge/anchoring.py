"""Which file, folder or declaration an entry is about. Reads names only; never touches the disk."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from asides.judge.codenames import names_of_code
from asides.judge.words import vocabulary
from asides.model.anchor import Anchor, Declaration, File, General, label
from asides.model.judgment import Draft, Packet, Reason, Verdict

_TICKED = re.compile(r"`([^`\n]{1,300})`")
_NAMED = re.compile(r"(?<![\w/\\:.@~+-])((?:[A-Za-z0-9]{1,10}:(?!:))?[~.\w/\\@+-]++(?:::[A-Za-z_]\w*)?)")
_BARE = vocabulary(
    "Makefile Dockerfile Justfile Procfile Rakefile Gemfile Vagrantfile Brewfile LICENSE CODEOWNERS"
)
_EXTENSION = re.compile(r"[^/]*[A-Za-z0-9_)\]-]\.[A-Za-z][A-Za-z0-9]{0,11}\Z|\.[A-Za-z][\w.-]*\Z")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!:)")  # https: and gs:, but also C:
_LINE = re.compile(r":\d+(?::\d+)?\Z")
# What developers call a file by what it holds.
_SORT = (
    r"files?|module|scripts?|components?|helpers?|class|pages?|screen|view|template|config|package|middleware"
    r"|migration|workflow|model|controller|service|store|hook|schema|stylesheet"
)
NAMES_LOOKED_AT = 16  # an entry of 400 characters names fewer

# Names as they are spoken in -> path to the full names that are declared there and fit one of them.
Declared = Callable[[Sequence[str], Sequence[str]], Mapping[str, frozenset[str]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Checkout:
    """The paths that exist or were touched, from the root."""

    root: str
    paths: frozenset[str]
    touched: frozenset[str]


def anchor(
    draft: Draft,
    packet: Packet,
    *,
    root: str | None = None,
    declared: Declared | None = None,
) -> tuple[Anchor, Verdict]:
    """Returns what the entry is about, and why.

    An anchor is a file or folder that is tracked or was touched in the turn and is named in the entry itself,
    when it is the only one; a declaration when the entry names it and it is declared in one place, or in one
    of the files that the turn touched. Several declarations of one file mean the file. Everything else is
    general.

    `root` is the checkout's absolute path. Where the turn worked in another one (a worktree), or without it,
    the checkout is the folder at or above the working directory below which most touched files are tracked.
    `declared` gives the files that declare names, those of the turn looked at first (None: nothing is known).
    """
    paths = tuple(_names(draft.body))[:NAMES_LOOKED_AT]
    spoken = names_of_code(draft.body)
    if not paths and not spoken:
        return General(), _verdict(Reason.NOT_NAMED)
    checkout = _checkout(packet, root)
    found: set[Anchor] = set()
    ambiguous: list[str] = []
    missing: list[str] = []
    for name in paths:
        path, _, inner = name.partition("::")
        fits = _fits(path, checkout)
        if len(fits) == 1:
            found.add(Declaration(path=fits[0], name=inner) if inner else File(path=fits[0]))
        else:
            (ambiguous if fits else missing).append(path)
    known = declared([one.name for one in spoken], sorted(checkout.touched)) if declared and spoken else {}
    for one in spoken:
        places = _declarations(one.name, known, checkout)
        if any(File(path=place.path) in found for place in places):
            places = [place for place in places if File(path=place.path) in found]
        if len(places) == 1:
            found.discard(File(path=places[0].path))
            found.add(places[0])
        elif places:
            ambiguous.append(one.name)
        elif one.marked:
            missing.append(one.name)
    found = _narrowed(found)
    if len(found) == 1 and not ambiguous:
        return found.pop(), _verdict(Reason.NAMED_AND_THERE)
    if found or ambiguous:
        several = ", ".join(label(one) for one in sorted(found, key=label))
        return General(), _verdict(Reason.AMBIGUOUS, ", ".join(ambiguous) or f"named are {several}")
    if not missing:
        return General(), _verdict(Reason.NOT_NAMED)
    return General(), _verdict(Reason.NOT_THERE, ", ".join(missing))


def touched(packet: Packet, root: str | None) -> tuple[str, ...]:
    """Returns the files that the turn changed in the checkout, as paths from its root."""
    return tuple(sorted(_checkout(packet, root).touched))


def named(body: str, path: str) -> bool:
    """Tells whether an entry names a file: by its name, or as "the env module" for `config/env.js`."""
    whole = posixpath.basename(path)
    stem = re.escape(whole.partition(".")[0])
    if re.search(rf"(?<![\w.-]){re.escape(whole)}(?![\w-])", body, re.IGNORECASE):
        return True
    spoken = rf"(?<![\w.-])(?:{stem}[ -](?:{_SORT})|(?:{_SORT}) (?:called |named )?[`'\"]?{stem})(?![\w-])"
    return bool(stem) and re.search(spoken, body, re.IGNORECASE) is not None


def names_code(body: str) -> bool:
    """Tells whether an entry names anything that could be a path or a declaration."""
    return bool(names_of_code(body)) or next(_names(body), None) is not None


def _verdict(reason: Reason, detail: str = "") -> Verdict:
    # A missing anchor refuses nothing: the entry is then general.
    return Verdict(check="anchor", passed=True, reason=reason, detail=detail[:200])


def _names(body: str) -> Iterator[str]:
    """Yields what reads like a path, once each, in order."""
    seen: set[str] = set()
    candidates = [
        (match.start(), match.group(1)) for one in (_TICKED, _NAMED) for match in one.finditer(body)
    ]
    for _, written in sorted(candidates):
        name = written.strip().lstrip("@").rstrip(".,;!?")
        path = _LINE.sub("", name).partition("::")[0].replace("\\", "/")
        likely = "/" in path or _EXTENSION.search(path) or path in _BARE or "::" in name
        name = _LINE.sub("", name)
        if likely and not any(c in path for c in " *?<>|$\"'") and path.strip("./") and name not in seen:
            seen.add(name)
            yield name


def _fits(name: str, checkout: _Checkout) -> list[str]:
    """Returns the paths of the checkout that a name can mean; several when it is not clear."""
    path = _inside(name, checkout.root)
    if path is None:
        return []
    files = [known for known in checkout.paths if known == path or known.endswith("/" + path)]
    if not files:
        return _folders(path, checkout.paths) if "/" in name or "\\" in name else []
    touched = [known for known in files if known in checkout.touched]
    if len(touched) == 1:
        return touched
    return [path] if path in files else sorted(files)


def _folders(path: str, known: frozenset[str]) -> list[str]:
    inner = f"/{path}/"
    found = {one[: one.index(inner) + len(inner) - 1] for one in known if inner in one}
    if any(one.startswith(path + "/") for one in known):
        return [path]
    return sorted(found)


def _inside(name: str, root: str) -> str | None:
    """Returns a name as a path from the root; None for what leaves it, for URLs, and for git's own files."""
    path = name.replace("\\", "/")
    if _SCHEME.match(path) or path.startswith("~"):
        return None
    if path.startswith("/"):
        below = path == root or path.startswith(root.rstrip("/") + "/")
        if root and below:
            path = path[len(root.rstrip("/")) :]
        elif path.count("/") > 1:
            return None
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if not parts or ".." in parts or ".git" in parts:
        return None
    return "/".join(parts)


def _checkout(packet: Packet, root: str | None) -> _Checkout:
    turn = packet.turn
    base = _root(turn.cwd, turn.files, packet.tracked, root)
    relative = (_relative(file, base) for file in turn.files)
    touched = frozenset(path for path in relative if path is not None)
    tracked = frozenset(path for path in packet.tracked if not path.startswith((".git/", "../", "/")))
    return _Checkout(root=base, paths=tracked | touched, touched=touched)


def _relative(file: str, root: str) -> str | None:
    path = posixpath.normpath(file.replace("\\", "/"))
    base = root.rstrip("/") + "/"
    if not root or not path.startswith(base):
        return None
    inner = path[len(base) :]
    return None if ".git" in inner.split("/") else inner


def _root(cwd: str, files: tuple[str, ...], tracked: frozenset[str], given: str | None) -> str:
    """Returns the folder below which most touched files are tracked: the given, the nearest, or none."""
    above = [given] if given else []
    if cwd.startswith("/"):
        folder = posixpath.normpath(cwd)
        above.append(folder)
        while folder != "/":
            folder = posixpath.dirname(folder)
            above.append(folder)
    fits = [(sum(_relative(file, base) in tracked for file in files), base) for base in above]
    most = max((count for count, _ in fits), default=0)
    if most == 0 and given and not f"{cwd}/".startswith(given.rstrip("/") + "/"):
        return ""  # new files of an unknown checkout are named by no path that would be right in another
    return next((base for count, base in fits if count == most), "")


def _declarations(name: str, known: Mapping[str, frozenset[str]], checkout: _Checkout) -> list[Declaration]:
    """Returns where a name is declared; only the files of the turn count where one of them declares it."""
    places = [
        Declaration(path=path, name=full)
        for path, names in sorted(known.items())
        if path in checkout.paths
        for full in sorted(names)
        if full == name or full.endswith(f".{name}")
    ]
    near = [place for place in places if place.path in checkout.touched]
    return near or places


def _narrowed(found: set[Anchor]) -> set[Anchor]:
    """Returns one anchor for a class and its method, and the file for several declarations of it."""
    inner = [one for one in found if isinstance(one, Declaration)]
    if len(inner) != len(found) or len({one.path for one in inner}) != 1:
        return found
    longest = max(inner, key=lambda one: len(one.name))
    if all(one == longest or longest.name.startswith(f"{one.name}.") for one in inner):
        return {longest}
    return {File(path=longest.path)}
