"""A shell in one project with one asides home."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

RUN = [sys.executable, "-c", "from asides.cli.main import run; run()"]


class Console:
    """A shell in one project with one asides home."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder = folder
        self.environment = {**os.environ, "ASIDES_HOME": str(home), "COLUMNS": "100"}

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*RUN, *words],
            cwd=self.folder,
            env=self.environment,
            text=True,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )

    def json(self, *words: str) -> object:
        done = self.run(*words, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def session(self, script: str) -> None:
        """Checks a console session: `$ asides …` lines with what they print; `ID` stands for any id."""
        steps = re.split(r"^\$ asides ", script.strip("\n"), flags=re.MULTILINE)[1:]
        for step in steps:
            line, _, expected = step.partition("\n")
            words = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', line)]
            done = self.run(*words)
            shown = re.sub(r"\b[a-z2-7]{9}\b(?=  | is )|(?<=No entry )\w+", "ID", done.stdout + done.stderr)
            shown = re.sub(r"\d{4}-\d\d-\d\d(T[\d:]{8})?", "DATE", shown)
            assert shown.rstrip("\n") == expected.rstrip("\n"), line
