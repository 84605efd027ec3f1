"""Writers by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from asides.evaluation.writers import NoSuchWriter, load
from asides.model.errors import WriterUnavailable


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(NoSuchWriter) as caught:
        load("oracle")
    assert "encoder" in caught.value.advice


def test_a_scripted_writer_reads_its_phrases(tmp_path: Path):
    path = tmp_path / "phrases.json"
    path.write_text(json.dumps({"use tabs": ["law", "explicit", 0.9]}))
    (found,) = load(f"scripted:{path}").salience("please use tabs", "")
    assert (found.start, found.end, found.kind, found.score) == (7, 15, "law", 0.9)
    assert load("scripted").salience("please use tabs", "") == ()


@pytest.mark.parametrize("content", ["{", '{"use tabs": ["rule", "explicit", 0.9]}', None])
def test_phrases_that_cannot_be_read_are_a_writer_that_cannot_be_loaded(tmp_path: Path, content):
    path = tmp_path / "phrases.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(WriterUnavailable, match="phrases"):
        load(f"scripted:{path}")


def test_other_weights_are_looked_for_where_the_name_says(tmp_path: Path):
    with pytest.raises(WriterUnavailable, match=str(tmp_path)):
        load(f"encoder:{tmp_path}")
