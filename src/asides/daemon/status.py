"""What `asides status` tells: is everything at work, and what was counted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from asides import __version__
from asides.agents.claude_code.install import inspect
from asides.agents.claude_code.record import marked_files, marker_path
from asides.daemon import endpoint, start
from asides.daemon.app import App
from asides.intake import spool
from asides.model.clock import stamp
from asides.model.entry import Standing
from asides.model.health import Outcome
from asides.model.turn import Project
from asides.observe.verdict import Facts, problems
from asides.paths import silenced
from asides.settings import fault

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
    files = marked_files(marker_path(app.places.state))
    live, proposed = _entries(app, project)
    return Status(
        version=__version__,
        problems=problems(_facts(app, files, waiting, turns, now=now, answers=found is not None)),
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


def _facts(
    app: App, files: list[str], waiting: list[Path], turns: dict[str, int], *, now: datetime, answers: bool
) -> Facts:
    ages = [now.timestamp() - path.stat().st_mtime for path in waiting if path.exists()]
    trouble = app.ledger.one("writer_trouble")
    broken = app.places.spool / "broken"
    return Facts(
        silenced=silenced(),
        settings_fault=fault(app.places.settings),
        attached=tuple(files),
        detached=tuple(name for name in files if not inspect(Path(name)).hooks),
        hook_in_place=(app.places.state / "hook" / "hook.sh").exists(),
        waiting=len(ages),
        oldest=max(ages, default=0.0),
        answers=answers,
        refused=_refusal(app),
        owed=turns.get("owed", 0),
        writer_trouble=str(trouble[0]) if trouble else "",
        parked=turns.get("parked", 0),
        broken=sum(1 for _ in broken.iterdir()) if broken.is_dir() else 0,
        broken_folder=str(broken),
        log=str(app.places.logs / "daemon.log"),
    )


def _refusal(app: App) -> str:
    """Returns why no daemon works, as the last one that tried left word of it."""
    left = start.refusal(app.places.run)
    if str(app.places.settings) in left:
        return ""  # the settings are looked at afresh: they may have been mended since
    if left:
        return left
    last = app.ledger.one("last_of_daemon")
    return str(last[1]) if last and last[0] == Outcome.REFUSED else ""


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
