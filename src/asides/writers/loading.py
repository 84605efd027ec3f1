"""Chooses the writer by the settings. Models and their runtimes are imported only when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import assert_never

from asides.model.judgment import Writer
from asides.settings import Settings


def chosen(settings: Settings, *, told: Callable[[str], None] | None = None) -> Writer:
    """Returns the writer that the settings name, the bundled encoder unless they name another.

    `told` hears of each answer of a language model that was refused, in whole or in part.
    Raises WriterUnavailable where it cannot be loaded.
    """
    match settings.writer:
        case "encoder":
            return bundled()
        case "llama":
            return _llama(settings, told)
        case "remote":
            return _remote(settings, told)
        case _:
            assert_never(settings.writer)


def bundled() -> Writer:
    """Returns the writer that comes with asides."""
    from asides.writers.encoder import Encoder

    return Encoder()


def meaning() -> Callable[[str, Sequence[str]], tuple[float, ...]]:
    """Returns what tells how close a text is to others, -1 to 1 each; see `writers.meaning`.

    Commands wire it and never ask it, so model and runtime are loaded when it is first asked. It then raises
    WriterUnavailable where they cannot be.
    """

    @cache
    def loaded() -> Callable[[str, Sequence[str]], tuple[float, ...]]:
        from asides.writers.meaning import Meaning

        return Meaning().closeness

    return lambda text, others: loaded()(text, others)


def _llama(settings: Settings, told: Callable[[str], None] | None) -> Writer:
    from asides.writers.generative.card import beside
    from asides.writers.generative.llama import Llama
    from asides.writers.generative.writer import Generative

    path = Path(settings.writer_path).expanduser()
    card = beside(path)
    return Generative(Llama(path, seconds=settings.writer_seconds), card=card, told=told)


def _remote(settings: Settings, told: Callable[[str], None] | None) -> Writer:
    from asides.writers.generative.remote import Remote
    from asides.writers.generative.writer import Generative

    return Generative(
        Remote(
            settings.writer_url,
            settings.writer_model,
            seconds=settings.writer_seconds,
            off_machine=settings.writer_off_machine,
        ),
        told=told,
    )
