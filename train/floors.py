"""Writes the predictions of two rules without a model, as the floors that a writer has to beat.

PYTHONPATH=src python train/floors.py --words narrow --out /tmp/floor.jsonl
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

from evaluate import DEV, printed, scored
from examples import rows, side

from asides.writers.clauses import Sort, clauses

WORDS = {
    "narrow": r"always|never|from now on|going forward|remember|every time|whenever|in general|as a rule|"
    r"keep in mind",
    "wide": r"always|never|don'?t|do not|must|only|again|stop|from now on|for now|later|remember|should|"
    r"every time|make sure|whenever|going forward|instead|prefer",
}


def options() -> argparse.Namespace:
    """Reads the command line."""
    say = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    say.add_argument("--labels", type=Path, default=DEV)
    say.add_argument("--split", choices=("train", "choose", "held"), default="held")
    say.add_argument("--words", choices=tuple(WORDS), default="narrow")
    say.add_argument("--out", type=Path, required=True)
    return say.parse_args()


def main() -> None:
    """Predicts every clause that holds one of the words."""
    given = options()
    word = re.compile(rf"\b(?:{WORDS[given.words]})\b", re.IGNORECASE)
    labels = [r for r in rows(given.labels) if side(r["project"]) == given.split]
    predictions = [
        {
            "id": r["id"],
            "entries": [
                {"kind": "law", "body": r["user_text"][c.start : c.end]}
                for c in clauses(r["user_text"])
                if c.sort is Sort.PROSE and word.search(r["user_text"], c.start, c.end)
            ],
        }
        for r in labels
    ]
    given.out.write_text("".join(json.dumps(p) + "\n" for p in predictions), encoding="utf-8")
    printed(scored(given.labels, labels, predictions))


if __name__ == "__main__":
    main()
