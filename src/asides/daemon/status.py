"""What `asides status` tells: is everything at work, and what was counted."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from asides import __version__
from asides.agents.claude_code.install import inspect
from asides.daemon import endpoint
from asides.daemon.app import App
from asides.daemon.attaching import AGENT
from asides.intake import spool
from asides.model.clock import stamp
from asides.model.entry import Standing
from asides.model.health import Outcome
from asides.model.turn import Project

SPOOL_STALE = 600.0  # seconds a hook run may wait; the daemon takes one in within a second
DAYS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How often something ran and how it ended."""

    what: str
    event: str
    outcome: str
    today: int
    month: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A failure with its reason."""

    what: str
    event: str
    outcome: str
    reason: str
    count: int
    last_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """A file the agent should not have changed and did."""

    at: str
    session: str
    path: str
    change: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The whole answer. `problems` are sentences, worst first; empty when all is well."""

    version: str
    problems: tuple[str, ...]
    settings_files: tuple[str, ...]
    daemon: str
    spooled: int
    turns: dict[str, int]
    project: str
    live: int
    proposed: int
    counts: tuple[Count, ...]
    failures: tuple[Failure, ...]
    slips: tuple[Slip, ...]


def status(app: App, folder: Path) -> Status:
    """Returns how asides is, and how it is for the project of `folder` if that is one."""
    now = app.clock()
    since, today = stamp(now - timedelta(days=DAYS)), stamp(now)[:10]
    project = app.projects.of(str(folder))
    found = endpoint.answering(app.places.run)
    waiting = list(spool.finished(app.places.spool))
    turns = {str(state): int(str(count)) for state, count in app.ledger.rows("count_states")}
    files = _settings_files(app.places.installed / AGENT)
    live, proposed = _entries(app, project)
    return Status(
        version=__version__,
        problems=tuple(_problems(app, files, waiting, turns, now=now, answers=found is not None)),
        settings_files=tuple(files),
        daemon=f"version {found[1].version}, process {found[1].pid}" if found else "not running",
        spooled=len(waiting),
        turns=turns,
        project=project.root if project else "",
        live=live,
        proposed=proposed,
        counts=tuple(
            Count(
                what=str(w),
                event=str(e) if w == "hook" else "",
                outcome=str(o),
                today=int(str(t)),
                month=int(str(m)),
            )
            for w, e, o, m, t in app.ledger.rows("beats", since=since, today=today)
        ),
        failures=tuple(
            Failure(
                what=str(w), event=str(e), outcome=str(o), reason=str(r), count=int(str(c)), last_at=str(at)
            )
            for w, e, o, r, c, at in app.ledger.rows("failures", since=since)
        ),
        slips=_slips(app, project),
    )


def _problems(
    app: App, files: list[str], waiting: list[Path], turns: dict[str, int], *, now: datetime, answers: bool
) -> list[str]:
    found = []
    if os.environ.get("ASIDES_INSIDE"):
        found.append("ASIDES_INSIDE is set here, so every hook of ours does nothing. Unset it.")
    if not files:
        found.append("asides is not installed into any agent. Run `asides install claude-code`.")
    for name in files:
        if not inspect(Path(name)).hooks:
            found.append(f"{name} no longer calls asides. Run `asides install claude-code` again.")
    if files and not (app.places.state / "hook" / "hook.sh").exists():
        found.append(
            "The hook's files are gone, so nothing is recorded. Run `asides install claude-code` again."
        )
    ages = [now.timestamp() - path.stat().st_mtime for path in waiting if path.exists()]
    if ages and max(ages) > SPOOL_STALE:
        told = "the daemon does not take them in" if answers else "no daemon is running"
        found.append(
            f"{len(ages)} hook runs wait, the oldest for {max(ages) / 60:.0f} min: {told}. "
            "Run `asides daemon start`."
        )
    last = app.ledger.one("last_of_daemon")
    if last and last[0] == Outcome.REFUSED and not answers:
        found.append(f"No daemon is started any more: {last[1]!s}. See {app.places.logs / 'daemon.log'}.")
    trouble = app.ledger.one("writer_trouble")
    if turns.get("owed") and trouble:
        found.append(f"{turns['owed']} turns wait to be judged. {trouble[0]!s}")
    refused = app.places.run / "refused"
    if not answers and refused.exists():
        found.append(f"The daemon could not work: {refused.read_text('utf-8', 'replace').strip()}")
    if turns.get("parked"):
        found.append(f"{turns['parked']} turns could not be judged and are set aside. See `asides why`.")
    broken = app.places.spool / "broken"
    if broken.is_dir() and (count := sum(1 for _ in broken.iterdir())):
        found.append(f"{count} hook runs could not be read and are kept in {broken}.")
    return found


def _settings_files(marker: Path) -> list[str]:
    return (
        [line for line in marker.read_text("utf-8", "surrogateescape").split("\n") if line]
        if marker.exists()
        else []
    )


def _entries(app: App, project: Project | None) -> tuple[int, int]:
    if project is None or not app.shelves.exists(project.id):
        return 0, 0
    store = app.shelves.of(project.id)
    return len(store.live()), len(store.all((Standing.PROPOSED,)))


def _slips(app: App, project: Project | None) -> tuple[Slip, ...]:
    if project is None:
        return ()
    return tuple(
        Slip(at=str(at), session=str(session), path=str(path), change=str(change))
        for at, session, path, change in app.ledger.rows("slips", project=project.id, limit=20)
    )
