"""Commands on entries: see, add, mend, take back."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from asides.cli.common import (
    as_json,
    desk,
    emit,
    entries_argument,
    entry_argument,
    in_project,
    words_argument,
)
from asides.model.delivery import BODY_LIMIT
from asides.model.entry import Act, Kind, Source, Standing

if TYPE_CHECKING:
    from rich.console import Console

    from asides.daemon.desk import Desk
    from asides.daemon.views import ChangeView, EntryView, UndoneView

KINDS = click.Choice([str(kind) for kind in Kind])
why_option = click.option("--why", default="", help="The reason, for `asides why`.")


def on_one_entry(act: Callable[..., EntryView]) -> click.Command:
    """Makes a command of what is done to one entry: it opens the project, and prints the entry after it."""

    @functools.wraps(act)
    def command(entry: str, folder: Path | None, as_json: bool, **options: Any) -> None:
        with desk(folder) as here:
            emit(act(here, entry, **options), as_json=as_json, draw=draw_entry)

    # The options of `act` are declared below this decorator; ours come around them.
    return click.command()(entry_argument(in_project(as_json(command))))


def on_entries(act: Callable[..., EntryView]) -> click.Command:
    """Makes a command of what is done to each of several entries; none is touched when one is unknown.

    One entry is printed as JSON by itself, several as an array.
    """

    @functools.wraps(act)
    def command(entries: tuple[str, ...], folder: Path | None, as_json: bool, **options: Any) -> None:
        with desk(folder) as here:
            ids = dict.fromkeys(here.entry(name).id for name in entries)
            done = [act(here, each, **options) for each in ids]
        if len(done) == 1:
            emit(done[0], as_json=as_json, draw=draw_entry)
        else:
            emit(done, as_json=as_json, draw=draw_each)

    return click.command()(entries_argument(in_project(as_json(command))))


@click.command("list")
@click.option("--all", "everything", is_flag=True, help="Also superseded, retired and refused ones.")
@in_project
@as_json
def list_(everything: bool, folder: Path | None, as_json: bool) -> None:
    """List what is kept for this project"""
    with desk(folder) as here:
        found = here.entries(None if everything else (Standing.LIVE, Standing.PROPOSED))
    emit(found, as_json=as_json, draw=draw_entries)


@click.command()
@words_argument
@click.option("--kind", type=KINDS, default=str(Kind.LAW), show_default=True)
@in_project
@as_json
def add(words: tuple[str, ...], kind: str, folder: Path | None, as_json: bool) -> None:
    """Keep something by hand"""
    with desk(folder) as here:
        emit(here.add(" ".join(words), Kind(kind)), as_json=as_json, draw=draw_entry)


@on_one_entry
def show(here: Desk, entry: str) -> EntryView:
    """Show one entry"""
    return here.entry(entry)


@on_one_entry
@words_argument
def edit(here: Desk, entry: str, words: tuple[str, ...]) -> EntryView:
    """Change the words of an entry"""
    return here.edit(entry, " ".join(words))


@on_entries
def confirm(here: Desk, entry: str) -> EntryView:
    """Make a proposed entry live"""
    return here.confirm(entry)


@on_entries
@why_option
def retire(here: Desk, entry: str, why: str) -> EntryView:
    """Take an entry out; it comes back if it is said again"""
    return here.retire(entry, why)


@on_entries
@why_option
def refuse(here: Desk, entry: str, why: str) -> EntryView:
    """Say no to an entry; the same words never come back"""
    return here.refuse(entry, why)


@on_one_entry
def restore(here: Desk, entry: str) -> EntryView:
    """Bring back an entry that was superseded, retired or refused"""
    return here.restore(entry)


@click.command()
@click.argument("count", type=click.IntRange(1, 100), required=False)
@click.option("--operation", type=click.IntRange(1), help="Undo this one; numbers as in `asides log`.")
@in_project
@as_json
def undo(count: int | None, operation: int | None, folder: Path | None, as_json: bool) -> None:
    """Undo the last change, the last COUNT changes, or one by its number

    Undoing an undo redoes what it had undone.
    """
    if count is not None and operation is not None:
        raise click.UsageError("Give COUNT or --operation, not both.")
    with desk(folder) as here:
        done = here.undo(count or 1) if operation is None else here.undo_operation(operation)
    emit(done, as_json=as_json, draw=draw_undone)


@click.command()
@in_project
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of Markdown.")
def export(folder: Path | None, as_json: bool) -> None:
    """Print every live entry, as Markdown or JSON"""
    with desk(folder) as here:
        found = here.entries((Standing.LIVE,))
    emit(found, as_json=as_json, draw=draw_markdown)


def draw_entries(found: tuple[EntryView, ...], console: Console) -> None:
    """Draws one line for each entry."""
    if not found:
        console.print("No entries yet.")
        return
    for entry in found:
        mark = "" if entry.standing == Standing.LIVE else f" [{entry.standing}]"
        if entry.left_out:
            mark = " [does not fit into the next session's start]"
        anchor = "" if entry.anchor == "general" else f"  ({entry.anchor})"
        console.print(f"{entry.id}  {entry.kind:<10} {_line(entry.body)}{anchor}{mark}")


def draw_entry(entry: EntryView, console: Console) -> None:
    """Draws everything that is said about one entry without its story."""
    seen = f", said {entry.sightings} times" if entry.sightings > 1 else ""
    console.print(f"{entry.id}  {entry.kind}, {entry.standing}{seen}")
    console.print(f"  “{entry.body}”")
    found = f"found by {entry.writer} with score {entry.score:.2f}"
    if entry.writer == "person":
        found = "written by hand"
    said = f"said {entry.said_at[:10]} by {'the agent' if entry.source == Source.AGENT else 'a person'}"
    console.print(f"  {said}, about {entry.anchor}, {found}")
    if entry.standing == Standing.PROPOSED:
        console.print(f"  not delivered until it is said again, or confirmed: asides confirm {entry.id}")
    if len(entry.body) > BODY_LIMIT:
        console.print(f"  only its first {BODY_LIMIT} characters are delivered")
    if entry.note:
        console.print(f"  {entry.note}")
    if entry.verify:
        console.print(f"  to verify first: {entry.verify}")


def draw_each(done: list[EntryView], console: Console) -> None:
    """Draws several entries, one below the other."""
    for entry in done:
        draw_entry(entry, console)


def draw_undone(done: tuple[UndoneView, ...], console: Console) -> None:
    """Draws what was undone, what the entries are now, and how to take that back."""
    for each in done:
        what = f"redid what operation {each.undid} had undone"
        if each.act != Act.UNDO:
            what = f"undid operation {each.undid} ({each.act})"
        now = f"is {each.standing}" if each.standing else "is gone"
        console.print(f"{what}: {each.entry} {now}: {_line(each.body)}")
    numbers = " or ".join(f"--operation {each.id}" for each in done)
    console.print(f"Take it back with: asides undo {numbers}")


def draw_changes(done: tuple[ChangeView, ...], console: Console) -> None:
    """Draws one line for each operation, its number first."""
    if not done:
        console.print("Nothing yet.")
    for change in done:
        console.print(
            f"{change.id:>4}  {change.at[:19]}  {change.act:<9} {change.entry}  {_line(change.body)}"
            + (f"  ({change.why})" if change.why else "")
            + ("  [proposed]" if change.act == Act.KEEP and change.standing == Standing.PROPOSED else "")
            + ("  [undone]" if change.undone else ""),
        )


def draw_markdown(found: tuple[EntryView, ...], console: Console) -> None:
    """Draws the entries as Markdown, by kind."""
    if not found:
        console.print("Nothing yet.")
    for kind in Kind:
        group = [entry for entry in found if entry.kind == kind]
        if group:
            console.print(f"## {kind}\n")
            for entry in group:
                console.print(f"- {_line(entry.body)} ({entry.said_at[:10]}, {entry.id})")
            console.print()


def _line(text: str) -> str:
    return " ".join(text.split())
