"""A trained model's thresholds come from turns that it was not trained on, or there are none."""

from __future__ import annotations

from asides.training.measuring import LEAST, card, write
from asides.writers.generative.card import Card, beside


def scored(*groups):
    """Entries of a score: how many, and how many of them came true."""
    return [(score, number < right) for score, count, right in groups for number in range(count)]


def test_the_live_threshold_is_the_lowest_with_nine_of_ten_right():
    found = card(scored((0.9, 20, 20), (0.8, 20, 17), (0.7, 20, 5), (0.3, 60, 10)), 500)
    assert found.live_threshold == 0.8
    assert found.floor == 0.7
    assert found.measured_on == 500


def test_a_few_lucky_entries_are_not_enough():
    assert card(scored((0.9, LEAST - 1, LEAST - 1)), 500) == Card()
    assert card(scored((0.9, 20, 10), (0.1, 100, 10)), 500) == Card()
    assert card([], 500) == Card()


def test_entries_of_one_score_stand_or_fall_together():
    found = card(scored((0.9, 25, 25), (0.5, 40, 10)), 500)
    assert found.live_threshold == 0.9


def test_what_is_written_is_what_the_writer_reads(tmp_path):
    chosen = Card(live_threshold=0.81, floor=0.4, measured_on=300)
    assert write(tmp_path / "writer.Q4_K_M.gguf", chosen).name == "writer.Q4_K_M.card.json"
    assert beside(tmp_path / "writer.Q4_K_M.gguf") == chosen
