"""Writes the predictions of two rules without a model, as the floors that a writer has to beat.

PYTHONPATH=src python train/floors.py --words narrow --out /tmp/floor.jsonl
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from examples import side

from asides.evaluation.labels import Labelled, read
from asides.evaluation.predictions import Predicted, Prediction, write
from asides.evaluation.scoring import score
from asides.evaluation.shares import percent
from asides.model.entry import Framing, Kind, Source, Standing
from asides.writers.clauses import Sort, clauses
from train import DEV

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


def kept(turn: Labelled, word: re.Pattern[str]) -> Prediction:
    """Returns every clause of a message that holds one of the words, all of them live."""
    text = turn.user_text
    return Prediction(
        id=turn.id,
        entries=tuple(
            Predicted(
                kind=Kind.LAW,
                body=text[clause.start : clause.end],
                standing=Standing.LIVE,
                score=1.0,
                framing=Framing.EXPLICIT,
                source=Source.HUMAN,
            )
            for clause in clauses(text)
            if clause.sort is Sort.PROSE and word.search(text, clause.start, clause.end)
        ),
    )


def main() -> None:
    """Predicts, writes, prints each figure with its denominator and its 95% interval."""
    given = options()
    word = re.compile(rf"\b(?:{WORDS[given.words]})\b", re.IGNORECASE)
    turns = [turn for turn in read(given.labels) if side(turn.project) == given.split]
    predictions = [kept(turn, word) for turn in turns]
    write(given.out, predictions)
    for name, share in score(turns, predictions).items():
        print(f"{name:<17}{percent(share):<19}{share.hits}/{share.of}")


if __name__ == "__main__":
    main()
