"""Trains the encoder: finds what is worth keeping, where it starts and ends, and of which kind it is.

    PYTHONPATH=src python train/train.py --out train/runs/first

Writes one checkpoint for each epoch and `figures.json`; `train/export.py` takes the best of them.
On one core of a CPU with bf16 an epoch takes about four minutes.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from examples import (
    IGNORED,
    Example,
    Labelled,
    epoch_of,
    folds,
    labelled,
    masked,
    relabelled,
    rows,
    side,
)
from figures import Answer, area, curve, fit, judge
from holdout import DATA, corpus, held_out
from network import PARTS, Network, loss_of, padded, restored, tokenizer_of
from tokenizers import Tokenizer

from asides.writers.encoding import Window
from asides.writers.spans import KEEP, TURN

HERE = Path(__file__).parent
DEV = HERE.parent.parent / "shared" / "judgment" / "dev.jsonl"
LABELS = DATA / "labels"  # of real turns: ids and offsets, no text


def options() -> argparse.Namespace:
    """Reads the command line."""
    say = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    say.add_argument("--out", type=Path, required=True, help="folder for checkpoints and figures")
    say.add_argument(
        "--dev",
        type=Path,
        default=DEV,
        help="labelled turns of real projects (default: %(default)s); never copied",
    )
    say.add_argument(
        "--real",
        default="train",
        help="which real turns are learned: none, train, fold-0 to fold-4, all (default: %(default)s)",
    )
    say.add_argument("--base", type=Path, help="folder of another encoder to start from, e.g. MPNet's")
    say.add_argument("--epochs", type=int, default=5)
    say.add_argument("--batch", type=int, default=32, help="windows in a step")
    say.add_argument(
        "--rate",
        type=float,
        default=1e-4,
        help="highest learning rate of the body; the answer layer takes ten times that",
    )
    say.add_argument("--seed", type=int, default=7)
    say.add_argument(
        "--own-weight", type=float, default=1.0, help="weight of a kept clause in turns written for asides"
    )
    say.add_argument(
        "--dev-weight", type=float, default=2.0, help="weight of a kept clause in real turns: they are few"
    )
    say.add_argument("--start", type=Path, help="a checkpoint to go on from, for a second stage")
    say.add_argument(
        "--own-share",
        type=float,
        default=1.0,
        help="share of own turns in an epoch, drawn anew each time",
    )
    say.add_argument(
        "--repeat-kept",
        type=int,
        default=1,
        help="how often an epoch shows a real turn that keeps something",
    )
    say.add_argument(
        "--masked",
        type=float,
        default=0.0,
        help="share of words hidden anew in each epoch, so that no single one is leant on",
    )
    say.add_argument(
        "--teacher",
        type=Path,
        nargs="+",
        action="append",
        default=[],
        help="checkpoints of one network, averaged; own turns get the mean answer of all teachers as labels",
    )
    say.add_argument(
        "--whole",
        nargs="*",
        default=[],
        help="sources of own turns that every epoch shows whole, with their own labels",
    )
    say.add_argument("--fp32", action="store_true", help="for a CPU without bf16")
    say.add_argument("--threads", type=int, default=1)
    return say.parse_args()


def turns_of(dev: Path, real: str = "train") -> tuple[list[Labelled], list[Labelled]]:
    """Returns the turns to learn from and those to judge by, and says aloud where they came from.

    `real`: `none` learns from our own turns alone; `train` from the real ones of that side of the split and
    judges by *choose*; `fold-N` from all real projects but those of that fold, which judge; `all` from all.
    """
    learn = [labelled(r, ours=True) for r in corpus(DATA) if not held_out(r["user_text"])]
    print(f"own turns: {len(learn)}, keep {sum(t.verdict == 'keep' for t in learn)}", flush=True)
    if not dev.exists():
        print(
            f"NO REAL TURNS: {dev} is not there. Training on our own turns alone; a fifth of them chooses.",
            flush=True,
        )
        random.Random(0).shuffle(learn)
        fifth = len(learn) // 5
        return learn[fifth:], learn[:fifth]
    found = rows(dev)
    if real.startswith("fold-"):
        fold = folds(found)
        sides = {p: "judge" if n == int(real.removeprefix("fold-")) else "learn" for p, n in fold.items()}
    else:
        kinds = {"train": {"train": "learn", "choose": "judge"}, "none": {"choose": "judge"}}
        sides = {r["project"]: kinds.get(real, {}).get(side(r["project"]), "unseen") for r in found}
        sides = dict.fromkeys(sides, "learn") if real == "all" else sides
    judged = [labelled(r, ours=False) for r in found if sides[r["project"]] == "judge"]
    # Labels of our own mend and add what is learned; what judges stays as it came.
    again = {r["id"]: r for name in ("real", "second") for r in rows(LABELS / f"{name}.jsonl")}
    further = [r for r in rows(dev.parent / "unlabelled.jsonl") if r["id"] in again]
    known = [
        relabelled(r, again[r["id"]]) if r["id"] in again else labelled(r, ours=False)
        for r in (*found, *further)
        if sides[r["project"]] == "learn"
    ]
    for name, part in (("to learn from", known), ("to judge by", judged)):
        print(f"real turns {name}: {len(part)}, keep {sum(t.verdict == 'keep' for t in part)}", flush=True)
    return learn + known, judged


def shown(learn: list[Labelled], given: argparse.Namespace, dice: random.Random) -> list[Labelled]:
    """Returns the turns of one epoch."""
    whole = [t for t in learn if t.ours and t.row["project"] in given.whole]
    own = [t for t in learn if t.ours and t.row["project"] not in given.whole]
    real = [t for t in learn if not t.ours]
    kept = [t for t in real if t.verdict == "keep"]
    drawn = dice.sample(own, round(len(own) * given.own_share))
    return drawn + whole + real + kept * (given.repeat_kept - 1)


def taught(example: Example, teachers: list[Answer]) -> Example:
    """Returns a soft example with what teachers say, clause by clause, in place of its labels."""
    window = Window(ids=example.ids, pieces=(), markers=tuple(example.markers))
    answers = np.mean([answer(window) for answer in teachers], axis=0)
    keep = 1 / (1 + np.exp(-answers[example.markers, KEEP]))
    turn = 1 / (1 + np.exp(-answers[0, TURN]))
    return replace(
        example,
        keep=np.where(example.keep == IGNORED, IGNORED, keep).astype(np.float32),
        turn=float(turn) if example.turn != IGNORED else IGNORED,
    )


def answering(network: Network, *, bf16: bool):
    """Returns a function from a window to the network's answers."""

    def answer(window: Window) -> np.ndarray:
        ids = torch.from_numpy(window.ids)[None]
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=bf16):
            return network(ids, torch.ones_like(ids))[0].float().numpy()

    return answer


def chosen_by(choose: list[Labelled], answer: Answer, tokenizer: Tokenizer) -> dict[str, object]:
    """Returns the figures by which epochs and settings are chosen, over turns that were not learned."""
    judged = judge(choose, answer, tokenizer)
    calibration = fit(judged)
    scores = [calibration.probability(j.candidate.keep, j.candidate.turn) for j in judged]
    points = curve(choose, judged, scores)
    return {
        "choose_area": round(area(points), 4),
        "calibration": {"keep": calibration.keep, "turn": calibration.turn, "bias": calibration.bias},
        "captured_at_precision": {
            str(p): round(max((c for _, c, _, q in points if q >= p), default=0.0), 3)
            for p in (0.5, 0.6, 0.7, 0.8)
        },
    }


def main() -> None:
    """Trains and reports."""
    given = options()
    torch.set_num_threads(given.threads)
    torch.manual_seed(given.seed)
    dice = random.Random(given.seed)
    given.out.mkdir(parents=True, exist_ok=True)
    tokenizer = tokenizer_of()
    learn, choose = turns_of(given.dev, given.real)
    network = Network(given.base)
    if given.start:
        network.load_state_dict(torch.load(given.start, weights_only=True))
    teachers = [answering(restored(paths, given.base), bf16=not given.fp32) for paths in given.teacher]
    # The words' embeddings are half of the weights and few turns teach them nothing new.
    network.body.embeddings.word_embeddings.weight.requires_grad_(False)
    if not given.start:
        with torch.no_grad():
            # The markers are unused tokens of the base: they start as something it knows.
            table = network.body.embeddings.word_embeddings.weight
            shift = 0 if network.words is None else 4
            table[1 + shift], table[2 + shift] = table[102 + shift], table[103 + shift]
    groups = [
        {"params": [p for p in network.body.parameters() if p.requires_grad], "lr": given.rate},
        {"params": network.answer.parameters(), "lr": given.rate * 10},
    ]
    steps = torch.optim.AdamW(groups, weight_decay=0.01)
    first = epoch_of(shown(learn, given, random.Random(0)), tokenizer, random.Random(0), (1, 1))
    total = given.epochs * (len(first) // given.batch + 1)
    ramp = torch.optim.lr_scheduler.LambdaLR(
        steps, lambda n: min((n + 1) / (0.1 * total), max(0.02, 1 - n / total) / 0.9)
    )
    told = []
    for epoch in range(1, given.epochs + 1):
        weights = (given.own_weight, given.dev_weight)
        found = epoch_of(shown(learn, given, dice), tokenizer, dice, weights, given.whole)
        if teachers:
            found = [taught(example, teachers) if example.soft else example for example in found]
        if given.masked:
            found = [masked(example, given.masked, dice) for example in found]
        dice.shuffle(found)
        # Of like length within a chunk, so that little is padding; chunks and batches stay shuffled.
        chunk = given.batch * 16
        batches = []
        for at in range(0, len(found), chunk):
            part = sorted(found[at : at + chunk], key=lambda e: len(e.ids))
            batches += [part[n : n + given.batch] for n in range(0, len(part), given.batch)]
        dice.shuffle(batches)
        network.train()
        began, cpu, sums = time.time(), time.process_time(), dict.fromkeys(PARTS, 0.0)
        for n, batch in enumerate(batches):
            ids, mask = padded(batch)
            with torch.autocast("cpu", torch.bfloat16, enabled=not given.fp32):
                answers = network(ids, mask)
            parts = loss_of(answers, batch)
            loss = sum(PARTS[name] * part for name, part in parts.items())
            steps.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            steps.step()
            ramp.step()
            for name, part in parts.items():
                sums[name] += float(part.detach())
            if n % 40 == 0:
                now = f"loss {float(loss.detach()):.3f}, {time.time() - began:.0f} s"
                print(f"  epoch {epoch} step {n}/{len(batches)}, {now}", flush=True)
        network.eval()
        torch.save(network.state_dict(), given.out / f"epoch-{epoch}.pt")
        line = {
            "epoch": epoch,
            "loss": {name: round(value / len(batches), 4) for name, value in sums.items()},
            **(chosen_by(choose, answering(network, bf16=not given.fp32), tokenizer) if choose else {}),
            "seconds": round(time.time() - began),
            "core_seconds": round(time.process_time() - cpu),
        }
        told.append(line)
        print(json.dumps(line), flush=True)
        report = {
            "options": {name: str(value) for name, value in vars(given).items()},
            "turns": {
                "own": sum(t.ours for t in learn),
                "real": sum(not t.ours for t in learn),
                "choose": len(choose),
            },
            "epochs": told,
        }
        (given.out / "figures.json").write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
