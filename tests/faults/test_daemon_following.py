"""Entries live and die with the code that they are about: real hooks, a real repository, a real store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from asides.daemon.desk import Desk
from asides.model.anchor import label
from asides.model.entry import Act, Actor, Entry, Kind, Standing
from tests.support.repositories import git
from tests.support.scripted_daemon import Cast, cast, writer
from tests.support.stage import Backstage, Session, make_project, memory_folder

PURE = "total() stays pure"
LAYOUT = "app.py stays below 100 lines"
GENERAL = "never squash migrations"
BODY = """def total(rows):
    kept = [row for row in rows if row is not None]
    for row in kept:
        if row < 0:
            raise ValueError(f"negative: {row}")
    return sum(kept)
"""
OTHER = """def total(rows, rate, currency="EUR"):
    import decimal
    exact = decimal.Decimal(0)
    while rows:
        exact += decimal.Decimal(rows.pop()) * rate
    return currency, exact.quantize(decimal.Decimal("0.01"))
"""


@pytest.fixture
def ground() -> Iterator[Path]:
    with memory_folder() as folder:
        yield folder


@pytest.fixture
def shop(ground: Path) -> Path:
    folder = make_project(ground / "shop")
    (folder / "app.py").write_text(BODY)
    commit(folder, "Body")
    return folder


@pytest.fixture
def stage(ground: Path) -> Cast:
    made = cast(ground / "home", phrases=[PURE, LAYOUT, GENERAL], poison="poison")
    made.python.unlink()
    return made


@pytest.fixture
def behind(stage: Cast, shop: Path) -> Iterator[Backstage]:
    made = Backstage(stage.where, writer(stage.options))
    session = Session(stage.where, shop)
    for words in (PURE, LAYOUT, GENERAL):
        session.turn(words)
    session.end()
    made.work()
    yield made
    made.app.close()


def commit(folder: Path, message: str) -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", message)
    return git(folder, "rev-parse", "HEAD")


def entry(behind: Backstage, body: str) -> Entry:
    return next(one for one in behind.store().all() if one.body == body)


def begin(stage: Cast, folder: Path, behind: Backstage) -> str:
    """A session begins and the daemon looks; returns what the session after it is told."""
    Session(stage.where, folder).hook("SessionStart", source="startup")
    behind.work()
    return Session(stage.where, folder).hook("SessionStart", source="startup").decode()


def last(behind: Backstage, body: str) -> tuple[Act, Actor, str]:
    done = behind.store().history(entry(behind, body).id)[-1]
    return done.act, done.actor, done.why


def test_an_entry_is_bound_to_what_it_names(behind: Backstage) -> None:
    assert label(entry(behind, PURE).anchor) == "app.py::total"
    assert label(entry(behind, LAYOUT).anchor) == "app.py"
    assert label(entry(behind, GENERAL).anchor) == "general"
    bound = {one.entry for one in behind.store().subjects()}
    assert bound == {entry(behind, PURE).id, entry(behind, LAYOUT).id}


def test_what_was_moved_renamed_and_edited_keeps_its_entry(
    stage: Cast, shop: Path, behind: Backstage
) -> None:
    (shop / "core").mkdir()
    git(shop, "mv", "app.py", "core/sums.py")
    (shop / "core/sums.py").write_text(BODY.replace("total", "grand_total").replace("negative", "below zero"))
    at = commit(shop, "Move")
    begin(stage, shop, behind)
    assert label(entry(behind, PURE).anchor) == "core/sums.py::grand_total"
    assert label(entry(behind, LAYOUT).anchor) == "core/sums.py"
    act, actor, why = last(behind, PURE)
    assert (act, actor) == (Act.ANCHOR, Actor.CHECK)
    assert "app.py::total is core/sums.py::grand_total now" in why
    assert at[:12] in why


def test_what_changed_much_is_delivered_as_verify_first_until_it_is_as_before(
    stage: Cast, shop: Path, behind: Backstage
) -> None:
    (shop / "app.py").write_text(OTHER)
    commit(shop, "Rewrite")
    told = begin(stage, shop, behind)
    assert "verify first: app.py::total has changed by" in told
    (shop / "app.py").write_text(BODY)
    assert "verify first" not in begin(stage, shop, behind)
    assert [one.act for one in behind.store().history(entry(behind, PURE).id)] == [
        Act.KEEP,
        Act.DOUBT,
        Act.DOUBT,
    ]


def test_a_little_at_a_time_is_much_in_the_end(stage: Cast, shop: Path, behind: Backstage) -> None:
    old, new = BODY.splitlines(), OTHER.splitlines()
    for upto in range(1, len(new) + 1):
        (shop / "app.py").write_text("\n".join(new[:upto] + old[upto:]) + "\n")
        begin(stage, shop, behind)
    assert entry(behind, PURE).verify


def test_an_entry_whose_subject_is_gone_is_retired_with_the_commit_and_comes_back_with_it(
    stage: Cast, shop: Path, behind: Backstage
) -> None:
    (shop / "app.py").write_text("def other():\n    return 1\n")
    at = commit(shop, "Remove")
    told = begin(stage, shop, behind)
    assert entry(behind, PURE).standing is Standing.RETIRED
    assert last(behind, PURE) == (Act.RETIRE, Actor.CHECK, f"app.py::total is gone as of commit {at[:12]}")
    assert PURE not in told
    assert GENERAL in told
    git(shop, "revert", "--no-edit", "HEAD")
    assert PURE in begin(stage, shop, behind)
    assert last(behind, PURE)[:2] == (Act.RESTORE, Actor.CHECK)


def test_what_a_person_brings_back_is_not_retired_again(stage: Cast, shop: Path, behind: Backstage) -> None:
    (shop / "app.py").write_text("def other():\n    return 1\n")
    commit(shop, "Remove")
    begin(stage, shop, behind)
    behind.store().undo(behind.store().history(entry(behind, PURE).id)[-1].id)
    (shop / "app.py").write_text("def other():\n    return 2\n")
    commit(shop, "Go on")
    begin(stage, shop, behind)
    assert entry(behind, PURE).standing is Standing.LIVE
    assert label(entry(behind, PURE).anchor) == "general"


def test_what_another_live_branch_still_has_is_not_gone(stage: Cast, shop: Path, behind: Backstage) -> None:
    git(shop, "worktree", "add", "-q", "-b", "cleanup", "../cleanup")
    side = shop.parent / "cleanup"
    (side / "app.py").unlink()
    commit(side, "Remove")
    begin(stage, side, behind)
    assert entry(behind, PURE).standing is Standing.LIVE
    assert label(entry(behind, PURE).anchor) == "app.py::total"


def test_nothing_is_looked_at_while_nothing_changes(stage: Cast, shop: Path, behind: Backstage) -> None:
    begin(stage, shop, behind)
    before = looks(behind)
    begin(stage, shop, behind)
    assert looks(behind) == before
    (shop / "app.py").write_text(BODY + "\n\n")
    begin(stage, shop, behind)
    assert looks(behind) == before + 1


def looks(behind: Backstage) -> int:
    ((count,),) = behind.app.ledger.database.rows("SELECT count(*) FROM heartbeat WHERE what = 'follow'")
    return int(str(count))


def test_what_a_person_writes_by_hand_is_bound_as_well(shop: Path, behind: Backstage) -> None:
    desk = Desk(behind.app, shop)
    added = desk.add("app.py::total rounds down", Kind.LAW)
    assert added.anchor == "app.py::total"
    assert desk.edit(added.id, "README.md is short").anchor == "general"
    edited = desk.edit(added.id, "app.py is short")
    assert edited.anchor == "app.py"
    (tracked,) = (one for one in behind.store().subjects() if one.entry == added.id)
    assert label(tracked.subject.anchor) == "app.py"
    desk.undo(1)
    assert desk.entry(added.id).anchor == "general"
