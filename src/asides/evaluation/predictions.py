"""What a writer and the judge keep of each turn, and its form on disk."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from asides.model.entry import Framing, Source, Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicted:
    """One thing kept. `anchor` reads as in `asides list`: general, a path, `path::name`."""

    kind: str
    body: str
    standing: Standing
    score: float
    framing: Framing
    source: Source
    anchor: str = "general"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """Everything kept of one turn, in the order of the message."""

    id: str
    entries: tuple[Predicted, ...]


def live_only(predictions: Iterable[Prediction]) -> tuple[Prediction, ...]:
    """Returns the predictions without what is only proposed."""
    return tuple(
        replace(one, entries=tuple(e for e in one.entries if e.standing is Standing.LIVE))
        for one in predictions
    )


def write(path: Path, predictions: Iterable[Prediction]) -> None:
    """Writes one prediction a line: `id`, and of each entry `kind`, `body`, `standing` and more."""
    with path.open("wb") as file:
        for one in predictions:
            file.write(msgspec.json.encode(one) + b"\n")
