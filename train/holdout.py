"""Picks the written turns that training never sees, and packs them as the corpus of `asides eval`.

    PYTHONPATH=src python train/holdout.py      # again after data/ has grown

One message in ten, by a hash of its words, is held out. Of these, a turn is packed only when no sentence of
it of five words or more stands in a turn that is trained on: nothing packed was ever learned by heart.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
import sys
import unicodedata
from collections import Counter
from pathlib import Path

DATA = Path(__file__).parent / "data"
OUT = Path(__file__).parent.parent / "src" / "asides" / "evaluation" / "heldout.jsonl.gz"
SALT = "held-1"
SHARE = 0.1
LEAST_WORDS = 5  # a shorter sentence ("run the tests") says the same in many turns
# A turn that holds nothing, and one of these words, is of the hard pool.
DIRECTIVE = re.compile(
    r"\b(?:always|never|don'?t|do not|must|should|make sure|ensure|remember|from now on|going forward"
    r"|every ?time|whenever|for now|only|use|stop|keep|no longer|avoid|prefer|again|rule|instead|later)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"[.!?;:\n]+(?=\s|\Z)|\n")
FIELDS = ("id", "user_text", "prev", "reply", "verdict", "entries", "pool", "project")


def folded(text: str) -> str:
    """Returns the words of a text alone: no case, no punctuation, one blank between two."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def held_out(text: str) -> bool:
    """Tells whether a message (`user_text`) is held out: never to be trained or tuned on."""
    digest = hashlib.sha256(f"{SALT}:{folded(text)}".encode()).digest()
    return int.from_bytes(digest[:4], "big") / 2**32 < SHARE


def corpus(data: Path) -> list[dict]:
    """Returns every written turn: `written.jsonl`, `more.jsonl` and `turns/*.txt`, each with its source."""
    from turns import turns

    found: list[dict] = []
    for name in ("written", "more"):
        with (data / f"{name}.jsonl").open(encoding="utf-8") as lines:
            found += [{**json.loads(line), "project": name} for line in lines if line.strip()]
    for path in sorted((data / "turns").glob("*.txt")):
        found += [{**row, "project": path.stem} for row in turns(path)]
    return found


def packed(rows: list[dict]) -> list[dict]:
    """Returns the held-out turns of which nothing stands in a turn that is trained on, each once."""
    known = {sentence for row in rows if not held_out(row["user_text"]) for sentence in _sentences(row)}
    found: dict[str, dict] = {}
    for row in rows:
        if held_out(row["user_text"]) and known.isdisjoint(_sentences(row)):
            hard = row["verdict"] == "none" and DIRECTIVE.search(row["user_text"])
            pool = "directive" if hard else "random"
            whole = {"reply": "", **row, "pool": pool, "id": f"{row['project']}/{row['id']}"}
            found.setdefault(folded(row["user_text"]), {name: whole[name] for name in FIELDS})
    return list(found.values())


def _sentences(row: dict) -> set[str]:
    pieces = [folded(piece) for piece in _SENTENCE.split(row["user_text"])]
    spans = [folded(entry["span"]) for entry in row["entries"]]
    return {piece for piece in (*pieces, *spans) if len(piece.split()) >= LEAST_WORDS}


def main() -> int:
    """Packs, and says what."""
    say = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    say.add_argument(
        "--data", type=Path, default=DATA, help="folder of the written turns (default: %(default)s)"
    )
    say.add_argument("--out", type=Path, default=OUT, help="the corpus (default: %(default)s)")
    given = say.parse_args()
    rows = corpus(given.data)
    held = sum(held_out(row["user_text"]) for row in rows)
    kept = packed(rows)
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in kept)
    # Without a time and a name in it, the same turns make the same file.
    given.out.write_bytes(gzip.compress(lines.encode(), mtime=0))
    verdicts = Counter((row["verdict"], row["pool"]) for row in kept)
    sources = Counter(row["project"] for row in kept)
    size = given.out.stat().st_size
    print(f"{len(rows)} turns, {held} held out, {len(kept)} packed: {given.out} ({size} bytes)")
    print(", ".join(f"{count} {verdict} ({pool})" for (verdict, pool), count in verdicts.most_common()))
    print(", ".join(f"{count} of {source}" for source, count in sources.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
