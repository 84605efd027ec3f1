"""An answer as llama.cpp and OpenAI-compatible servers send it. Only what is used is read."""

from __future__ import annotations

import math

import msgspec

from asides.writers.generative.completion import Completion, Token


class OtherWire(msgspec.Struct, frozen=True):
    """A token that might have stood there. Some servers send null for a probability of 0."""

    token: str
    logprob: float | None = None


class TokenWire(msgspec.Struct, frozen=True):
    """A token of the answer."""

    token: str
    logprob: float | None = None
    top_logprobs: tuple[OtherWire, ...] | None = None


class OddsWire(msgspec.Struct, frozen=True):
    """The odds, where the server gives them."""

    content: tuple[TokenWire, ...] | None = None


class MessageWire(msgspec.Struct, frozen=True):
    """The answer of a chat."""

    content: str | None = None


class ChoiceWire(msgspec.Struct, frozen=True):
    """One answer: of a chat, or of a plain completion."""

    finish_reason: str | None = None
    text: str | None = None
    message: MessageWire | None = None
    logprobs: OddsWire | None = None


class AnswerWire(msgspec.Struct, frozen=True):
    """The whole of it."""

    choices: tuple[ChoiceWire, ...]


def completion(answer: AnswerWire) -> Completion | None:
    """Returns the first answer, or None where there is none."""
    if not answer.choices:
        return None
    choice = answer.choices[0]
    text = choice.message.content if choice.message else choice.text
    if text is None:
        return None
    odds = choice.logprobs.content if choice.logprobs else None
    return Completion(
        text=text, whole=choice.finish_reason == "stop", tokens=tuple(_token(each) for each in odds or ())
    )


def _token(wire: TokenWire) -> Token:
    return Token(
        text=wire.token,
        logprob=_log(wire.logprob),
        instead=tuple((other.token, _log(other.logprob)) for other in wire.top_logprobs or ()),
    )


def _log(logprob: float | None) -> float:
    """Returns a logarithm that `exp` takes: never above that of certainty."""
    return -math.inf if logprob is None or math.isnan(logprob) else min(0.0, logprob)
