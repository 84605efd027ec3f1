"""`asides`: commands are loaded when they are called, so that each starts fast."""

from __future__ import annotations

import io
import json
import os
import sys
from importlib import import_module
from typing import NoReturn, TextIO

import click

from asides import __version__
from asides.model.errors import AsidesError

COMMANDS = {
    "try": ("asides.cli.rehearse", "rehearse"),
    "install": ("asides.cli.installing", "install"),
    "uninstall": ("asides.cli.installing", "uninstall"),
    "list": ("asides.cli.entries", "list_"),
    "show": ("asides.cli.entries", "show"),
    "why": ("asides.cli.stories", "why"),
    "log": ("asides.cli.stories", "log"),
    "stats": ("asides.cli.stats", "stats"),
    "add": ("asides.cli.entries", "add"),
    "edit": ("asides.cli.entries", "edit"),
    "confirm": ("asides.cli.entries", "confirm"),
    "retire": ("asides.cli.entries", "retire"),
    "refuse": ("asides.cli.entries", "refuse"),
    "restore": ("asides.cli.entries", "restore"),
    "undo": ("asides.cli.entries", "undo"),
    "export": ("asides.cli.entries", "export"),
    "status": ("asides.cli.standing", "status"),
    "paths": ("asides.cli.standing", "paths"),
    "daemon": ("asides.cli.resident", "daemon"),
    "eval": ("asides.cli.evaluate", "evaluate"),
    "train": ("asides.cli.training", "train"),
    "completion": ("asides.cli.standing", "completion"),
}


class Lazy(click.Group):
    """A group that imports a command's module only when the command is named."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Returns the commands in the order of a first day with asides."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        """Returns a command by name, or None."""
        if name not in COMMANDS:
            return None
        module, attribute = COMMANDS[name]
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="asides")
def cli() -> None:
    """Say it once. Your coding agent keeps it."""


def run() -> None:
    """Runs the command line. Errors are printed here and nowhere else; never leaves with 2."""
    _open_streams()
    ours = sys.stdout
    try:
        code = cli.main(prog_name="asides", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except AsidesError as error:
        _leave(error.exit_code, error.sentence, error.advice)
    except click.UsageError as error:
        # Agents take exit code 2 for an order to block, so even a usage error leaves with 1.
        if _wants_json():
            _leave(1, error.format_message())
        error.show()
        sys.exit(1)
    except click.ClickException as error:
        _leave(1, error.format_message())
    except (click.Abort, KeyboardInterrupt):
        _leave(130, "interrupted")
    except SystemExit:
        # Where whoever read our output has seen enough, click puts another stream in place of the broken
        # one and leaves with 1. It is no failure.
        if sys.stdout is ours:
            raise
        _drop(ours)
        sys.exit(0)
    except OSError as error:
        _drop(sys.stdout)
        place = f": {error.filename}" if error.filename else ""
        _leave(5, f"{error.strerror or error}{place}")


def _open_streams() -> None:
    """Makes output possible wherever we are started: closed streams are dropped, no character is too much."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            # Else the next file that is opened would take the number, and hear what is printed.
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - lives as long as we
        elif isinstance(stream := getattr(sys, name), io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _drop(stream: TextIO) -> None:
    """Sends a stream nowhere, so that Python's own flush at the end finds nothing to complain about."""
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


def _wants_json() -> bool:
    return "--json" in sys.argv[1:]


def _leave(code: int, sentence: str, advice: str = "") -> NoReturn:
    """Says on standard error why nothing came of it, as JSON where that was asked for, and leaves."""
    if _wants_json():
        told = {"error": sentence, "hint": advice, "exit_code": code}
        click.echo(json.dumps(told, ensure_ascii=False), err=True)
    else:
        click.echo(f"asides: {sentence}", err=True)
        if advice:
            click.echo(f"  {advice}", err=True)
    sys.exit(code)
