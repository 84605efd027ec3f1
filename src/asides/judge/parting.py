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


def parted(proposals: Iterable[Proposal], message: str) -> tuple[Proposal, ...]:
    """Returns the proposals, each with several naming rules cut into one for every rule that stands alone.

    It is cut only where the parts together say what the whole says: "start functions with `f_` and end them
    with `_x`" stays one.
    """
    return tuple(part for proposal in proposals for part in _parts(proposal, message))


def _parts(proposal: Proposal, message: str) -> Iterator[Proposal]:
    start, end = proposal.start, proposal.end
    body = message[start:end]
    literals = list(LITERAL.finditer(body))
    whole = naming(body)
    for before, after in itertools.pairwise(literals):
        for cut in _BETWEEN.finditer(body, before.end(), after.start()):
            left, right = naming(body[: cut.start()]), naming(body[cut.end() :])
            if right.filled and (left.filled or left.loose) and _together(left, right, whole):
                yield replace(proposal, end=start + cut.start())
                yield from _parts(replace(proposal, start=start + cut.end()), message)
                return
    yield proposal


def _together(left: Naming, right: Naming, whole: Naming) -> bool:
    return (
        not left.filled.keys() & right.filled.keys()
        and left.filled | right.filled == whole.filled
        and left.loose | right.loose == whole.loose
    )
