"""Which writers can be evaluated, by name: `encoder`, `encoder:FOLDER` for other weights, `llama:FILE`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from asides.model.entry import Framing, Kind
from asides.model.errors import Refused, WriterUnavailable
from asides.model.judgment import Writer
from asides.settings import Settings
from asides.writers.loading import chosen
from asides.writers.scripted import Scripted


class NoSuchWriter(Refused):
    """There is no writer {name}."""

    hint = "There are: {known}."


def load(name: str) -> Writer:
    """Returns the writer of a name; what stands after a colon tells it where to look.

    Raises NoSuchWriter, WriterUnavailable.
    """
    kind, _, where = name.partition(":")
    loader = WRITERS.get(kind)
    if loader is None:
        raise NoSuchWriter(name=name, known=", ".join(WRITERS))
    return loader(where)


def _encoder(where: str) -> Writer:
    # onnxruntime takes a third of a second to import.
    from asides.writers.encoder import WEIGHTS, Encoder

    return Encoder(Path(where) if where else WEIGHTS)


def _llama(where: str) -> Writer:
    """Reads a GGUF file; a slow machine should find what a fast one does, so it may take its time."""
    return chosen(Settings(writer="llama", writer_path=str(Path(where).absolute()), writer_seconds=600))


def _scripted(where: str) -> Writer:
    """Reads `{phrase: [kind, framing, score]}`; without a file it finds nothing."""
    if not where:
        return Scripted({})
    try:
        phrases = msgspec.json.decode(Path(where).read_bytes(), type=dict[str, tuple[Kind, Framing, float]])
    except (OSError, msgspec.DecodeError) as fault:
        raise WriterUnavailable(name="scripted", why=f"{where} holds no phrases ({fault})") from fault
    return Scripted(phrases)


WRITERS: dict[str, Callable[[str], Writer]] = {"encoder": _encoder, "llama": _llama, "scripted": _scripted}
