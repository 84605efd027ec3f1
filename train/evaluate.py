"""Runs the shipped writer over labelled turns, writes its predictions, and prints the score.

    PYTHONPATH=src python train/evaluate.py --split held --out /tmp/predictions.jsonl

The score is that of `score.py` beside the labels where it is there; predictions are written either way.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import time
from pathlib import Path

from examples import rows, side

from asides.judge.judge import judge
from asides.model.clock import now
from asides.model.judgment import Packet
from asides.model.turn import ProjectId, SessionId, Turn, TurnId, Via
from asides.writers.encoder import WEIGHTS, Encoder
from asides.writers.tuned import Tuned

DEV = Path(__file__).parent.parent.parent / "shared" / "judgment" / "dev.jsonl"


def options() -> argparse.Namespace:
    """Reads the command line."""
    say = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    say.add_argument("--labels", type=Path, default=DEV, help="labelled turns (default: %(default)s)")
    say.add_argument(
        "--split",
        choices=("train", "choose", "held", "all"),
        default="held",
        help="by project; all for files without one",
    )
    say.add_argument(
        "--weights", type=Path, default=WEIGHTS, help="folder of the writer (default: the shipped one)"
    )
    say.add_argument("--out", type=Path, required=True, help="where the predictions go")
    say.add_argument("--floor", type=float, help="drop below this, not below the card's floor")
    say.add_argument("--live", type=float, help="live from here, not from the card's threshold")
    say.add_argument("--card", action="store_true", help="write the figures into the card")
    say.add_argument(
        "--judge", action="store_true", help="the whole judge with its checks, as the daemon runs it"
    )
    return say.parse_args()


def scorer(beside: Path):
    """Returns the module score.py that lies beside the labels, or None."""
    path = beside.parent / "score.py"
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location("score", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def scored(beside: Path, labels: list[dict], predictions: list[dict]) -> dict[str, dict]:
    """Returns the figures for what is live, and for it with what is proposed; empty without score.py."""
    score = scorer(beside)
    if score is None:
        print("no score.py beside the labels; only predictions were written")
        return {}
    return {
        "live": score.score(labels, score.live_only(predictions)),
        "live and proposed": score.score(labels, predictions),
    }


def printed(figures: dict[str, dict]) -> None:
    """Prints each figure with its denominator and its 95% interval."""
    for title, result in figures.items():
        print(title)
        for name, r in result.items():
            share = "   n/a" if r["share"] is None else f"{100 * r['share']:6.1f}%"
            between = f"[{100 * r['low']:.1f}, {100 * r['high']:.1f}]"
            print(f"  {name:18s}{share}  {r['hits']:5d}/{r['of']:<5d} {between}")


def proposed(row: dict, writer: Tuned) -> list[dict]:
    """Returns what the writer alone says of a turn."""
    return [
        {
            "kind": p.kind,
            "body": row["user_text"][p.start : p.end],
            "standing": "live" if p.score >= writer.live_threshold else "proposed",
            "score": round(p.score, 4),
        }
        for p in writer.salience(row["user_text"], row.get("prev", ""))
        if p.score >= writer.floor
    ]


def judged(row: dict, writer: Tuned) -> list[dict]:
    """Returns what the judge keeps of a turn, in a project where nothing stands yet."""
    turn = Turn(
        id=TurnId(row["id"]),
        session=SessionId("evaluation"),
        project=ProjectId("evaluation"),
        agent="claude-code",
        via=Via.TYPED,
        said_at="2026-01-01T00:00:00.000Z",
        message=row["user_text"],
        previous=row.get("prev", ""),
        reply=row.get("reply", ""),
    )
    return [
        {
            "kind": finding.draft.kind,
            "body": finding.draft.body,
            "standing": str(finding.standing),
            "score": round(finding.draft.score, 4),
        }
        for finding in judge(Packet(turn=turn), writer=writer, now=now).kept
    ]


def main() -> int:
    """Predicts, writes, scores."""
    given = options()
    if not given.labels.exists():
        print(f"{given.labels} is not there: nothing to evaluate on.", file=sys.stderr)
        return 1
    writer = Encoder(given.weights)
    live = writer.live_threshold if given.live is None else given.live
    floor = writer.floor if given.floor is None else given.floor
    labels = [r for r in rows(given.labels) if given.split == "all" or side(r["project"]) == given.split]
    predictions, costs = [], []
    tuned = Tuned(writer, live_threshold=live, floor=floor)
    for row in labels:
        began = time.process_time()
        entries = judged(row, tuned) if given.judge else proposed(row, tuned)
        costs.append(time.process_time() - began)
        predictions.append({"id": row["id"], "entries": entries})
    given.out.write_text("".join(json.dumps(p) + "\n" for p in predictions), encoding="utf-8")
    costs.sort()
    middle, high = costs[len(costs) // 2] * 1000, costs[int(len(costs) * 0.95)] * 1000
    print(f"{writer.identity}: {len(labels)} turns ({given.split}), live from {live:.3f}, floor {floor:.3f}")
    print(f"CPU for a turn: median {middle:.1f} ms, 95% {high:.1f} ms; {writer.windows_run} windows")
    figures = scored(given.labels, labels, predictions)
    printed(figures)
    if given.card:
        path = given.weights / "card.json"
        card = json.loads(path.read_text())
        card["figures"] = {
            "split": given.split,
            "turns": len(labels),
            "cpu_ms": {"median": round(middle, 1), "p95": round(high, 1)},
            **{t: {n: [r["hits"], r["of"]] for n, r in result.items()} for t, result in figures.items()},
        }
        path.write_text(json.dumps(card, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
