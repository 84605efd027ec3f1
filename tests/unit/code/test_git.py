"""A project is found whatever git is, and a hostile repository runs nothing."""

from __future__ import annotations

import os
import select
import subprocess
import tempfile
from pathlib import Path

import pytest

from asides.code.git import checkout, excluded, find_project, head, tracked
from asides.code.identity import identify
from asides.code.program import GitRefused, output
from tests.support.repositories import ENV, git, made

NEVER: frozenset[str] = frozenset()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one commit."""
    return made(tmp_path / "my-app")


def test_a_repository_below_a_temporary_folder_is_a_project(repository: Path) -> None:
    project = find_project(str(repository / "src"))
    assert project is not None
    assert (project.root, project.git_dir, project.name) == (
        str(repository),
        str(repository / ".git"),
        "my-app",
    )


def test_a_plain_folder_below_a_temporary_one_is_no_project(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    temporary = frozenset({f"{tmp_path}/"})
    assert find_project(str(tmp_path / "shop"), never=temporary) is None
    git(tmp_path / "shop", "init", "-q")
    assert find_project(str(tmp_path / "shop"), never=temporary) is not None
    git(tmp_path, "init", "-q")
    assert find_project(str(tmp_path), never=temporary) is None


@pytest.mark.parametrize(
    "path",
    ["/", "/tmp", "/var/tmp", str(Path.home()), str(Path.home().parent), "", "relative", "/a\0b"],
    ids=["root", "tmp", "var-tmp", "home", "above-home", "empty", "relative", "nul"],
)
def test_home_temporary_and_root_folders_are_never_projects(path: str) -> None:
    assert find_project(path) is None


def test_a_repository_made_of_home_is_no_project_and_folders_in_it_are_their_own(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "shop").mkdir(parents=True)
    git(home, "init", "-q")
    never = frozenset({str(home)})
    assert find_project(str(home), never=never) is None
    project = find_project(str(home / "shop"), never=never)
    assert project is not None
    assert (project.root, project.git_dir) == (str(home / "shop"), None)


def test_excluded_folders_hold_home_and_what_lies_above_it() -> None:
    temporary = Path(tempfile.gettempdir()).resolve()
    assert {str(Path.home().resolve()), "/", f"{temporary}/"} <= excluded()


def test_worktrees_share_the_project_of_their_repository(repository: Path, tmp_path: Path) -> None:
    tree = tmp_path / "elsewhere" / "fix"
    git(repository, "worktree", "add", "-q", str(tree), "-b", "fix")
    assert find_project(str(tree)) == find_project(str(repository))
    assert checkout(str(tree)) == str(tree)
    assert checkout(str(repository / "src")) == str(repository)


def test_worktrees_of_a_bare_repository_share_its_project(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(repository), "shop.git")
    for name in ("one", "two"):
        git(tmp_path / "shop.git", "worktree", "add", "-q", str(tmp_path / name), "-b", name)
    one, two = find_project(str(tmp_path / "one")), find_project(str(tmp_path / "two"))
    assert one is not None
    assert two is not None
    assert (one.id, one.name) == (two.id, "shop")


def test_a_submodule_is_a_project_of_its_own(repository: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "submodule", "--quiet", "add", str(repository), "lib")
    inner, whole = find_project(str(outer / "lib")), find_project(str(outer))
    assert inner is not None
    assert whole is not None
    assert inner.id != whole.id
    assert (inner.root, inner.name) == (str(outer / "lib"), "lib")


def test_a_clone_is_a_project_of_its_own(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(repository), "copy")
    copy, original = find_project(str(tmp_path / "copy")), find_project(str(repository))
    assert copy is not None
    assert original is not None
    assert copy.id != original.id


def test_a_hyphen_a_blank_and_other_scripts_in_a_name_stay(tmp_path: Path) -> None:
    for name in ("my-app", "my app", "моё-приложение", "我的项目"):
        (tmp_path / name).mkdir()
        project = find_project(str(tmp_path / name), never=NEVER)
        assert project is not None
        assert project.name == name


def test_a_link_to_a_repository_is_the_same_project(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repository)
    assert find_project(str(tmp_path / "link" / "src")) == find_project(str(repository))


@pytest.mark.parametrize(
    "broken", ["", "gitdir: ", "gitdir: /nowhere/.git", "nonsense", "gitdir: \udcff", "gitdir: " + "x" * 5000]
)
def test_a_broken_git_file_is_not_a_repository(tmp_path: Path, broken: str) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / ".git").write_bytes(broken.encode("utf-8", "surrogateescape"))
    project = find_project(str(folder), never=NEVER)
    assert project is not None
    assert project.git_dir is None


def test_a_project_is_found_where_git_is_not_installed(repository: Path) -> None:
    project = find_project(str(repository))
    assert project is not None
    assert tracked(str(repository), program="no-such-git") == {"a.py", "src/b.py"}


def test_tracked_paths_exist_and_are_not_ignored(repository: Path) -> None:
    (repository / ".gitignore").write_text("*.log\n")
    (repository / "x.log").write_text("")
    (repository / "neu.py").write_text("")
    (repository / "моё имя.py").write_text("")
    (repository / "a.py").unlink()
    assert tracked(str(repository)) == {".gitignore", "neu.py", "моё имя.py", "src/b.py"}
    assert tracked(str(repository / "src")) == {"b.py"}
    assert len(tracked(str(repository), limit=2)) == 2


def test_a_name_that_is_not_utf_8_is_left_out(repository: Path) -> None:
    Path(os.fsdecode(os.fsencode(repository) + b"/\xff\xfe.py")).write_text("")
    assert tracked(str(repository)) == {"a.py", "src/b.py"}


def test_a_folder_without_git_is_walked_without_hidden_and_generated_folders(tmp_path: Path) -> None:
    for path in ("a/b.py", "node_modules/x.js", ".cache/y", ".env"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("")
    assert tracked(str(tmp_path), program="no-such-git") == {"a/b.py", ".env"}


def hostile(repository: Path, trap: Path) -> None:
    """Makes the repository want to run a program in every way that listing it could set off."""
    script = repository / ".git" / "trap.sh"
    script.write_text(f"#!/bin/sh\ntouch '{trap}'\n")
    script.chmod(0o755)
    for name in (
        "core.fsmonitor",
        "core.sshCommand",
        "core.askPass",
        "core.pager",
        "core.editor",
        "credential.helper",
    ):
        git(repository, "config", name, str(script))
    git(repository, "config", "filter.evil.clean", str(script))
    git(repository, "config", "filter.evil.smudge", str(script))
    git(repository, "config", "alias.ls-files", f"!{script}")
    git(repository, "config", "diff.external", str(script))
    (repository / ".gitattributes").write_text("* filter=evil\n")
    for hook in (
        "post-index-change",
        "post-checkout",
        "pre-auto-gc",
        "fsmonitor-watchman",
        "reference-transaction",
    ):
        place = repository / ".git" / "hooks" / hook
        place.parent.mkdir(exist_ok=True)
        place.write_text(script.read_text())
        place.chmod(0o755)


def test_a_hostile_repository_runs_nothing(repository: Path, tmp_path: Path) -> None:
    trap = tmp_path / "sprung"
    hostile(repository, trap)
    (repository / "a.py").write_text("changed\n")
    subprocess.run(["git", "status"], cwd=repository, env=ENV, capture_output=True, check=False)
    assert trap.exists(), "the trap does not work, so this test shows nothing"
    trap.unlink()
    project = find_project(str(repository))
    assert project is not None
    known = identify(str(repository), list)
    assert known is not None
    assert known.first_commit is not None
    assert "a.py" in tracked(str(repository))
    assert not trap.exists()


def fake(folder: Path, script: str) -> str:
    program = folder / "fake-git"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return str(program)


def test_a_git_that_hangs_and_ignores_signals_is_killed_with_its_children(tmp_path: Path) -> None:
    program = fake(tmp_path, "trap '' TERM INT HUP\nsleep 1000 &\necho $! > child\nwait\nsleep 1000")
    with pytest.raises(GitRefused, match="not done"):
        output(["x"], str(tmp_path), program=program, limit=100, seconds=3)
    assert ended(int((tmp_path / "child").read_text()))


def ended(child: int) -> bool:
    """Waits for the end of a process that was killed; the kernel says when."""
    try:
        descriptor = os.pidfd_open(child)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], 30)[0])
    finally:
        os.close(descriptor)


def test_a_git_that_closes_its_output_and_stays_is_killed(tmp_path: Path) -> None:
    program = fake(tmp_path, "exec >&-\nexec sleep 1000")
    with pytest.raises(GitRefused, match="not done"):
        output(["x"], str(tmp_path), program=program, limit=100, seconds=0.5)


def test_a_git_that_prints_without_end_is_cut(tmp_path: Path) -> None:
    program = fake(tmp_path, "exec yes")
    assert len(output(["x"], str(tmp_path), program=program, limit=1000)) == 1000


def test_a_git_that_fails_refuses_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(GitRefused) as refused:
        output(["x"], str(tmp_path), program=fake(tmp_path, "exit 128"), limit=100)
    assert (refused.value.exit_code, bool(refused.value.advice)) == (4, True)


def test_a_child_gets_no_variable_of_git_and_is_marked_as_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "/evil")
    printed = output(["x"], str(tmp_path), program=fake(tmp_path, "env"), limit=10_000).decode()
    variables = dict(line.split("=", 1) for line in printed.splitlines() if "=" in line)
    assert "GIT_DIR" not in variables
    assert "GIT_EXTERNAL_DIFF" not in variables
    assert variables["ASIDES_INSIDE"] == "1"
    assert variables["GIT_OPTIONAL_LOCKS"] == "0"


def test_the_commit_at_hand_is_told_and_nothing_where_there_is_none(tmp_path: Path) -> None:
    shop = made(tmp_path / "shop")
    assert head(str(shop)) == git(shop, "rev-parse", "HEAD")
    unborn = tmp_path / "unborn"
    unborn.mkdir()
    git(unborn, "init", "-q")
    assert head(str(unborn)) == ""
    assert head(str(tmp_path)) == ""
    assert head(str(shop), program="no-such-git") == ""
