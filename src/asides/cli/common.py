"""What commands share: the project they are about, the two printers, ids that complete."""

from __future__ import annotations

import io
import os
import shlex
import shutil
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
        yield Desk(app, here(folder))


def here(folder: Path | None) -> Path:
    """Returns the folder that was named, else the working directory. Raises NoProject when that is gone."""
    from asides.model.errors import NoProject

    try:
        return (folder or Path.cwd()).absolute()
    except FileNotFoundError as error:
        raise NoProject(path="The working directory", why="it was deleted") from error


def emit(value: T, *, as_json: bool, draw: Callable[[T, Console], None]) -> None:
    """Prints one value: as JSON, or drawn; whole, or the OSError of who does not take it is raised."""
    if as_json:
        import msgspec

        text = msgspec.json.format(msgspec.json.encode(value, enc_hook=_plain), indent=2).decode() + "\n"
    else:
        text = drawn(value, draw)
    sys.stdout.write(text)
    sys.stdout.flush()


def drawn(value: T, draw: Callable[[T, Console], None]) -> str:
    """Returns what a printer draws, word for word: no markup, no emoji for `:names:`, no line broken."""
    from rich.console import Console

    page = io.StringIO()
    draw(value, Console(file=page, highlight=False, markup=False, emoji=False, soft_wrap=True))
    return page.getvalue()


def _plain(value: object) -> str:
    if isinstance(value, Path):
        return os.fsencode(value).decode("utf-8", "replace")
    raise NotImplementedError(f"{type(value).__name__} has no JSON")  # what msgspec asks of a hook


def everywhere() -> str:
    """Returns how to have the command in every folder; empty where the shell finds it already."""
    command = Path(sys.executable).with_name("asides")
    if shutil.which("asides") or not command.exists():
        return ""
    name = shlex.quote(str(command))
    return (
        f"The command is {name}. To have it in every folder: "
        f"mkdir -p ~/.local/bin && ln -s {name} ~/.local/bin/asides"
    )


def complete_entry(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[Any]:
    """Returns entry ids that begin so, with their words, for the shell; to confirm, only proposed ones."""
    from click.shell_completion import CompletionItem

    from asides.model.entry import Standing
    from asides.model.errors import AsidesError

    try:
        with desk(ctx.params.get("folder")) as here:
            found = here.entries((Standing.PROPOSED,) if ctx.info_name == "confirm" else None)
    except (AsidesError, OSError):
        return []  # a shell that completes has no place for an error; the command itself will say it
    return [CompletionItem(each.id, help=each.body[:60]) for each in found if each.id.startswith(incomplete)]


def named(_ctx: click.Context, _param: click.Parameter, value: Any) -> Any:
    """Lets ids through that can be looked for. Raises UsageError for an empty one."""
    if value is not None and any(not each.strip() for each in ([value] if isinstance(value, str) else value)):
        raise click.UsageError("The id of an entry is empty. See the ids with `asides list --all`.")
    return value


entry_argument = click.argument("entry", shell_complete=complete_entry, callback=named)
entries_argument = click.argument(
    "entries", nargs=-1, required=True, metavar="ENTRY...", shell_complete=complete_entry, callback=named
)
words_argument = click.argument("words", nargs=-1)
