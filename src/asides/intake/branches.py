"""Which branch of a conversation goes on, and which prompts it left behind.

Lines form a tree: a prompt that was taken back, or rewound past, stays in the transcript as a dead
branch. Whether it is dead shows only when a later line goes on from somewhere else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from asides.model.event import Answered, Line, Said

LINK_LIMIT = 4_000  # links kept for a session, 0.8 MB as measured; a parent further back counts as unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What a person said, and whether the conversation went on without it."""

    said: Said
    abandoned: bool


@dataclass(frozen=True, slots=True)
class _Link:
    parent: str | None
    said: bool
    answered: bool


class Branches:
    """The latest lines of one session and their parents, in bounded memory.

    Where the lines it kept do not prove that a statement was left behind, it says that it was not:
    a statement judged for nothing is a lesser harm than one never judged.
    """

    def __init__(self, *, limit: int = LINK_LIMIT) -> None:
        """Keeps at most `limit` links; the oldest are forgotten first."""
        self._limit = limit
        self._links: dict[str, _Link] = {}
        self._last: str | None = None
        self._spoken: str | None = None

    def __len__(self) -> int:
        """Returns how many links are kept."""
        return len(self._links)

    def __contains__(self, uuid: object) -> bool:
        """Tells whether a line is known and not forgotten yet."""
        return uuid in self._links

    def add(self, line: Line) -> None:
        """Takes the next line in. A uuid that is known keeps its first parent: forks repeat lines."""
        self._last = line.uuid
        if isinstance(line, Said | Answered):
            self._spoken = line.uuid
        if line.uuid in self._links:
            return
        self._links[line.uuid] = _Link(line.parent, isinstance(line, Said), isinstance(line, Answered))
        if len(self._links) > self._limit:
            del self._links[next(iter(self._links))]

    def left_behind(self, statement: str, *, head: str | None = None) -> bool:
        """Tells whether the conversation that ends in `head` went on without `statement`.

        Args:
            statement: uuid of a statement that was added.
            head: uuid of a later line. When not given, the last thing that was said or answered
                after the statement; if nothing was, the last line (a prompt was taken back, and
                only commands of the client followed).
        """
        start = self._links.get(statement)
        if head is None:
            head = self._last if self._spoken == statement else self._spoken
        if start is None or head is None:
            return False
        way = dict(self._upwards(head))
        if statement in way:
            return False
        # Where both ways meet, the conversation forked. Places in the file prove nothing: the oldest client
        # may write the end of a turn before the turn itself.
        if any(uuid in way for uuid, _ in self._upwards(start.parent)):
            return True
        top = way[next(reversed(way))] if way else None
        # A prompt at the very top, taken back, is replaced by another one without a parent. Any other
        # new root (a client that lost the thread) proves nothing against what was said and answered.
        replaced = top is not None and top.parent is None and top.said and start.parent is None
        return replaced and not self._is_answered(statement)

    def _upwards(self, uuid: str | None) -> Iterable[tuple[str, _Link]]:
        """Yields a line and its ancestors, as far as they are kept."""
        seen: set[str] = set()
        step = uuid
        while step is not None and step not in seen and (link := self._links.get(step)) is not None:
            seen.add(step)
            yield step, link
            step = link.parent

    def _is_answered(self, statement: str) -> bool:
        """Tells whether the agent answered the statement itself, before any other."""
        for uuid, link in self._links.items():
            if link.answered:
                said = next((above for above, found in self._upwards(uuid) if found.said), None)
                if said == statement:
                    return True
        return False


def statements(lines: Iterable[Line], branches: Branches) -> list[Statement]:
    """Returns what a person said in `lines`, in order, judged from where the lines end."""
    said: list[Said] = []
    for line in lines:
        branches.add(line)
        if isinstance(line, Said):
            said.append(line)
    return [Statement(said=each, abandoned=branches.left_behind(each.uuid)) for each in said]
