"""Puts the hook where agents find it, and says how it is called."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

# What the hook may find missing only when someone removed it.
FOLDERS = ("hook", "hook/guard", "hook/cues", "spool", "given", "run", "ready", "ready/at")

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
        plain_python: an interpreter outside any virtual environment, for the guard and the cues.
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
    packages = (here / "__init__.py", *sorted(here.glob("guard/*.py")), *sorted(here.glob("cues/*.py")))
    for source in (*packages, here / "hook.sh"):
        wanted[state / "hook" / source.relative_to(here)] = source.read_bytes()
    return [path for path, content in wanted.items() if _renew(path, content)]


def arm(state: Path, *, mode: str, protected: Sequence[tuple[str, str]], names: Sequence[str]) -> list[Path]:
    """Returns the files it wrote so that the guard keeps these places, in this mode; `off` takes it away.

    Args:
        state: the state folder.
        mode: off, audit, ask or deny.
        protected: pairs of a glob (absolute or from `~/`) and what lies there, e.g. "memory".
        names: file names protected anywhere in the project.
    """
    if mode == "off":
        (state / "guard.json").unlink(missing_ok=True)
        (state / "guard.causes").unlink(missing_ok=True)
        return []
    guard = {
        "mode": mode,
        "protected": [{"glob": glob, "what": what} for glob, what in protected],
        "names": list(names),
    }
    causes = sorted({_telling(text) for text in (*names, *(glob for glob, _ in protected))} - {""})
    wanted = {
        # First, so that no place is protected that the hook does not look for.
        state / "guard.causes": "".join(f"{cause}\n" for cause in causes),
        state / "guard.json": json.dumps(guard, indent=2) + "\n",
    }
    return [path for path, content in wanted.items() if _renew(path, content.encode())]


def _telling(glob: str) -> str:
    """Returns the last part of a glob without wildcards, as a pattern for `grep`."""
    part = next((part for part in reversed(glob.split("/")) if part and not set(part) & set("*?")), "")
    return "".join(f"[{char}]" if char in ".[]*" else char for char in part if char not in "^$\\")


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
