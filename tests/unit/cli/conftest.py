"""One project and one asides home for each test."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.console import Console


@pytest.fixture
def console(tmp_path: Path) -> Console:
    folder = tmp_path / "shop"
    folder.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return Console(folder, tmp_path / "asides")
