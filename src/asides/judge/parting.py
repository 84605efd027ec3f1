"""Naming rules that stand side by side in one sentence, each kept by itself.

"Start functions with `f_` and end classes with `_c`" is two rules: when one of them changes, the other stays.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from asides.judge.naming import LITERAL, Naming, naming
from asides.model.judgment import Proposal

_BETWEEN = re.compile(r"[,;.]?\s+(?:(?:and|but)\s+|(?<=[;,.]\s))", re.IGNORECASE)

_DOES = re.compile(
    r"\W*(?:(?:also|always|please|then|now|to|i want you to|i'd like you to) )*"
    r"(?:add|append|apply|call|do|format|have|import|include|keep|log|make|mark|put|raise|return|run|set|throw"
    r"|use|wrap|write)\b",
    re.IGNORECASE,
)
_LEANS = re.compile(r"\b(?:it|them|they|those|these|their)\b", re.IGNORECASE)


def parted(proposals: Iterable[Proposal], message: str) -> tuple[Proposal, ...]:
    """Returns the proposals, each with several naming rules cut into one for every rule that stands alone.

    It is cut only where the parts together say what the whole says: "start functions with `f_` and end them
    with `_x`" stays one.
    """
    return tuple(part for proposal in proposals for part in _parts(proposal, message))


def _parts(proposal: Proposal, message: str) -> Iterator[Proposal]:
    start, end = proposal.start, proposal.end
    body = message[start:end]
    for before, after in itertools.pairwise(LITERAL.finditer(body)):
        for cut in _BETWEEN.finditer(body, before.end(), after.start()):
            if _stand_alone(body[: cut.start()], body[cut.end() :], naming(body)):
                yield replace(proposal, end=start + cut.start())
                yield from _parts(replace(proposal, start=start + cut.end()), message)
                return
    yield proposal


def _stand_alone(left: str, right: str, whole: Naming) -> bool:
    """Tells whether two parts, one of them a naming rule at least, say each its own and all of the whole."""
    one, two = naming(left), naming(right)
    if not (one.filled and two.filled):
        another = right if one.filled else left
        if not (one.filled or two.filled) or not _DOES.match(another) or _LEANS.search(another):
            return False
    return (
        not one.filled.keys() & two.filled.keys()
        and one.filled | two.filled == whole.filled
        and one.loose | two.loose == whole.loose
    )
