"""`asides eval`: how well a writer judges labelled turns."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from asides.cli.common import as_json, emit

if TYPE_CHECKING:
    from rich.console import Console

    from asides.evaluation.report import Report
    from asides.evaluation.requirements import Requirement

LONG = 200  # turns from which a terminal is shown how far it is


def _requirements(
    _ctx: click.Context, _param: click.Parameter, value: tuple[str, ...]
) -> tuple[Requirement, ...]:
    if not value:
        return ()
    from asides.evaluation.requirements import parse

    try:
        return tuple(parse(one) for one in value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _in_a_folder(_ctx: click.Context, _param: click.Parameter, value: Path | None) -> Path | None:
    """Lets a file through that can be written later. Raises BadParameter before any work is done."""
    if value is not None and not value.absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {value.absolute().parent}")
    return value


_SHARE = click.FloatRange(0, 1)
_NEW_FILE = click.Path(dir_okay=False, writable=True, path_type=Path)


@click.command()
@click.argument("labels", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--writer",
    "name",
    default="encoder",
    show_default=True,
    help="NAME or NAME:PLACE: encoder:FOLDER, llama:FILE, remote:ADDRESS#MODEL.",
)
@click.option("--threshold", type=_SHARE, help="Live from here. [default: the writer's own]")
@click.option("--floor", type=_SHARE, help="Dropped below. [default: the writer's own]")
@click.option(
    "--predictions",
    type=_NEW_FILE,
    callback=_in_a_folder,
    help="Write what was kept of each turn, one line each.",
)
@click.option(
    "--plot", type=_NEW_FILE, callback=_in_a_folder, help="Draw precision against what is captured, as SVG."
)
@click.option(
    "--require",
    multiple=True,
    metavar="METRIC>=X",
    callback=_requirements,
    help="Leave with 1 where a figure misses this. May be given several times.",
)
@as_json
def evaluate(
    labels: Path | None,
    name: str,
    threshold: float | None,
    floor: float | None,
    predictions: Path | None,
    plot: Path | None,
    require: tuple[Requirement, ...],
    as_json: bool,
) -> None:
    """Measure a writer with all its checks on labelled turns

    LABELS holds one turn a line (docs/evaluation.md describes it). Without it: turns that come with asides
    and were left out of training.
    """
    from asides.evaluation import heldout
    from asides.evaluation import labels as labelled
    from asides.evaluation import plot as picture
    from asides.evaluation import predictions as predicted
    from asides.evaluation.report import evaluate as measure
    from asides.evaluation.requirements import Missed, missed
    from asides.evaluation.writers import load
    from asides.model import clock
    from asides.writers.tuned import Tuned

    turns = labelled.read(labels) if labels else heldout.packaged()
    writer = Tuned(load(name), live_threshold=threshold, floor=floor)
    with _progress(len(turns)) as told:
        report, kept = measure(
            turns, writer, labels=str(labels) if labels else heldout.NAME, now=clock.now, told=told
        )
    if predictions:
        predicted.write(predictions, kept)
    if plot:
        title = f"{report.writer} on {report.labels}"
        drawing = picture.svg(
            report.curve, title=title, live_threshold=report.live_threshold, floor=report.floor
        )
        plot.write_text(drawing, encoding="utf-8")
    emit(report, as_json=as_json, draw=_draw)
    if told_off := missed(report, require):
        raise Missed(missed="; ".join(told_off))


@contextmanager
def _progress(turns: int) -> Iterator[Callable[[], None]]:
    """Yields what is to be called after each turn; shown where a person waits for long."""
    if turns < LONG or not sys.stderr.isatty():
        yield lambda: None
        return
    with click.progressbar(length=turns, label="judging", file=sys.stderr) as bar:
        yield lambda: bar.update(1)


def _draw(report: Report, console: Console) -> None:
    from asides.evaluation import plot as picture

    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in report.verdicts.items())
    console.print(f"{report.writer} on {report.labels}: {report.turns} turns ({verdicts})")
    console.print(f"live from {report.live_threshold:.3f}, dropped below {report.floor:.3f}\n")
    _draw_figures(report, console)
    _draw_kinds(report, console)
    _draw_calibration(report, console)
    console.print("\nPrecision (up) against captured (right); L live, F floor\n")
    console.print(picture.drawn(report.curve, live_threshold=report.live_threshold, floor=report.floor))
    _draw_curve(report, console)
    _counts("Drafts refused, by the first reason", report.refusals, console)
    _counts("Turns of which nothing was kept, by reason", report.quiet, console)
    cost = report.cost
    console.print(
        f"\nCPU of a judgment: median {cost.p50:.1f} ms, p95 {cost.p95:.1f} ms, most {cost.most:.1f} ms; "
        f"peak memory {cost.peak_memory:.0f} MB"
    )


def _draw_figures(report: Report, console: Console) -> None:
    from asides.evaluation.scoring import FIGURES
    from asides.evaluation.shares import percent

    sections = list(report.figures.values())
    console.print(f"{'':<17}" + "".join(f"{title:<33}" for title in report.figures).rstrip())
    for name in FIGURES:
        found = [section[name] for section in sections]
        cells = [f"{percent(one):<19}{f'{one.hits}/{one.of}':<14}" for one in found]
        console.print(f"{name:<17}" + "".join(cells).rstrip())


def _draw_kinds(report: Report, console: Console) -> None:
    console.print("\nKinds, live and proposed: labelled (down), taken for (right)")
    console.print(" " * 13 + "".join(f"{kind:>12}" for kind in report.kinds))
    for kind, taken in report.kinds.items():
        console.print(f"  {kind:<11}" + "".join(f"{count:>12}" for count in taken.values()))


def _draw_calibration(report: Report, console: Console) -> None:
    from asides.evaluation.shares import percent

    found = report.calibration
    if found.brier is None or found.error is None:
        return
    console.print(
        f"\nCalibration over {found.of} drafts that pass every check but the floor: "
        f"Brier {found.brier:.3f}, mean distance {found.error:.3f}"
    )
    for one in found.bins:
        told = f"{percent(one.right):<19}{one.right.hits}/{one.right.of}"
        console.print(f"  score {one.low:.1f} to {one.high:.1f} (mean {one.score:.2f})   right {told}")


def _draw_curve(report: Report, console: Console) -> None:
    heads = ("threshold", "captured", "right, random", "right, all", "clean", "clean hard")
    console.print("\n" + "".join(f"{head:>15}" for head in heads))
    for point in report.curve:
        own = {report.live_threshold: " L", report.floor: " F"}.get(point.threshold, "")
        shares = (
            point.captured,
            point.precision_random,
            point.precision_all,
            point.clean_turns,
            point.clean_hard,
        )
        cells = "".join(f"{'n/a' if one.share is None else f'{100 * one.share:.1f}%':>15}" for one in shares)
        console.print(f"{point.threshold:>15.3f}{cells}{own}")


def _counts(title: str, counts: dict[str, int], console: Console) -> None:
    if counts:
        told = ", ".join(f"{reason} {count}" for reason, count in counts.items())
        console.print(f"\n{title}: {told}")
