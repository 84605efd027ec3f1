"""A model behind an OpenAI-compatible address: llama-server, Ollama, vLLM, LM Studio and their like.

Local by promise: unless the settings allow more, the address has to be this machine's, by its name before
anything is sent and by the connected peer as well. No proxy is used and no redirect followed, so what is
sent goes nowhere else.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import msgspec

from asides.settings import loopback
from asides.writers.generative.completion import (
    ANSWER_TOKENS,
    Completion,
    NoAnswer,
    TooLong,
    TooSlow,
    UselessAnswer,
)
from asides.writers.generative.prompts import Prompt
from asides.writers.generative.wire import AnswerWire, completion

CONNECT_SECONDS = 5.0
MOST_BYTES = 4_000_000  # of an answer; with the odds of 384 tokens it has some 600 KB
ALTERNATIVES = 20  # the most that the OpenAI form allows
_TOO_LONG = ("context", "too long", "maximum length", "too many tokens")


class Remote:
    """A `Completes` over an address.

    `url`: up to and without `/chat/completions`, e.g. `http://127.0.0.1:8080/v1`. `seconds`: the longest that
    one answer may take, whatever the server does meanwhile. `off_machine`: whether another machine's will do.
    """

    def __init__(self, url: str, model: str, *, seconds: float, off_machine: bool = False) -> None:
        parts = urlsplit(url)
        self._host = parts.hostname or ""
        self._secure = parts.scheme == "https"
        self._port = parts.port or (443 if self._secure else 80)
        self._path = parts.path.rstrip("/") + "/chat/completions"
        self._model = model
        self._seconds = seconds
        self._off_machine = off_machine
        self._extras = True

    @property
    def identity(self) -> str:
        """The model's name and where it is; the weights behind it are the server's affair."""
        return f"{self._model}@{self._host}:{self._port}"

    def complete(self, prompt: Prompt, *, grammar: str) -> Completion:
        """Returns the likeliest answer; under the grammar, and with odds, where the server knows of them.

        A server that refuses what is not in the common form is asked again without, then and from then on.
        """
        status, raw = self._posted(self._question(prompt, grammar if self._extras else None))
        if status in (400, 422) and self._extras and not _about_length(raw):
            self._extras = False
            status, raw = self._posted(self._question(prompt, None))
        if status != 200:
            raise self._refusal(status, raw)
        try:
            answer = completion(msgspec.json.decode(raw, type=AnswerWire))
        except msgspec.DecodeError as fault:
            raise self._useless(f"{_start(raw)!r} is no answer ({fault})") from fault
        if answer is None:
            raise self._useless(f"there is no text in {_start(raw)!r}")
        return answer

    def _question(self, prompt: Prompt, grammar: str | None) -> bytes:
        asked: dict[str, Any] = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
            "temperature": 0,
            "max_tokens": ANSWER_TOKENS,
            "stream": False,
        }
        if grammar is not None:
            asked |= {
                "logprobs": True,
                "top_logprobs": ALTERNATIVES,
                "grammar": grammar,
                "chat_template_kwargs": {"enable_thinking": False},
            }
        return json.dumps(asked).encode()

    def _posted(self, body: bytes) -> tuple[int, bytes]:
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        connection = kind(self._host, self._port, timeout=min(CONNECT_SECONDS, self._seconds))
        try:
            connection.connect()
            self._vouch(connection.sock)
            with _deadline(connection.sock, self._seconds) as expired:
                try:
                    connection.request(
                        "POST", self._path, body, {"Content-Type": "application/json", "Connection": "close"}
                    )
                    response = connection.getresponse()
                    raw = response.read(MOST_BYTES + 1)
                except (OSError, http.client.HTTPException):
                    if expired.is_set():
                        raise TooSlow(name=self.identity, seconds=f"{self._seconds:g}") from None
                    raise
                if expired.is_set():
                    raise TooSlow(name=self.identity, seconds=f"{self._seconds:g}")
        except (OSError, http.client.IncompleteRead) as fault:  # a server that is ended or restarted, too
            raise self._silent(str(getattr(fault, "strerror", None) or fault)) from fault
        except http.client.HTTPException as fault:
            raise self._useless(f"it does not speak HTTP ({type(fault).__name__})") from fault
        finally:
            connection.close()
        if len(raw) > MOST_BYTES:
            raise self._useless(f"it sent more than {MOST_BYTES} bytes")
        if response.length:
            raise self._silent(f"it hung up with {response.length} bytes to go")
        return response.status, raw

    def _vouch(self, connected: socket.socket) -> None:
        """Lets nothing be sent to a peer that is not this machine, whatever the name resolved to."""
        peer = str(connected.getpeername()[0])
        if not self._off_machine and not loopback(peer):
            raise self._silent(f"{self._host} is {peer}, which is not this machine")

    def _refusal(self, status: int, raw: bytes) -> Exception:
        if status in (400, 413, 422) and _about_length(raw):
            return TooLong(name=self.identity)
        if status in (408, 425, 429) or status >= 500:
            return self._silent(f"it says {status}: {_start(raw)}")
        return self._useless(f"it says {status}: {_start(raw)}")

    def _silent(self, why: str) -> NoAnswer:
        place = f"{self._host}:{self._port}"
        advice = f"Start the server, or mend the address ({place}; `writer_url` in the settings)."
        return NoAnswer(name=self.identity, why=why, advice=advice)

    def _useless(self, why: str) -> UselessAnswer:
        advice = (
            "See that `writer_url` ends where `/chat/completions` begins and `writer_model` is served there."
        )
        return UselessAnswer(name=self.identity, why=why, advice=advice)


@contextlib.contextmanager
def _deadline(connected: socket.socket, seconds: float) -> Iterator[threading.Event]:
    """Ends a connection after so long, also where the server goes on sending byte by byte."""
    expired = threading.Event()

    def expire() -> None:
        expired.set()
        with contextlib.suppress(OSError):  # it may just have been closed
            connected.shutdown(socket.SHUT_RDWR)

    connected.settimeout(None)  # the deadline alone decides
    timer = threading.Timer(seconds, expire)
    timer.daemon = True
    timer.start()
    try:
        yield expired
    finally:
        timer.cancel()


def _about_length(raw: bytes) -> bool:
    text = raw[:2_000].decode("utf-8", "replace").lower()
    return any(words in text for words in _TOO_LONG)


def _start(raw: bytes) -> str:
    return " ".join(raw[:200].decode("utf-8", "replace").split())
