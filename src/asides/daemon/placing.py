"""What the words of an entry are about in a checkout: for what a person writes by hand."""

from __future__ import annotations

from pathlib import Path

from asides.code.declaring import declaring
from asides.code.git import checkout
from asides.daemon.projects import Projects
from asides.judge.anchoring import anchor
from asides.model.anchor import Anchor
from asides.model.entry import Framing, Source
from asides.model.judgment import Draft, Packet
from asides.model.turn import Project, SessionId, Turn, TurnId, Via


def place(body: str, *, project: Project, folder: Path, projects: Projects) -> Anchor:
    """Returns what an entry of these words is about where a person stands, as if it were said there."""
    root = checkout(str(folder)) or project.root
    tracked = projects.tracked(root)
    turn = Turn(
        id=TurnId(""),
        session=SessionId(""),
        project=project.id,
        agent="",
        via=Via.TYPED,
        said_at="",
        message=body,
        cwd=str(folder),
    )
    draft = Draft(
        body=body,
        start=0,
        end=len(body),
        kind="",
        framing=Framing.EXPLICIT,
        source=Source.HUMAN,
        score=1.0,
    )
    found, _ = anchor(
        draft,
        Packet(turn=turn, tracked=tracked),
        root=root,
        declared=lambda names, first: declaring(root, names, tracked=tracked, first=first),
    )
    return found
