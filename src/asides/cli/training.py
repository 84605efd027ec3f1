"""`asides train lora`: a language model of your own for the generative writer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from asides.cli.common import as_json, emit

if TYPE_CHECKING:
    from rich.console import Console

    from asides.training.run import Report

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group()
def train() -> None:
    """Train a model for the generative writer"""


@train.command()
@click.option(
    "--data",
    "files",
    type=_FILE,
    multiple=True,
    required=True,
    help="Labelled turns, as for `asides eval`, or labelled pairs. May be given several times.",
)
@click.option(
    "--base",
    type=click.Path(exists=True, path_type=Path),
    required=True,
    help="The model to start from: a GGUF file, or a folder with safetensors. The recipe is for Qwen3-1.7B.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="A new folder for the adapter and the model.",
)
@click.option("--epochs", type=click.IntRange(1), default=2, show_default=True)
@click.option("--rank", type=click.IntRange(1), default=16, show_default=True)
@click.option("--alpha", type=click.IntRange(1), default=32, show_default=True)
@click.option("--rate", type=click.FloatRange(0, min_open=True), default=2e-4, show_default=True)
@click.option("--batch", type=click.IntRange(1), default=16, show_default=True, help="Examples of one step.")
@click.option(
    "--together", type=click.IntRange(1), default=4, show_default=True, help="Examples computed at once."
)
@click.option(
    "--steps", type=click.IntRange(1), help="Stop after so many, for a trial. [default: all epochs]"
)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option(
    "--measure",
    type=click.IntRange(0),
    default=400,
    show_default=True,
    help="Choose the thresholds on so many turns that are kept back, at most.",
)
@click.option("--full-precision", is_flag=True, help="Compute in 32 bits.")
@click.option("--checkpointing", is_flag=True, help="Take less memory and more time.")
@click.option("--keep", is_flag=True, help="Keep the merged model and the GGUF file in 16 bits.")
@as_json
def lora(
    files: tuple[Path, ...],
    base: Path,
    out: Path,
    epochs: int,
    rank: int,
    alpha: int,
    rate: float,
    batch: int,
    together: int,
    steps: int | None,
    seed: int,
    measure: int,
    full_precision: bool,
    checkpointing: bool,
    keep: bool,
    as_json: bool,
) -> None:
    """Train a low-rank adapter on labelled turns and make a GGUF file of it

    Everything happens on this machine and nothing is fetched. Needs `pip install 'asides[lora]'`.
    """
    from asides.model import clock
    from asides.training.recipe import Recipe
    from asides.training.run import Work
    from asides.training.run import lora as trained

    recipe = Recipe(
        epochs=epochs,
        rank=rank,
        alpha=alpha,
        rate=rate,
        batch=batch,
        together=min(together, batch),
        steps=steps,
        seed=seed,
        full_precision=full_precision,
        checkpointing=checkpointing,
    )
    work = Work(files=files, base=base, out=out, recipe=recipe, measure=measure, keep=keep)
    done = trained(work, now=clock.now, told=lambda step: click.echo(f"  · {step}", err=True))
    emit(done, as_json=as_json, draw=_draw)


def _draw(done: Report, console: Console) -> None:
    stages = ", ".join(f"{stage} {taken:g} s" for stage, taken in done.cpu.items())
    sizes = ", ".join(f"{name} {size / 1e6:.0f} MB" for name, size in done.bytes.items())
    console.print(f"{done.examples} examples, {done.steps} steps, {done.tokens} tokens")
    console.print(f"Processor: {stages}; by the clock {sum(done.seconds.values()):.0f} s")
    console.print(f"Loss {done.first_loss:.3f} at first, {done.last_loss:.3f} at last; {sizes}")
    if done.measured_on:
        console.print(
            f"Live from {done.live_threshold:.3f}, floor {done.floor:.3f}, "
            f"chosen on {done.measured_on} turns that were not trained on"
        )
    else:
        console.print(
            "No thresholds were chosen: what this model finds is proposed and never live by itself."
        )
    if done.answers_refused:
        told = ", ".join(f"{fault} {count}" for fault, count in done.answers_refused.items())
        console.print(f"Answers that counted as NONE: {told}")
    console.print(f'\nTo use it, set in your settings:\n\nwriter = "llama"\nwriter_path = "{done.model}"')
