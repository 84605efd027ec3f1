"""`asides why` and `asides log`: what happened, from stored facts only."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from asides.cli.common import as_json, complete_entry, desk, emit, in_project, named
from asides.cli.entries import draw_changes, draw_entry
from asides.model.entry import Standing
from asides.observe import reasons

if TYPE_CHECKING:
    from rich.console import Console

    from asides.daemon.views import DraftView, Story, TurnStory


@click.command()
@click.argument("entry", required=False, shell_complete=complete_entry, callback=named)
@click.option(
    "--last", "limit", type=click.IntRange(1, 500), default=10, show_default=True, help="Without ENTRY."
)
@click.option("--verbose", "-v", is_flag=True, help="Also each check that found nothing to say.")
@in_project
@as_json
def why(entry: str | None, limit: int, verbose: bool, folder: Path | None, as_json: bool) -> None:
    """Show when an entry was said, what each check found, and where it was delivered

    Without ENTRY: what became of the latest messages, also of those that left nothing.
    """
    with desk(folder) as here:
        if entry is None:
            emit(
                here.turns(limit),
                as_json=as_json,
                draw=lambda turns, console: draw_turns(turns, console, verbose=verbose),
            )
        else:
            emit(
                here.story(entry),
                as_json=as_json,
                draw=lambda story, console: draw_story(story, console, verbose=verbose),
            )


@click.command()
@click.option("--last", "limit", type=click.IntRange(1, 10_000), default=20, show_default=True)
@in_project
@as_json
def log(limit: int, folder: Path | None, as_json: bool) -> None:
    """Show the latest changes of the store, with the numbers that `asides undo --operation` takes"""
    with desk(folder) as here:
        emit(here.log(limit), as_json=as_json, draw=draw_changes)


def draw_story(story: Story, console: Console, *, verbose: bool = False) -> None:
    """Draws an entry with what is stored about it; `verbose`: with every check."""
    draw_entry(story.entry, console)
    for draft in story.drafts:
        console.print(f"\n  {draft.said_at[:19]} in session {draft.session}: {_became(draft)}")
        console.print(f"    … {' '.join(draft.excerpt.split())}")
        draw_checks(draft, console, verbose=verbose)
    if not story.drafts:
        console.print("  written by hand: no judgment")
    console.print("\n  changes")
    for change in story.changes:
        reason = f": {change.why}" if change.why else ""
        undone = " [undone]" if change.undone else ""
        told = reasons.done(change.act, change.actor, change.standing)
        console.print(f"    {change.at[:19]}  {told}{reason}{undone}")
    console.print("\n  deliveries")
    if not story.deliveries:
        console.print("    none yet")
    for delivery in story.deliveries:
        told = reasons.given(delivery.occasion, delivery.reason)
        console.print(f"    {delivery.at[:19]}  session {delivery.session}: {told}")
    draw_moments(story, console)


def draw_moments(story: Story, console: Console) -> None:
    """Draws when an entry was put before an agent, broken, or said again; nothing where that never was."""
    told = [(cue.at, cue.session, reasons.cued(cue.occasion, cue.subagent)) for cue in story.cues]
    told += [
        (firing.at, firing.session, reasons.fired(firing.path, firing.line, firing.outcome))
        for firing in story.firings
    ]
    told += [(one.at, one.session, reasons.repeated(one.delivered)) for one in story.repeats]
    if told:
        console.print("\n  moments")
    for at, session, words in sorted(told):
        console.print(f"    {at[:19]}  session {session}: {words}")


def draw_turns(turns: tuple[TurnStory, ...], console: Console, *, verbose: bool = False) -> None:
    """Draws what became of messages."""
    if not turns:
        console.print("No turn was judged here yet.")
    for turn in turns:
        console.print(f"{turn.said_at[:19]}  {turn.told}")
        console.print(f"  “{turn.message}”")
        for draft in turn.drafts:
            console.print(f"    {_became(draft)}: {draft.kind} “{' '.join(draft.body.split())}”")
            draw_checks(draft, console, verbose=verbose)


def draw_checks(draft: DraftView, console: Console, *, verbose: bool) -> None:
    """Draws what the checks of one draft found: those that failed or had a consequence, or every one."""
    for check in draft.checks:
        if not verbose and not reasons.is_noteworthy(check.passed, check.reason):
            continue
        told = reasons.found(check.reason, measure=check.measure, detail=check.detail)
        if not verbose:
            console.print(f"      {told}")
            continue
        measure = "" if check.measure is None else f" [{check.measure:.2f}]"
        console.print(f"      {check.check:<14} {'passed' if check.passed else 'FAILED'}  {told}{measure}")
    if draft.relation and verbose:
        console.print(f"      {draft.relation}")


def _became(draft: DraftView) -> str:
    if not draft.kept:
        return "not kept"
    if draft.relation.startswith("repeats"):
        return f"said again: {draft.entry}"
    return f"{'kept' if draft.standing == Standing.LIVE else 'proposed'} as {draft.entry}"
