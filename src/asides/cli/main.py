"""`asides`: commands are loaded when they are called, so that each starts fast."""

from __future__ import annotations

import sys
from importlib import import_module

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
    try:
        code = cli.main(prog_name="asides", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except AsidesError as error:
        click.echo(f"asides: {error.sentence}", err=True)
        if error.advice:
            click.echo(f"  {error.advice}", err=True)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        # Agents take exit code 2 for an order to block, so even a usage error leaves with 1.
        error.show()
        sys.exit(1)
    except (click.Abort, KeyboardInterrupt):
        click.echo("asides: interrupted", err=True)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
