"""The stored reason of a withdrawal says again what was put into it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.model.turn import TurnId
from asides.store.withdrawing import TakenBack, noted, parsed

IDS = st.text(st.characters(codec="utf-8", exclude_categories=("Z", "C")), min_size=1)


@given(turn=IDS.filter(lambda text: not any(one.isspace() for one in text)), words=st.text(min_size=1))
def test_what_is_noted_is_read_again_as_it_was(turn: str, words: str) -> None:
    taken = TakenBack(turn=TurnId(turn), words=words)
    assert parsed(noted(taken)) == taken


@pytest.mark.parametrize("why", ["", "said in turn 7", "taken back", "taken back in turn 7", "of no use"])
def test_any_other_reason_is_none(why: str) -> None:
    assert parsed(why) is None
