"""Reads the turns that are written by hand in `data/turns/*.txt`.

One turn a paragraph, a blank line between two of them:

    P: the agent's last words, where they matter
    U: add the export. {{law.passing|we never log card numbers}} and tell me when done
    R: casual
    L: task-scoped

Only `U` must be there. What is worth keeping stands in double braces with its kind and framing; a turn
without any holds nothing. `{{maybe|...}}` marks what people differ about. `\\n` is a line break. `R` names
the register (clean, casual, noisy), `L` what a turn that holds nothing looks like.

    python train/turns.py FILE...     # says what is wrong in which line, and counts what is there
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

KINDS = ("law", "hazard", "ritual", "correction", "loop")
FRAMINGS = ("explicit", "passing")
MARK = re.compile(r"\{\{(?:(maybe)|([a-z]+)\.([a-z]+))\|(.*?)\}\}", re.DOTALL)


class Malformed(ValueError):
    """A paragraph that is no turn."""


def turn(paragraph: str, name: str) -> dict:
    """Returns one paragraph as a row like those of `written.jsonl`. Raises Malformed."""
    fields: dict[str, str] = {}
    for line in paragraph.splitlines():
        key, _, value = line.partition(": ")
        if key not in ("P", "U", "R", "L") or key in fields or not value.strip():
            raise Malformed(f"not a field: {line[:60]!r}")
        fields[key] = value.strip().replace("\\n", "\n")
    if "U" not in fields:
        raise Malformed("no U")
    text, entries, doubtful = _unmarked(fields["U"])
    if entries and fields.get("L"):
        raise Malformed("a turn with something to keep is no look-alike")
    return {
        "id": name,
        "user_text": text,
        "prev": fields.get("P", ""),
        "reply": "",
        "verdict": "keep" if entries else "maybe" if doubtful else "none",
        "register": fields.get("R", "casual"),
        "lookalike": fields.get("L", ""),
        "entries": entries or doubtful,
        "field": name.partition("-")[0],
    }


def _unmarked(marked: str) -> tuple[str, list[dict], list[dict]]:
    """Returns the message without braces, what is to be kept, and what is doubtful."""
    text, at = "", 0
    entries: list[dict] = []
    doubtful: list[dict] = []
    for found in MARK.finditer(marked):
        maybe, kind, framing, span = found.groups()
        if not maybe and (kind not in KINDS or framing not in FRAMINGS):
            raise Malformed(f"no such kind or framing: {kind}.{framing}")
        if not span.strip() or span != span.strip():
            raise Malformed(f"a span begins or ends with a blank: {span!r}")
        text += marked[at : found.start()]
        entry = {"kind": kind or "law", "framing": framing or "passing", "anchor": None, "sure": 3}
        (doubtful if maybe else entries).append({**entry, "span": span, "start": len(text)})
        text += span
        at = found.end()
    text += marked[at:]
    if "{{" in text or "}}" in text:
        raise Malformed("braces that do not mark a span")
    return text, entries, doubtful


def turns(path: Path) -> list[dict]:
    """Returns the turns of a file. Raises Malformed with the place."""
    found = []
    for number, paragraph in enumerate(re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip()), 1):
        lines = "\n".join(line for line in paragraph.splitlines() if not line.startswith("#"))
        if not lines.strip():
            continue
        try:
            found.append(turn(lines, f"{path.stem}-{number}"))
        except Malformed as error:
            raise Malformed(f"{path.name}, paragraph {number} ({lines[:50]!r}): {error}") from error
    return found


def main() -> None:
    """Checks files and counts."""
    for name in sys.argv[1:]:
        found = turns(Path(name))
        verdicts = Counter(row["verdict"] for row in found)
        kinds = Counter(e["kind"] for row in found if row["verdict"] == "keep" for e in row["entries"])
        same = len(found) - len({row["user_text"].casefold() for row in found})
        print(f"{name}: {dict(verdicts)}, {dict(kinds)}, said twice: {same}")


if __name__ == "__main__":
    main()
