"""`asides status`, `asides paths`, `asides completion`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from asides.cli.common import as_json, emit, here, in_project, opened

if TYPE_CHECKING:
    from rich.console import Console

    from asides.daemon.status import Status


@click.command()
@in_project
@as_json
def status(folder: Path | None, as_json: bool) -> None:
    """Show whether everything is at work, and what was counted"""
    from asides.daemon.status import status as ask

    with opened() as app:
        emit(ask(app, here(folder)), as_json=as_json, draw=_draw_status)


@click.command()
@as_json
def paths(as_json: bool) -> None:
    """Show where everything is kept"""
    from asides.paths import places

    where = places()
    named = {
        "settings": str(where.settings),
        "projects": str(where.projects),
        "state": str(where.state),
        "spool": str(where.spool),
        "ready": str(where.ready),
        "ledger": str(where.ledger),
        "logs": str(where.logs),
        "hook": str(where.state / "hook"),
        "cache": str(where.cache),
    }
    emit(named, as_json=as_json, draw=_draw_paths)


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes commands and entry ids complete in a shell

    Use it as: eval "$(asides completion bash)"
    """
    from click.shell_completion import get_completion_class

    from asides.cli.main import cli

    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"{shell} cannot be completed")
    click.echo(kind(cli, {}, "asides", "_ASIDES_COMPLETE").source())


def _draw_paths(named: dict[str, str], console: Console) -> None:
    for name, path in named.items():
        console.print(f"{name:<9} {path}")


def _draw_status(found: Status, console: Console) -> None:
    for problem in found.problems:
        console.print(f"! {problem}")
    if not found.problems:
        console.print("All is well.")
    console.print(f"daemon    {found.daemon}")
    console.print(f"spool     {found.spooled} hook runs to take in")
    turns = ", ".join(f"{count} {state}" for state, count in sorted(found.turns.items())) or "none yet"
    console.print(f"turns     {turns}")
    if found.project:
        console.print(f"project   {found.project}: {found.live} live, {found.proposed} proposed")
    if found.counts:
        console.print("\nruns      today  30 days")
        for count in found.counts:
            name = f"{count.what} {count.event}".strip()
            console.print(f"  {name:<26} {count.outcome:<8} {count.today:>5} {count.month:>8}")
    for failure in found.failures:
        console.print(
            f"  {failure.outcome}: {failure.what} {failure.event} {failure.count} times, "
            f"last {failure.last_at[:19]}: {failure.reason}",
        )
    for slip in found.slips:
        console.print(f"  slipped through: {slip.path} {slip.change} at {slip.at[:19]}")
