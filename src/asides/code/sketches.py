"""What two texts have in common, told from a few numbers of each: neither text is needed.

A text is taken as its parts: each three words in a row, and which time they stand there. The lowest hashes of
all parts are a fair sample of them, the same one wherever the same parts stand, so that two samples tell how
much two texts share (bottom-k sketches, Broder 1997).
"""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

LONGEST = 64  # hashes in a sketch: a share is then told within about 6 points, two times out of three
_ROW = 3  # words in a part: fewer are everywhere, more are lost with one changed word in their midst
_BITS = (1 << 48) - 1  # two of a million parts share a hash with 1 in 500; whole in JSON and in SQLite
_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)  # odd, so that no bit is lost
_AGAIN = 0xD6E8FEB86659FD93


def sketch(words: Sequence[str]) -> tuple[int, ...]:
    """Returns the LONGEST lowest hashes of a text's parts, in order; all of them where there are fewer."""
    return lowest(parts(words))


def lowest(counted: Mapping[int, int]) -> tuple[int, ...]:
    """Returns the sketch of what consists of these parts, each as often as counted."""
    return tuple(heapq.nsmallest(LONGEST, numbered(counted)))


def names(words: Iterable[str]) -> Counter[int]:
    """Returns the hashes of words that stand in no order, such as the paths of a folder."""
    return Counter(_hash(word) & _BITS for word in words)


def parts(words: Sequence[str]) -> Counter[int]:
    """Returns the hashes of each three words in a row, and how often they stand there."""
    if not words:
        return Counter()
    hashes = {word: _hash(word) for word in set(words)}
    row = [hashes[word] for word in words] + [0] * (_ROW - len(words))
    one, two, three = _FACTORS
    return Counter(
        (a * one + b * two + c * three) & _BITS for a, b, c in zip(row, row[1:], row[2:], strict=False)
    )


def numbered(counted: Mapping[int, int]) -> Iterator[int]:
    """Yields a hash for each time that a part stands there: the second time is a part of its own."""
    for part, times in counted.items():
        for time in range(times):
            yield (part + time * _AGAIN) & _BITS


def likeness(one: Sequence[int], other: Sequence[int]) -> float:
    """Returns the share of both texts' parts together that both have: 1 the same, 0 nothing in common."""
    if not one or not other:
        return 0.0
    mine, theirs = set(one), set(other)
    both = mine | theirs
    if len(one) < LONGEST and len(other) < LONGEST:  # both whole
        return len(mine & theirs) / len(both)
    least = heapq.nsmallest(LONGEST, both)
    return sum(part in mine and part in theirs for part in least) / len(least)


def kept(one: Sequence[int], whole: Iterable[int]) -> float:
    """Returns the share of a sketch's text that stands in a text of which all numbered parts are given."""
    found = whole if isinstance(whole, set | frozenset) else frozenset(whole)
    return sum(part in found for part in one) / len(one) if one else 0.0


def _hash(word: str) -> int:
    return int.from_bytes(hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest())
