"""Leaves the table ready out of which the hook gives cues: what makes each entry due, and how it reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from asides.deliver.prepare import NotPrepared, make_private, ready_folder, write
from asides.deliver.render import body_of, line
from asides.model.entry import Entry
from asides.model.watch import Check, Form, Proof, Trigger, Watch

WORDS_LIMIT = 240  # characters of an entry's words in a sentence about one edit, or in a reminder
ANYTHING = '"tool_name"'  # a cause that every payload of a tool holds
SHORTEST_CAUSE = 3  # characters; a shorter one is found in nearly every payload

# A program whose name is in most paths and prompts; its subcommand says more.
_EVERYWHERE = frozenset({"git"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Modes:
    """What a person has chosen about cues, checks of added lines, and rituals owed."""

    cues: bool = True
    hold: bool = False
    checks: Literal["advise", "block", "off"] = "advise"
    owed: Literal["stop", "prompt", "off"] = "stop"


class Row(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One entry in the table. `line`: as a cue; `words`: inside a sentence of ours.

    `causes`: one of them stands in every payload that can make it due.
    """

    causes: tuple[str, ...]
    id: str
    line: str
    words: str
    places: tuple[str, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    proof: Proof | None = None
    check: Check | None = None


def write_cues(
    watched: Sequence[tuple[Entry, Watch]], *, key: str, agent: str, ready: Path, modes: Modes
) -> None:
    """Writes the table of one project for one agent, or removes it when nothing is to be watched.

    Entries come before the agent in the order given, as many as there is room for. Each file is replaced
    whole, and only if it changes; the causes come first, so that the hook looks for all that the table
    holds. Raises NotPrepared, with the table that stood before still whole, when the disk refuses.
    """
    rows = [row for entry, watch in watched if (row := _row(entry, watch, modes)) is not None]
    before = {cause for row in rows for cause in _before(row, modes)}
    after = {cause for row in rows for cause in _after(row, modes)}
    folder = ready_folder(ready, key, agent)
    if not rows and not folder.is_dir():
        return
    try:
        make_private(folder, ready)
        write(
            folder,
            {
                "cues.causes": _lines(before) if rows else None,
                "cues.after": _lines(after) if rows else None,
                "cues.json": _table(rows, modes) if rows else None,
            },
        )
    except OSError as error:
        raise NotPrepared(folder=folder, why=error.strerror or str(error)) from error


def _table(rows: Iterable[Row], modes: Modes) -> str:
    """Returns the table: JSON, with each entry on a line of its own, so that the hook parses few of them."""
    entries = ",\n".join(
        msgspec.json.encode(
            msgspec.structs.replace(
                row,
                causes=tuple(dict.fromkeys((*_before(row, modes), *_after(row, modes)))),
            )
        ).decode()
        for row in rows
    )
    return f'{{"modes":{msgspec.json.encode(modes).decode()},"entries":[\n{entries}\n]}}\n'


def _row(entry: Entry, watch: Watch, modes: Modes) -> Row | None:
    """Returns what the hook has to know of an entry under these modes, None where that is nothing."""
    proof = watch.proof if modes.owed != "off" or modes.cues else None
    triggers = watch.triggers if modes.cues or (proof and modes.owed != "off") else ()
    row = Row(
        causes=(),
        id=entry.id,
        line=line(entry),
        words=f'"{body_of(entry, limit=WORDS_LIMIT)}"',
        places=watch.places if modes.cues else (),
        triggers=triggers,
        proof=proof if triggers else None,
        check=watch.check if modes.checks != "off" else None,
    )
    return row if row.places or row.triggers or row.check else None


def _before(row: Row, modes: Modes) -> Iterable[str]:
    """Yields a cause for everything that the hook must see before a tool runs."""
    yield from map(cause_of_glob, row.places)
    if modes.cues:
        yield from _pulled(row.triggers)
    if row.proof:
        yield from map(cause_of_command, row.proof.commands)
    if row.check and modes.checks == "block":
        yield from (cause_of_sign(sign.form, sign.text) for sign in row.check.signs)


def _after(row: Row, modes: Modes) -> Iterable[str]:
    """Yields a cause for everything that it must see afterwards."""
    if row.proof:
        yield from map(cause_of_glob, row.proof.globs)
        yield from map(cause_of_command, row.proof.commands)
        if modes.owed != "off":
            yield from _pulled(row.triggers)
    if row.check and modes.checks == "advise":
        yield from (cause_of_sign(sign.form, sign.text) for sign in row.check.signs)


def _pulled(triggers: Iterable[Trigger]) -> Iterable[str]:
    for trigger in triggers:
        yield from map(cause_of_glob, trigger.globs)
        yield from map(cause_of_command, trigger.commands)


def cause_of_glob(glob: str) -> str:
    """Returns a text that stands in the payload of every tool call for a file that the glob fits."""
    parts = [part for part in glob.split("/") if part]
    if parts and not set(parts[-1]) & set("*?"):
        return _longest(parts[-1:])
    return _longest(parts)


def cause_of_command(words: tuple[str, ...]) -> str:
    """Returns a text that stands in the payload of every command that begins with these words."""
    names = [word.rpartition("/")[2] for word in words]
    if names and len(names[0]) >= SHORTEST_CAUSE and names[0] not in _EVERYWHERE:
        return _longest(names[:1])
    return _longest(names[1:] or names)


def cause_of_sign(form: Form, text: str) -> str:
    """Returns a text that stands in the payload of every edit that adds this sign."""
    if form is Form.TEXT:
        return _longest([text], keeps=lambda char: " " <= char <= "~" and char not in '"\\')
    # A dotted name may be written with blanks, a package with other signs between its words.
    return _longest([text], keeps=lambda char: char.isascii() and char.isalnum())


def _plain(char: str) -> bool:
    """Tells whether a character stands in JSON, and in a shell's word, as it is."""
    return char.isascii() and (char.isalnum() or char in "._-")


def _longest(texts: Iterable[str], *, keeps: Callable[[str], bool] = _plain) -> str:
    """Returns the longest stretch of such characters, in lower case; ANYTHING where all are short.
    No letter beyond ASCII is asked for: the payload may have it escaped, or composed otherwise.
    """
    plain = ("".join(char if keeps(char) else "\0" for char in text) for text in texts)
    found = max((piece.strip() for text in plain for piece in text.split("\0")), key=len, default="")
    return found.lower() if len(found) >= SHORTEST_CAUSE else ANYTHING


def _lines(causes: Iterable[str]) -> str:
    """Returns the causes, one a line; a cause that every payload holds is enough alone."""
    wanted = set(causes)
    return "".join(f"{cause}\n" for cause in ([ANYTHING] if ANYTHING in wanted else sorted(wanted)))
