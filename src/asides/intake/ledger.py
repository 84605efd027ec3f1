"""The ledger: what was taken in, what is owed, what was judged. Speaks SQL, knows no rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from asides.db.connection import Cell, Database, open_database
from asides.db.migrate import load_migrations, migrate
from asides.db.queries import load_queries
from asides.model.event import HookEvent
from asides.model.health import Heartbeat
from asides.model.judgment import Judgment
from asides.model.turn import Project, ProjectId, SessionId, Turn, TurnId, Via


@dataclass(slots=True, kw_only=True)
class Session:
    """Where we are in one conversation; changed in place while its transcript is read."""

    id: SessionId
    agent: str
    project: ProjectId | None
    cwd: str
    transcript: str | None
    position: str | None
    transcript_state: str
    open_turn: TurnId | None
    prompt_id: str | None
    last_words: str
    due_at: str | None
    close_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A turn as the ledger holds it."""

    turn: Turn
    prompt_id: str | None
    state: str
    reason: str
    tries: int


class Ledger:
    """One SQLite file for all projects. Methods are single statements unless they say otherwise."""

    def __init__(self, path: Path) -> None:
        self.database: Database = open_database(path, durable=True)
        migrate(self.database, load_migrations("asides.intake"))
        self._sql = load_queries("asides.intake")

    def close(self) -> None:
        """Closes the file."""
        self.database.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Makes everything inside happen or not happen."""
        with self.database.transaction():
            yield

    def run(self, query: str, /, **values: Cell) -> int:
        """Executes the named statement; returns how many rows it changed."""
        return self.database.run(self._sql[query], values)

    def rows(self, query: str, /, *places: Cell, **values: Cell) -> list[tuple[Cell, ...]]:
        """Returns the rows of the named query."""
        return self.database.rows(self._sql[query], places or values)

    def one(self, query: str, /, *places: Cell, **values: Cell) -> tuple[Cell, ...] | None:
        """Returns the first row of the named query, or None."""
        found = self.rows(query, *places, **values)
        return found[0] if found else None

    # projects and sessions

    def know(self, project: Project, *, first_commit: str | None, mark: str | None, at: str) -> None:
        """Remembers a project, where it was last seen, what its history begins with, and its mark."""
        self.run(
            "put_project",
            id=project.id,
            root=project.root,
            git_dir=project.git_dir,
            name=project.name,
            first_commit=first_commit,
            mark=mark,
            at=at,
        )

    def project(self, project: ProjectId) -> Project | None:
        """Returns a project that was seen before."""
        row = self.one("project", project)
        return _project(row) if row else None

    def projects(self) -> list[Project]:
        """Returns every project, the one seen last first."""
        return [_project(row) for row in self.rows("projects")]

    def known(self) -> list[tuple[Project, str | None, str | None]]:
        """Returns every project with its first commit and its mark, the one seen last first."""
        return [(_project(row), _text(row[4]), _text(row[5])) for row in self.rows("projects")]

    def session(self, session: SessionId) -> Session | None:
        """Returns where we are in a conversation."""
        row = self.one("session", session)
        if row is None:
            return None
        return Session(**dict(zip(Session.__slots__, row, strict=True)))  # type: ignore[arg-type]

    def begin(self, session: SessionId, event: HookEvent, project: ProjectId | None, *, at: str) -> Session:
        """Returns the session of an event, made at its first; its project never changes after."""
        self.run(
            "put_session",
            id=session,
            agent=event.agent,
            project=project,
            cwd=event.cwd,
            transcript=event.transcript,
            at=at,
        )
        found = self.session(session)
        if found is None:
            raise AssertionError("a session that was just written is not there")
        return found

    def save(self, session: Session) -> None:
        """Stores the watermark and what is open."""
        self.run(
            "save_session",
            id=session.id,
            position=session.position,
            transcript_state=session.transcript_state,
            open_turn=session.open_turn,
            prompt_id=session.prompt_id,
            last_words=session.last_words,
            due_at=session.due_at,
            close_at=session.close_at,
        )

    # turns

    def turn(self, turn: TurnId) -> Kept | None:
        """Returns a turn with its state."""
        row = self.one("turn", turn)
        if row is None:
            return None
        id_, session, agent, project, via, said_at, message, previous, reply, following = row[:10]
        files, prompt_id, cwd, state, reason, tries = row[10:]
        return Kept(
            turn=Turn(
                id=TurnId(str(id_)),
                session=SessionId(str(session)),
                project=ProjectId(str(project)),
                agent=str(agent),
                via=Via(str(via)),
                said_at=str(said_at),
                message=str(message),
                previous=str(previous),
                reply=str(reply),
                following=str(following),
                files=tuple(msgspec.json.decode(str(files), type=list[str])),
                cwd=str(cwd),
            ),
            prompt_id=None if prompt_id is None else str(prompt_id),
            state=str(state),
            reason=str(reason),
            tries=int(str(tries)),
        )

    def judged(self, judgment: Judgment, *, at: str) -> None:
        """Moves a turn from owed to judged, with what was concluded; both or neither."""
        with self.transaction():
            self.run("set_state", id=judgment.turn.id, state="judged", reason=judgment.reason)
            self.run(
                "put_judgment",
                turn=judgment.turn.id,
                project=judgment.turn.project,
                at=at,
                writer=judgment.writer,
                reason=judgment.reason,
                kept=len(judgment.kept),
                inferences=judgment.inferences,
                seconds=judgment.seconds,
            )

    def beat(self, beat: Heartbeat) -> None:
        """Adds one heartbeat."""
        self.run(
            "beat",
            what=beat.what,
            at=beat.at,
            outcome=beat.outcome,
            event=beat.event,
            agent=beat.agent,
            session=beat.session,
            seconds=beat.seconds,
            reason=beat.reason,
        )


def _text(cell: Cell) -> str | None:
    return None if cell is None else str(cell)


def _project(row: Sequence[Cell]) -> Project:
    id_, root, git_dir, name = row[:4]
    return Project(
        id=ProjectId(str(id_)),
        root=str(root),
        git_dir=_text(git_dir),
        name=str(name),
    )
