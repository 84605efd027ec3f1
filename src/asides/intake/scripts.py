"""Tells scripts from people among prompts that came through -p or an SDK: scripts repeat themselves."""

from __future__ import annotations

import hashlib
import re

# A script says the same long thing in session after session; a person who insists says a short one.
# Below this length a repeated prompt proves nothing ("run the tests").
SHORTEST_SCRIPT = 80  # characters after normalising
SESSIONS = 3  # the third session with the same prompt

_VARIES = re.compile(r"(?:/[\w.@-]+){2,}|[0-9a-f]{7,}|\d+", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")


def fingerprint(prompt: str) -> str | None:
    """Returns a digest of a prompt without paths, numbers and hashes; None when it is too short to tell."""
    plain = _BLANKS.sub(" ", _VARIES.sub("#", prompt)).strip().casefold()
    if len(plain) < SHORTEST_SCRIPT:
        return None
    return hashlib.blake2b(plain.encode("utf-8", "replace"), digest_size=16).hexdigest()
