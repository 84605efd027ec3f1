"""The check of an entry: what must not stand in an added line, where that is certain."""

from __future__ import annotations

import re

from asides.model.anchor import Declaration, File, General
from asides.model.entry import Entry, Kind
from asides.model.watch import Check, Form
from asides.watch.bans import Ban, ban, follows, instead, leads, narrows, swap
from asides.watch.clauses import LENGTH, asks, clauses, in_doubt, plain, tells
from asides.watch.ground import Ground
from asides.watch.meanings import Meaning, environment, is_package, meaning

_ROOTS = (
    *(
        "os",
        "sys",
        "time",
        "datetime",
        "yaml",
        "asyncio",
        "subprocess",
        "logging",
        "console",
        "window",
        "document",
    ),
    *("Math", "Date", "JSON", "Object", "System", "Thread", "Console", "DateTime", "fmt", "log", "process"),
)
_OURS = (
    *(
        "fetch",
        "logger",
        "logging",
        "tailwind",
        "stdlib",
        "const",
        "let",
        "css modules",
        "named exports",
        "named",
    ),
    *(
        "raw sql",
        "native websockets",
        "plain js",
        "vanilla js",
        "our logger",
        "the logger",
        "system.text.json",
    ),
)
_PATHS = re.compile(r"`?([\w@.-]+(?:/[\w@.\[\]-]+)+/?)`?")
# "anywhere but" and "except" a file leave no doubt where the file is there.
_ONLY = re.compile(
    (
        r"\b(?:anywhere (?:else )?|nobody .{1,60} )?\b(?:but|except|other than|besides)(?= (?:in "
        r"|from )?`?[\w./-]+$)"
    ),
    re.I,
)


def check(entry: Entry, ground: Ground) -> Check | None:
    """Returns the check that an entry compiles to; None unless it bans something certain, everywhere."""
    if entry.kind is Kind.LOOP or len(entry.body) > LENGTH:
        return None
    text = plain(entry.body)
    if not _about_all(entry, text):
        return None
    found: list[Check] = []
    corrects = entry.kind is Kind.CORRECTION
    parts = clauses(text)
    at = 0
    while at < len(parts):
        both = _first(_swaps(parts, at), parts, ground, corrects=corrects)
        one = both or _first(ban(parts[at]), parts, ground, corrects=corrects)
        if one:
            found.append(one)
        elif _limits(parts[at], first=not found) or in_doubt(parts[at]) or tells(parts[at]):
            return None
        at += 2 if both else 1
    return _joined(found) if found and not asks(text) else None


def _limits(clause: str, *, first: bool) -> bool:
    """Returns whether a clause may limit the ban beside it to some place or time.

    It must say what to use or to do, or tell something, or be a mere "please".
    """
    low = clause.lower()
    if low.endswith(" only") or low.startswith("only "):
        return not _named(low.removesuffix(" only").removeprefix("only "))
    if narrows(clause):
        return True
    return not (instead(clause) or (leads(clause) if first else follows(clause)))


def _named(said: str) -> bool:
    said = said.removeprefix("we use ").removeprefix("use ").strip("`")
    return is_package(said) or said in _OURS


def _swaps(parts: list[str], at: int) -> list[Ban]:
    one = swap(f"{parts[at]}, {parts[at + 1]}") if at + 1 < len(parts) else None
    return [one] if one else []


def _about_all(entry: Entry, text: str) -> bool:
    """Returns whether an entry is about the project: an anchor that its own words name came from them."""
    match entry.anchor:
        case General():
            return True
        case File(path=path):
            names = [path, path.rpartition("/")[2]]
        case Declaration(name=name):
            names = [name, re.split(r"[.:#]", name)[-1]]
    return any(name and name in text for name in names)


def _first(bans: list[Ban], parts: list[str], ground: Ground, *, corrects: bool) -> Check | None:
    for one in bans:
        compiled = _compiled(one, parts, ground, corrects=corrects)
        if compiled:
            return compiled
    return None


def _compiled(one: Ban, parts: list[str], ground: Ground, *, corrects: bool) -> Check | None:
    said = " ".join(one.things)
    if in_doubt(re.sub(r"(?i)without (?:a )?(?:tz|timezone)|\bexcepts?\b", "", said)):
        return None
    if one.why and (in_doubt(one.why) or tells(one.why)):
        return None
    if one.swap and not one.told and (corrects or not _names_something(one.instead)):
        return None  # "lodash not lodash-es" may as well be said of one line
    told = one.instead or next(filter(None, map(instead, parts)), "")
    meanings: list[Meaning] = []
    for thing in one.things:
        known = environment(thing, ground) if one.outside else None
        known = known or meaning(thing, ground, verb=one.verb, bare=one.bare, beside=told)
        if known is None or (one.swap and not _swappable(known, thing)):
            return None
        meanings.append(known)
    if one.verb in ("touch", "touching", "read", "reading", "access", "accessing", "see") and not (
        one.outside or one.verb == "see"
    ):
        return None
    globs = tuple(dict.fromkeys(glob for known in meanings for glob in known.globs))
    outside = [ground.glob(known.module) for known in meanings if known.module]
    if one.outside:
        path = ground.path(one.outside) if {"/", "."} & set(one.outside) else ""
        if not path or (path not in ground.folders and not _is_source(path)):
            return None
        outside.append(ground.glob(path))
    if one.within:
        path = ground.path(one.within) if {"/", "."} & set(one.within) else ""
        if not path:
            return None
        globs = _within(path, globs, ground)
    outside += [glob for glob in _own(parts, ground) if glob not in outside and not one.within]
    signs = tuple(dict.fromkeys(sign for known in meanings for sign in known.signs))
    return Check(signs=signs, globs=globs, outside=tuple(outside), instead=told)


def _swappable(known: Meaning, thing: str) -> bool:
    """In "this, not that", a name with nothing to tell it by may be anything: a role, a branch, a column."""
    bare = thing.strip("`\"'")
    return (
        bool(known.globs)
        or known.signs[0].form in (Form.IMPORT, Form.RAISE)
        or bare.partition(".")[0] in _ROOTS
    )


def _names_something(said: str) -> bool:
    """Returns whether what comes before "not that" is a thing, and no word such as "why" or "but"."""
    return is_package(said) or said.lower() in _OURS or bool({".", "/", "_", ":", "("} & set(said))


def _is_source(path: str) -> bool:
    ending = path.rpartition(".")[2]
    return (
        ending not in ("md", "txt", "json", "yaml", "yml", "toml", "env", "lock", "example")
        and "/.env" not in f"/{path}"
    )


def _within(path: str, globs: tuple[str, ...], ground: Ground) -> tuple[str, ...]:
    if path not in ground.folders:
        return (ground.glob(path),)
    if not globs:
        return (ground.glob(path),)
    return tuple(f"{ground.glob(path).removesuffix('/**')}/{glob}" for glob in globs)


def _own(parts: list[str], ground: Ground) -> list[str]:
    """Returns globs of the files of the checkout that an entry sends one to."""
    found = []
    for part in parts:
        if ban(part):
            continue
        for match in _PATHS.finditer(part):
            path = ground.path(match[1])
            if path and path not in ground.folders:
                found.append(ground.glob(path))
    return found


def _joined(found: list[Check]) -> Check | None:
    """Returns one check of several, if they hold in the same files."""
    first = found[0]
    if any((one.globs, one.outside) != (first.globs, first.outside) for one in found):
        same = [one for one in found if one.signs == first.signs]
        return first if len(same) == len(found) else None
    signs = tuple(dict.fromkeys(sign for one in found for sign in one.signs))
    told = next((one.instead for one in found if one.instead), "")
    return Check(signs=signs, globs=first.globs, outside=first.outside, instead=told)
