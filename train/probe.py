"""Says how much form alone gives away about what is worth keeping.

    PYTHONPATH=src python train/probe.py

A linear classifier over bags of words learns from all fields (files, trades) but one and judges that one:
from length, punctuation and layout alone; from the words of the message; from the agent's words before it.
0.5 is nothing, 1 is all. What the words of real turns give away, learned from real turns of other projects,
is the measure: our own turns should not give away more.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import numpy as np
from examples import rows, side
from holdout import DATA, corpus
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from train import DEV

SIGNS = "?!.,;:`'\"()[]{}/\\@#*-_=<>|\n"


def form(text: str) -> str:
    """Returns a message as the names of its outward features, which can be counted like words."""
    found = [f"length{int(np.log2(len(text) + 1) * 2)}", f"words{int(np.log2(len(text.split()) + 1) * 2)}"]
    found += [f"sign{SIGNS.index(c)}" for c in SIGNS if c in text]
    found += [f"many{SIGNS.index(c)}" for c in SIGNS if text.count(c) > 2]
    found.append(f"opens{'lower' if text[:1].islower() else 'upper' if text[:1].isupper() else 'other'}")
    found.append(f"ends{text[-1:] if text[-1:] in SIGNS else 'word'}".replace("\n", "line"))
    found += ["shouts"] * bool(re.search(r"\b[A-Z]{3,} [A-Z]{3,}\b", text))
    found += ["digits"] * bool(re.search(r"\d", text))
    return " ".join(found)


def area(learn: list[tuple[str, bool]], judged: list[tuple[str, bool]]) -> float:
    """Returns the area under the curve of a classifier that learned from one and judges the other."""
    words = TfidfVectorizer(token_pattern=r"\S+", binary=True, min_df=2)
    model = LogisticRegression(class_weight="balanced", max_iter=2000)
    model.fit(words.fit_transform([t for t, _ in learn]), [k for _, k in learn])
    scores = model.predict_proba(words.transform([t for t, _ in judged]))[:, 1]
    return float(roc_auc_score([k for _, k in judged], scores))


def views(row: dict) -> dict[str, str]:
    """Returns what each probe may see of a turn."""
    plain = " ".join(re.findall(r"[a-z']+", row["user_text"].lower()))
    return {
        "length, punctuation, layout": form(row["user_text"]),
        "words of the message": plain,
        "the agent's words before it": form(row["prev"]) + " " + row["prev"].lower(),
        "register": "register" + row.get("register", ""),
    }


def main() -> None:
    """Probes and prints."""
    say = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    say.add_argument("--dev", type=Path, default=DEV)
    given = say.parse_args()
    ours = [r for r in corpus(DATA) if r["verdict"] != "maybe"]
    fields = sorted({r["field"] for r in ours})
    print(
        f"our own turns: {len(ours)}, keep {sum(r['verdict'] == 'keep' for r in ours)}, fields {len(fields)}"
    )
    real = [r for r in rows(given.dev) if r["verdict"] != "maybe"]
    if not real:
        print(f"NO REAL TURNS: {given.dev} is not there, so there is nothing to compare with.")
    for name in views(ours[0]):
        seen = [(r["field"], views(r)[name], r["verdict"] == "keep") for r in ours]
        each = {}
        for field in fields:
            judged = [(t, k) for f, t, k in seen if f == field]
            if len({k for _, k in judged}) == 2:
                each[field] = area([(t, k) for f, t, k in seen if f != field], judged)
        told = ", ".join(f"{field} {value:.2f}" for field, value in each.items())
        line = f"{name}: mean {np.mean(list(each.values())):.2f} ({told})"
        if real and name != "register":
            parts = [(side(r["project"]), views(r)[name], r["verdict"] == "keep") for r in real]
            learn = [(t, k) for s, t, k in parts if s == "train"]
            line += f"; real turns {area(learn, [(t, k) for s, t, k in parts if s != 'train']):.2f}"
        print(line)


if __name__ == "__main__":
    main()
