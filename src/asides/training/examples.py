"""Labelled turns and pairs become questions with the answers that a model should give."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from asides.evaluation.labels import Labelled, Verdict
from asides.evaluation.labels import read as read_labels
from asides.evaluation.matching import bare
from asides.model.anchor import File
from asides.model.errors import Refused
from asides.training.recipe import Recipe
from asides.writers.generative import prompts
from asides.writers.generative.answers import LINES_AT_MOST, Line, expressible, render
from asides.writers.generative.grammar import copies
from asides.writers.generative.prompts import Prompt
from asides.writers.generative.view import harmless, shown

PLACES = 6  # files offered in a question about anchors
NEIGHBOURS = 4  # entries that a body is compared with


class BadPairs(Refused):
    """{path} is neither labelled turns nor labelled pairs: {why}."""

    hint = (
        'A pair is one line {{"earlier": ..., "later": ..., "relation": ...}}; a turn as for `asides eval`.'
    )


class NothingToLearn(Refused):
    """There are no turns to train on in {files}."""

    hint = "Give files with labelled turns, of which some hold something to keep."


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One question and the answer to it."""

    prompt: Prompt
    answer: str


class Pair(msgspec.Struct, frozen=True):
    """What an earlier entry is to something said later."""

    earlier: str
    later: str
    relation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What a training is made of. `left_out` counts what was not taken, by reason."""

    examples: tuple[Example, ...]
    held_out: tuple[Labelled, ...]
    left_out: dict[str, int]


def material(files: Sequence[Path], recipe: Recipe) -> Material:
    """Returns the examples of all files in an order that depends on the seed alone, and the turns kept back.

    Raises BadLabels, BadPairs, NoLabels, NothingToLearn, OSError.
    """
    chance = random.Random(recipe.seed)  # noqa: S311 - the same examples must come out again
    left_out: Counter[str] = Counter()
    turns: dict[tuple[str, str], Labelled] = {}
    pairs: list[Pair] = []
    for path in files:
        if _holds_pairs(path):
            pairs += _pairs(path)
        else:
            for turn in read_labels(path):
                if turns.setdefault((turn.user_text, turn.prev or ""), turn) is not turn:
                    left_out["said twice"] += 1
    back = {key for key in turns if _kept_back(key, recipe.held_out)}
    usable = [turn for key, turn in turns.items() if key not in back and _usable(turn, left_out)]
    salient = list(_salience(_balanced(usable, recipe.empty_share, chance, left_out), left_out))
    if not salient:
        raise NothingToLearn(files=", ".join(str(path) for path in files))
    examples = [*salient, *_anchoring(usable, chance), *_consolidation(pairs, chance, left_out)]
    chance.shuffle(examples)
    held_out = tuple(turn for key, turn in turns.items() if key in back and turn.authored == "human")
    return Material(examples=tuple(examples), held_out=held_out, left_out=dict(left_out.most_common()))


def _holds_pairs(path: Path) -> bool:
    if path.suffix == ".gz":
        return False
    with path.open("rb") as file:
        return b'"earlier"' in file.readline()


def _pairs(path: Path) -> list[Pair]:
    try:
        lines = [line for line in path.read_bytes().split(b"\n") if line.strip()]
        return [msgspec.json.decode(line, type=Pair) for line in lines]
    except msgspec.DecodeError as fault:
        raise BadPairs(path=path, why=str(fault)) from fault


def _kept_back(key: tuple[str, str], share: float) -> bool:
    """Decides by the words alone, so that a turn stays on its side whatever else is given."""
    digest = hashlib.sha256("\0".join(key).encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:4]) < share * 2**32


def _usable(turn: Labelled, left_out: Counter[str]) -> bool:
    if turn.verdict is Verdict.MAYBE:
        left_out["labelled maybe"] += 1
        return False
    if turn.authored != "human":
        left_out["not a person's words"] += 1
        return False
    return True


def _balanced(
    turns: Sequence[Labelled], share: float, chance: random.Random, left_out: Counter[str]
) -> list[Labelled]:
    """Returns all turns that hold something, and of the others as many as their share allows."""
    full = [turn for turn in turns if turn.entries]
    empty = [turn for turn in turns if not turn.entries]
    most = round(len(full) * share / (1 - share)) if share < 1 else len(empty)
    if len(empty) > most:
        left_out["more empty turns than their share"] += len(empty) - most
        empty = chance.sample(empty, most)
    return [*full, *empty]


def _salience(turns: Iterable[Labelled], left_out: Counter[str]) -> Iterable[Example]:
    for turn in turns:
        view = shown(harmless(turn.user_text))
        lines = [Line(kind=entry.kind, body=harmless(entry.span).strip()) for entry in turn.entries]
        if not view:
            left_out["nothing of it is shown"] += 1
        elif any(not expressible(line.body) for line in lines):
            left_out["a span of several lines"] += 1
        elif any(line.body not in view for line in lines):
            left_out["a span that is not shown"] += 1
        elif any(not copies(view, line.body) for line in lines):
            left_out["a span that begins or ends within a word"] += 1
        elif len(lines) > LINES_AT_MOST:
            left_out["more entries than an answer holds"] += 1
        else:
            question = prompts.salience(view, harmless(turn.prev or ""))
            yield Example(prompt=question, answer=render(lines))


def _anchoring(turns: Sequence[Labelled], chance: random.Random) -> Iterable[Example]:
    """Asks about each turn with an entry that names a file, and about as many whose entries name none."""
    named = [turn for turn in turns if any(_file(entry.anchor) for entry in turn.entries)]
    general = [turn for turn in turns if turn.entries and not any(entry.anchor for entry in turn.entries)]
    files = sorted({file for turn in named for entry in turn.entries if (file := _file(entry.anchor))})
    for turn in [*named, *chance.sample(general, min(len(named), len(general)))]:
        spans = [(entry, harmless(entry.span).strip()) for entry in turn.entries]
        if any(not expressible(span) for _, span in spans):
            continue  # counted above
        own = [file for entry, _ in spans if (file := _file(entry.anchor))]
        others = [file for file in files if file not in turn.user_text]
        places = [*own, *chance.sample(others, min(PLACES - len(own), len(others)))][:PLACES]
        chance.shuffle(places)
        bare_lines = [Line(kind=entry.kind, body=span) for entry, span in spans]
        tied = [
            Line(kind=line.kind, body=line.body, anchor=File(path=file)) if file in places else line
            for line, (entry, _) in zip(bare_lines, spans, strict=True)
            for file in (_file(entry.anchor),)
        ]
        if places:
            yield Example(prompt=prompts.anchoring(bare_lines, places), answer=render(tied))


def _file(anchor: str | None) -> str:
    """Returns the path that an anchor names, empty where it is none or cannot be said in a line."""
    name = bare(anchor or "")
    ours = name and not any(mark in name for mark in " |\n") and "::" not in name
    return name if ours and ("/" in name or "." in name) else ""


def _consolidation(pairs: Sequence[Pair], chance: random.Random, left_out: Counter[str]) -> Iterable[Example]:
    """Hides the earlier entry of each pair among those of other pairs."""
    bodies = sorted({pair.earlier for pair in pairs})
    for pair in pairs:
        if pair.relation == "forget":
            left_out["a pair that keeps nothing"] += 1
            continue
        others = [
            body for body in chance.sample(bodies, min(NEIGHBOURS, len(bodies))) if body != pair.earlier
        ]
        standing = [pair.earlier, *others[: chance.randrange(NEIGHBOURS)]]
        chance.shuffle(standing)
        number = standing.index(pair.earlier) + 1
        answers = {"same": f"SAME {number}", "replaces": f"REPLACES {number}"}
        question = prompts.consolidation(harmless(pair.later), [harmless(body) for body in standing])
        yield Example(prompt=question, answer=answers.get(pair.relation, "NEW"))
