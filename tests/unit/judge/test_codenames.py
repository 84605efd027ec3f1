"""Names of code are told from words: by ticks, by brackets, or by how they are built."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.judge.codenames import names_of_code


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("never call chargeCard directly, use PaymentService", ["chargeCard", "PaymentService"]),
        ("MAX_RETRIES and retry_count are read by `run`", ["MAX_RETRIES", "retry_count", "run"]),
        ("Cart::total() and cart->addItem()", ["Cart.total", "cart.addItem"]),
        ("validate!() before `save?`", ["validate!", "save?"]),
        ("we use TypeScript, GitHub Actions and PostgreSQL", []),
        ("the total of a cart, and e.g. the User model", []),
        ("see src/charge_card.py and charge_card.ts", []),
        ("run `npm test` and `git push -f`", []),
        ("`charge(card)` rounds", ["charge"]),
        ("keep `max-connections` below 20", ["max-connections"]),
        ("charge_card rounds. charge_card never fails", ["charge_card"]),
    ],
)
def test_names_of_code_and_nothing_else(body: str, names: list[str]) -> None:
    assert [one.name for one in names_of_code(body)] == names


@given(st.text(max_size=200))
def test_every_name_stands_in_the_words(body: str) -> None:
    for one in names_of_code(body):
        assert all(part in body for part in one.name.split("."))
