"""A moved repository keeps its project, a clone never takes it, and a ledger of before is taken over."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from asides.code.identity import mark_of
from asides.daemon.projects import REMEMBERED, Projects
from asides.db.connection import open_database
from asides.db.migrate import load_migrations, migrate
from asides.intake.ledger import Ledger
from asides.model.turn import Project, ProjectId
from tests.support.repositories import git, made

NOON = "2026-11-30T12:00:00.000Z"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    opened = Ledger(tmp_path / "writer.db")
    yield opened
    opened.close()


@pytest.fixture
def projects(ledger: Ledger) -> Projects:
    later = count(step=REMEMBERED * 2)
    return Projects(ledger, lambda: float(next(later)))


def seen(projects: Projects, folder: Path) -> str:
    project = projects.of(str(folder))
    assert project is not None
    projects.know(project, at=NOON)
    return project.id


def test_a_clone_seen_before_the_moved_original_is_a_project_of_its_own(
    tmp_path: Path, projects: Projects
) -> None:
    original = seen(projects, made(tmp_path / "m1"))
    git(tmp_path, "clone", "-q", "m1", "m3")
    (tmp_path / "m1").rename(tmp_path / "m2")
    assert seen(projects, tmp_path / "m3") != original
    assert seen(projects, tmp_path / "m2") == original


def test_the_mark_of_a_project_is_stored_and_given_back(
    tmp_path: Path, ledger: Ledger, projects: Projects
) -> None:
    seen(projects, made(tmp_path / "m1"))
    ((project, first, mark),) = ledger.known()
    assert first == git(tmp_path / "m1", "rev-parse", "HEAD")
    assert mark == mark_of(project)


def test_a_ledger_without_marks_is_taken_over_and_marked_at_the_next_sight(tmp_path: Path) -> None:
    root = made(tmp_path / "m1")
    before = open_database(tmp_path / "writer.db", durable=True)
    migrate(before, load_migrations("asides.intake")[:1])
    before.run(
        "INSERT INTO project (id, root, git_dir, name, first_commit, seen_at)"
        " VALUES (:id, :root, :git_dir, 'm1', :first, :at)",
        {
            "id": "p1",
            "root": str(root),
            "git_dir": str(root / ".git"),
            "first": git(root, "rev-parse", "HEAD"),
            "at": NOON,
        },
    )
    before.close()
    ledger = Ledger(tmp_path / "writer.db")
    try:
        old = Project(id=ProjectId("p1"), root=str(root), git_dir=str(root / ".git"), name="m1")
        assert [(one, mark) for one, _, mark in ledger.known()] == [(old, None)]
        assert seen(Projects(ledger, lambda: 0.0), root) == "p1"
        assert [(one, mark) for one, _, mark in ledger.known()] == [(old, mark_of(old))]
    finally:
        ledger.close()
