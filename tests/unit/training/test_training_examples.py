"""Labelled turns become exactly the questions and answers that serving asks and reads."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from asides.model.anchor import File, General
from asides.training.examples import BadPairs, NothingToLearn, material
from asides.training.recipe import Recipe
from asides.writers.generative import prompts
from asides.writers.generative.answers import Same, Unlike, read, read_relation
from asides.writers.generative.view import harmless, shown

ALL = Recipe(held_out=0.0)
RULE = "from now on httpx only"


def turn(number, text, *entries, verdict=None, **more):
    return {
        "id": f"t{number}",
        "user_text": text,
        "verdict": verdict or ("keep" if entries else "none"),
        "entries": [{"kind": "law", "span": span, "anchor": anchor} for span, anchor in entries],
        **more,
    }


@pytest.fixture
def file(tmp_path):
    def put(*rows, name="turns.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        return path

    return put


def salient(made):
    return [each for each in made.examples if "The developer:" in each.prompt.user]


def test_a_turn_becomes_the_question_that_serving_asks_and_an_answer_that_it_reads(file):
    text = f"Fix it. And {RULE}!\n```\ncode = 1\n```"
    made = material([file(turn(1, text, (RULE, None), prev="Done."))], ALL)
    (example,) = salient(made)
    assert example.prompt == prompts.salience(shown(harmless(text)), "Done.")
    (line,) = read(example.answer)
    assert (line.body, line.kind, line.anchor) == (RULE, "law", General())


def test_an_answer_that_the_grammar_would_not_allow_is_not_learned(file):
    """A model must not learn what it then may not write."""
    made = material(
        [file(turn(1, f"Fix it. And {RULE}!", (RULE, None)), turn(2, f"Or {RULE}s", (RULE, None)))], ALL
    )
    assert len(salient(made)) == 1
    assert made.left_out == {"a span that begins or ends within a word": 1}


def test_a_turn_with_nothing_is_learned_as_none(file):
    made = material([file(turn(1, "why does it fail"), turn(2, f"and {RULE}", (RULE, None)))], ALL)
    assert sorted(each.answer for each in salient(made))[1] == "NONE"


def test_what_cannot_be_learned_is_left_out_and_counted(file):
    several = "never do a\nand never do b"
    made = material(
        [
            file(
                turn(1, f"ok {RULE}", (RULE, None)),
                turn(2, f"ok {RULE}", (RULE, None)),
                turn(3, "perhaps keep this one", verdict="maybe"),
                turn(4, "a pasted page with rules", authored="pasted"),
                turn(5, f"so: {several}", (several, None)),
                turn(6, "```\nnever = 1\n```", ("never = 1", None)),
                turn(7, "x " * 9_000 + "never do that here" + " x" * 9_000, ("never do that here", None)),
            )
        ],
        ALL,
    )
    assert len(salient(made)) == 1
    assert made.left_out == {
        "said twice": 1,
        "labelled maybe": 1,
        "not a person's words": 1,
        "a span of several lines": 1,
        "nothing of it is shown": 1,
        "a span that is not shown": 1,
    }


def test_empty_turns_take_no_more_than_their_share(file):
    rows = [turn(n, f"question {n}, why does it fail") for n in range(60)]
    rows += [turn(100 + n, f"note {n}: {RULE}", (RULE, None)) for n in range(10)]
    made = material([file(*rows)], Recipe(held_out=0.0, empty_share=0.72))
    counts = Counter(each.answer == "NONE" for each in salient(made))
    assert counts == {True: 26, False: 10}
    assert made.left_out == {"more empty turns than their share": 34}


def test_the_turns_kept_back_are_the_same_whatever_else_is_given(file):
    rows = [turn(n, f"note {n}: {RULE}", (RULE, None)) for n in range(200)]
    some = Recipe(held_out=0.25)
    first = material([file(*rows)], some)
    again = material([file(*reversed(rows), turn(900, "another one here"), name="more.jsonl")], some)
    back = {each.user_text for each in first.held_out}
    assert 25 <= len(back) <= 75
    assert back <= {each.user_text for each in again.held_out}
    asked = " ".join(each.prompt.user for each in salient(first))
    assert not any(f"{text}\n" in f"{asked}\n" for text in back)


def test_the_same_seed_gives_the_same_examples_in_the_same_order(file):
    path = file(*(turn(n, f"note {n}: {RULE}", (RULE, None)) for n in range(30)))
    assert material([path], ALL) == material([path], ALL)
    assert material([path], Recipe(held_out=0.0, seed=2)).examples != material([path], ALL).examples


def test_an_entry_that_names_a_file_is_learned_to_be_tied_to_it(file):
    named = "never edit config/env.js by hand"
    made = material(
        [file(turn(1, named, (named, "`config/env.js`")), turn(2, f"and {RULE}", (RULE, None)))], ALL
    )
    asked = [each for each in made.examples if each.prompt.user.startswith("Files:")]
    anchors = sorted(str(read(each.answer)[0].anchor) for each in asked)
    assert anchors == sorted([str(File(path="config/env.js")), str(General())])
    assert all("config/env.js" in each.prompt.user for each in asked)


def test_pairs_become_numbered_entries_and_relations(file):
    pairs = [
        {"earlier": f"use tool {n} here", "later": f"tool {n}, please!", "relation": relation}
        for n, relation in enumerate(["same", "replaces", "narrows", "unrelated", "forget"] * 4)
    ]
    turns = file(turn(1, f"and {RULE}", (RULE, None)))
    made = material([turns, file(*pairs, name="pairs.jsonl")], ALL)
    asked = [each for each in made.examples if each.prompt.user.startswith("Kept before:")]
    assert len(asked) == 16
    assert made.left_out == {"a pair that keeps nothing": 4}
    for each in asked:
        number = int(each.prompt.user.rsplit("tool ", 1)[1].split(",")[0])
        standing = each.prompt.user.split("\n\n")[0].split("\n")[1:]
        meant = read_relation(each.answer, len(standing))
        if number % 5 in (2, 3):
            assert meant == Unlike()
        else:
            assert standing[meant.number - 1] == f"{meant.number}. use tool {number} here"
            assert isinstance(meant, Same) == (number % 5 == 0)


def test_files_without_anything_to_learn_are_refused(file):
    with pytest.raises(NothingToLearn):
        material([file(turn(1, "maybe so", verdict="maybe"))], ALL)
    with pytest.raises(BadPairs, match="pairs"):
        material([file({"earlier": 1, "later": "x", "relation": "same"}, name="pairs.jsonl")], ALL)
