"""The daemon's socket: one JSON line in, one JSON line out. Only an answer with the nonce counts."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from asides.daemon import marks
from asides.daemon.marks import Mark
from asides.model.errors import Broken, DaemonNotRunning

LINE_LIMIT = 65_536
ANSWER_WITHIN = 3.0  # seconds; the bundled writer holds the daemon for about one, others not at all
QUEUE = 128  # clients that may wait; who asked and went on stays in it until the daemon comes to them
QUEUE_AGAIN = 0.05  # seconds


class Question(msgspec.Struct, frozen=True):
    """What a client asks: hello, settle (work off everything that is due) or stop."""

    ask: str


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the daemon answers. `owed` counts turns that wait to be judged."""

    nonce: str
    version: str
    pid: int
    owed: int = 0
    spooled: int = 0
    pending: bool = False  # a session will be read on soon
    writer: str = ""
    error: str = ""


def listen(path: Path) -> socket.socket:
    """Returns a listening socket that only its owner can reach; a stale one is taken away.

    Raises Broken when the folder belongs to somebody else.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    status = path.parent.stat()
    if status.st_uid != os.getuid() or stat.S_IMODE(status.st_mode) & 0o077:
        raise Broken(what=str(path.parent), why="it is open to other users, so no socket is put there")
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.bind(str(path))
    path.chmod(0o600)
    server.listen(QUEUE)
    server.setblocking(False)
    return server


def serve_one(server: socket.socket, respond: Callable[[Question], Answer]) -> None:
    """Takes one waiting client, answers it and hangs up; a client that says nonsense gets nothing."""
    try:
        client, _ = server.accept()
    except BlockingIOError:
        return
    with client:
        client.settimeout(0.5)
        try:
            question = msgspec.json.decode(_line(client), type=Question)
            client.sendall(msgspec.json.encode(respond(question)) + b"\n")
        except (OSError, msgspec.DecodeError):
            return


def ask(run: Path, what: str, *, patience: float = ANSWER_WITHIN) -> Answer:
    """Returns the daemon's answer.

    `patience` in seconds bounds each wait. Raises DaemonNotRunning when nothing answers, or something
    answers without the nonce that the daemon left on disk.
    """
    mark = marks.read(run)
    if mark is None:
        raise DaemonNotRunning(socket=run)
    client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    client.settimeout(patience)
    try:
        with client:
            _connect(client, mark.socket, patience)
            client.sendall(msgspec.json.encode(Question(what)) + b"\n")
            answer = msgspec.json.decode(_line(client), type=Answer)
    except (OSError, msgspec.DecodeError) as error:
        raise DaemonNotRunning(socket=mark.socket) from error
    if answer.nonce != mark.nonce:
        raise DaemonNotRunning(socket=mark.socket)
    return answer


def _connect(client: socket.socket, path: str, patience: float) -> None:
    """Connects within `patience` seconds. A full queue means a busy daemon, not one that is away."""
    deadline = time.monotonic() + patience
    while True:
        try:
            client.connect(path)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(QUEUE_AGAIN)
        else:
            return


def answering(run: Path) -> tuple[Mark, Answer] | None:
    """Returns the daemon that answers now with its own nonce, or None."""
    mark = marks.read(run)
    if mark is None:
        return None
    try:
        return mark, ask(run, "hello")
    except DaemonNotRunning:
        return None


def _line(connection: socket.socket) -> bytes:
    received = bytearray()
    while b"\n" not in received and len(received) < LINE_LIMIT:
        piece = connection.recv(4096)
        if not piece:
            break
        received += piece
    return bytes(received)
