"""Which project the hook takes itself to be in, in every shell that may stand behind /bin/sh here."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.hookrun import (
    prepare,
    run_hook,
    spooled,
)
from tests.support.hooktexts import AGENT, COMPACT, REPLACE, START, SUBAGENT, all_texts, printed, starting


def test_a_folder_inside_the_repository_finds_it(state: Path, repo: Path, shell: str) -> None:
    all_texts(state, repo)
    inside = repo / "src" / "deep"
    inside.mkdir(parents=True)
    assert run_hook(state, AGENT, "SessionStart", starting("startup"), inside, shell=shell).stdout == printed(
        START
    )


@pytest.mark.parametrize("event", ["SessionStart", "SubagentStart"])
@pytest.mark.parametrize("source", ["startup", "compact", "resume"])
def test_an_agent_that_went_into_another_repository_reads_its_own_projects_texts(
    state: Path, repo: Path, shell: str, source: str, event: str
) -> None:
    all_texts(state, repo)
    other = repo / "vendored"
    (other / ".git").mkdir(parents=True)
    (other / ".git" / "HEAD").touch()
    theirs = dict.fromkeys(("start", "compact", "replace", "subagent"), '{"text":"theirs"}')
    prepare(state, other / ".git", version="v2", **theirs)
    env = {"CLAUDE_PROJECT_DIR": str(repo)}
    run = run_hook(state, AGENT, event, starting(source), other, env, shell=shell)
    own = {"startup": START, "compact": COMPACT, "resume": REPLACE}[source]
    assert run.stdout == printed(SUBAGENT if event == "SubagentStart" else own)
    (kept,) = spooled(state)
    assert (kept.trailer["project"], kept.trailer["version"]) == (str(repo), "v1")


@pytest.mark.parametrize("project", ["/nonexistent", "not/absolute", "-", ""])
def test_a_project_folder_that_is_not_there_gives_way_to_the_working_directory(
    state: Path, repo: Path, shell: str, project: str
) -> None:
    all_texts(state, repo)
    env = {"CLAUDE_PROJECT_DIR": project}
    run = run_hook(state, AGENT, "SessionStart", starting("startup"), repo, env, shell=shell)
    assert run.stdout == printed(START)


def test_a_link_to_the_repository_finds_it(state: Path, repo: Path, shell: str) -> None:
    all_texts(state, repo)
    link = repo.parent / "link"
    link.symlink_to(repo)
    env = {"PWD": str(link)}
    assert run_hook(
        state, AGENT, "SessionStart", starting("startup"), link, env, shell=shell
    ).stdout == printed(START)


def test_real_worktrees_and_submodules_are_told_apart(state: Path, tmp_path: Path, shell: str) -> None:
    def git(*words: str, at: Path) -> None:
        plain = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
        name = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"]
        subprocess.run(["git", *name, *words], cwd=at, env=plain, check=True, capture_output=True)

    main, part = tmp_path / "main repo", tmp_path / "part"
    for folder in (main, part):
        folder.mkdir()
        git("init", "-q", at=folder)
        git("commit", "-q", "--allow-empty", "-m", "x", at=folder)
    git("worktree", "add", "-q", str(tmp_path / "tree"), at=main)
    git("submodule", "add", "-q", str(part), "sub", at=main)
    prepare(state, main / ".git", start=START)
    prepare(state, main / ".git" / "modules" / "sub", start=REPLACE)
    for folder, text in ((tmp_path / "tree", START), (main, START), (main / "sub", REPLACE)):
        assert run_hook(
            state, AGENT, "SessionStart", starting("startup"), folder, shell=shell
        ).stdout == printed(text)


def test_a_relative_gitdir_starts_at_its_file(state: Path, repo: Path, shell: str) -> None:
    all_texts(state, repo)
    tree = repo.parent / "tree"
    (tree / "a").mkdir(parents=True)
    (repo / ".git" / "worktrees" / "tree").mkdir(parents=True)
    (repo / ".git" / "worktrees" / "tree" / "commondir").write_text("../..\n")
    (tree / ".git").write_text("gitdir: ../shop/.git/worktrees/tree\n")
    assert run_hook(
        state, AGENT, "SessionStart", starting("startup"), tree / "a", shell=shell
    ).stdout == printed(START)


def test_an_empty_git_folder_is_no_repository(state: Path, repo: Path, shell: str) -> None:
    all_texts(state, repo)
    inside = repo / "fixture"
    (inside / ".git").mkdir(parents=True)
    assert run_hook(state, AGENT, "SessionStart", starting("startup"), inside, shell=shell).stdout == printed(
        START
    )


def test_outside_git_the_folder_itself_is_the_project(state: Path, tmp_path: Path, shell: str) -> None:
    plain = tmp_path / "plain"
    (plain / "below").mkdir(parents=True)
    prepare(state, plain, start=START)
    assert run_hook(state, AGENT, "SessionStart", starting("startup"), plain, shell=shell).stdout == printed(
        START
    )
    assert (
        run_hook(state, AGENT, "SessionStart", starting("startup"), plain / "below", shell=shell).stdout
        == b""
    )
