"""Judges every real turn with a network that never saw its project; fits calibration and thresholds on that.

    PYTHONPATH=src python train/crossfit.py --runs train/runs/a train/runs/b --epoch 1 2 \
        --out train/runs/crossfit.json

`--runs` names the folders `...-0` to `...-4` that `train.py --real fold-N` wrote. The networks of a fold
are exported as they would be shipped and judge its projects; together the folds judge all 291 turns
with something to keep, so that thresholds hang on more than a few dozen. `export.py` takes the result for
the networks that are trained on all of them.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import torch
from examples import FOLDS, folds, labelled, rows
from export import card_of, quantised, running, together
from figures import Judged, fit, judge
from network import tokenizer_of

from asides.evaluation.calibration import calibration as reliability
from asides.evaluation.curve import curve
from asides.evaluation.labels import Labelled, read
from asides.evaluation.predictions import Prediction, live_only, write
from asides.evaluation.running import at, run
from asides.evaluation.scoring import kinds, score
from asides.evaluation.shares import percent
from asides.writers.encoder import Encoder
from train import DEV

# Of turns with nothing in them, as they come: on so many nothing may be live, or even proposed.
LIVE_CLEAN, FLOOR_CLEAN = 0.99, 0.925
LIVE_HARD = 0.955  # of those with nothing in them that hold words like "always": nothing live
LIVE_PRECISION = 0.55  # of what is live, in turns as they come; 0.7 is reached by one entry in twenty only


def options() -> argparse.Namespace:
    """Reads the command line."""
    say = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    say.add_argument(
        "--runs",
        nargs="+",
        required=True,
        help="folders without their -0 to -4; the answers of several are taken together",
    )
    say.add_argument("--epoch", type=int, nargs="+", required=True, help="weights of several are averaged")
    say.add_argument("--dev", type=Path, default=DEV)
    say.add_argument("--out", type=Path, required=True)
    say.add_argument("--predictions", type=Path)
    return say.parse_args()


def thresholds(turns: Sequence[Labelled], every: Sequence[Prediction]) -> tuple[float, float]:
    """Returns the live threshold and the floor: the lowest that keep their promises, see the constants."""
    live = floor = 1.0
    for limit in np.round(np.arange(0.98, 0.02, -0.005), 4):
        figures = score(turns, at(every, live_threshold=limit, floor=limit))
        clean, right = figures["clean turns"].share or 0.0, figures["precision random"].share or 0.0
        if clean >= FLOOR_CLEAN:
            floor = limit
        if clean >= LIVE_CLEAN and right >= LIVE_PRECISION and figures["clean hard"].share >= LIVE_HARD:
            live = limit
    return float(live), float(floor)


def main() -> None:
    """Judges, fits, prints and writes."""
    given = options()
    torch.set_num_threads(1)
    found = rows(given.dev)
    fold = folds(found)
    tokenizer = tokenizer_of()
    judged: list[Judged] = []
    ordered: list[Labelled] = []
    every: list[Prediction] = []
    cpu: list[float] = []
    with tempfile.TemporaryDirectory() as place:
        for n in range(FOLDS):
            folder = Path(place) / str(n)
            folder.mkdir()
            quantised(together([Path(f"{run}-{n}") for run in given.runs], given.epoch), folder)
            tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
            part = [labelled(r, ours=False) for r in found if fold[r["project"]] == n]
            judged += judge(part, running(folder / "model.int8.onnx"), tokenizer)
            print(f"fold {n}: {len(part)} turns", flush=True)
        fitted = fit(judged)
        for n in range(FOLDS):
            folder = Path(place) / str(n)
            card_of(folder, identity=f"fold-{n}", calibration=asdict(fitted), live=0.0, floor=0.0)
            part = [t for t in read(given.dev) if fold[t.project] == n]
            done = run(part, Encoder(folder), now=lambda: datetime.now(UTC))
            ordered += part
            every += done.every
            cpu += done.cpu
    live, floor = thresholds(ordered, every)
    predictions = at(every, live_threshold=live, floor=floor)
    if given.predictions:
        write(given.predictions, predictions)
    figures = {
        "live": score(ordered, live_only(predictions)),
        "live and proposed": score(ordered, predictions),
    }
    shown = {
        name: {what: f"{s.hits}/{s.of} = {percent(s)}" for what, s in shares.items()}
        for name, shares in figures.items()
    }
    told = {
        "live_threshold": live,
        "floor": floor,
        "calibration": asdict(fitted),
        "figures": shown,
        "kinds": kinds(ordered, predictions),
        "reliability": str(reliability(ordered, every)),
        "cpu_ms": [round(sorted(cpu)[int(len(cpu) * q)] * 1000, 1) for q in (0.5, 0.95)],
        "curve": [
            f"{p.threshold:.3f} captured {percent(p.captured)}, right {percent(p.precision_random)} (random) "
            f"{percent(p.precision_all)} (all), clean {percent(p.clean_turns)}, hard {percent(p.clean_hard)}"
            for p in curve(ordered, every, also=(live, floor))
        ],
    }
    given.out.write_text(json.dumps(told, indent=1) + "\n")
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
