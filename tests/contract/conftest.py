"""Every kind of store, each new and with a clock that ticks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from asides.store.contract import Store
from asides.store.ram import open_ram
from asides.store.sqlite import open_store
from tests.support.stores import PROJECT, counting_words, ticking


def _ram(_: Path) -> Store:
    return open_ram(PROJECT, now=ticking(), word=counting_words())


def _sqlite(folder: Path) -> Store:
    return open_store(folder / "memory.db", PROJECT, now=ticking(), word=counting_words())


OPENERS = {"ram": _ram, "sqlite": _sqlite}


@pytest.fixture(params=sorted(OPENERS))
def opener(request: pytest.FixtureRequest) -> Callable[[Path], Store]:
    return OPENERS[request.param]


@pytest.fixture
def store(opener, tmp_path):
    opened = opener(tmp_path)
    yield opened
    opened.close()
