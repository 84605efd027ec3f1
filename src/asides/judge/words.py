"""Words of any script: what grounding, likeness and length are counted in."""

from __future__ import annotations

import re
import unicodedata

# Combining marks do not count as word characters for `re`, so words of Indic and Semitic scripts would fall
# apart (hazard B-065). Ranges of the Unicode blocks; a test compares them with the character database.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u0816-\u082d\u08ca-\u08ff"
    "\u0900-\u0963\u0966-\u096f\u0971-\u0df3"  # Devanagari to Sinhala without the signs that end a sentence
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f18\u0f19\u0f35\u0f37\u0f39\u0f3e\u0f3f"
    "\u0f71-\u0f84\u0f86-\u0fbc\u102b-\u103e\u1056-\u109d\u135d-\u135f\u17b4-\u17d3\u1ab0-\u1aff\u1dc0-\u1dff"
    "\u20d0-\u20f0\u302a-\u302f\u3099\u309a\ufe00-\ufe0f\ufe20-\ufe2f\u200c\u200d"
)
# Scripts written without spaces are counted in pairs of characters.
_UNSPACED = (
    "\u0e01-\u0e4e\u0e81-\u0edf\u1000-\u109f\u1780-\u17d3"
    "\u3005\u3007\u3041-\u309f\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
# Negations of Chinese stand in front without a space; kept whole, so that their absence is noticed.
_NEGATION = "不要|不能|不可|不许|不用|禁止|不|别|勿"

_WORD = re.compile(
    rf"[{_UNSPACED}]+|(?:(?![{_UNSPACED}])[\w{_MARKS}])+(?:['](?:(?![{_UNSPACED}])[\w{_MARKS}])+)*"
)
_WIDE = re.compile(rf"[{_UNSPACED}]")
_IS_NEGATION = re.compile(rf"(?:{_NEGATION})\Z")
_PIECES = re.compile(rf"{_NEGATION}|(?:(?!{_NEGATION}).)+", re.DOTALL)


def vocabulary(text: str) -> frozenset[str]:
    """Returns the words of a list that is written out with blanks between them."""
    return frozenset(text.split())


# English words that carry no content of a rule; negations are content.
STOP = vocabulary(
    """
    a an the this that these those it its it's i i'm i'd i've we we're you your our my me us he she they
    them their is are was were be been being am do does did doing have has had having will would shall
    should can could may might must to of in on at by for from with as and or so if then than there here
    what which who when where how just also too very please let's lets
    """
)


def words(text: str) -> list[str]:
    """Returns the words of a text in order, folded; scripts without spaces in overlapping pairs."""
    found: list[str] = []
    for match in _WORD.finditer(_folded(text)):
        run = match.group()
        if _WIDE.match(run):
            for piece in _PIECES.findall(run):
                found += [piece] if len(piece) < 2 or _IS_NEGATION.match(piece) else _pairs(piece)
        else:
            found.append(run)
    return found


def has_words(text: str) -> bool:
    """Tells whether there is any word in a text, without looking further than the first."""
    return _WORD.search(text) is not None


def content_words(text: str) -> list[str]:
    """Returns the words that carry meaning; all of them where none would be left."""
    every = words(text)
    return [word for word in every if word not in STOP] or every


def breadth(text: str) -> int:
    """Returns the length in characters as a reader feels it: those of unspaced scripts count twice."""
    return len(text) + len(_WIDE.findall(text))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("\u0640", "")


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]
