"""`asides try`: the bundled conversation, start to end, without an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from asides.cli.common import as_json, emit, everywhere

if TYPE_CHECKING:
    from rich.console import Console

    from asides.daemon.rehearsal import Rehearsal

KEPT = {"live": "kept", "proposed": "proposed, not delivered until said again or confirmed:"}


@click.command()
@as_json
def rehearse(as_json: bool) -> None:
    """Play an example conversation through the real hook, writer and store

    In a temporary home: nothing of yours is read or written. No agent, no network.
    """
    from asides.daemon import rehearsal

    done = rehearsal.rehearse(told=lambda step: click.echo(f"  · {step}", err=True))
    emit(done, as_json=as_json, draw=_draw)
    if not as_json and (how := everywhere()):
        click.echo(f"\n{how}")


def _draw(done: Rehearsal, console: Console) -> None:
    console.print(f"\nWhat was said, and what became of it ({done.seconds} s, {done.hook_runs} hook runs)\n")
    for turn in done.turns:
        console.print(f"“{turn.message}”")
        for draft in turn.drafts:
            if draft.kept:
                console.print(
                    f"   {KEPT[draft.standing]} {draft.entry}: {draft.kind}, score {draft.score:.2f}: "
                    f"“{' '.join(draft.body.split())}”",
                )
            else:
                refusal = next((check for check in draft.checks if not check.passed), None)
                told = f"{refusal.check}: {refusal.reason}" if refusal else "refused"
                console.print(
                    f"   not kept ({told}, score {draft.score:.2f}): “{' '.join(draft.body.split())}”",
                )
        if not turn.drafts:
            console.print(f"   {turn.told}")
    console.print("\nWhat the next session is given\n")
    console.print(done.delivered or "(nothing)")
    if done.announced:
        console.print(f"\nWhat you are told at its start\n\n{done.announced}")
