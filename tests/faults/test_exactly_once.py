"""Whatever happens to hooks and daemon, every statement is judged exactly once."""

from __future__ import annotations

import os
import random
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from asides.daemon import process
from asides.db.connection import Database, open_database
from asides.intake.ledger import Ledger
from asides.model import clock
from asides.model.entry import Standing
from asides.store.contract import Store
from asides.store.sqlite import open_store
from tests.support.scripted_daemon import Cast, cast, nursery, processes_of, until
from tests.support.stage import Session, make_project, memory_folder, rule, together, word

SESSIONS = 16
TURNS = int(os.environ.get("ASIDES_TURNS", "3000"))
KILLS = int(os.environ.get("ASIDES_KILLS", "300"))
KEPT_EVERY = 40  # turns; mostly there is nothing to keep
KEPT_UNDER_FIRE = 8  # turns; more of them, so that more instants are ones at which something is kept


@pytest.fixture
def ground() -> Iterator[Path]:
    with memory_folder() as folder:
        yield folder


def said(number: int, every: int = KEPT_EVERY) -> str:
    """Returns what a person says in one turn; in one of so many a rule that is to be kept."""
    if number % every == 0:
        return f"Please go on with {word(number)}. {rule(number)}"
    return f"Please go on with {word(number)} and {word(number + 3_333)}."


def rules_in(turns: int, every: int = KEPT_EVERY) -> list[str]:
    return [rule(number) for number in range(0, turns, every)]


def open_ledger(stage: Cast) -> Ledger:
    return Ledger(stage.where.ledger)


def open_only_store(stage: Cast, ledger: Ledger) -> Store:
    (project,) = ledger.projects()
    return open_store(stage.where.store(project.id), project.id, now=clock.now)


def counted(ledger: Ledger, what: str) -> dict[str, int]:
    """Returns how many heartbeats of one sort there are, by outcome."""
    found: Counter[str] = Counter()
    for name, _, outcome, count, _ in ledger.rows("beats", since="", today=""):
        if name == what:
            found[str(outcome)] += int(str(count))
    return dict(found)


def assert_judged_exactly_once(ledger: Ledger, sessions: list[Session]) -> None:
    """Every line that a person wrote is a turn, judged, with one judgment and one heartbeat of it."""
    written = [uuid for session in sessions for uuid in session.said]
    turns = {str(turn): str(state) for turn, state in raw(ledger, "SELECT id, state FROM turn")}
    assert len(written) == len(set(written))
    assert set(turns) - set(written) == set(), "turns that nobody said"
    assert set(written) - set(turns) == set(), "statements lost"
    assert Counter(turns.values()) == {"judged": len(written)}
    judged = [str(turn) for (turn,) in raw(ledger, "SELECT turn FROM judgment")]
    assert sorted(judged) == sorted(written)
    beats = counted(ledger, "judge")
    assert beats.pop("kept", 0) + beats.pop("quiet", 0) == len(written)
    assert beats == {}


def assert_kept_exactly_once(store: Store, rules: list[str]) -> None:
    """Every rule is one live entry that was seen once, made by one operation, found once."""
    entries = store.all()
    assert Counter(entry.body for entry in entries) == Counter(rules)
    assert {entry.standing for entry in entries} == {Standing.LIVE}
    assert {entry.sightings for entry in entries} == {1}
    assert len(store.operations(limit=10 * len(rules))) == len(rules)
    assert len(store.findings(limit=10 * len(rules))) == len(rules)


def assert_sound(path: Path) -> None:
    database = open_database(path, durable=False)
    try:
        assert database.problems() == []
    finally:
        database.close()


def raw(ledger: Ledger, sql: str) -> list[tuple[object, ...]]:
    database: Database = ledger.database
    return [tuple(row) for row in database.rows(sql)]


@pytest.mark.slow
def test_turns_of_16_sessions_at_once_are_each_judged_once_and_every_hook_leaves_a_row(ground: Path):
    home = ground / "home"
    stage = cast(home, phrases=rules_in(TURNS))
    project = make_project(ground / "shop")
    assert processes_of(home) == []
    sessions = [Session(stage.where, project) for _ in range(SESSIONS)]
    seen: set[int] = set()

    def play(session: Session, share: range) -> None:
        session.hook("SessionStart", source="startup")
        for number in share:
            session.turn(said(number), f"I went on with {word(number)}.")
        session.end()

    def watch(stop: threading.Event) -> None:
        while not stop.wait(0.2):
            alive = stage.where.run / "alive"
            if alive.exists() and (words := alive.read_text().split()):
                seen.add(int(words[0]))

    stop = threading.Event()
    watching = threading.Thread(target=watch, args=(stop,))
    watching.start()
    try:
        together(
            [
                threading.Thread(target=play, args=(session, range(place, TURNS, SESSIONS)))
                for place, session in enumerate(sessions)
            ]
        )
        answer = stage.settle(within=300)
    finally:
        stop.set()
        watching.join()
    try:
        assert seen <= {answer.pid}, f"another daemon was at work in between:\n{stage.log()}"
        until(lambda: processes_of(home) == [answer.pid], within=30, what="not exactly one process")
    finally:
        stage.leave()
    until(lambda: processes_of(home) == [], within=10, what="processes are left behind")

    ledger = open_ledger(stage)
    assert sum(len(session.said) for session in sessions) == TURNS
    assert_judged_exactly_once(ledger, sessions)
    hooks = counted(ledger, "hook")
    assert sum(hooks.values()) == sum(session.runs for session in sessions) == 2 * TURNS + 2 * SESSIONS
    assert set(hooks) <= {"ok", "quiet"}
    assert list(stage.where.spool.iterdir()) == []
    store = open_only_store(stage, ledger)
    assert_kept_exactly_once(store, rules_in(TURNS))
    paths = [stage.where.ledger, stage.where.store(store.project)]
    store.close()
    ledger.close()
    for path in paths:
        assert_sound(path)


@pytest.mark.slow
def test_whatever_is_killed_at_any_instant_nothing_is_lost_and_nothing_happens_twice(ground: Path):
    home = ground / "home"
    most = 10 * KILLS + 400  # turns; after them hooks only call for daemons
    stage = cast(home, warm=True, kills=KILLS, phrases=rules_in(most, KEPT_UNDER_FIRE))
    project = make_project(ground / "shop")
    sessions = [Session(stage.where, project) for _ in range(4)]
    numbers = iter(range(most))
    lock = threading.Lock()
    spared = home / "spared"

    def play(session: Session, chance: random.Random) -> None:
        session.hook("SessionStart", source="startup")
        while not (spared.exists() and session.killed >= KILLS // len(sessions)):
            with lock:
                number = next(numbers, None)
            if number is None:
                session.hook("Stop", stop_hook_active=False)
                continue
            # A hook lives for about 4 ms on a quiet machine.
            kill_prompt, kill_stop = (
                chance.uniform(0, 0.006) if chance.random() < 0.3 else None for _ in range(2)
            )
            prompt_id = session.prompt(said(number, KEPT_UNDER_FIRE), kill_after=kill_prompt)
            session.answer(f"I went on with {word(number)}.", prompt_id, kill_after=kill_stop)
        session.end()

    with nursery(stage):
        together(
            [
                threading.Thread(target=play, args=(session, random.Random(place)))
                for place, session in enumerate(sessions)
            ]
        )
        assert int(spared.read_text()) == KILLS
        stage.settle(within=300)
        # Remnants of killed hooks are counted at a daemon's start.
        stage.leave()
        sessions[0].hook("SessionStart", source="resume")
        sessions[0].end()
        stage.settle(within=60)
    turns = sum(len(session.said) for session in sessions)
    runs, killed = sum(s.runs for s in sessions), sum(s.killed for s in sessions)

    ledger = open_ledger(stage)
    assert_judged_exactly_once(ledger, sessions)
    hooks = counted(ledger, "hook")
    remnants = hooks.pop("killed", 0)
    assert set(hooks) <= {"ok", "quiet"}
    # A killed hook left its row (it had written everything), a remnant, or, killed at once, nothing.
    assert runs <= sum(hooks.values()) <= runs + killed
    assert sum(hooks.values()) + remnants <= runs + killed
    assert [path.name for path in stage.where.run.iterdir() if path.name.startswith(".")] == []
    assert [path for path in stage.where.spool.iterdir() if not process.is_running(number_of(path))] == []
    store = open_only_store(stage, ledger)
    assert_kept_exactly_once(store, rules_in(turns, KEPT_UNDER_FIRE))
    paths = [stage.where.ledger, stage.where.store(store.project)]
    store.close()
    ledger.close()
    for path in paths:
        assert_sound(path)
    print(f"{KILLS} daemons and {killed} hooks killed over {turns} turns; {remnants} remnants counted")


def number_of(path: Path) -> int:
    """Returns the process number in a spool file's name."""
    return int(path.name.rstrip("x").partition(".")[0].rstrip("x"))
