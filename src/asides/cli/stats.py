"""`asides stats`: what had to be said again, and what became of each entry."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from asides.cli.common import as_json, emit, here, in_project, opened
from asides.observe import figures as words

if TYPE_CHECKING:
    from rich.console import Console

    from asides.daemon.stats import Figures, Stats

SHOWN = 48  # characters of an entry's words, so that a row fits 100 columns
COLUMNS = ("repeats", "sessions", "cues", "heeded", "broken", "open")


@click.command()
@in_project
@as_json
def stats(folder: Path | None, as_json: bool) -> None:
    """Show what you had to say again, and what became of each entry

    Repeats: an entry stood, and you said it again. Heeded and broken: what came of checks that fired.
    """
    from asides.daemon.stats import stats as ask

    with opened() as app:
        emit(ask(app, here(folder)), as_json=as_json, draw=draw_stats)


def draw_stats(found: Stats, console: Console) -> None:
    """Draws the figures, what had to be said again first."""
    console.print(found.north_star)
    for sentence in found.missing:
        console.print(sentence)
    if not found.entries:
        return
    console.print(f"\n{'entry':<10}{_heads()}")
    for row in found.entries:
        console.print(f"{row.entry:<10}{_cells(row.figures)}  {_short(row.body)}")
    if found.idle:
        console.print(words.idle(found.idle))
    console.print(f"\n{'week of':<10}{_heads()}")
    for week in found.weeks:
        console.print(f"{week.begins:<10}{_cells(week.figures)}")


def _heads() -> str:
    return "".join(f"  {name}" for name in COLUMNS)


def _cells(counted: Figures) -> str:
    return "".join(f"  {getattr(counted, name) or '-':>{len(name)}}" for name in COLUMNS)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"
