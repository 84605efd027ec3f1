"""What commands share: the project they are about, the two printers, ids that complete."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from rich.console import Console

    from asides.daemon.app import App
    from asides.daemon.desk import Desk

T = TypeVar("T")

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
in_project = click.option(
    "--project",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="A folder of the project. [default: this folder]",
)


@contextmanager
def opened() -> Iterator[App]:
    """Opens the files of this user for one command."""
    from asides.daemon.app import App
    from asides.model import clock
    from asides.paths import places

    app = App(places(), clock=clock.now)
    try:
        yield app
    finally:
        app.close()


@contextmanager
def desk(folder: Path | None) -> Iterator[Desk]:
    """Opens the project of a folder, or of the working directory, for one command."""
    from asides.daemon.desk import Desk

    with opened() as app:
        yield Desk(app, (folder or Path.cwd()).absolute())


def emit(value: T, *, as_json: bool, draw: Callable[[T, Console], None]) -> None:
    """Prints one value: as JSON, or drawn."""
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())
        return
    draw(value, console())


def console() -> Console:
    """Returns a console that writes plain text where nobody looks."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else 100
    return Console(highlight=False, soft_wrap=False, width=width)


def complete_entry(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[Any]:
    """Returns entry ids that begin so, with their words, for the shell."""
    from click.shell_completion import CompletionItem

    from asides.model.errors import AsidesError

    try:
        with desk(ctx.params.get("folder")) as here:
            found = here.entries(None)
    except (AsidesError, OSError):
        return []  # a shell that completes has no place for an error; the command itself will say it
    return [CompletionItem(each.id, help=each.body[:60]) for each in found if each.id.startswith(incomplete)]


entry_argument = click.argument("entry", shell_complete=complete_entry)
