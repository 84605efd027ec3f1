"""Weighs the signs of a pair: learns `asides/judge/kinweights.py` from the labelled pairs.

    PYTHONPATH=src python train/kinship.py [--on dev,test] [--write]

Multinomial logistic regression over standardised signs, three answers: same, ends (replaces), neither
(narrows, unrelated, and the `NEAR` closest sayings of other groups). Prints, by leaving out groups of
entries in turn, how much is found at which precision; the bars in `consolidation.py` come from there.
With --write the weights are learned from everything in the splits named, and written.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from consolidation import Pair, pairs

from asides.judge.kinship import _cannot_be_same, _cannot_end, signs
from asides.judge.kinweights import BIAS
from asides.writers.meaning import Meaning

WEIGHTS = Path(__file__).parent.parent / "src" / "asides" / "judge" / "kinweights.py"
ANSWERS = ("neither", "same", "ends")
ANSWER = {"same": 1, "replaces": 2, "narrows": 0, "unrelated": 0}
NEAR = 6  # sayings of other groups for each pair
NEAR_WEIGHT = 0.4
PENALTY = 10.0  # of squared weights; 3, 10 and 30 differ by less than folds do
FOLDS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The signs of many pairs."""

    names: tuple[str, ...]
    values: np.ndarray  # one row for each pair
    answers: np.ndarray
    weights: np.ndarray
    groups: np.ndarray  # number of the earlier entry
    same_barred: np.ndarray
    ends_barred: np.ndarray


def rows(chosen: list[Pair], meaning: Meaning | None) -> Rows:
    """Returns the signs of the pairs, and of each saying with the entries of other groups nearest to it."""
    reader = Meaning()
    entries = list(dict.fromkeys(pair.earlier for pair in chosen))
    near_by = reader.vectors(entries)
    found: list[dict[str, float]] = []
    about: list[tuple[int, float, int]] = []

    def add(earlier: str, later: str, answer: int, weight: float) -> None:
        close = None if meaning is None else meaning.closeness(later, [earlier])[0]
        found.append(signs(later, earlier, closeness=close))
        about.append((answer, weight, entries.index(earlier)))

    for pair in chosen:
        if pair.relation == "forget":
            continue
        add(pair.earlier, pair.later, ANSWER[pair.relation], 1.0)
        order = np.argsort(-(near_by @ reader.vectors([pair.later])[0]))
        others = [entries[n] for n in order if entries[n] != pair.earlier]
        for other in others[:NEAR]:
            add(other, pair.later, 0, NEAR_WEIGHT)
    names = tuple(found[0])
    answers, weights, groups = (np.array(column) for column in zip(*about, strict=True))
    return Rows(
        names=names,
        values=np.array([[one[name] for name in names] for one in found]),
        answers=answers,
        weights=weights,
        groups=groups,
        same_barred=np.array([_cannot_be_same(one) for one in found]),
        ends_barred=np.array([_cannot_end(one) for one in found]),
    )


def fitted(values: np.ndarray, answers: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Returns a weight for each sign and a bias, of `same` and `ends` against neither, by Newton's method."""
    middle, width = values.mean(0), values.std(0)
    width[width == 0] = 1.0
    x = np.c_[(values - middle) / width, np.ones(len(values))]
    one_hot = np.eye(3)[answers][:, 1:]
    beta = np.zeros((x.shape[1], 2))
    damp = np.full(x.shape[1], PENALTY)
    damp[-1] = 1e-6
    for _ in range(30):
        logits = np.c_[np.zeros(len(x)), x @ beta]
        shares = np.exp(logits - logits.max(1, keepdims=True))
        shares /= shares.sum(1, keepdims=True)
        p = shares[:, 1:]
        slope = x.T @ (weights[:, None] * (p - one_hot)) + damp[:, None] * beta
        size = x.shape[1]
        bend = np.zeros((2 * size, 2 * size))
        for i in range(2):
            for j in range(2):
                w = weights * p[:, i] * ((i == j) - p[:, j])
                bend[i * size : (i + 1) * size, j * size : (j + 1) * size] = (x * w[:, None]).T @ x
        bend[np.diag_indices(2 * size)] += np.tile(damp, 2)
        step = np.linalg.solve(bend, slope.T.ravel()).reshape(2, size).T
        beta -= step
        if np.abs(step).max() < 1e-6:
            break
    weighed = beta[:-1] / width[:, None]
    return np.r_[weighed, [beta[-1] - middle @ weighed]]


def shares(values: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Returns how likely each answer is."""
    logits = np.c_[np.zeros(len(values)), np.c_[values, np.ones(len(values))] @ beta]
    likely = np.exp(logits - logits.max(1, keepdims=True))
    return likely / likely.sum(1, keepdims=True)


def left_out(given: Rows) -> np.ndarray:
    """Returns the shares of each pair from weights that never saw its earlier entry."""
    found = np.zeros((len(given.answers), 3))
    for fold in range(FOLDS):
        out = given.groups % FOLDS == fold
        beta = fitted(given.values[~out], given.answers[~out], given.weights[~out])
        found[out] = shares(given.values[out], beta)
    found[given.same_barred, 1] = 0.0
    found[given.ends_barred, 2] = 0.0
    return found


def curve(given: Rows, likely: np.ndarray, answer: int) -> None:
    """Prints what is found at each bar, and how precisely."""
    real = given.weights == 1.0
    of = int((given.answers[real] == answer).sum())
    print(f"  {ANSWERS[answer]:5} bar: found of {of}, precision, sayings related to entries of other groups")
    for bar in (0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95):
        passed = likely[:, answer] >= bar
        right = int((given.answers[real & passed] == answer).sum())
        every = int((real & passed).sum())
        print(
            f"    {bar:.2f}: {right:4} {right / of:6.1%}  {right}/{every} = {right / max(1, every):6.1%}"
            f"  {int((passed & ~real).sum())}"
        )


def written(tables: dict[str, tuple[tuple[str, ...], np.ndarray]], splits: str) -> str:
    """Returns the module of the weights."""
    lines = [
        f'"""Weights of the signs of a pair, learned by train/kinship.py from {splits}: do not edit.',
        "",
        "For each sign what it adds to `same` and to `ends`, against neither.",
        '"""',
        "",
        f'BIAS = "{BIAS}"',
    ]
    for table, (names, beta) in tables.items():
        lines += ["", f"{table}: dict[str, tuple[float, float]] = {{"]
        lines += [
            f'    "{name}": ({same:.4f}, {ends:.4f}),'
            for name, (same, ends) in zip((*names, BIAS), beta, strict=True)
        ]
        lines += ["}"]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Reads the command line, prints the curves, writes the weights."""
    say = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    say.add_argument("--on", default="dev", help="splits to learn from, with commas (default: %(default)s)")
    say.add_argument("--write", action="store_true")
    asked = say.parse_args()
    chosen = [pair for pair in pairs() if pair.split in asked.on.split(",")]
    tables = {}
    for table, meaning in (("WITH_VECTORS", Meaning()), ("WORDS_ONLY", None)):
        given = rows(chosen, meaning)
        likely = left_out(given)
        print(f"{table}: {int((given.weights == 1.0).sum())} pairs of {asked.on}, {FOLDS} folds by entry")
        curve(given, likely, 1)
        curve(given, likely, 2)
        tables[table] = (given.names, fitted(given.values, given.answers, given.weights))
    if asked.write:
        WEIGHTS.write_text(written(tables, asked.on), "utf-8")
        print(f"written: {WEIGHTS}")


if __name__ == "__main__":
    main()
