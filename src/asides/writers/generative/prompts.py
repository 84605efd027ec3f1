"""What a language model is asked: three questions, each with only what its answer depends on.

Training and serving import this module and `template`, so that what a model learned from and what it is
asked can never differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from asides.writers.generative.answers import Line, render

PREVIOUS_CHARACTERS = 480  # of the agent's last words: enough for the question that is being answered

_SALIENCE = """\
You read one message from a developer to a coding agent. Pick out what the developer would have to say again \
in a later session if nobody wrote it down. It holds beyond the work at hand.
law: a standing rule or a lasting fact about the project
hazard: something that went wrong before and must not happen again
ritual: a step that goes with a certain kind of change
correction: the agent goes about things the wrong way, or the direction has changed
loop: work put off on purpose, to come back to
Leave out orders for the work at hand, what the product must do, questions, reports, plans, pasted text and \
what somebody else says.
For each, write one line, its words copied from the message exactly:
MEMORY | kind=law | source=human | anchor=general | the words
Most messages hold nothing of the sort. Then write NONE."""

_ANCHORING = """\
Entries from a developer's message were kept. You see them with the files of the work at hand. Tie an entry \
to a file, or to a declaration in a file, if it speaks of it by name; otherwise it stays general.
Write every line again, unchanged but for its anchor: anchor=general, anchor=path or anchor=path::name."""

_CONSOLIDATION = """\
A developer said something that will be kept. You see it with numbered entries that were kept before.
SAME n: entry n says the same, in whatever words
REPLACES n: entry n no longer holds, now that this was said
NEW: none of them
Write one of these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One question: what the model is told to do, and what it is to do it with."""

    system: str
    user: str


def salience(view: str, previous: str) -> Prompt:
    """Asks what in a message is worth keeping. `view`: what is shown of it, see `view`."""
    before = previous[-PREVIOUS_CHARACTERS:].strip()
    context = f"The agent said last:\n{before}\n\n" if before else ""
    return Prompt(system=_SALIENCE, user=f"{context}The developer:\n{view}")


def anchoring(lines: Sequence[Line], places: Sequence[str]) -> Prompt:
    """Asks which of the places, labelled as `model.anchor.label` does it, each entry is about."""
    shown = "\n".join(places)
    return Prompt(system=_ANCHORING, user=f"Files:\n{shown}\n\nEntries:\n{render(lines)}")


def consolidation(body: str, standing: Sequence[str]) -> Prompt:
    """Asks how what was said relates to the bodies that stand, which are numbered from 1."""
    kept = "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(standing, 1))
    return Prompt(system=_CONSOLIDATION, user=f"Kept before:\n{kept}\n\nSaid now:\n{' '.join(body.split())}")
