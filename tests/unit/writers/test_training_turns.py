"""The turns that the encoder is trained on: every label points at words that are there."""

from __future__ import annotations

import importlib.util
import json
import random
from pathlib import Path

import pytest

from asides.model.entry import Framing, Kind

TRAIN = Path(__file__).parents[3] / "train"


def turns(name):
    return [json.loads(line) for line in (TRAIN / "data" / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", ["written.jsonl", "more.jsonl"])
def test_every_labelled_span_stands_in_its_message_word_for_word(name):
    for turn in turns(name):
        assert all(entry["span"] in turn["user_text"] for entry in turn["entries"]), turn["id"]


@pytest.mark.parametrize("name", ["written.jsonl", "more.jsonl"])
def test_every_label_is_of_a_known_kind_and_framing(name):
    for turn in turns(name):
        for entry in turn["entries"]:
            assert Kind(entry["kind"])
            assert Framing(entry["framing"])
        assert turn["verdict"] != "none" or not turn["entries"]


def test_the_composed_turns_are_what_the_composer_makes_of_its_sentences():
    spec = importlib.util.spec_from_file_location("asides_train_compose", TRAIN / "compose.py")
    compose = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(compose)
    composer = compose.Composer(random.Random(compose.SEED))
    composer.kept()
    composer.pairs()
    composer.empty()
    assert composer.found == turns("more.jsonl")


def test_noise_is_dealt_out_alike_to_turns_with_and_without_something_to_keep():
    found = turns("more.jsonl")
    for register in ("clean", "casual", "noisy"):
        shares = []
        for verdict in ("keep", "none"):
            of = [t for t in found if t["verdict"] == verdict]
            shares.append(sum(t["register"] == register for t in of) / len(of))
        assert abs(shares[0] - shares[1]) < 0.08
