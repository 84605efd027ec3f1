"""`asides install` and `asides uninstall`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from asides.cli.common import as_json, emit, everywhere, here
from asides.settings import GuardMode, Settings

if TYPE_CHECKING:
    from rich.console import Console

    from asides.daemon.attaching import Attached

AGENTS = click.Choice(["claude-code"])
scope_option = click.option(
    "--scope",
    type=click.Choice(["user", "project", "local"]),
    default="user",
    show_default=True,
    help="Which settings file: yours, the repository's, or yours for this repository.",
)
dry_run_option = click.option("--dry-run", is_flag=True, help="Show the change and write nothing.")


@click.command()
@click.argument("agent", type=AGENTS)
@scope_option
@dry_run_option
@click.option(
    "--guard",
    type=click.Choice(get_args(GuardMode)),
    default=None,
    help="How firmly the agent is kept from writing its own memory and instruction files. [default: deny]",
)
@click.option(
    "--auto-memory/--no-auto-memory",
    default=None,
    help="Leave the agent's own memory on, or turn it off. Asked for when not given.",
)
@click.option(
    "--plugin",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="Write a plugin into this folder instead of touching settings.",
)
@as_json
def install(
    agent: str,  # noqa: ARG001 - there is one so far
    scope: str,
    dry_run: bool,
    guard: GuardMode | None,
    auto_memory: bool | None,
    plugin: Path | None,
    as_json: bool,
) -> None:
    """Install asides into an agent's settings

    Everything of others stays byte for byte. Repeating it changes nothing.
    """
    from asides import settings as settings_file
    from asides.agents.claude_code.install import Scope
    from asides.daemon import attaching
    from asides.daemon.waking import Waking
    from asides.paths import agent_config, places

    where = places()
    chosen = settings_file.load(where.settings).guard  # first of all: nothing may be left half installed
    if plugin is not None:
        Waking(where).place_hook()
        folder = plugin.absolute()
        emit(
            attaching.write_plugin(folder),
            as_json=as_json,
            draw=lambda written, console: draw_plugin(written, folder, console),
        )
        return
    if auto_memory is None:
        auto_memory = not (True if as_json or dry_run else _wants_it_off())
    done = attaching.attach(
        where,
        scope=Scope(scope),
        root=here(None),
        config=agent_config(),
        guard=guard,
        auto_memory_off=not auto_memory,
        dry_run=dry_run,
    )
    emit(
        done,
        as_json=as_json,
        draw=lambda it, console: draw_attached(
            it, console, before=guard is None and chosen != Settings().guard
        ),
    )


@click.command()
@click.argument("agent", type=AGENTS)
@scope_option
@dry_run_option
@as_json
def uninstall(agent: str, scope: str, dry_run: bool, as_json: bool) -> None:  # noqa: ARG001
    """Take asides out of an agent's settings, which are then as they were before

    What was kept stays; `asides paths` says where.
    """
    from asides.agents.claude_code.install import Scope
    from asides.daemon import attaching
    from asides.daemon.waking import Waking
    from asides.paths import agent_config, places

    where = places()
    done = attaching.detach(
        where, scope=Scope(scope), root=here(None), config=agent_config(), dry_run=dry_run
    )
    if not dry_run and not attaching.still_attached(where):
        Waking(where).stop()
    emit(done, as_json=as_json, draw=draw_attached)


def _wants_it_off() -> bool:
    """Asks, where somebody is there to answer; else the agent's own memory goes off."""
    import sys

    if sys.stdin is None or not sys.stdin.isatty():
        return True
    return click.confirm(
        "Claude Code also keeps a memory of its own, which would say things twice. Turn it off? "
        "(uninstall brings it back)",
        default=True,
    )


def draw_plugin(written: tuple[Path, ...], folder: Path, console: Console) -> None:
    """Draws which files of the plugin were written, and how an agent gets it."""
    for path in written:
        console.print(f"wrote {path}")
    if not written:
        console.print("The plugin is up to date.")
    console.print("Next:")
    console.print(f"  claude plugin marketplace add {shlex.quote(str(folder))}")
    console.print("  claude plugin install asides@asides")


def draw_attached(done: Attached, console: Console, *, before: bool = False) -> None:
    """Draws what was done and what stands in the settings now; `before`: the guard was chosen earlier."""
    report, there = done.report, done.report.there
    if report.dry_run:
        console.print(report.diff or "Nothing would change.")
        return
    console.print(f"{there.path}: {str(report.did).replace('_', ' ')}")
    if there.hooks:
        console.print(f"  hooks: {', '.join(hook.event for hook in there.hooks)}")
        console.print(f"  each runs: {' '.join(there.hooks[0].command[:1])} … {there.hooks[0].command[3]}")
    if there.deny:
        console.print(f"  the agent may not write: {', '.join(there.deny)}")
    if there.ask:
        console.print(f"  the agent must ask to write: {', '.join(there.ask)}")
    if there.auto_memory is not None:
        console.print(f"  the agent's own memory: {'on' if there.auto_memory else 'off'}")
    for note in report.notes:
        console.print(f"  note: {note}")
    if there.hooks:
        earlier = ", as chosen before" if before else ""
        console.print(
            f"  guard: {done.guard}{earlier} (asides install claude-code --guard {_others(done.guard)})"
        )
        console.print("Work as always. See what is kept with: asides list")
        if how := everywhere():
            console.print(how)


def _others(guard: GuardMode) -> str:
    return "|".join(mode for mode in reversed(get_args(GuardMode)) if mode != guard)
