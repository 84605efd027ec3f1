"""A conversation as asides sees it: what a person said, what the agent answered."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

ProjectId = NewType("ProjectId", str)
SessionId = NewType("SessionId", str)
TurnId = NewType("TurnId", str)  # the uuid of the transcript line that holds the person's message

# Bounds on what one turn may carry, in characters. The largest real developer
# turn seen is under 4,000; pastes of 100 KB and more exist (hazards B-091, B-095).
MESSAGE_LIMIT = 200_000
REPLY_LIMIT = 8_000


class Via(StrEnum):
    """How a person's message reached the agent."""

    TYPED = "typed"
    QUEUED = "queued"  # typed while the agent worked
    SDK = "sdk"  # through -p or an SDK: a person, or a script
    UNPROVEN = "unproven"  # no transcript line vouches for it


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """One repository, whatever its worktrees; a folder without git by its canonical path."""

    id: ProjectId
    root: str  # the main checkout, or the folder
    git_dir: str | None  # the git common directory; None outside git
    name: str  # what a person calls it: the root's last part

    @property
    def key(self) -> str:
        """The absolute path that its prepared texts mirror: the git common directory, else the folder."""
        return self.git_dir or self.root


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A person's message with the visible reply to it, complete and redacted."""

    id: TurnId
    session: SessionId
    project: ProjectId
    agent: str  # "claude-code"
    via: Via
    said_at: str  # ISO 8601, UTC
    message: str
    previous: str = ""  # end of what the agent last said before the message
    reply: str = ""  # what the agent answered, visible text only
    following: str = ""  # the person's next message, when one closed the turn
    files: tuple[str, ...] = ()  # absolute paths that tools changed in between
    cwd: str = ""
    masked: tuple[tuple[int, int], ...] = field(
        default=()
    )  # spans of message that are not the person's own words
