"""When a kept body counts as the labelled span: by the words that both hold."""

from __future__ import annotations

import re
from collections import Counter

_WORD = re.compile(r"\w+")
ENOUGH = 0.5  # F1 of the words from which a body covers a span
WIDEST = 3  # a body that holds the whole span may have so many times its words


def covers(body: str, span: str) -> bool:
    """Tells whether a body covers a span: F1 of the words 0.5 or more, or all its words and not much else."""
    kept, wanted = _WORD.findall(body.lower()), _WORD.findall(span.lower())
    if _f1(kept, wanted) >= ENOUGH:
        return True
    return bool(wanted) and set(wanted) <= set(kept) and len(kept) <= WIDEST * len(wanted)


def _f1(kept: list[str], wanted: list[str]) -> float:
    common = (Counter(kept) & Counter(wanted)).total()
    if not common:
        return 0.0
    precision, recall = common / len(kept), common / len(wanted)
    return 2 * precision * recall / (precision + recall)


def same_place(found: str, wanted: str | None) -> bool:
    """Tells whether an anchor is the labelled one, as people write it: `./src/`, `@notes.md`, `total()`."""
    if wanted is None:
        return found == "general"
    name = bare(wanted)
    path, _, inner = found.partition("::")
    return name in (path, inner, found) or path.endswith("/" + name)


def bare(written: str) -> str:
    """Returns a labelled anchor without what people put around a name."""
    return written.strip().strip("`'\"").lstrip("@").removeprefix("./").rstrip("/").removesuffix("()")
