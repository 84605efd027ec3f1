"""Runs the git program so that the repository it looks at can run nothing."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from contextlib import suppress
from typing import IO

from asides.model.errors import Unavailable

SECONDS = 5.0  # after which git is killed (hazard B-007)
CHUNK = 1 << 16

# Configuration with which a repository could run a program, switched off where it comes last.
_HARMLESS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.sshCommand=false",
    "core.askPass=false",
    "core.pager=cat",
    "credential.helper=",
    "protocol.allow=never",
    "core.untrackedCache=false",
    "gc.auto=0",
)


class GitRefused(Unavailable):
    """git did not answer: {why}."""

    hint = "Entries are kept all the same; files are then found without git."


def output(
    arguments: list[str], folder: str, *, program: str = "git", limit: int, seconds: float = SECONDS
) -> bytes:
    """Returns what git prints in `folder`, cut at `limit` bytes.

    Raises GitRefused when it is missing, fails, or is not done after `seconds`; nothing it started survives.
    """
    options = [part for setting in _HARMLESS for part in ("-c", setting)]
    try:
        child = subprocess.Popen(
            [program, "--no-pager", *options, *arguments],
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise GitRefused(why=str(error)) from error
    assert child.stdout is not None
    try:
        with child.stdout as pipe:
            printed, cut = _read(pipe, limit, time.monotonic() + seconds)
        if cut:
            return printed
        code = child.wait(timeout=seconds)
    except (TimeoutError, subprocess.TimeoutExpired) as error:
        raise GitRefused(why=f"not done after {seconds:g} s") from error
    finally:
        _kill(child)
    if code != 0:
        raise GitRefused(why=f"exit code {code}")
    return printed


def _read(pipe: IO[bytes], limit: int, deadline: float) -> tuple[bytes, bool]:
    """Returns what came before the end or the limit, and whether it was cut there. Raises TimeoutError."""
    parts: list[bytes] = []
    size = 0
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while size < limit:
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise TimeoutError
            chunk = os.read(pipe.fileno(), CHUNK)
            if not chunk:
                return b"".join(parts), False
            parts.append(chunk)
            size += len(chunk)
    return b"".join(parts)[:limit], True


def _kill(child: subprocess.Popen[bytes]) -> None:
    """Kills a child that has not ended yet, with all it started, and collects it."""
    if child.returncode is not None:
        return
    with suppress(ProcessLookupError):  # the group is gone: nothing is left to kill
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def _environment() -> dict[str, str]:
    """Returns our environment without git's variables: they point git elsewhere or make it run things."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "SSH_ASKPASS"))}
    return kept | {
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "LC_ALL": "C",
        "ASIDES_INSIDE": "1",  # our hooks do nothing in what a child starts (hazard B-120)
    }
