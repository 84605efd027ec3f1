"""A developer's own words change what stands: repeated, changed and taken back, with vectors and without."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from asides.cli.common import drawn
from asides.cli.stories import draw_story
from asides.daemon.desk import Desk
from asides.model.errors import WriterUnavailable
from asides.model.turn import TurnId
from tests.support.scripted_daemon import Cast, cast, writer
from tests.support.stage import Backstage, Session, make_project, memory_folder

JEST = "run jest for all tests"
VITEST = "jest is gone, vitest everywhere"
TABS = "tabs for indentation, always"


@pytest.fixture
def ground() -> Iterator[Path]:
    with memory_folder() as folder:
        yield folder


@pytest.fixture
def project(ground: Path) -> Path:
    return make_project(ground / "shop")


@pytest.fixture
def stage(ground: Path) -> Cast:
    made = cast(ground / "home", phrases=[JEST, VITEST, TABS], poison="poison")
    made.python.unlink()
    return made


@pytest.fixture
def behind(stage: Cast) -> Iterator[Backstage]:
    made = Backstage(stage.where, writer(stage.options))
    yield made
    made.app.close()


def said(session: Session, behind: Backstage, *messages: str) -> None:
    for message in messages:
        session.turn(message)
    session.end()
    behind.work()


def test_a_change_in_other_words_takes_the_old_rule_out(stage: Cast, project: Path, behind: Backstage):
    said(Session(stage.where, project), behind, JEST, VITEST)
    assert behind.bodies() == {JEST: "superseded", VITEST: "live"}


def test_a_rule_that_is_taken_back_is_retired_and_no_longer_prepared(
    stage: Cast, project: Path, behind: Backstage
):
    said(Session(stage.where, project), behind, TABS, JEST)
    said(Session(stage.where, project), behind, "Fix the header. And forget what I said about tabs.")
    assert behind.bodies() == {TABS: "retired", JEST: "live"}
    (gone,) = [entry for entry in behind.store().all() if entry.body == TABS]
    assert "forget what I said about tabs" in gone.note
    prepared = "".join(
        path.read_text("utf-8", "replace") for path in stage.where.ready.rglob("*") if path.is_file()
    )
    assert (JEST in prepared, TABS in prepared) == (True, False)


def test_why_tells_in_one_sentence_when_and_in_which_words_it_was_taken_back(
    stage: Cast, project: Path, behind: Backstage
):
    said(Session(stage.where, project), behind, TABS, JEST)
    later = Session(stage.where, project)
    said(later, behind, "Fix the header. And forget what I said about tabs.")
    (gone,) = [entry for entry in behind.store().all() if entry.body == TABS]
    desk = Desk(behind.app, project)
    story = desk.story(gone.id)
    assert story.withdrawal is not None
    turn = behind.app.ledger.turn(TurnId(story.withdrawal.turn))
    assert turn is not None
    moment = turn.turn.said_at
    told = (
        f"The developer took it back on {moment[:10]} at {moment[11:19]} in session {later.id}, "
        "saying “And forget what I said about tabs”."
    )
    shown = drawn(story, draw_story)
    assert shown.splitlines()[3] == f"  {told}"
    assert "retired by the writer: taken back with “And forget what I said about tabs”" in shown
    assert turn.turn.id not in shown, "ids of turns mean nothing to a person"
    assert desk.entry(gone.id).note == told

    desk.undo(1)
    story = desk.story(gone.id)
    assert (story.entry.standing, story.entry.note, story.withdrawal) == ("live", "", None)
    assert "The developer took it back" not in drawn(story, draw_story)
    assert "taken back with “And forget what I said about tabs” [undone]" in drawn(story, draw_story)


def test_without_the_ledger_why_tells_when_it_was_retired(stage: Cast, project: Path, behind: Backstage):
    said(Session(stage.where, project), behind, TABS, "And forget what I said about tabs.")
    (gone,) = [entry for entry in behind.store().all() if entry.body == TABS]
    with behind.app.ledger.transaction():
        for table in ("judgment", "turn"):
            behind.app.ledger.database.run(f"DELETE FROM {table}")
    story = Desk(behind.app, project).story(gone.id)
    moment = behind.store().history(gone.id)[-1].at
    assert story.entry.note == (
        f"The developer took it back on {moment[:10]} at {moment[11:19]}, "
        "saying “And forget what I said about tabs”."
    )


def test_a_reason_that_a_person_wrote_stays_as_it_is(stage: Cast, project: Path, behind: Backstage):
    said(Session(stage.where, project), behind, TABS)
    (kept,) = behind.store().all()
    desk = Desk(behind.app, project)
    desk.retire(kept.id, "taken back in turn 7: by me")
    story = desk.story(kept.id)
    assert (story.entry.note, story.withdrawal) == ("taken back in turn 7: by me", None)
    assert story.changes[-1].why == "taken back in turn 7: by me"


def test_without_vectors_words_alone_are_weighed_and_the_failure_is_told(
    stage: Cast, project: Path, behind: Backstage
):
    def broken(_: str, __: Sequence[str]) -> Sequence[float]:
        raise WriterUnavailable(name="sentence vectors", why="no file")

    behind.app.judging._closeness = broken
    said(Session(stage.where, project), behind, JEST, VITEST, TABS)
    assert behind.bodies() == {JEST: "superseded", VITEST: "live", TABS: "live"}
    rows = list(behind.app.ledger.database.rows("SELECT what, outcome FROM heartbeat WHERE what = 'meaning'"))
    assert [tuple(map(str, row)) for row in rows] == [("meaning", "failed")]
