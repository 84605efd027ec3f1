"""Runs the real hook in a temporary state folder, the way an agent runs it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from asides.hook.place import place, registered

# Shells that may stand behind /bin/sh. `posh` is the strictest that Debian has.
WANTED = (("dash",), ("bash", "--posix"), ("busybox", "ash"), ("mksh",), ("posh",))
SHELLS: dict[str, list[str]] = {
    name: [path, *options] for name, *options in WANTED if (path := shutil.which(name))
}


def in_every_shell() -> list[ParameterSet]:
    """Returns the shells as parameters of a test, skipped with a reason where one is not installed."""
    return [
        pytest.param(
            name,
            marks=pytest.mark.skipif(name not in SHELLS, reason=f"NOT TESTED, {name} is not installed"),
        )
        for name, *_ in WANTED
    ]


def plain_python() -> str:
    """Returns an interpreter outside any virtual environment."""
    import sys

    return getattr(sys, "_base_executable", sys.executable)


def install_hook(
    state: Path, *, daemon_python: str | None = None, plain_python: str | None = None
) -> list[Path]:
    """Puts the hook into `state`. Without `daemon_python` there is no daemon to start."""
    return place(
        state,
        plain_python=plain_python or globals()["plain_python"](),
        daemon_python=daemon_python or "/nonexistent/python",
    )


def run_hook(
    state: Path,
    agent: str,
    event: str,
    payload: bytes,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    *,
    shell: str | None = None,
    timeout: float = 20,
) -> subprocess.CompletedProcess[bytes]:
    """Runs the registered command once, with `payload` on stdin and nothing but `env` around it.

    Home is the folder that `state` lies in.
    `timeout` is only there to end a test that hangs.
    """
    command = registered(state, agent, event)
    if shell is not None:
        command = [*SHELLS[shell], *command[1:]]
    return subprocess.run(
        command,
        input=payload,
        cwd=cwd,
        env={"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": str(state.parent), **(env or {})},
        capture_output=True,
        timeout=timeout,
        check=False,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Spooled:
    """A spool file taken apart: the payload and what the hook wrote behind it."""

    path: Path
    payload: bytes
    trailer: dict[str, str]
    complete: bool  # ends with `end`


def spooled(state: Path) -> list[Spooled]:
    """Returns every complete spool file, in order of name."""
    return [take_apart(path) for path in sorted((state / "spool").glob("*.json"))]


def take_apart(path: Path) -> Spooled:
    """Returns one spool file taken apart by the rules of docs/protocols.md."""
    payload, mark, trailer = path.read_bytes().rpartition(b"\n#asides 1\n")
    assert mark, f"no trailer in {path}"
    lines = trailer.decode("utf-8", "surrogateescape").split("\n")
    facts = dict(line.split(" ", 1) for line in lines if " " in line)
    return Spooled(path=path, payload=payload, trailer=facts, complete=lines[-2:] == ["end", ""])


def prepare(state: Path, key: Path, agent: str = "claude-code", version: str = "v1", **texts: str) -> Path:
    """Writes prepared texts for the project `key` and returns their folder.

    `prepare(state, repo / ".git", start='{"a":1}')` writes `start.json`; `unchanged=""` an empty file.
    """
    folder = state / "ready" / "at" / str(key.resolve()).lstrip("/") / agent
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        if name == "unchanged":
            (folder / name).touch()
        else:
            (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    (folder / "version").write_text(version + "\n", encoding="utf-8")
    return folder


def started_at(pid: int) -> str:
    """Returns field 22 of /proc/PID/stat."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[19]


def note_alive(state: Path, pid: int, start: str | None = None) -> None:
    """Writes `run/alive` for a process, with its real start moment if none is given."""
    (state / "run" / "alive").write_text(f"{pid} {start or started_at(pid)}\n")


def appeared(folder: Path, pattern: str) -> Path:
    """Waits until a file that matches `pattern` lies in `folder`, and returns it.

    The bound, ten seconds, only ends a test that would fail.
    """
    for _ in range(200):
        found = [path for path in folder.glob(pattern) if path.suffix != ".tmp"]
        if found:
            return found[0]
        time.sleep(0.05)
    raise AssertionError(f"no {pattern} in {folder}")


def stand_in_daemon(path: Path, says: Path) -> str:
    """Makes an executable that stands for `daemon_python` and notes how it was called in `says`.

    The note appears by rename, so a reader never sees half of one.
    """
    quoted = re.sub(r"'", r"'\\''", str(says))
    path.write_text(
        "#!/bin/sh\n"
        f"says='{quoted}'\n"
        '{ echo "$@"; echo "home ${ASIDES_HOME-unset}"; pwd; ls -l /proc/$$/fd | sed 1d; cat /proc/$$/stat; }'
        ' > "$says.$$.tmp"\n'
        'mv "$says.$$.tmp" "$says.$$"\n'
    )
    path.chmod(0o700)
    return str(path)
