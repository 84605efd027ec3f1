"""What no fixed form catches is weighed: other words for the same rule, and other words for its end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.judge.consolidation import SAME_LIVE
from asides.judge.kinship import kinship, signs, spoken_of
from asides.judge.kinweights import BIAS, WITH_VECTORS, WORDS_ONLY
from asides.judge.rivals import OPPOSITES, RIVALS
from asides.judge.saying import hear

BAR = 0.6

ENDS = [
    ("jest is gone, vitest everywhere", "run jest for all tests"),
    ("turns out mocks are fine in unit tests after all", "never mock in unit tests"),
    ("we swapped rabbit for NATS", "the queue is rabbit"),
    ("biome replaced eslint", "we lint with eslint"),
    ("use bun now", "use pnpm for installs"),
    ("timeouts are 30 seconds now, the bank is slow", "timeouts are 10 seconds"),
    ("you can run migrations yourself now", "never run migrations yourself"),
]
SAME = [
    ("PNPM!! not npm", "always use pnpm, never npm"),
    ("please don't put @Autowired on fields", "constructor injection only, no @Autowired on fields"),
    ("again, snapshot tests are not ok", "no snapshot tests"),
    ("functions: 40 lines at most", "keep functions under 40 lines"),
]
NEITHER = [
    ("use fluentassertions", "use xunit"),
    ("never publish to npm without asking me first", "always use pnpm here, never npm"),
    ("the e2e folder is the one exception, it still has npm", "always use pnpm here, never npm"),
    ("exit code 1 for everything else", "exit code 2 for usage errors"),
    ("once we are off jest delete its config", "tests run with jest"),
    ("backend only PRs don't need a screenshot", "every PR needs a screenshot"),
    ("from now on use spaces in python", "use tabs in go"),
    ("keep flags.yaml sorted", "feature flags live in flags.yaml"),
    ("buy milk", "never force push to main"),
]


@pytest.mark.parametrize(("later", "earlier"), ENDS)
def test_other_words_for_a_change_end_the_earlier(later: str, earlier: str) -> None:
    found = kinship(later, earlier, closeness=None)
    assert found.ends >= BAR > found.same


@pytest.mark.parametrize(("later", "earlier"), SAME)
def test_other_words_for_the_same_repeat_the_earlier(later: str, earlier: str) -> None:
    found = kinship(later, earlier, closeness=None)
    assert found.same >= BAR > found.ends


@pytest.mark.parametrize(("later", "earlier"), NEITHER)
def test_an_exception_a_sibling_or_another_matter_is_neither(later: str, earlier: str) -> None:
    found = kinship(later, earlier, closeness=None)
    assert found.same < SAME_LIVE
    assert found.ends < BAR


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        ("strings in double quotes", "strings in single quotes"),
        ("max line length is 120", "max line length is 100"),
        ("no semicolons in JS", "semicolons everywhere in JS"),
        ("never touch the files in src/vendor", "never touch the files in src/generated"),
        ("use tabs in go", "use tabs in python"),
    ],
)
def test_one_sign_rules_out_a_repeat_however_close_the_words(later: str, earlier: str) -> None:
    assert kinship(later, earlier, closeness=0.99).same == 0.0


def test_without_a_shared_word_only_closeness_makes_a_repeat_possible() -> None:
    later, earlier = "brief replies", "keep your answers short"
    assert kinship(later, earlier, closeness=None).same == 0.0
    assert kinship(later, earlier, closeness=0.2).same == 0.0
    assert kinship(later, earlier, closeness=0.9).same > kinship(later, earlier, closeness=0.5).same > 0.0


def test_closer_texts_are_likelier_the_same() -> None:
    pair = ("name your steps in the imperative", "the imperative for step names in workflows")
    likely = [kinship(*pair, closeness=close).same for close in (0.2, 0.5, 0.8)]
    assert likely == sorted(likely)
    assert likely[0] < likely[-1]


@given(st.text(max_size=300), st.text(max_size=300), st.none() | st.floats(-1.0, 1.0))
def test_any_two_texts_are_weighed_and_never_surely_both(
    later: str, earlier: str, close: float | None
) -> None:
    found = kinship(later, earlier, closeness=close)
    assert 0.0 <= found.same <= 1.0
    assert 0.0 <= found.ends <= 1.0
    assert found.same < 0.5 or found.ends < 0.5 or found.ends == 0.9  # the fixed form is certain by itself


def test_every_sign_has_its_weight_and_no_weight_is_left_over() -> None:
    names = {*signs("use spaces now", "use tabs", closeness=0.5), BIAS}
    assert set(WITH_VECTORS) == names == set(WORDS_ONLY)


@pytest.mark.parametrize("families", [RIVALS, OPPOSITES])
def test_rivals_are_rivals_of_each_other_and_never_of_themselves(families: dict[str, frozenset[str]]) -> None:
    for name, others in families.items():
        assert name not in others
        assert all(name in families[other] for other in others)


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        ("boolean columns start with `has_`", "please start all boolean columns with `is_`"),
        ("I'd like event names to end in '.v2'", "event names end in '.v1'"),
        (
            "call test files `foo_spec.rb`, our fixture files are called `foo.yml`",
            "fixture files are called `a.yml`",
        ),
    ],
)
def test_another_literal_in_the_same_slot_ends_the_earlier(later: str, earlier: str) -> None:
    assert kinship(later, earlier, closeness=None).ends >= BAR


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        ("date columns start with `at_`", "boolean columns start with `is_`"),
        ("boolean columns end with `_flag`", "boolean columns start with `is_`"),
        ("method names end in `_m`", "function names end in `_f`"),
    ],
)
def test_another_slot_leaves_the_earlier_alone(later: str, earlier: str) -> None:
    found = kinship(later, earlier, closeness=0.9)
    assert found.same < SAME_LIVE
    assert found.ends < BAR


def test_what_is_said_to_be_over_is_told_from_what_comes() -> None:
    for body in (
        "jest is gone, vitest everywhere",
        "vitest replaced jest",
        "we swapped jest for vitest",
        "vitest instead of jest",
        "we moved off jest to vitest",
    ):
        heard = hear(body)
        assert (heard.over, "vitest" in heard.affirmed) == ({"jest"}, True), body


def test_a_subject_is_spoken_of_in_any_form() -> None:
    assert spoken_of("the tests", "run the test suite") == 1.0
    assert spoken_of("postgres settings", "never touch postgresql.conf") == 0.5
    assert spoken_of("that", "never force push") == 0.0


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        (
            "from now on add the `@timer` decorator to all functions",
            "add the `@retry` decorator to all functions",
        ),
        ("always import the `gzip` module", "always import the `secrets` module"),
        ("start all variable names with `n_` now", "use the string `chx` in your variable names"),
        ("from now on include 'chx' in argument names", "start all argument names with 'j_'"),
        ("names of methods contain 'chx' from now on", "always include 'chx' in variable names"),
        ("job names start with `k_` from now on", "start job names with `j_` and end them with `_j`"),
        ("in Python, function names start with `p_`", "function names start with `f_`"),
        ("in Java, method names start with `j_`", "in Python, method names start with `p_`"),
        ("function names start with `f_` from now on", "test function names start with `test_`"),
    ],
)
def test_what_stands_beside_another_rule_neither_ends_nor_repeats_it(later: str, earlier: str) -> None:
    found = kinship(later, earlier, closeness=0.8)
    assert found.ends < BAR
    assert found.same < SAME_LIVE


def test_another_decorator_said_to_come_instead_is_weighed() -> None:
    earlier, later = (
        "add the `@retry` decorator to all jobs",
        "add the `@again` decorator to all jobs instead of `@retry`",
    )
    assert kinship(later, earlier, closeness=0.8).ends > 0.0


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        (
            "Also, when naming queues, please begin them with `r_`.",
            "Always start your queue names with `q_`.",
        ),
        ("start job names with `k_` and end them with `_k`", "job names begin with `j_`"),
        ("I want you to start ending method names with `_m`", "Methods: suffix `_x`, please"),
        ("all function names start with `f_`", "in our Python code we start function names with `p_`"),
        ("queues get `r_` in front instead of `q_`", "prefix queue names with `q_`"),
    ],
)
def test_the_slot_filled_otherwise_ends_the_earlier_in_any_words(later: str, earlier: str) -> None:
    assert kinship(later, earlier, closeness=None).ends >= BAR


def test_the_slot_filled_alike_repeats_the_earlier_in_any_words() -> None:
    found = kinship(
        "simply put `q_` in front of all queue names", "Queues are prefixed with `q_`", closeness=None
    )
    assert found.same >= SAME_LIVE
    assert found.ends < BAR
