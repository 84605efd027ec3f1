"""A writer that may take minutes, while the daemon goes on answering who asks for it.

A daemon that answers nobody for nine seconds is held for deaf and ended by the next session that begins
(`start`). The bundled writer never takes so long; a language model, or a server that has one, does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from asides.model.anchor import Anchor
from asides.model.entry import Entry
from asides.model.errors import Unavailable
from asides.model.judgment import Draft, Proposal, Relation, Writer
from asides.writers.further import Further
from asides.writers.passing import Passing

T = TypeVar("T")
Told = Callable[[str], None]

PULSE = 0.1  # seconds between two looks at who asks


class Leaving(Unavailable):
    """The daemon was told to leave before the writer had finished."""

    hint = "The turn stays queued and is judged by the next daemon."


class Patient(Passing):
    """A `Writer` that is loaded and asked on a thread of its own, one thing at a time.

    `load` is given whom to tell of refused answers. Until it or an answer is there, `meanwhile` is called
    over and over, on the thread that waits; what it raises is raised at once, and the answer is left alone.
    `told` is called on the thread that waits, too: what keeps records belongs to it.
    """

    def __init__(self, load: Callable[[Told], Writer], *, meanwhile: Callable[[], None], told: Told) -> None:
        self._meanwhile = meanwhile
        self._told = told
        self._heard: list[str] = []
        super().__init__(self._waited(lambda: load(self._heard.append)))

    def salience(self, message: str, previous: str) -> tuple[Proposal, ...]:
        """Returns what the other writer proposes. Raises what it raises, and what `meanwhile` does."""
        return self._asked(lambda: super(Patient, self).salience(message, previous))

    @property
    def further(self) -> Further | None:
        """Who answers further questions, waited for in the same way."""
        other = super().further
        return _Waiting(other, self._asked) if other else None

    def _asked(self, work: Callable[[], T]) -> T:
        try:
            return self._waited(work)
        finally:
            while self._heard:
                self._told(self._heard.pop(0))

    def _waited(self, work: Callable[[], T]) -> T:
        done = threading.Event()
        came: list[T] = []
        broke: list[BaseException] = []

        def run() -> None:
            try:
                came.append(work())
            except BaseException as error:  # it is raised again where somebody waits for it
                broke.append(error)
            finally:
                done.set()

        # A daemon that leaves does not wait for what a server may still be doing.
        threading.Thread(target=run, daemon=True).start()
        while not done.wait(PULSE):
            self._meanwhile()
        if broke:
            raise broke[0]
        return came[0]


class _Waits(Protocol):
    """Does work elsewhere and returns what came of it."""

    def __call__(self, work: Callable[[], T]) -> T: ...


class _Waiting(Further):
    """Asks further questions where the first was asked."""

    def __init__(self, other: Further, asked: _Waits) -> None:
        self._other = other
        self._asked = asked

    def places(self, drafts: Sequence[Draft], offered: Sequence[Anchor]) -> tuple[Anchor, ...] | None:
        return self._asked(lambda: self._other.places(drafts, offered))

    def relation(self, draft: Draft, standing: Sequence[Entry]) -> Relation | None:
        return self._asked(lambda: self._other.relation(draft, standing))
