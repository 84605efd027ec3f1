#!/usr/bin/env python3
"""A scripted stand-in for the Anthropic Messages API, for driving a real client.

It listens on loopback only, answers from a JSON script and writes every request
to a JSONL log, so a test can assert on what the client put in front of the model.
Standard library only.

    python3 fake_messages_api.py --script scripts/edits.json --log /tmp/requests.jsonl
    # prints: listening on http://127.0.0.1:PORT

Script format
-------------
{
  "vars":  {"NAME": "value"},           # optional; ${NAME} is replaced in every string
  "turns": [
    {"match": "text to look for in a user message",
     "model": "optional substring of the model name",
     "steps": [STEP, STEP, ...]}
  ],
  "default": STEP                       # optional, answered when no turn matches
}

STEP is one of
  "plain text"
  [BLOCK, ...]                          # text and tool_use blocks (ids are filled in)
  {"blocks": [...], "delay": 0.5, "usage": {"input_tokens": 9}, "stop_reason": "..."}
  {"http_error": 529, "type": "overloaded_error", "message": "..."}

The reply is a function of the request alone, never of server state: the server
walks the messages backwards to the newest user message that a turn's "match"
occurs in (the latest occurrence wins), counts the assistant messages after it,
and answers with that step. So retries, parallel sub-agents and resumed sessions need no bookkeeping.
"""

import argparse
import contextlib
import itertools
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET_HEADERS = {"x-api-key", "authorization", "cookie"}


def message_text(message):
    """The text blocks of a message, joined; tool results are left out."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(
        block.get("text", "")
        for block in content or []
        if isinstance(block, dict) and block.get("type") == "text"
    )


def choose_step(script, body):
    """The script's answer to one request body (see the module's docstring)."""
    messages = body.get("messages") or []
    later_assistants = 0
    for message in reversed(messages):
        if message.get("role") == "assistant":
            later_assistants += 1
            continue
        if message.get("role") != "user":
            continue  # some clients also put "system" messages in the list
        text = message_text(message)
        candidates = [
            (text.rfind(turn["match"]), turn)
            for turn in script.get("turns", [])
            if turn["match"] in text and turn.get("model", "") in (body.get("model") or "")
        ]
        if candidates:
            steps = max(candidates, key=lambda candidate: candidate[0])[1]["steps"]
            return steps[min(later_assistants, len(steps) - 1)]
    return script.get("default", "OK.")


def substitute(value, variables):
    if isinstance(value, str):
        for name, replacement in variables.items():
            value = value.replace(f"${{{name}}}", replacement)
        return value
    if isinstance(value, list):
        return [substitute(item, variables) for item in value]
    if isinstance(value, dict):
        return {key: substitute(item, variables) for key, item in value.items()}
    return value


def normalise(step):
    """Every STEP form as a dict with blocks, delay, usage and stop_reason."""
    if isinstance(step, dict) and ("blocks" in step or "http_error" in step):
        step = dict(step)
    else:
        step = {"blocks": step}
    blocks = step.get("blocks", [])
    if isinstance(blocks, str):
        blocks = [blocks]
    step["blocks"] = [
        {"type": "text", "text": block} if isinstance(block, str) else dict(block) for block in blocks
    ]
    return step


class FakeApi:
    def __init__(self, script, log_path=None, variables=None):
        merged = dict(script.get("vars", {}))
        merged.update(variables or {})
        self.script = substitute(script, merged)
        self.log_path = log_path
        self.lock = threading.Lock()
        self.ids = itertools.count(1)

    def new_id(self, prefix):
        with self.lock:
            return f"{prefix}_fake{next(self.ids):06}"

    def record(self, entry):
        if not self.log_path:
            return
        with self.lock, open(self.log_path, "a", encoding="utf-8") as log:
            log.write(json.dumps(entry, ensure_ascii=False) + "\n")

    def message(self, body):
        step = normalise(choose_step(self.script, body))
        if "http_error" in step:
            return step, None
        blocks = []
        for block in step["blocks"]:
            if block["type"] == "tool_use":
                block.setdefault("id", self.new_id("toolu"))
                block.setdefault("input", {})
            blocks.append(block)
        wants_tool = any(block["type"] == "tool_use" for block in blocks)
        usage = {
            "input_tokens": 100,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": 20,
        }
        usage.update(step.get("usage", {}))
        return step, {
            "id": self.new_id("msg"),
            "type": "message",
            "role": "assistant",
            "model": body.get("model", "fake-model"),
            "content": blocks,
            "stop_reason": step.get("stop_reason") or ("tool_use" if wants_tool else "end_turn"),
            "stop_sequence": None,
            "usage": usage,
        }


def stream_events(message):
    """The server-sent events of one streamed message."""
    head = dict(message, content=[], stop_reason=None)
    head["usage"] = dict(message["usage"], output_tokens=1)
    yield {"type": "message_start", "message": head}
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            start = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        else:
            start = dict(block, input={})
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


def make_handler(api):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args):
            pass

        def handle(self):
            # The client gives up on a request when its turn is interrupted.
            with contextlib.suppress(ConnectionError):
                super().handle()

        def send_json(self, status, payload, head_only=False):
            data = json.dumps(payload).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.send_header("request-id", api.new_id("req"))
            self.end_headers()
            if not head_only:
                self.wfile.write(data)

        def note(self, body):
            api.record(
                {
                    "time": time.time(),
                    "method": self.command,
                    "path": self.path,
                    "headers": {
                        key.lower(): "<redacted>" if key.lower() in SECRET_HEADERS else value
                        for key, value in self.headers.items()
                    },
                    "body": body,
                }
            )

        def do_HEAD(self):
            self.note(None)
            self.send_json(200, {}, head_only=True)

        def do_GET(self):
            self.note(None)
            if self.path.startswith("/v1/models"):
                self.send_json(200, {"data": [], "has_more": False})
            else:
                self.send_json(
                    404, {"type": "error", "error": {"type": "not_found_error", "message": "not scripted"}}
                )

        def do_POST(self):
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            try:
                body = json.loads(raw)
            except ValueError:
                body = {"unparsed": raw.decode("utf-8", "replace")}
            self.note(body)
            path = self.path.split("?")[0]
            if path == "/v1/messages/count_tokens":
                self.send_json(200, {"input_tokens": max(1, len(raw) // 4)})
                return
            if path != "/v1/messages":
                self.send_json(
                    404, {"type": "error", "error": {"type": "not_found_error", "message": "not scripted"}}
                )
                return
            step, message = api.message(body)
            time.sleep(step.get("delay", 0))
            if message is None:
                error = {"type": step.get("type", "api_error"), "message": step.get("message", "scripted")}
                self.send_json(step["http_error"], {"type": "error", "error": error})
            elif body.get("stream"):
                self.send_stream(message)
            else:
                self.send_json(200, message)

        def send_stream(self, message):
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("cache-control", "no-cache")
            self.send_header("connection", "close")
            self.send_header("request-id", api.new_id("req"))
            self.end_headers()
            self.close_connection = True
            for event in stream_events(message):
                self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
                self.wfile.flush()

    return Handler


def serve(script, port=0, log_path=None, variables=None):
    """Start in a background thread; returns (server, base_url). Call server.shutdown()."""
    api = FakeApi(script, log_path, variables)
    server = ThreadingHTTPServer(("127.0.0.1", port), make_handler(api))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}"


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--script", required=True, help="JSON script (see the docstring)")
    parser.add_argument("--port", type=int, default=0, help="0 picks a free port")
    parser.add_argument("--log", help="append every request here, one JSON object a line")
    parser.add_argument("--var", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args(argv)
    with open(args.script, encoding="utf-8") as handle:
        script = json.load(handle)
    variables = dict(item.split("=", 1) for item in args.var)
    server, url = serve(script, args.port, args.log, variables)
    print("listening on " + url, flush=True)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        pass
    finally:
        server.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
