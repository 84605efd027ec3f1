"""Two sketches tell what two texts share, as well as the texts would, within the error of a sample."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from asides.code.sketches import LONGEST, kept, likeness, lowest, names, numbered, parts, sketch

WORDS = st.lists(st.sampled_from("abcdefghijklmnopqrstuvwxyz"), max_size=60)


@given(words=WORDS)
def test_a_text_is_all_like_itself_and_a_sketch_is_short_and_in_order(words: list[str]) -> None:
    drawn = sketch(words)
    assert likeness(drawn, drawn) == (1.0 if words else 0.0)
    assert len(drawn) <= LONGEST
    assert list(drawn) == sorted(set(drawn))
    assert all(0 <= part < 2**48 for part in drawn)


@given(one=WORDS, other=WORDS)
def test_likeness_of_short_texts_is_exact_and_the_same_from_both_sides(
    one: list[str], other: list[str]
) -> None:
    mine, theirs = parts(one), parts(other)
    exact = (mine & theirs).total() / (mine | theirs).total() if one and other else 0.0
    told = likeness(sketch(one), sketch(other))
    assert told == likeness(sketch(other), sketch(one))
    assert told == exact


@given(one=WORDS, before=WORDS, after=WORDS)
def test_what_stands_in_a_longer_text_is_kept_in_it(
    one: list[str], before: list[str], after: list[str]
) -> None:
    whole = set(numbered(parts([*before, *one, *after])))
    assert kept(sketch(one), whole) == (1.0 if len(one) >= 3 else kept(sketch(one), whole))


def test_likeness_of_long_texts_is_near_to_what_it_is() -> None:
    one = [f"word{at}" for at in range(2_000)]
    other = [*one[:1_000], *(f"other{at}" for at in range(1_000))]
    mine, theirs = parts(one), parts(other)
    exact = (mine & theirs).total() / (mine | theirs).total()
    assert abs(likeness(sketch(one), sketch(other)) - exact) < 0.2


def test_how_often_a_part_stands_there_counts() -> None:
    once, often = ["a", "b", "c"], ["a", "b", "c"] * 5
    assert likeness(sketch(once), sketch(often)) < 0.2


def test_hashes_are_the_same_in_every_process() -> None:
    words = ["def", "pay", "(", "cart", ")", ":", "return", "cart"]
    assert sketch(words) == (
        45_128_360_693_894,
        113_561_507_429_045,
        116_272_680_530_618,
        199_790_714_937_950,
        235_271_458_099_250,
        271_609_973_721_871,
    )


def test_paths_of_a_folder_stand_in_no_order() -> None:
    assert lowest(names(["a", "b"])) == lowest(names(["b", "a"]))


def test_no_words_have_no_sketch() -> None:
    assert sketch([]) == ()
    assert likeness((), ()) == 0.0
    assert kept((), {1}) == 0.0
    assert len(sketch(["a"])) == 1
