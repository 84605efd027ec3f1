"""One repository keeps its id wherever it lies, and another one never takes it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from asides.code.identity import UNTOLD, Known, identify, mark_of
from asides.model.turn import ProjectId
from tests.support.repositories import git, made

NEVER: frozenset[str] = frozenset()


class Remembered:
    """What a ledger would remember: each project as it was seen last, the one seen last first."""

    def __init__(self) -> None:
        self.known: dict[str, Known] = {}

    def see(self, folder: Path, *, program: str = "git") -> str:
        """Returns the id under which a folder is identified, and remembers it."""
        found = identify(str(folder), self.all, never=NEVER, program=program)
        assert found is not None
        self.known.pop(found.project.id, None)
        self.known[found.project.id] = found
        return found.project.id

    def all(self) -> list[Known]:
        return list(reversed(self.known.values()))


@pytest.fixture
def seen() -> Remembered:
    return Remembered()


def test_a_folder_keeps_its_id_over_init_and_the_first_commit(tmp_path: Path, seen: Remembered) -> None:
    root = tmp_path / "new"
    root.mkdir()
    plain = seen.see(root)
    git(root, "init", "-q")
    unborn = seen.see(root)
    assert seen.known[unborn].first_commit is None
    git(root, "commit", "-qm", "first", "--allow-empty")
    committed = seen.see(root)
    assert plain == unborn == committed
    assert seen.known[committed].first_commit == git(root, "rev-parse", "HEAD")
    assert len(seen.known) == 1


def test_a_moved_repository_keeps_its_id(tmp_path: Path, seen: Remembered) -> None:
    old = seen.see(made(tmp_path / "shop"))
    (tmp_path / "shop").rename(tmp_path / "renamed")
    assert seen.see(tmp_path / "renamed" / "src") == old
    project = seen.known[old].project
    assert (project.root, project.name) == (str(tmp_path / "renamed"), "renamed")
    assert seen.see(tmp_path / "renamed") == old


def test_another_repository_at_the_same_place_is_another_project(tmp_path: Path, seen: Remembered) -> None:
    old = seen.see(made(tmp_path / "shop"))
    shutil.rmtree(tmp_path / "shop")
    new = seen.see(made(tmp_path / "shop", message="a new beginning"))
    assert new != old
    assert seen.see(tmp_path / "shop") == new
    shutil.rmtree(tmp_path / "shop")
    third = seen.see(made(tmp_path / "shop", message="once more"))
    assert len({old, new, third}) == 3
    assert seen.see(tmp_path / "shop") == third


def test_two_repositories_that_change_places_keep_their_ids(tmp_path: Path, seen: Remembered) -> None:
    one, two = seen.see(made(tmp_path / "one")), seen.see(made(tmp_path / "two", message="other"))
    (tmp_path / "one").rename(tmp_path / "aside")
    (tmp_path / "two").rename(tmp_path / "one")
    (tmp_path / "aside").rename(tmp_path / "two")
    assert (seen.see(tmp_path / "two"), seen.see(tmp_path / "one")) == (one, two)
    assert (seen.see(tmp_path / "one"), seen.see(tmp_path / "two")) == (two, one)


def test_a_place_left_by_a_moved_repository_is_free_for_another(tmp_path: Path, seen: Remembered) -> None:
    old = seen.see(made(tmp_path / "shop"))
    (tmp_path / "shop").rename(tmp_path / "moved")
    (tmp_path / "shop").mkdir()
    git(tmp_path / "shop", "init", "-q")
    assert seen.see(tmp_path / "moved") == old
    unborn = seen.see(tmp_path / "shop")
    assert unborn != old
    git(tmp_path / "shop", "commit", "-qm", "another", "--allow-empty")
    assert seen.see(tmp_path / "shop") == unborn


def test_a_moved_repository_is_found_although_another_took_its_place_first(
    tmp_path: Path, seen: Remembered
) -> None:
    old = seen.see(made(tmp_path / "shop"))
    (tmp_path / "shop").rename(tmp_path / "moved")
    other = seen.see(made(tmp_path / "shop", message="another"))
    assert other != old
    assert seen.see(tmp_path / "moved") == old
    assert seen.see(tmp_path / "shop") == other


def test_two_clones_of_one_repository_are_projects_of_their_own(tmp_path: Path, seen: Remembered) -> None:
    original = seen.see(made(tmp_path / "shop"))
    git(tmp_path, "clone", "-q", "shop", "copy")
    copy = seen.see(tmp_path / "copy")
    assert copy != original
    assert seen.see(tmp_path / "shop") == original
    shutil.rmtree(tmp_path / "shop")
    assert seen.see(tmp_path / "copy") == copy


def test_a_clone_does_not_take_the_id_of_an_original_that_was_moved(tmp_path: Path, seen: Remembered) -> None:
    original = seen.see(made(tmp_path / "shop"))
    git(tmp_path, "clone", "-q", "shop", "copy")
    (tmp_path / "shop").rename(tmp_path / "moved")
    assert seen.see(tmp_path / "copy") != original
    assert seen.see(tmp_path / "moved") == original


def test_a_moved_repository_is_found_although_a_clone_took_its_place(
    tmp_path: Path, seen: Remembered
) -> None:
    original = seen.see(made(tmp_path / "shop"))
    (tmp_path / "shop").rename(tmp_path / "moved")
    git(tmp_path, "clone", "-q", "moved", "shop")
    assert seen.see(tmp_path / "moved") == original
    assert seen.see(tmp_path / "shop") != original


def test_a_clone_at_the_place_of_a_repository_that_is_gone_goes_on_as_it(
    tmp_path: Path, seen: Remembered
) -> None:
    old = seen.see(made(tmp_path / "shop"))
    git(tmp_path, "clone", "-q", "--bare", "shop", "backup")
    before = seen.known[old].mark
    shutil.rmtree(tmp_path / "shop")
    (tmp_path / "in-between").mkdir()
    git(tmp_path, "clone", "-q", "backup", "shop")
    assert seen.see(tmp_path / "shop") == old
    assert seen.known[old].mark == mark_of(seen.known[old].project)
    assert before is not None


def test_a_project_without_a_mark_is_not_taken_for_one_that_moved(tmp_path: Path, seen: Remembered) -> None:
    old = seen.see(made(tmp_path / "shop"))
    seen.known[old] = replace(seen.known[old], mark=None)
    (tmp_path / "shop").rename(tmp_path / "moved")
    assert seen.see(tmp_path / "moved") != old


def test_a_repository_from_one_of_two_lost_places_is_not_guessed(tmp_path: Path, seen: Remembered) -> None:
    made(tmp_path / "one")
    git(tmp_path, "clone", "-q", "one", "two")
    lost = {seen.see(tmp_path / "one"), seen.see(tmp_path / "two")}
    git(tmp_path, "clone", "-q", "one", "three")
    shutil.rmtree(tmp_path / "one")
    shutil.rmtree(tmp_path / "two")
    assert seen.see(tmp_path / "three") not in lost


def test_a_worktree_is_the_project_of_its_repository(tmp_path: Path, seen: Remembered) -> None:
    root = made(tmp_path / "shop")
    git(root, "worktree", "add", "-q", str(tmp_path / "fix"), "-b", "fix")
    assert seen.see(tmp_path / "fix") == seen.see(root)


def test_a_second_beginning_does_not_make_another_project(tmp_path: Path, seen: Remembered) -> None:
    root = made(tmp_path / "shop")
    first = git(root, "rev-parse", "HEAD")
    old = seen.see(root)
    for number in range(4):  # by chance a later one has the smaller name
        git(root, "checkout", "-q", "--orphan", f"pages-{number}")
        git(root, "commit", "-qm", f"beginning {number}")
    assert seen.see(root) == old
    assert seen.known[old].first_commit == first
    root.rename(tmp_path / "moved")
    assert seen.see(tmp_path / "moved") == old


def test_a_shallow_clone_is_known_by_its_place_until_it_is_whole(tmp_path: Path, seen: Remembered) -> None:
    root = made(tmp_path / "shop")
    git(root, "commit", "-qm", "second", "--allow-empty")
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{root}", "flat")
    flat = seen.see(tmp_path / "flat")
    assert seen.known[flat].first_commit is None
    git(tmp_path / "flat", "fetch", "-q", "--unshallow")
    assert seen.see(tmp_path / "flat") == flat
    assert seen.known[flat].first_commit == git(root, "rev-list", "--max-parents=0", "HEAD")


def test_without_git_a_project_is_known_by_its_place_and_forgets_nothing(
    tmp_path: Path, seen: Remembered
) -> None:
    root = made(tmp_path / "shop")
    assert seen.see(root, program="no-such-git") == seen.see(root)
    first = git(root, "rev-parse", "HEAD")
    old = seen.see(root, program="no-such-git")
    assert seen.known[old].first_commit == first
    shutil.rmtree(root / ".git")
    assert seen.see(root) == old
    assert seen.known[old].first_commit == first


def test_a_history_too_long_to_walk_is_walked_once(tmp_path: Path, seen: Remembered) -> None:
    root = made(tmp_path / "shop")
    slow = tmp_path / "slow-git"
    slow.write_text(
        f"#!/bin/sh\necho x >> {tmp_path}/asked\ncase $* in *max-parents*) exit 1 ;; esac\necho 1\n"
    )
    slow.chmod(0o755)
    old = seen.see(root, program=str(slow))
    assert seen.known[old].first_commit == UNTOLD
    asked = (tmp_path / "asked").read_text()
    assert seen.see(root, program=str(slow)) == old
    assert (tmp_path / "asked").read_text() == asked


def test_what_is_no_project_is_not_identified(tmp_path: Path) -> None:
    assert identify("/", list) is None
    assert identify(str(tmp_path), list, never=frozenset({f"{tmp_path}/"})) is None


def test_the_id_of_a_place_is_the_same_for_ever(tmp_path: Path) -> None:
    found = identify("/", list, never=NEVER)
    assert found is not None
    assert found.project.id == ProjectId("8a5edab282632443")
