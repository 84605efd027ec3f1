"""`asides daemon`: the resident process by hand. Hooks start it by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from asides.cli.common import as_json, emit

if TYPE_CHECKING:
    from rich.console import Console

    from asides.daemon.endpoint import Answer


@click.group()
def daemon() -> None:
    """Start, stop or ask the resident process"""


@daemon.command()
@as_json
def start(as_json: bool) -> None:
    """Start the daemon, unless one answers"""
    from asides.daemon.waking import Waking
    from asides.paths import places

    emit(Waking(places()).daemon(), as_json=as_json, draw=_draw_answer)


@daemon.command()
@as_json
def stop(as_json: bool) -> None:
    """Stop the daemon; the next hook starts another"""
    from asides.daemon.waking import Waking
    from asides.paths import places

    emit(
        Waking(places()).stop(),
        as_json=as_json,
        draw=lambda gone, console: console.print("Daemon stopped" if gone else "No daemon was running"),
    )


@daemon.command()
@as_json
def ask(as_json: bool) -> None:
    """Ask the daemon how it is"""
    from asides.daemon import endpoint
    from asides.paths import places

    emit(endpoint.ask(places().run, "hello"), as_json=as_json, draw=_draw_answer)


@daemon.command()
@as_json
def retry(as_json: bool) -> None:
    """Try turns again that could not be judged"""
    from asides.cli.common import opened

    with opened() as app:
        count = app.ledger.run("unpark")
    emit(count, as_json=as_json, draw=lambda found, console: console.print(f"{found} turns are owed again"))


def _draw_answer(answer: Answer, console: Console) -> None:
    console.print(
        f"Daemon {answer.version} answers (process {answer.pid}): {answer.owed} turns to judge, "
        f"{answer.spooled} hook runs to take in"
    )
