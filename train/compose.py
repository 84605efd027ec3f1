"""Composes `data/more.jsonl` from the sentences in `data/sentences/`, all of them written for asides.

    python train/compose.py

An aside stands alone, before, behind or between other work, or beside a second aside; sentences that hold
nothing stand alone, in groups, or around a pasted block. Noise (typing slips, no capitals, no full stops,
shouting) is dealt out without looking at the label. The seed is fixed: the same file comes out again.
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

FOLDER = Path(__file__).parent / "data"
SENTENCES = FOLDER / "sentences"
SEED = 20
PREVIOUS = (
    *("", "", "", "Done. All tests pass. Anything else?", "Shall I go on with the next step?"),
    *("I've updated the file and added a test for it.", "The build is green now."),
    *("Which of the two would you like?", "I found three places where this happens:"),
    "Let me know if you want me to commit this.",
    "I have created SUMMARY.md with an overview of the changes.",
    *("Next I would split the module in two.", "The server is running on port 3000."),
    *("I could not reproduce the error.", "Here is the plan:\n1. model\n2. endpoint\n3. page"),
)


def lines(name: str) -> list[str]:
    """Returns the lines of a sentence file without its headings."""
    text = (SENTENCES / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("# ")]


def slip(word: str, dice: random.Random) -> str:
    """Returns a word with two letters swapped, one doubled or one missing."""
    at = dice.randrange(1, len(word) - 1)
    return dice.choice(
        (
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
            word[:at] + word[at] + word[at:],
            word[:at] + word[at + 1 :],
        )
    )


def noisy(text: str, manner: str, dice: random.Random) -> str:
    """Returns a sentence as somebody types it in that manner; names in backquotes stay."""
    if manner == "clean":
        return text
    if manner == "shout":
        return text.upper().rstrip(".") + dice.choice(("", "!", "!!"))
    text = text if text.startswith("I ") else text[0].lower() + text[1:]
    if dice.random() < 0.6:
        text = text.rstrip(".")
    if manner == "casual":
        return text
    words = [
        slip(w, dice) if re.fullmatch(r"[a-z]{5,}", w) and dice.random() < 0.15 else w
        for w in text.split(" ")
    ]
    return " ".join(words).replace("'", "" if dice.random() < 0.7 else "'")


class Composer:
    """Deals sentences out into turns."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.found: list[dict] = []
        self.asides = [tuple(line.split("|", 2)) for line in lines("asides.txt")]
        self.nothing = lines("nothing.txt")
        self.long = [n for n in self.nothing if len(n) > 30]
        self.leads = lines("leads.txt")
        self.openers = [line + " " if not line.endswith(" ") else line for line in lines("openers.txt")]
        self.blocks = [
            b.strip("\n") for b in (SENTENCES / "pasted.txt").read_text(encoding="utf-8").split("\n---\n")
        ]

    def add(
        self, parts: list[tuple[str, tuple[str, str] | None]], lookalike: str = "", glue: str | None = None
    ) -> None:
        """Adds one turn; a part is a sentence with (kind, framing) where it is to be kept."""
        manner = self.dice.choices(("clean", "casual", "noisy", "shout"), (40, 30, 25, 5))[0]
        glue = glue if glue is not None else self.dice.choice((" ", " ", " ", "\n", "\n\n"))
        text, entries = "", []
        for sentence, label in parts:
            said = sentence if "\n" in sentence else noisy(sentence, manner, self.dice)
            if text:
                loose = said.count("\n") or text.count("\n") > 2
                stop = (
                    ""
                    if text[-1] in ".!?:,…)" or glue != " " or loose
                    else self.dice.choice((".", ",", " -", "."))
                )
                text += stop + ("\n\n" if loose else glue)
                lead = label and self.dice.random() < 0.4 and self.dice.choice(self.openers)
                if lead:
                    text += lead.upper() if manner == "shout" else noisy(lead, manner, self.dice)
            if label:
                entries.append(
                    {"kind": label[0], "span": said, "anchor": None, "framing": label[1], "sure": 3}
                )
            text += said
        self.found.append(
            {
                "id": f"more-{len(self.found) + 1}",
                "user_text": text,
                "prev": self.dice.choice(PREVIOUS),
                "reply": "",
                "verdict": "keep" if entries else "none",
                "register": {"shout": "noisy"}.get(manner, manner),
                "lookalike": lookalike,
                "entries": entries,
                "field": "more",
            }
        )

    def kept(self) -> None:
        """Each aside twice: once alone or nearly, once inside other work."""
        for kind, framing, text in self.asides:
            aside = (text, (kind, framing))
            before, behind = self.dice.sample(self.long, 2)
            self.add(self.dice.choice(([aside], [aside], [(before, None), aside], [aside, (behind, None)])))
            shape = self.dice.randrange(5)
            if shape == 0:
                other = self.dice.choice(self.asides)
                second = (other[2], (other[0], other[1]))
                self.add([(before, None), aside, second] if other[2] != text else [(before, None), aside])
            elif shape == 1:
                self.add([(self.dice.choice(self.leads), None), (self.dice.choice(self.blocks), None), aside])
            else:
                self.add([(before, None), aside, (behind, None)])

    def pairs(self) -> None:
        """The same words as a rule and as an errand."""
        frames = [line.split("|", 2) for line in lines("frames.txt")]
        for clause in lines("pairs.txt"):
            for verdict in ("keep", "none"):
                for _, framing, frame in self.dice.sample([f for f in frames if f[0] == verdict], 3):
                    text = frame.format(x=clause, X=clause[0].upper() + clause[1:])
                    part = (text, ("law", framing) if verdict == "keep" else None)
                    rest = [(self.dice.choice(self.nothing), None)] if self.dice.random() < 0.35 else []
                    parts = [*rest, part] if self.dice.random() < 0.5 else [part, *rest]
                    self.add(parts, "" if verdict == "keep" else "minimal pair")

    def empty(self) -> None:
        """Sentences that hold nothing: alone, in groups, and around a pasted block."""
        for text in self.nothing:
            self.add([(text, None)], "alone")
        for _ in range(220):
            self.add([(n, None) for n in self.dice.sample(self.nothing, self.dice.randint(2, 5))], "group")
        for block in self.blocks:
            for lead in self.dice.sample(self.leads, 3):
                parts = [(lead, None), (block, None)]
                if self.dice.random() < 0.4:
                    parts.append((self.dice.choice(self.nothing), None))
                self.add(parts if self.dice.random() < 0.7 else parts[::-1], "pasted")


def main() -> None:
    """Writes the file."""
    composer = Composer(random.Random(SEED))
    composer.kept()
    composer.pairs()
    composer.empty()
    target = FOLDER / "more.jsonl"
    target.write_text(
        "".join(json.dumps(t, ensure_ascii=False) + "\n" for t in composer.found), encoding="utf-8"
    )
    kept = sum(t["verdict"] == "keep" for t in composer.found)
    print(f"{len(composer.found)} turns, {kept} with something to keep, in {target}")


if __name__ == "__main__":
    main()
