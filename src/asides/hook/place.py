"""Puts the hook where agents find it, and says how it is called."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

# What the hook may find missing only when someone removed it.
FOLDERS = ("hook", "hook/guard", "spool", "given", "run", "ready", "ready/at")

# The script is never named as a command: a missing script makes an interpreter leave with 2 or
# 127, and agents take either for an order to refuse the prompt or the tool.
CALL = 'trap "exit 0" 0; [ -r "$0" ] && . "$0"; exit 0'


def registered(state: Path, agent: str, event: str) -> list[str]:
    """Returns the command to register with an agent for one event, in exec form.

    Args:
        state: the state folder, absolute.
        agent: an agent's name as in `claude-code`.
        event: the agent's own name of the event.
    """
    return ["/bin/sh", "-c", CALL, str(state / "hook" / "hook.sh"), agent, event]


def place(state: Path, *, plain_python: str, daemon_python: str) -> list[Path]:
    """Returns the files it wrote so that `state` holds the hook of this version.

    A file that already has its content is left alone, so that repeating it writes nothing. Each
    file changes in one step: a hook that runs meanwhile reads the old or the new one.

    Args:
        state: the state folder; it is made, with its folders, where it is missing.
        plain_python: an interpreter outside any virtual environment, for the guard.
        daemon_python: the interpreter that has asides installed.

    Raises:
        ValueError: an interpreter's path cannot stand on one line.
        OSError: the folder cannot be written.
    """
    for name in ("", *FOLDERS):
        (state / name).mkdir(mode=0o700, parents=True, exist_ok=True)
    here = Path(__file__).parent
    wanted = {
        state / "hook" / "interpreters": _interpreters(plain_python=plain_python, daemon_python=daemon_python)
    }
    for source in (*sorted((here / "guard").glob("*.py")), here / "hook.sh"):
        wanted[state / "hook" / source.relative_to(here)] = source.read_bytes()
    return [path for path, content in wanted.items() if _renew(path, content)]


def _interpreters(**paths: str) -> bytes:
    lines = []
    for name, path in paths.items():
        if path != path.strip() or "\n" in path:
            raise ValueError(f"{name} cannot be written on one line: {path!r}")
        lines.append(f"{name} {path}\n")
    return os.fsencode("".join(lines))


def _renew(path: Path, content: bytes) -> bool:
    """Returns whether `path` had to be written to hold `content`."""
    if path.is_file() and path.read_bytes() == content:
        return False
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    return True
