"""Makes the agent a reader: what it may not write, as places and as permission rules."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

INSTRUCTION_NAMES = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md")


class Mode(StrEnum):
    """How firmly the agent is kept from writing its memory and instruction files."""

    OFF = "off"
    AUDIT = "audit"  # record what it wrote
    ASK = "ask"  # the person decides each time
    DENY = "deny"


@dataclass(frozen=True, slots=True, kw_only=True)
class Protected:
    """Files the agent may read and not write; `what` is `memory` or `instructions`."""

    glob: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Permission rules for the client's settings; at most one of both is filled."""

    deny: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()


def protected(*, config: Path, home: Path, memory_directory: str | None = None) -> tuple[Protected, ...]:
    """Returns the files to protect, as absolute globs.

    config: the client's folder, `~/.claude` or `$CLAUDE_CONFIG_DIR`.
    memory_directory: the setting `autoMemoryDirectory`, which moves the memory; absolute or `~/`.
    """
    found = [Protected(glob=f"{config}/projects/*/memory/**", what="memory")]
    if memory_directory and (moved := _expanded(memory_directory, home)):
        found.append(Protected(glob=f"{moved}/**", what="memory"))
    found.append(Protected(glob=f"{config}/CLAUDE.md", what="instructions"))
    found.append(Protected(glob="/**/.claude/rules/**", what="instructions"))
    if config.name != ".claude":
        found.append(Protected(glob=f"{config}/rules/**", what="instructions"))
    return tuple(found)


def rules(mode: Mode, *, config: Path, home: Path, memory_directory: str | None = None) -> Rules:
    """Returns the permission rules of a mode; none when it is off or audits.

    `Edit(...)` rules govern Write and the shell forms the client understands as well; `Write(...)`
    rules match no file checks. Names are given from the root: `**/CLAUDE.md` leaves the files of
    the folders above the working directory open, `//**/CLAUDE.md` does not (both clients, checked
    with permissions skipped).
    """
    places = protected(config=config, home=home, memory_directory=memory_directory)
    all_rules = [f"Edit({_from_home(place.glob, home)})" for place in places]
    all_rules += [f"Edit(//**/{name})" for name in INSTRUCTION_NAMES]
    match mode:
        case Mode.OFF | Mode.AUDIT:
            return Rules()
        case Mode.ASK:
            return Rules(ask=tuple(all_rules))
        case Mode.DENY:
            return Rules(deny=tuple(all_rules))


def _expanded(directory: str, home: Path) -> str | None:
    """Returns an absolute path as the client understands the setting; None where it ignores it."""
    if directory.startswith("~/"):
        return str(home / directory[2:]).rstrip("/")
    return directory.rstrip("/") if directory.startswith("/") else None


def _from_home(path: str, home: Path) -> str:
    inside = path.removeprefix(f"{home}/")
    return f"~/{inside}" if inside != path else f"/{path}"
