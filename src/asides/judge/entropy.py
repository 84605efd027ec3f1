"""Secrets without a known shape: long strings that nobody would type."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

# 20 characters of base 62 carry 119 bits; shorter ones are taken for names. Names of tests and branches
# reach 24 and more, but consist of words, which are taken out before counting.
LEAST = 20
BITS = 3.2  # per character, over what is left; 20 random characters of base 62 have 3.7 to 4.3
TURNS = 0.28  # share of neighbours of different class: random base 62 about 0.6, camelCase under 0.25
SYLLABLES = 0.62  # share in runs of small letters: random base 62 about 0.3, identifiers 0.65 to 1
SAMPLE = 512  # characters looked at in one string

_RUN = re.compile(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{20,}+={0,2}", re.ASCII)
_PART = re.compile(r"[A-Za-z0-9]+", re.ASCII)
_PLAIN = re.compile(r"(?:[A-Z]?[a-z]+|[A-Z]+)[0-9]{0,4}|[0-9]+", re.ASCII)
_IDENTITY = re.compile(
    r"g?[0-9a-f]+|[0-9A-F]+|[0-7][0-9A-HJKMNP-TV-Z]{25}", re.ASCII
)  # digests (also of git describe), UUIDs, ULIDs
_SYLLABLES = re.compile(r"[A-Z][a-z]{2,}|[a-z]{3,}", re.ASCII)
# What a digest is called where it is written down: lock files, manifests, commits, container images.
_LABEL = re.compile(
    r"(?:sha\d{1,3}|md5|integrity|digest|checksum|hash|commit|rev(?:ision)?|etag|fingerprint|h1|cache[_-]?key|base64)"
    r"[\"']?[ \t]{0,4}[:=@,-]?[ \t]{0,4}[\"']?(?:sha\d{1,3}[-:])?\Z",
    re.IGNORECASE,
)


def random_looking(text: str) -> Iterator[tuple[int, int, str]]:
    """Yields long strings that look random and are not labelled as a digest."""
    for run in _RUN.finditer(text):
        if _is_random(run.group()[:SAMPLE]) and not _LABEL.search(
            text[max(0, run.start() - 48) : run.start()]
        ):
            yield run.start(), run.end(), "random"


def _is_random(string: str) -> bool:
    if string[:7].casefold() in ("sha256-", "sha512-", "sha384-"):
        return False
    parts = _PART.findall(string)
    rest = "".join(part for part in parts if not _PLAIN.fullmatch(part) and not _IDENTITY.fullmatch(part))
    if len(rest) < LEAST or sum(map(len, _SYLLABLES.findall(rest))) > SYLLABLES * len(rest):
        return False
    classes = [_class(character) for character in rest]
    if "digit" not in classes or len(set(classes)) < 2:
        return False
    if "upper" not in classes and len(rest) < 32:  # lower case and digits: slugs, tags
        return False
    turns = sum(a != b for a, b in pairwise(classes)) / (len(classes) - 1)
    return turns >= TURNS and _bits(rest) >= BITS


def _class(character: str) -> str:
    if character.isdigit():
        return "digit"
    return "upper" if character.isupper() else "lower"


def _bits(string: str) -> float:
    """Returns Shannon's entropy of the characters, in bits for each."""
    size = len(string)
    return -sum(n / size * math.log2(n / size) for n in Counter(string).values())
