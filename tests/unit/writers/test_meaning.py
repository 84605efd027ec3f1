"""Sentence vectors: near in meaning is near in number, each text is read once, damage is said aloud."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import numpy as np
import pytest

from asides.model.errors import WriterUnavailable
from asides.writers import meaning
from asides.writers.encoder import Encoder
from asides.writers.meaning import MODEL_FILE, TOKENIZER_FILE, WEIGHTS, WIDTH, Meaning


@pytest.fixture(scope="module")
def shared() -> Meaning:
    return Meaning()


def test_vectors_have_unit_length(shared: Meaning) -> None:
    rows = shared.vectors(["use pnpm", "", "日本語", "x" * 5_000, "a\x00b"])
    assert rows.shape == (5, WIDTH)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(5), abs=1e-4)
    assert shared.vectors([]).shape == (0, WIDTH)


def test_other_words_for_the_same_are_nearer_than_another_matter(shared: Meaning) -> None:
    same, other = shared.closeness("keep your answers short", ["brief replies please", "never push to main"])
    assert same > 0.5 > other
    assert shared.closeness("use pnpm", ["use pnpm"]) == pytest.approx((1.0,), abs=1e-4)
    assert shared.closeness("use pnpm", []) == ()


def test_nothing_is_loaded_before_the_first_text(tmp_path: Path) -> None:
    empty = Meaning(tmp_path)
    assert empty.closeness("use pnpm", []) == ()
    with pytest.raises(WriterUnavailable, match="cannot be read"):
        empty.closeness("use pnpm", ["use npm"])


def test_each_text_is_read_once_as_long_as_it_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "REMEMBERED", 3)
    reader = Meaning()
    reader.closeness("a", ["b", "c"])
    assert reader.texts_read == 3
    reader.closeness("a", ["b", "c"])
    assert reader.texts_read == 3
    reader.vectors(["d"])  # the oldest goes
    reader.vectors(["a", "b", "c", "d"])
    assert reader.texts_read == 7


def test_a_damaged_or_another_model_is_not_run(tmp_path: Path) -> None:
    (tmp_path / MODEL_FILE).parent.mkdir()
    shutil.copy(WEIGHTS / TOKENIZER_FILE, tmp_path / TOKENIZER_FILE)
    (tmp_path / MODEL_FILE).write_bytes((WEIGHTS / MODEL_FILE).read_bytes()[:-10])
    with pytest.raises(WriterUnavailable, match="another one"):
        Meaning(tmp_path).vectors(["x"])
    (tmp_path / MODEL_FILE).write_bytes(b"no model")
    with pytest.raises(WriterUnavailable, match="does not load"):
        Meaning(tmp_path, sha256=hashlib.sha256(b"no model").hexdigest()).vectors(["x"])


def test_writer_and_vectors_share_one_vocabulary() -> None:
    encoder = Encoder()
    reader = Meaning()
    reader.vectors(["x"])
    assert reader._loaded is not None
    assert encoder._tokenizer.get_vocab() == reader._loaded[0].get_vocab()
