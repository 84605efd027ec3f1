"""`./run`: set up in the clone, at work where it is called."""

from __future__ import annotations

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
