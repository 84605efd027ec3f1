"""Where files live: the only reader of places in the environment.

`ASIDES_HOME` moves everything at once (tests rely on it). Folders are 0700, files 0600.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from asides.model.turn import ProjectId

# A unix socket's path may hold 107 bytes on Linux and 103 on macOS.
SOCKET_PATH_LIMIT = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Every folder and file that asides uses, as absolute paths."""

    config: Path
    data: Path
    state: Path
    cache: Path

    @property
    def settings(self) -> Path:
        """The person's settings, TOML."""
        return self.config / "settings.toml"

    @property
    def projects(self) -> Path:
        """One folder for each project."""
        return self.data / "projects"

    def store(self, project: ProjectId) -> Path:
        """The one database of a project."""
        return self.projects / project / "memory.db"

    @property
    def ledger(self) -> Path:
        """Jobs, watermarks, judgments, heartbeats."""
        return self.state / "writer.db"

    @property
    def spool(self) -> Path:
        """Hook runs that were not taken in yet."""
        return self.state / "spool"

    @property
    def ready(self) -> Path:
        """Prepared texts."""
        return self.state / "ready"

    @property
    def given(self) -> Path:
        """Which version each session was given."""
        return self.state / "given"

    @property
    def guard(self) -> Path:
        """What the agent may not write."""
        return self.state / "guard.json"

    @property
    def run(self) -> Path:
        """The daemon's own marks."""
        return self.state / "run"

    @property
    def logs(self) -> Path:
        """Logs of the daemon."""
        return self.state / "logs"

    @property
    def socket(self) -> Path:
        """The daemon's socket; in a short private folder when the natural path is too long."""
        natural = self.run / "socket"
        if len(os.fsencode(natural)) <= SOCKET_PATH_LIMIT:
            return natural
        digest = hashlib.blake2s(os.fsencode(natural), digest_size=8).hexdigest()
        return Path(tempfile.gettempdir()) / f"asides-{digest}" / "socket"


def places(home: str | None = None) -> Places:
    """Returns the places for `home`, else for `ASIDES_HOME`, else the platform's own."""
    root = home or os.environ.get("ASIDES_HOME")
    if root:
        base = Path(root).expanduser().absolute()
        return Places(config=base / "config", data=base / "data", state=base / "state", cache=base / "cache")
    dirs = platformdirs.PlatformDirs("asides", appauthor=False)
    return Places(
        config=dirs.user_config_path,
        data=dirs.user_data_path,
        state=dirs.user_state_path,
        cache=dirs.user_cache_path,
    )


def private_folder(path: Path) -> Path:
    """Makes a folder that only its owner may enter, with its parents; returns it."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    return path


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file whole or not at all, readable by its owner only. The folder must be there."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def agent_config() -> Path:
    """Returns Claude Code's configuration folder: `CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    named = os.environ.get("CLAUDE_CONFIG_DIR")
    return Path(named).expanduser().absolute() if named else Path.home() / ".claude"


def silenced() -> bool:
    """Returns whether the mark for children of the daemon is set where it should not be (hazard B-126)."""
    return bool(os.environ.get("ASIDES_INSIDE"))
