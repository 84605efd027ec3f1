"""Shares stand with their denominator and Wilson's interval."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.evaluation.shares import percent, share


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [
        # Worked out by hand from Wilson's formula with z = 1.959964.
        (0, 10, 0.0, 0.277533),
        (10, 10, 0.722467, 1.0),
        (5, 10, 0.236593, 0.763407),
    ],
)
def test_the_interval_is_wilsons(hits, of, low, high):
    found = share(hits, of)
    assert found.low == pytest.approx(low, abs=2e-6)
    assert found.high == pytest.approx(high, abs=2e-6)


def test_without_a_denominator_there_is_no_share():
    assert percent(share(0, 0)) == "n/a"
    assert share(0, 0).share is None


def test_a_share_reads_with_its_interval():
    assert percent(share(22, 115)) == "19.1% [13, 27]"


@given(st.integers(1, 10_000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_a_share_lies_in_its_interval(pair):
    found = share(*pair)
    assert 0 <= found.low <= found.share + 1e-12
    assert found.share - 1e-12 <= found.high <= 1


@given(st.integers(1, 10_000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_each_end_is_the_share_that_lies_just_so_far_from_what_was_counted(pair):
    found = share(*pair)
    for end in (found.low, found.high):
        distance = 1.959964**2 * end * (1 - end) / found.of
        assert (found.share - end) ** 2 == pytest.approx(distance, abs=1e-9)
