"""A small OpenAI-compatible server on this machine, scripted, that remembers what it was asked."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(kw_only=True)
class Served:
    """What the server was asked, and where it is. `over` is set when the test ends."""

    url: str = ""
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)


Reply = Callable[[BaseHTTPRequestHandler, dict[str, Any], Served], None]


def said(text: str | None, *, reason: str = "stop", **more: Any) -> dict[str, Any]:
    """A chat's answer."""
    return {"choices": [{"index": 0, "finish_reason": reason, "message": {"content": text}, **more}]}


def sending(status: int, body: object, **headers: str) -> Reply:
    """A reply that is always the same."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()

    def reply(handler: BaseHTTPRequestHandler, _: dict[str, Any], __: Served) -> None:
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(raw)), **headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(raw)

    return reply


@contextlib.contextmanager
def serving(reply: Reply, *, host: str = "127.0.0.1") -> Iterator[Served]:
    """Serves until the block ends."""
    served = Served()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            asked = json.loads(self.rfile.read(length))
            served.asked.append((self.path, asked))
            with contextlib.suppress(OSError):  # the client may have left, which is what some tests want
                reply(self, asked, served)

        def log_message(self, *_: object) -> None:
            """Keeps quiet."""

    server = ThreadingHTTPServer((host, 0), Handler)
    served.url = f"http://{host}:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield served
    finally:
        served.over.set()
        server.shutdown()
        thread.join()
        server.server_close()
