"""The hook looks for a project's texts where the daemon puts them, whatever kind of folder it is (B-156)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "support"))
from hookrun import in_every_shell, install_hook, prepare, run_hook
from repositories import git, made

from asides.code.git import find_project
from asides.hook.cues.checkout import Checkout

LINE = b'{"text":1}\n'
STARTUP = b'{"session_id":"abc-1","source":"startup"}'


def bare(place: Path, home: Path) -> Path:
    """Makes a bare repository at `place` and returns a worktree of it beside it."""
    origin = made(home / "origin")
    place.parent.mkdir(parents=True, exist_ok=True)
    git(home, "clone", "-q", "--bare", str(origin), str(place))
    git(place, "worktree", "add", "-q", "--detach", str(place.parent / "tree"))
    return place.parent / "tree"


def plain(home: Path) -> Path:
    return made(home / "shop")


def below(home: Path) -> Path:
    return made(home / "shop") / "src"


def worktree(home: Path) -> Path:
    git(made(home / "shop"), "worktree", "add", "-q", str(home / "tree"))
    return home / "tree" / "src"


def submodule(home: Path) -> Path:
    part, shop = made(home / "part"), made(home / "shop")
    git(shop, "submodule", "add", "-q", str(part), "parts/one")
    return shop / "parts" / "one"


def worktree_of_a_submodule(home: Path) -> Path:
    git(submodule(home), "worktree", "add", "-q", "--detach", str(home / "tree"))
    return home / "tree"


def worktree_of_a_bare_repository(home: Path) -> Path:
    return bare(home / "shop.git", home)


def hidden_bare_repository(home: Path) -> Path:
    tree = bare(home / "shop" / ".bare", home)
    (home / "shop" / ".git").write_text("gitdir: ./.bare\n")
    return tree.parent


def separate_git_folder_that_looks_like_a_worktrees(home: Path) -> Path:
    (home / "worktrees").mkdir()
    (home / "shop").mkdir()
    git(home, "init", "-q", "--separate-git-dir", str(home / "worktrees" / "shop"), str(home / "shop"))
    return home / "shop"


def link_to_a_repository(home: Path) -> Path:
    (home / "link").symlink_to(made(home / "shop"))
    return home / "link" / "src"


def link_out_of_a_repository(home: Path) -> Path:
    (home / "elsewhere").mkdir()
    (made(home / "shop") / "out").symlink_to(home / "elsewhere")
    return home / "shop" / "out"


def linked_git_folder(home: Path) -> Path:
    shop = made(home / "shop")
    (shop / ".git").rename(home / "kept.git")
    (shop / ".git").symlink_to(home / "kept.git")
    return shop


def without_git(home: Path) -> Path:
    (home / "notes").mkdir()
    return home / "notes"


def plain_folder_in_a_home_that_is_a_repository(home: Path) -> Path:
    git(home, "init", "-q")
    return without_git(home)


def git_file_that_leads_nowhere(home: Path) -> Path:
    inside = made(home / "shop") / "src"
    (inside / ".git").write_text("gitdir: /nonexistent\n")
    return inside


def folder_with_blanks_and_umlauts(home: Path) -> Path:
    return made(home / "Zoë's shop * $HOME")


KINDS: list[Callable[[Path], Path]] = [
    plain,
    below,
    worktree,
    submodule,
    worktree_of_a_submodule,
    worktree_of_a_bare_repository,
    hidden_bare_repository,
    separate_git_folder_that_looks_like_a_worktrees,
    link_to_a_repository,
    link_out_of_a_repository,
    linked_git_folder,
    without_git,
    plain_folder_in_a_home_that_is_a_repository,
    git_file_that_leads_nowhere,
    folder_with_blanks_and_umlauts,
]


@pytest.mark.parametrize("shell", in_every_shell())
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_hook_and_the_daemon_mean_the_same_project(
    tmp_path: Path, shell: str, kind: Callable[[Path], Path]
) -> None:
    home, state = tmp_path / "home", tmp_path / "state"
    home.mkdir()
    folder = kind(home)
    project = find_project(str(folder), never=frozenset({str(home), *map(str, home.parents)}))
    assert project is not None
    install_hook(state)
    prepare(state, Path(project.git_dir or project.root), start=LINE.decode().strip())
    for env in ({"HOME": str(home)}, {"HOME": str(home), "CLAUDE_PROJECT_DIR": str(folder)}):
        at = tmp_path if "CLAUDE_PROJECT_DIR" in env else folder
        run = run_hook(state, "claude-code", "SessionStart", STARTUP, at, env, shell=shell)
        assert run.stdout == LINE


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_file_and_a_command_there_are_the_projects_and_no_others(
    tmp_path: Path, kind: Callable[[Path], Path]
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    folder = kind(home)
    never = frozenset({str(home), *map(str, home.parents)})
    project = find_project(str(folder), never=never)
    assert project is not None
    checkout = Checkout(project.key, str(home))
    other = made(home / "another project")
    for path in (folder, folder / "new" / "folder", other, home, tmp_path, *other.iterdir(), *home.iterdir()):
        found = find_project(str(path), never=never)
        its = found is not None and found.key == project.key
        if project.git_dir is None and (found is None or found.git_dir is None):
            its = path.resolve().is_relative_to(
                project.root
            )  # the whole folder, though parts could be projects
        assert checkout.holds(str(path)) is its, path
        if path.is_dir():
            assert (checkout.inside(f"{path}/file.py") is not None) is its, path


@pytest.mark.parametrize("shell", in_every_shell())
def test_home_itself_is_no_project_to_either(tmp_path: Path, shell: str) -> None:
    home, state = tmp_path / "home", tmp_path / "state"
    made(home)
    assert find_project(str(home), never=frozenset({str(home), *map(str, home.parents)})) is None
    install_hook(state)
    prepare(state, home / ".git", start=LINE.decode().strip())
    run = run_hook(state, "claude-code", "SessionStart", STARTUP, home, {"HOME": str(home)}, shell=shell)
    assert (run.returncode, run.stdout) == (0, b"")
