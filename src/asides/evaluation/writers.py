"""Which writers can be evaluated: `encoder`, `encoder:FOLDER`, `llama:FILE`, `remote:ADDRESS#MODEL`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from asides.model.entry import Framing, Kind
from asides.model.errors import Refused, WriterUnavailable
from asides.model.judgment import Writer
from asides.settings import Settings, address_fault, loopback
from asides.writers.loading import chosen
from asides.writers.scripted import Scripted

SECONDS = 600  # for one answer; a slow machine should find what a fast one does, so it may take its time
UNNAMED = "default"  # the model of a server that has only one, and takes any name for it


class NoSuchWriter(Refused):
    """There is no writer {name}."""

    hint = "There are: {known}."


class NoAddress(Refused):
    """The writer cannot be asked: {why}."""

    hint = "Write it as remote:http://127.0.0.1:8080/v1#MODEL; `#MODEL` where the server has several."


class NotThisMachine(Refused):
    """{host} is not this machine, and the labelled turns would be sent there."""

    hint = "Serve the model on this machine, or let a tunnel end at 127.0.0.1."


def load(name: str) -> Writer:
    """Returns the writer of a name; what stands after a colon tells it where to look.

    Raises NoSuchWriter, NoAddress, NotThisMachine, WriterUnavailable.
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
    return chosen(Settings(writer="llama", writer_path=str(Path(where).absolute()), writer_seconds=SECONDS))


def _remote(where: str) -> Writer:
    """Asks a server on this machine, as the daemon does; another machine's is not taken here at all."""
    url, _, model = where.partition("#")
    if why := address_fault(url, named="the address"):
        raise NoAddress(why=why)
    host = urlsplit(url).hostname or ""
    if not loopback(host):
        raise NotThisMachine(host=host)
    return chosen(
        Settings(writer="remote", writer_url=url, writer_model=model or UNNAMED, writer_seconds=SECONDS)
    )


def _scripted(where: str) -> Writer:
    """Reads `{phrase: [kind, framing, score]}`; without a file it finds nothing."""
    if not where:
        return Scripted({})
    try:
        phrases = msgspec.json.decode(Path(where).read_bytes(), type=dict[str, tuple[Kind, Framing, float]])
    except (OSError, msgspec.DecodeError) as fault:
        raise WriterUnavailable(name="scripted", why=f"{where} holds no phrases ({fault})") from fault
    return Scripted(phrases)


WRITERS: dict[str, Callable[[str], Writer]] = {
    "encoder": _encoder,
    "llama": _llama,
    "remote": _remote,
    "scripted": _scripted,
}
