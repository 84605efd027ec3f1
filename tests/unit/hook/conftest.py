"""A state folder, a repository and each shell that may stand behind /bin/sh here."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.hookrun import (
    in_every_shell,
    install_hook,
)


@pytest.fixture(params=in_every_shell())
def shell(request: pytest.FixtureRequest) -> str:
    name = request.param
    assert isinstance(name, str)
    return name


@pytest.fixture
def state(tmp_path: Path) -> Path:
    state = tmp_path / "home" / "state"
    install_hook(state)
    return state


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    repo = tmp_path / "shop"
    (repo / ".git").mkdir(parents=True)
    (repo / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return repo
