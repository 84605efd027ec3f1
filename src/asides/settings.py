"""The person's settings: a TOML file, comments kept; every key has a default."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args

import tomlkit
from tomlkit.exceptions import TOMLKitError

from asides.model.errors import Refused
from asides.paths import write_whole

GuardMode = Literal["off", "audit", "ask", "deny"]


class BadSettings(Refused):
    """{path}: {why}."""

    hint = "Mend the file, or delete the line; the default is used then."


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a person may choose. Times in seconds."""

    guard: GuardMode = "deny"  # the agent's own memory and instruction files
    idle_exit: int = 1800  # the daemon leaves after so long without work
    sweep_after: int = 1800  # a turn left open so long is closed by the sweep
    live_threshold: float | None = None  # None: the writer's own
    floor: float | None = None  # None: the writer's own


def load(path: Path) -> Settings:
    """Returns the settings in `path`; all defaults when there is none.

    Raises BadSettings when the file is not TOML, or a key or value is not known.
    """
    if not path.exists():
        return Settings()
    try:
        table: dict[str, Any] = tomlkit.parse(path.read_text("utf-8")).unwrap()
    except (TOMLKitError, UnicodeDecodeError, OSError) as error:
        raise BadSettings(path=path, why=str(error)) from error
    known = {field.name for field in fields(Settings)}
    for key, value in table.items():
        if key not in known:
            raise BadSettings(path=path, why=f"{key!r} is no setting; there are {', '.join(sorted(known))}")
        _check(path, key, value)
    return Settings(**table)


def usable(path: Path) -> Settings:
    """Returns the settings in `path`, or all defaults where they cannot be read; `fault` says why."""
    return Settings() if fault(path) else load(path)


def fault(path: Path) -> str:
    """Returns what is wrong with the settings in `path`, as a sentence; empty when they can be read."""
    try:
        load(path)
    except BadSettings as error:
        return error.sentence
    return ""


def _check(path: Path, key: str, value: object) -> None:
    if key == "guard":
        if value not in get_args(GuardMode):
            raise BadSettings(
                path=path, why=f"guard is {value!r}; it may be {', '.join(get_args(GuardMode))}"
            )
    elif key in ("idle_exit", "sweep_after"):
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise BadSettings(
                path=path, why=f"{key} is {value!r}; it must be a whole number of seconds above 0"
            )
    elif not isinstance(value, float | int) or isinstance(value, bool) or not 0 <= value <= 1:
        raise BadSettings(path=path, why=f"{key} is {value!r}; it must be between 0 and 1")


def remember(path: Path, key: str, value: object) -> None:
    """Writes one setting into the file, whole or not at all, keeping comments and order."""
    document = tomlkit.parse(path.read_text("utf-8")) if path.exists() else tomlkit.document()
    document[key] = value
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_whole(path, tomlkit.dumps(document).encode())
