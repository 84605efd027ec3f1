"""Under its grammar a model can say NONE or copy runs of words, whole ones, and nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.writers.generative import grammar
from asides.writers.generative.answers import Line, read
from asides.writers.generative.view import harmless, shown

LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
HEAD = "MEMORY | kind=law | source=human | anchor=general | "


class Reader:
    """Reads the grammars that `grammar.salience` writes: literals, names, and an end that may be missing."""

    def __init__(self, text: str) -> None:
        self.rules = dict(row.split(" ::= ", 1) for row in text.split("\n"))

    def bodies(self) -> set[str]:
        """Returns every body that the grammar allows; for short messages only."""
        return {body for start in self.rules["body"].split(" | ") for body in self._runs(start)}

    def _runs(self, name: str) -> list[str]:
        rule = self.rules[name]
        said = ""
        may_end = False
        while rule:
            if literal := LITERAL.match(rule):
                said += re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), literal[1])
                rule = rule[literal.end() :].strip()
            elif rule.startswith("("):
                may_end = True
                ends = said
                rule = rule[1:].removesuffix(")?")
            else:
                longer = [said + rest for rest in self._runs(rule)]
                return [ends, *longer] if may_end else longer
        return [said]


def bodies(view: str) -> set[str]:
    rules = grammar.salience(view)
    return set() if rules is None else Reader(rules).bodies()


def test_a_body_may_leave_out_the_full_stop_and_the_bracket_but_no_letter():
    view = "Ok (never touch the files).\nThanks!"
    allowed = bodies(view)
    assert {
        "never touch the files",
        "(never touch the files).",
        "never touch the",
        "Ok (never touch",
    } <= allowed
    assert not {"ever touch the files", "never touch the file", "never touch", "files).\nThanks"} & allowed


def test_quotes_and_backslashes_are_copied_as_they_stand():
    view = r'put it in C:\new\table and say "never again" there'
    assert view in bodies(view)
    assert r'C:\new\table and say "never again"' in bodies(view)


def test_a_script_without_blanks_is_cut_at_its_punctuation():
    assert "统一用内置的fetch接口" in bodies("以后不要再用它了，统一用内置的fetch接口。谢谢")


@pytest.mark.parametrize("view", ["", "ok", "two words", "...", "a b\nc d", "[…]"])
def test_where_too_few_words_stand_on_a_line_there_is_no_grammar(view):
    assert grammar.salience(view) is None


texts = st.text(st.sampled_from("ab é.,()\n\"\\|`用，\t-'"), max_size=24)


@given(texts)
def test_every_body_it_allows_is_verbatim_reads_back_and_is_one_that_copies_tells(message):
    view = shown(harmless(message))
    for body in bodies(view):
        assert body in view
        assert "\n" not in body
        assert grammar.copies(view, body)
        answered = read(HEAD + body)
        assert answered == (Line(kind="law", body=body),)


@given(texts, st.data())
def test_what_copies_tells_is_what_it_allows(message, data):
    view = shown(harmless(message))
    start = data.draw(st.integers(0, len(view)))
    body = view[start : data.draw(st.integers(start, len(view)))]
    assert grammar.copies(view, body) == (body in bodies(view))
