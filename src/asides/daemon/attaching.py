"""Attaching asides to an agent and taking it off again: hook files, settings, guard."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from asides import __version__
from asides import settings as settings_file
from asides.agents.claude_code import install as claude
from asides.agents.claude_code import plugin, reader
from asides.agents.claude_code.install import Did, Report, Scope
from asides.agents.claude_code.merge import Wanted
from asides.agents.claude_code.record import marker_path
from asides.agents.claude_code.registration import AGENT, EVENTS
from asides.daemon.waking import Waking
from asides.hook.place import arm, registered
from asides.model import clock
from asides.paths import Places
from asides.settings import GuardMode


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """What was done, and what stands in the agent's settings after it."""

    report: Report
    guard: GuardMode
    hook_files: tuple[Path, ...]  # that had to be written or were removed


def attach(
    places: Places,
    *,
    scope: Scope,
    root: Path,
    config: Path,
    guard: GuardMode | None,
    auto_memory_off: bool,
    dry_run: bool,
) -> Attached:
    """Installs into one settings file; `guard` None: as the person's settings say.

    The hook's files come first, so that no entry points nowhere. Raises BadSettings, before anything is
    written, when the person's own settings cannot be read: no daemon would work with them.
    """
    settings = settings_file.load(places.settings)
    guard = guard or settings.guard
    path = claude.settings_path(scope, config=config, root=root)
    moved = claude.inspect(path).memory_directory if path.exists() else None
    written = () if dry_run else tuple(Waking(places).place_hook())
    mode = reader.Mode(guard)
    permissions = reader.rules(mode, config=config, home=Path.home(), memory_directory=moved)
    report = claude.install(
        path,
        Wanted(
            commands={event: registered(places.state, AGENT, event) for event in EVENTS},
            deny=permissions.deny,
            ask=permissions.ask,
            auto_memory_off=auto_memory_off,
        ),
        state=places.state,
        scope=scope,
        now=clock.now,
        dry_run=dry_run,
    )
    if not dry_run:
        if guard != settings.guard:
            settings_file.remember(places.settings, "guard", guard)
        kept = reader.protected(config=config, home=Path.home(), memory_directory=moved)
        arm(
            places.state,
            mode=guard,
            protected=[(place.glob, place.what) for place in kept],
            names=reader.INSTRUCTION_NAMES,
        )
    return Attached(report=report, guard=guard, hook_files=written)


def detach(places: Places, *, scope: Scope, root: Path, config: Path, dry_run: bool) -> Attached:
    """Takes asides out of one settings file; the hook's files go when no other file names them."""
    report = claude.uninstall(
        claude.settings_path(scope, config=config, root=root),
        state=places.state,
        scope=scope,
        dry_run=dry_run,
    )
    removed: tuple[Path, ...] = ()
    if not dry_run and report.did is not Did.NOT_INSTALLED and not still_attached(places):
        removed = (places.guard, places.state / "hook")
        arm(places.state, mode="off", protected=(), names=())
        shutil.rmtree(places.state / "hook", ignore_errors=True)
    return Attached(report=report, guard="off", hook_files=removed)


def still_attached(places: Places) -> bool:
    """Returns whether any settings file still names our hook."""
    return marker_path(places.state).exists()


def write_plugin(folder: Path) -> tuple[Path, ...]:
    """Writes the plugin for Claude Code; returns the files that had to change."""
    return plugin.write_plugin(folder, version=__version__)
