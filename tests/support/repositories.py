"""Real repositories as tests of `asides.code` need them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ENV = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "2026-11-30T10:00:00Z",
    "GIT_COMMITTER_DATE": "2026-11-30T10:00:00Z",
}


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main", *arguments],
        cwd=folder,
        env=ENV,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def made(root: Path, *, message: str = "first") -> Path:
    """Makes a repository with two files and one commit; another message is another first commit."""
    root.mkdir(parents=True)
    git(root, "init", "-q")
    (root / "a.py").write_text("a = 1\n")
    (root / "src").mkdir()
    (root / "src" / "b.py").write_text("b = 1\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", message)
    return root
