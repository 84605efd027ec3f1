"""What some writers can be asked besides what to keep: which place it is about, how it stands to the rest.

The bundled writer cannot be asked, so rules alone decide there. One that can has `further` besides what every
`Writer` has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from asides.model.anchor import Anchor
from asides.model.entry import Entry
from asides.model.judgment import Draft, Relation, Writer


class Further(Protocol):
    """The second and the third question. Handed values only; raises what `Writer.salience` of it raises."""

    def places(self, drafts: Sequence[Draft], offered: Sequence[Anchor]) -> tuple[Anchor, ...] | None:
        """Returns what each draft is about: one of the places, or General; None for an unusable answer."""
        ...

    def relation(self, draft: Draft, standing: Sequence[Entry]) -> Relation | None:
        """Returns how a draft stands to these entries, the likeliest first; None for an unusable answer.

        Its likeness is not measured: it is 1.0, the writer's word.
        """
        ...


@runtime_checkable
class Inquirable(Protocol):
    """A writer that may have answers to further questions."""

    @property
    def further(self) -> Further | None:
        """Who answers them; None where nobody does."""
        ...


def further(writer: Writer) -> Further | None:
    """Returns who answers the further questions of a writer; None where it cannot be asked any."""
    return writer.further if isinstance(writer, Inquirable) else None
