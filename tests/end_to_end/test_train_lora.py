"""From labelled turns to a model that the writer loads and that has learned them. Needs asides[lora]."""

from __future__ import annotations

import importlib.util
import json
import os

import pytest

from asides.model import clock
from asides.settings import load
from asides.training.recipe import Recipe
from asides.training.run import NEEDED, SMALL, Work, lora
from asides.writers.loading import chosen
from tests.support.completers import small_model

pytestmark = pytest.mark.slow

KEPT = "Fix the header. Oh, and nobody edits files under generated/ by hand. Thanks."
RULE = "nobody edits files under generated/ by hand"
EMPTY = "Fix the footer. Oh, and the button under settings is still too wide for phones."


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A small model that was shown two turns until it knows them."""
    missing = [name for name in (*NEEDED, "cyllama") if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"asides[lora] is not installed: no {', '.join(missing)}")
    base = small_model()
    os.environ["HF_HUB_OFFLINE"] = "1"
    folder = tmp_path_factory.mktemp("lora")
    rows = [
        {
            "id": "kept",
            "user_text": KEPT,
            "verdict": "keep",
            "entries": [{"kind": "ritual", "span": RULE, "framing": "passing"}],
        },
        {"id": "empty", "user_text": EMPTY, "verdict": "none", "entries": []},
    ]
    data = folder / "turns.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    recipe = Recipe(
        rate=1e-3,
        batch=2,
        together=2,
        epochs=1_000,
        steps=16,
        held_out=0.0,
        empty_share=0.5,
        checkpointing=True,
    )
    work = Work(files=(data,), base=base, out=folder / "out", recipe=recipe)
    told: list[str] = []
    return lora(work, now=clock.now, told=told.append), folder, told


def test_the_loss_falls_and_every_stage_is_timed(trained):
    report, _, told = trained
    assert report.last_loss < report.first_loss / 2
    assert set(report.seconds) == {"load", "train", "merge", "convert", "quantise"}
    assert (report.examples, report.steps) == (2, 16)
    assert told[-1].startswith("step 16 of 16")


def test_what_is_left_is_the_adapter_and_one_quantised_file(trained):
    report, folder, _ = trained
    assert report.model == str((folder / "out" / SMALL).resolve())
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["adapter", SMALL]
    assert report.bytes == {SMALL: (folder / "out" / SMALL).stat().st_size}
    assert report.bytes[SMALL] < 150_000_000


def test_the_writer_named_in_the_settings_loads_it_and_answers_what_it_learned(trained):
    """Would fail if training and serving differed in a single token of the template."""
    report, folder, _ = trained
    settings = folder / "settings.toml"
    settings.write_text(f'writer = "llama"\nwriter_path = "{report.model}"\nwriter_seconds = 300\n')
    writer = chosen(load(settings))
    (found,) = writer.salience(KEPT, "")
    assert (KEPT[found.start : found.end], found.kind) == (RULE, "ritual")
    assert writer.floor <= found.score < writer.live_threshold, "never measured, so never live by itself"
    assert writer.salience(EMPTY, "") == ()
