"""What the generative writer needs of a model: an answer to a prompt, under a grammar, with its odds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from asides.model.errors import AsidesError, Broken, Refused, Unavailable
from asides.writers.generative.prompts import Prompt

ANSWER_TOKENS = 384  # six lines of 60 tokens; longer answers are cut, and count as NONE


class NoAnswer(Unavailable):
    """The writer {name} does not answer: {why}."""

    hint = "{advice} Turns wait meanwhile and are judged when it answers; nothing is lost."


class TooSlow(AsidesError):
    """The writer {name} did not finish within {seconds} seconds."""

    exit_code = 4
    hint = "Take a smaller model, or raise `writer_seconds` in the settings."


class UselessAnswer(Broken):
    """The writer {name} answers what cannot be used: {why}."""

    hint = "{advice}"


class TooLong(Refused):
    """The writer {name} has no room for a prompt of this length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A token of an answer with the natural logarithm of its probability, before any grammar.

    `instead`: the likeliest tokens at its place, itself among them if it is, with theirs.
    """

    text: str
    logprob: float
    instead: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """An answer. `tokens` is empty where the model does not give probabilities."""

    text: str
    whole: bool  # it ended by itself
    tokens: tuple[Token, ...] = ()


class Completes(Protocol):
    """A model that goes on from a prompt."""

    @property
    def identity(self) -> str:
        """Name and version of the weights."""
        ...

    def complete(self, prompt: Prompt, *, grammar: str) -> Completion:
        """Returns the likeliest answer, within `ANSWER_TOKENS` and the time that it was given.

        A model that cannot be held to the grammar answers freely; who asks reads strictly either way.
        Raises TooLong where the prompt does not fit, NoAnswer, TooSlow, UselessAnswer.
        """
        ...
