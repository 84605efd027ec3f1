"""`asides why` and `asides log`: what happened, from stored facts only."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from asides.cli.common import as_json, complete_entry, desk, emit, in_project
from asides.cli.entries import draw_changes, draw_entry

if TYPE_CHECKING:
    from rich.console import Console

    from asides.daemon.views import DraftView, Story, TurnStory


@click.command()
@click.argument("entry", required=False, shell_complete=complete_entry)
@click.option(
    "--last", "limit", type=click.IntRange(1, 500), default=10, show_default=True, help="Without ENTRY."
)
@in_project
@as_json
def why(entry: str | None, limit: int, folder: Path | None, as_json: bool) -> None:
    """Show when an entry was said, what each check found, and where it was delivered

    Without ENTRY: what became of the latest messages, also of those that left nothing.
    """
    with desk(folder) as here:
        if entry is None:
            emit(here.turns(limit), as_json=as_json, draw=draw_turns)
        else:
            emit(here.story(entry), as_json=as_json, draw=draw_story)


@click.command()
@click.option("--last", "limit", type=click.IntRange(1, 10_000), default=20, show_default=True)
@in_project
@as_json
def log(limit: int, folder: Path | None, as_json: bool) -> None:
    """Show the latest changes of the store"""
    with desk(folder) as here:
        emit(here.log(limit), as_json=as_json, draw=draw_changes)


def draw_story(story: Story, console: Console) -> None:
    """Draws an entry with everything that is stored about it."""
    draw_entry(story.entry, console)
    for draft in story.drafts:
        console.print()
        console.print(f"  said {draft.said_at[:19]} in session {draft.session}", markup=False, soft_wrap=True)
        console.print(f"    … {' '.join(draft.excerpt.split())}", markup=False, soft_wrap=True)
        draw_checks(draft, console)
    if not story.drafts:
        console.print("  written by hand: no judgment", markup=False)
    console.print("\n  changes")
    for change in story.changes:
        reason = f": {change.why}" if change.why else ""
        undone = " [undone]" if change.undone else ""
        console.print(f"    {change.at[:19]}  {change.act} by {change.actor}{reason}{undone}", markup=False)
    console.print("\n  deliveries")
    if not story.deliveries:
        console.print("    none yet")
    for delivery in story.deliveries:
        told = f"delivered ({delivery.occasion})" if delivery.delivered else f"left out: {delivery.reason}"
        console.print(
            f"    {delivery.at[:19]}  session {delivery.session}  {told}", markup=False, soft_wrap=True
        )


def draw_turns(turns: tuple[TurnStory, ...], console: Console) -> None:
    """Draws what became of messages."""
    if not turns:
        console.print("No turn was judged here yet.")
    for turn in turns:
        console.print(f"{turn.said_at[:19]}  {turn.outcome}", markup=False)
        console.print(f"  “{turn.message}”", markup=False, soft_wrap=True)
        for draft in turn.drafts:
            told = f"kept as {draft.entry}" if draft.kept else "not kept"
            console.print(
                f"    {told}: {draft.kind} “{' '.join(draft.body.split())}”", markup=False, soft_wrap=True
            )
            draw_checks(draft, console, only_failed=draft.kept)


def draw_checks(draft: DraftView, console: Console, *, only_failed: bool = False) -> None:
    """Draws what each check of one draft found."""
    for check in draft.checks:
        if only_failed and check.passed:
            continue
        measure = "" if check.measure is None else f" {check.measure:.2f}"
        detail = f" ({check.detail})" if check.detail else ""
        sign = "passed" if check.passed else "FAILED"
        console.print(
            f"      {check.check:<14} {sign}  {check.reason}{measure}{detail}", markup=False, soft_wrap=True
        )
    if draft.relation:
        console.print(f"      {draft.relation}", markup=False)
