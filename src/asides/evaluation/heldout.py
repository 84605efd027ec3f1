"""The packaged corpus: turns written for asides that training never sees."""

from __future__ import annotations

import gzip
from importlib import resources

from asides.evaluation.labels import Labelled, parse

NAME = "heldout.jsonl.gz"


def packaged() -> tuple[Labelled, ...]:
    """Returns the held-out turns that come with asides."""
    content = resources.files("asides.evaluation").joinpath(NAME).read_bytes()
    return tuple(parse(gzip.decompress(content), NAME))
