"""A scripted stand-in for the Anthropic Messages API, for driving a real client.

It listens on loopback only, answers from a script and keeps every request, so that a test can assert on
what the client put in front of the model.

A script:

    {"turns": [{"match": "text to look for in a user message", "steps": [STEP, STEP, ...]}],
     "default": STEP}                     # answered when no turn matches; "OK." unless given

A STEP is one of

    "plain text"
    [BLOCK, ...]                          # text and tool_use blocks (ids are filled in)
    {"blocks": [...], "hold": "NAME", "usage": {...}}   # answered once the test lets NAME go

The answer follows from the request alone, never from what was asked before: the newest user message in which
a turn's "match" occurs decides the turn (of several the one that stands last), and the assistant messages
after it decide the step. So retries, parallel sub-agents and resumed sessions need no bookkeeping.
"""

import itertools
import json
import threading
import time
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SECRET_HEADERS = {"x-api-key", "authorization", "cookie"}
HELD_AT_MOST = 60.0  # seconds, so that a test that fails before it lets go still ends


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request as the client sent it; `body` is None where there was none."""

    method: str
    path: str
    headers: dict
    body: dict | None

    @property
    def is_messages(self):
        """Whether a model was asked for an answer."""
        return self.method == "POST" and self.path.split("?")[0] == "/v1/messages"


class FakeApi:
    """Answers from `script`; `log_path`, if given, gets each request as one line of JSON too."""

    def __init__(self, script, log_path=None):
        self.script = script
        self.requests = []
        self._log_path = log_path
        self._arrived = threading.Condition()
        self._ids = itertools.count(1)
        self._holds = defaultdict(threading.Event)

    def wait_for(self, wanted, *, seconds=60.0, since=0):
        """Returns the first request from `since` on for which `wanted` is true; fails when none comes."""
        deadline = time.monotonic() + seconds
        with self._arrived:
            while True:
                for request in self.requests[since:]:
                    if wanted(request):
                        return request
                left = deadline - time.monotonic()
                if left <= 0:
                    raise AssertionError(f"no such request within {seconds} s")
                self._arrived.wait(left)

    def let_go(self, name):
        """Lets the steps that hold for `name` be answered."""
        self._holds[name].set()

    def let_everything_go(self):
        """Ends every hold, so that no thread waits on."""
        for held in list(self._holds.values()):
            held.set()

    def note(self, request):
        with self._arrived:
            self.requests.append(request)
            if self._log_path:
                entry = {"method": request.method, "path": request.path, "headers": request.headers}
                with Path(self._log_path).open("a", encoding="utf-8") as log:
                    log.write(json.dumps({**entry, "body": request.body}, ensure_ascii=False) + "\n")
            self._arrived.notify_all()

    def new_id(self, prefix):
        return f"{prefix}_fake{next(self._ids):06d}"

    def answer(self, body):
        """Returns the message that answers one request body."""
        step = _normal(choose_step(self.script, body))
        if "hold" in step:
            self._holds[step["hold"]].wait(HELD_AT_MOST)
        blocks = [dict(block) for block in step["blocks"]]
        for block in blocks:
            if block["type"] == "tool_use":
                block.setdefault("id", self.new_id("toolu"))
                block.setdefault("input", {})
        wants_tool = any(block["type"] == "tool_use" for block in blocks)
        counted = {
            "input_tokens": 100,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": 20,
        }
        return {
            "id": self.new_id("msg"),
            "type": "message",
            "role": "assistant",
            "model": body.get("model", "fake-model"),
            "content": blocks,
            "stop_reason": "tool_use" if wants_tool else "end_turn",
            "stop_sequence": None,
            "usage": {**counted, **step.get("usage", {})},
        }


def message_text(message):
    """Returns the text blocks of a message, joined; tool results are left out."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    blocks = [block for block in content or [] if isinstance(block, dict)]
    return "\n".join(block.get("text", "") for block in blocks if block.get("type") == "text")


def choose_step(script, body):
    """Returns the script's step for one request body (see the module's docstring)."""
    later_assistants = 0
    for message in reversed(body.get("messages") or []):
        if message.get("role") == "assistant":
            later_assistants += 1
        if message.get("role") != "user":
            continue  # some clients also put "system" messages in the list
        text = message_text(message)
        found = [(text.rfind(t["match"]), t) for t in script.get("turns", []) if t["match"] in text]
        if found:
            steps = max(found, key=lambda each: each[0])[1]["steps"]
            return steps[min(later_assistants, len(steps) - 1)]
    return script.get("default", "OK.")


def _normal(step):
    """Returns any form of a step as one with a list of blocks."""
    whole = dict(step) if isinstance(step, dict) else {"blocks": step}
    blocks = whole.get("blocks", [])
    blocks = [blocks] if isinstance(blocks, str) else blocks
    whole["blocks"] = [{"type": "text", "text": b} if isinstance(b, str) else b for b in blocks]
    return whole


def stream_events(message):
    """Yields the server-sent events of one streamed message."""
    usage = {**message["usage"], "output_tokens": 1}
    yield {
        "type": "message_start",
        "message": {**message, "content": [], "stop_reason": None, "usage": usage},
    }
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            start = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        else:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield {"type": "content_block_start", "index": index, "content_block": start}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": message["stop_reason"], "stop_sequence": None},
        "usage": message["usage"],
    }
    yield {"type": "message_stop"}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    api = None  # set in the class that `serve` makes

    def log_message(self, *args):
        """Says nothing on stderr."""

    def handle(self):
        with suppress(ConnectionError):  # the client gave up on this request: an interrupted turn
            super().handle()

    def do_HEAD(self):
        self._note(None)
        self._send(200, {}, head_only=True)

    def do_GET(self):
        self._note(None)
        if self.path.startswith("/v1/models"):
            self._send(200, {"data": [], "has_more": False})
        else:
            self._not_scripted()

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            body = json.loads(raw)
        except ValueError:
            body = {"unparsed": raw.decode("utf-8", "replace")}
        self._note(body)
        path = self.path.split("?")[0]
        if path == "/v1/messages/count_tokens":
            self._send(200, {"input_tokens": max(1, len(raw) // 4)})
        elif path != "/v1/messages":
            self._not_scripted()
        elif body.get("stream"):
            self._stream(self.api.answer(body))
        else:
            self._send(200, self.api.answer(body))

    def _note(self, body):
        headers = {
            key.lower(): "<redacted>" if key.lower() in SECRET_HEADERS else value
            for key, value in self.headers.items()
        }
        self.api.note(Request(method=self.command, path=self.path, headers=headers, body=body))

    def _not_scripted(self):
        error = {"type": "not_found_error", "message": "not scripted"}
        self._send(404, {"type": "error", "error": error})

    def _send(self, status, payload, *, head_only=False):
        content = json.dumps(payload).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.send_header("request-id", self.api.new_id("req"))
        self.end_headers()
        if not head_only:
            self.wfile.write(content)

    def _stream(self, message):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("cache-control", "no-cache")
        self.send_header("connection", "close")
        self.send_header("request-id", self.api.new_id("req"))
        self.end_headers()
        self.close_connection = True
        for event in stream_events(message):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
            self.wfile.flush()


def serve(script, port=0, log_path=None):
    """Starts in a background thread; returns (server, base URL). `server.api` holds the requests.

    Call `server.api.let_everything_go()`, `server.shutdown()` and `server.server_close()` at the end.
    """
    api = FakeApi(script, log_path)
    server = ThreadingHTTPServer(("127.0.0.1", port), type("Handler", (_Handler,), {"api": api}))
    server.daemon_threads = True
    server.api = api
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}"
