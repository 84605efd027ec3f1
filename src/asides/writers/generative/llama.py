"""A model in a GGUF file, run in this process by llama.cpp (the package xllamacpp) on a few threads.

The library cannot be had without its HTTP server. It is given a socket in a private folder instead of a port,
so nothing listens where another user or a web page could reach it, and we call it without going through it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any

import msgspec

from asides.model.errors import WriterUnavailable
from asides.writers.generative.completion import ANSWER_TOKENS, Completion, TooLong, UselessAnswer
from asides.writers.generative.header import header, identity
from asides.writers.generative.prompts import Prompt
from asides.writers.generative.template import form_of, written
from asides.writers.generative.wire import AnswerWire, completion

CONTEXT = (
    4_096  # tokens; the question takes about 300, what is shown of a message 1,000 as a rule, the answer 384
)
ALTERNATIVES = 40  # tokens whose odds are asked for at each place
MOST_THREADS = 4
SOCKET_PATH_BYTES = 100  # the kernel takes 107


class Llama:
    """A `Completes` over a GGUF file whose chat template is ChatML.

    `seconds`: the longest that the answer to one question may take. Raises WriterUnavailable where the
    library or the file is missing, or the file is not such a model.
    """

    def __init__(self, path: Path, *, seconds: int, threads: int | None = None) -> None:
        template = header(path).chat_template
        form = form_of(template)
        if form is None:
            what = "has no chat template" if not template else "has a chat template that is not ChatML"
            raise WriterUnavailable(
                name=path.name, why=f"{path} {what}; serve it elsewhere and set `writer` to remote"
            )
        self._form = form
        self._identity = identity(path)
        self._milliseconds = seconds * 1000
        self._server, folder = _server(path, threads or _threads())
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)

    @property
    def identity(self) -> str:
        """Name of the file and the beginning of its digest."""
        return self._identity

    def complete(self, prompt: Prompt, *, grammar: str) -> Completion:
        """Returns the likeliest answer under the grammar."""
        answered = self._server.handle_completions(
            {
                "prompt": written(prompt, self._form),
                "grammar": grammar,
                "temperature": 0.0,
                "n_predict": ANSWER_TOKENS,
                "t_max_predict_ms": self._milliseconds,
                "n_probs": ALTERNATIVES,
                "cache_prompt": True,
            }
        )
        return _read(answered, self._identity)


def _server(path: Path, threads: int) -> tuple[Any, str]:
    """Returns the running model, and the folder that holds its socket."""
    try:
        import xllamacpp
    except ImportError as fault:
        raise WriterUnavailable(
            name=path.name, why=f"xllamacpp is missing ({fault}); add it with: pip install 'asides[llama]'"
        ) from fault
    folder = tempfile.mkdtemp(prefix="asides-llama-")
    socket = os.path.join(folder, "s.sock")  # noqa: PTH118 - the library wants a text
    if len(os.fsencode(socket)) > SOCKET_PATH_BYTES:
        shutil.rmtree(folder)
        raise WriterUnavailable(name=path.name, why=f"{socket} is too long for a socket; set TMPDIR shorter")
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    # A thread that spins while it waits takes a core from the developer's own work.
    params.cpuparams.poll = params.cpuparams_batch.poll = 0
    params.warmup = False
    params.verbosity = 0
    params.hostnames = [socket]
    params.ui = params.endpoint_slots = False
    params.cache_ram_mib = 0  # prompts share their beginning only, and that is kept without it
    params.offline = True
    try:
        server = xllamacpp.Server(params)
    # The library raises its own errors, which share no base but Exception.
    except Exception as fault:
        shutil.rmtree(folder, ignore_errors=True)
        raise WriterUnavailable(name=path.name, why=f"{path} cannot be run ({fault})") from fault
    return server, folder


def _threads() -> int:
    """Returns half of the cores: the rest belong to the developer's own work."""
    return max(1, min(MOST_THREADS, (os.cpu_count() or 1) // 2))


def _read(answered: Any, name: str) -> Completion:
    error = answered.get("error")
    if error:
        if error.get("type") == "exceed_context_size_error":
            raise TooLong(name=name)
        raise _useless(name, str(error.get("message", error))[:200])
    try:
        answer = completion(msgspec.convert(answered, type=AnswerWire))
    except msgspec.ValidationError as fault:
        raise _useless(name, str(fault)) from fault
    if answer is None:
        raise _useless(name, "there is no text in it")
    return answer


def _useless(name: str, why: str) -> UselessAnswer:
    return UselessAnswer(name=name, why=why, advice="Try another model file, or update xllamacpp.")
