"""What git says of a checkout since a commit is taken in whole, and a repository runs nothing for it."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from asides.code.changes import LIVE_DAYS, READ_LIMIT, Branches, Checkout, branch_that_holds, changes_since
from asides.code.drift import follow, identify
from asides.model.anchor import Declaration, Drift, File, Subject
from tests.support.repositories import git, made

THEN = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)  # when the commits of these tests are made
PAY = """def pay(cart, card):
    if card.expired:
        raise Refused(card)
    return card.charge(cart.total(0.2))
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made(tmp_path / "shop")
    (tmp_path / "shop" / "pay.py").write_text(PAY)
    return committed(tmp_path / "shop")


def committed(root: Path) -> Path:
    git(root, "add", "-A")
    git(root, "commit", "-qm", "more")
    return root


def head(root: Path) -> str:
    return git(root, "rev-parse", "HEAD")


def subject(root: Path, anchor: File | Declaration) -> Subject:
    found = identify(anchor, Checkout(str(root)), commit=head(root))
    assert found is not None
    return found


PAY_AT = Declaration(path="pay.py", name="pay")


def test_what_changed_is_told_apart_committed_or_not(root: Path) -> None:
    since = head(root)
    git(root, "mv", "pay.py", "till.py")
    committed(root)
    (root / "a.py").write_text("a = 2\n")
    (root / "new.py").write_text("n = 1\n")
    (root / "src" / "b.py").unlink()
    changes = changes_since(str(root), since)
    assert changes is not None
    assert changes.changed == {"till.py", "a.py", "new.py"}
    assert changes.added == {"till.py", "new.py"}
    assert changes.removed == {"src/b.py"}
    assert dict(changes.renamed) == {"pay.py": "till.py"}
    assert [changes.before(path) for path in ("pay.py", "a.py", "src/b.py", "new.py", "nowhere.py")] == [
        PAY, "a = 1\n", "b = 1\n", None, None,
    ]  # fmt: skip


def test_what_is_only_out_of_the_index_is_there(root: Path) -> None:
    since = head(root)
    git(root, "rm", "-q", "--cached", "pay.py")
    changes = changes_since(str(root), since)
    assert changes is not None
    assert changes.removed == frozenset()
    assert changes.changed == {"pay.py"}
    assert changes.before("pay.py") == PAY


def test_names_that_are_not_utf_8_or_hold_spaces_and_lines_break_nothing(root: Path) -> None:
    since = head(root)
    for name in (b"\xff.py", b"a\nb.py", b"a b.py", "ä.py".encode(), b":(top)x.py"):
        Path(os.fsdecode(os.fsencode(root) + b"/" + name)).write_text("n = 1\n")
    changes = changes_since(str(root), since)
    assert changes is not None
    assert changes.changed == {"a\nb.py", "a b.py", "ä.py", ":(top)x.py"}
    committed(root)
    since = head(root)
    for name in (b"\xff.py", b"a\nb.py", b":(top)x.py"):
        Path(os.fsdecode(os.fsencode(root) + b"/" + name)).write_text("n = 2\n")
    changes = changes_since(str(root), since)
    assert changes is not None
    assert changes.before(":(top)x.py") == changes.before("a\nb.py") == "n = 1\n"


@pytest.mark.parametrize("commit", ["", "HEAD", "--output=x", "0" * 40, "c0ffee0", "x" * 40])
def test_a_commit_that_git_does_not_know_is_no_commit(root: Path, commit: str) -> None:
    assert changes_since(str(root), commit) is None


def test_without_git_nothing_is_known_and_nothing_called_gone(root: Path, tmp_path: Path) -> None:
    assert changes_since(str(tmp_path), head(root)) is None
    assert changes_since(str(root), head(root), program="no-such-git") is None
    assert changes_since(str(tmp_path / "vanished"), head(root)) is None
    one = subject(root, PAY_AT)
    assert branch_that_holds(str(tmp_path / "vanished"), one)
    assert branch_that_holds(str(root), one, program="no-such-git")
    (root / "pay.py").unlink()
    (found,) = follow(
        [one],
        Checkout(str(root), program="no-such-git"),
        changes=lambda since: changes_since(str(root), since, program="no-such-git"),
        elsewhere=lambda sought: branch_that_holds(str(root), sought, program="no-such-git"),
    )
    assert found.drift is Drift.UNKNOWN


def test_filters_of_a_repository_are_not_run(root: Path, tmp_path: Path) -> None:
    since = head(root)
    ran = tmp_path / "ran"
    git(root, "config", "filter.evil.clean", f"touch {ran}; cat")
    git(root, "config", "filter.evil.process", f"touch {ran}")
    git(root, "config", "filter.evil.required", "true")
    (root / ".gitattributes").write_text("*.py filter=evil diff=evil\n")
    git(root, "config", "diff.evil.textconv", f"touch {ran}; cat")
    git(root, "config", "diff.evil.command", f"touch {ran}")
    (root / "pay.py").write_text(PAY + "x = 1\n")
    os.utime(root / "a.py", (1, 1))
    changes = changes_since(str(root), since)
    assert not ran.exists()
    assert changes is not None
    assert "pay.py" in changes.changed
    assert changes.before("pay.py") == PAY
    assert not ran.exists()


def test_a_checkout_reads_texts_of_its_own_and_no_others(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("secret")
    (root / "leads_out.py").symlink_to(tmp_path / "outside.py")
    (root / "circle.py").symlink_to(root / "circle.py")
    (root / "binary.py").write_bytes(b"a\0b")
    (root / "latin.py").write_bytes("größe = 1".encode("latin-1"))
    with (root / "huge.py").open("wb") as file:
        file.truncate(READ_LIMIT + 1)
    tree = Checkout(str(root))
    refused = [
        "../outside.py",
        "leads_out.py",
        "circle.py",
        "binary.py",
        "huge.py",
        "src",
        "none.py",
        "a\0b",
        "",
    ]
    assert [tree.read(path) for path in refused] == [None] * len(refused)
    assert tree.read("pay.py") == PAY
    assert tree.read("latin.py") == "gr�\ufffde = 1".replace("�", "\ufffd")
    assert {"pay.py", "src/b.py"} <= tree.paths()


def test_a_vanished_folder_has_nothing(tmp_path: Path) -> None:
    tree = Checkout(str(tmp_path / "vanished"))
    assert tree.paths() == frozenset()
    assert tree.read("a.py") is None


def test_a_branch_that_is_not_merged_holds_what_is_deleted_here(root: Path) -> None:
    one, file = subject(root, PAY_AT), subject(root, File(path="pay.py"))
    git(root, "checkout", "-qb", "next")
    (root / "other.py").write_text("o = 1\n")
    committed(root)
    git(root, "checkout", "-q", "main")
    git(root, "rm", "-q", "pay.py")
    committed(root)
    assert branch_that_holds(str(root), one, now=THEN) == "the branch next"
    assert branch_that_holds(str(root), file, now=THEN) == "the branch next"
    assert branch_that_holds(str(root), one, now=THEN + timedelta(days=LIVE_DAYS + 1)) is None
    git(root, "merge", "-q", "next")
    assert branch_that_holds(str(root), one, now=THEN) is None


def test_a_branch_that_holds_the_file_without_the_declaration_does_not_hold_it(root: Path) -> None:
    one = subject(root, PAY_AT)
    git(root, "checkout", "-qb", "next")
    (root / "pay.py").write_text("def settle(): pass\n")
    committed(root)
    git(root, "checkout", "-q", "main")
    git(root, "rm", "-q", "pay.py")
    committed(root)
    assert branch_that_holds(str(root), one, now=THEN) is None


def test_worktrees_and_what_is_stashed_hold_it_too(root: Path, tmp_path: Path) -> None:
    since = head(root)
    one = subject(root, PAY_AT)
    git(root, "rm", "-q", "pay.py")
    committed(root)
    assert branch_that_holds(str(root), one, now=THEN) is None
    git(root, "worktree", "add", "-q", "--detach", str(tmp_path / "beside"), since)
    assert branch_that_holds(str(root), one, now=THEN) == "the worktree beside"
    git(root, "worktree", "remove", str(tmp_path / "beside"))
    (root / "later.py").write_text(PAY.replace("pay", "later"))
    git(root, "add", "later.py")
    later = subject(root, Declaration(path="later.py", name="later"))
    git(root, "stash", "-q")
    assert branch_that_holds(str(root), later, now=THEN) == "the branch stash"


def test_an_entry_of_a_real_checkout_is_followed_to_where_it_went(root: Path) -> None:
    anchors = [PAY_AT, File(path="pay.py"), File(path="src"), Declaration(path="src/b.py", name="b")]
    subjects = [subject(root, anchor) for anchor in anchors]
    git(root, "mv", "pay.py", "src/till.py")
    git(root, "rm", "-q", "src/b.py")
    committed(root)
    found = follow(
        subjects,
        Checkout(str(root)),
        changes=lambda since: changes_since(str(root), since),
        elsewhere=lambda sought: branch_that_holds(str(root), sought, now=THEN),
        commit=head(root),
    )
    assert [one.drift for one in found] == [Drift.MOVED, Drift.MOVED, Drift.EDITED, Drift.GONE]
    assert [one.subject.anchor for one in found[:2] if one.subject] == [
        Declaration(path="src/till.py", name="pay"),
        File(path="src/till.py"),
    ]


def test_what_was_seen_and_never_committed_can_be_gone(root: Path) -> None:
    (root / "pay.py").write_text(PAY + PAY.replace("def pay", "def settle").replace("card", "bill"))
    one = subject(root, Declaration(path="pay.py", name="settle"))
    git(root, "checkout", "-q", "pay.py")
    (found,) = follow(
        [one],
        Checkout(str(root)),
        changes=lambda since: changes_since(str(root), since),
        elsewhere=lambda _: False,
    )
    assert found.drift is not Drift.SAME
    assert found.subject is None


def test_other_branches_are_asked_for_once_for_all_subjects(root: Path) -> None:
    subjects = [subject(root, PAY_AT), subject(root, Declaration(path="a.py", name="a"))]
    git(root, "checkout", "-qb", "next")
    (root / "a.py").write_text("b = 1\n")
    committed(root)
    git(root, "checkout", "-q", "main")
    branches = Branches(str(root), now=THEN)
    assert [branches.holding(one) for one in subjects] == ["the branch next", None]
    git(root, "branch", "-q", "-D", "next")
    assert branches.holding(subjects[0]) == "the branch next"


def test_a_branch_whose_file_cannot_be_read_may_hold_it(root: Path) -> None:
    one = subject(root, PAY_AT)
    git(root, "checkout", "-qb", "next")
    (root / "pay.py").write_bytes(b"\0")
    committed(root)
    git(root, "checkout", "-q", "main")
    assert branch_that_holds(str(root), one, now=THEN) == "the branch next"
