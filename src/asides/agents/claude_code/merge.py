"""Our pieces put into a settings text, and taken out again: text in, text out, no file touched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from asides.agents.claude_code.registration import AGENT, EVENTS, OLDEST_CLIENT, groups, our_handlers
from asides.agents.jsonedit import Document, Path
from asides.agents.jsontext import JsonValue
from asides.model.errors import Refused

AUTO_MEMORY = "autoMemoryEnabled"
RULE_LISTS = ("deny", "ask")

_NAMES = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What asides wants to stand in one settings file.

    commands: event name to argument list, the program first. Events the oldest client does
    not know are refused.
    """

    commands: Mapping[str, Sequence[str]]
    deny: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    auto_memory_off: bool = False

    def rules(self, name: str) -> tuple[str, ...]:
        """Returns the permission rules wanted in the list `deny` or `ask`."""
        return self.deny if name == "deny" else self.ask


class AutoMemory(msgspec.Struct, frozen=True, kw_only=True):
    """That we turned auto memory off; `was` is the text of the value before, None if absent."""

    was: str | None


class Added(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that `add` put into a text, enough to take it out of an edited one."""

    made: tuple[tuple[str, ...], ...] = ()  # containers that did not exist
    hollow: tuple[tuple[tuple[str, ...], str], ...] = ()  # containers that were empty, with their blanks
    deny: tuple[str, ...] = ()  # rules that were not there
    ask: tuple[str, ...] = ()
    auto_memory: AutoMemory | None = None

    def rules(self, name: str) -> tuple[str, ...]:
        """Returns the rules added to the list `deny` or `ask`."""
        return self.deny if name == "deny" else self.ask


@dataclass(slots=True)
class _Ledger:
    """Notes what an addition makes while it runs."""

    made: list[tuple[str, ...]] = field(default_factory=list)
    hollow: list[tuple[tuple[str, ...], str]] = field(default_factory=list)


def add(doc: Document, wanted: Wanted) -> tuple[Document, Added]:
    """Returns the document with our pieces behind everything that stands there, and what was added.

    Expects no entry of ours in it. Raises Refused when a place we need holds another type.
    """
    check(doc, wanted)
    ledger = _Ledger()
    for event, our_group in groups(wanted.commands).items():
        doc = _with(doc, ("hooks", event), our_group, ledger)
    added: dict[str, tuple[str, ...]] = {}
    for name in RULE_LISTS:
        there = doc.value(("permissions", name))
        new = [r for r in dict.fromkeys(wanted.rules(name)) if not isinstance(there, list) or r not in there]
        for rule in new:
            doc = _with(doc, ("permissions", name), rule, ledger)
        added[name] = tuple(new)
    auto_memory = None
    if wanted.auto_memory_off and doc.value((AUTO_MEMORY,)) is not False:
        there_already = doc.at((AUTO_MEMORY,)) is not None
        auto_memory = AutoMemory(was=doc.raw((AUTO_MEMORY,)) if there_already else None)
        if there_already:
            doc = doc.with_raw((AUTO_MEMORY,), "false")
        else:
            doc = _member(doc, (), AUTO_MEMORY, False, ledger)
    return doc, Added(
        made=tuple(ledger.made),
        hollow=tuple(ledger.hollow),
        deny=added["deny"],
        ask=added["ask"],
        auto_memory=auto_memory,
    )


def take_out(doc: Document, added: Added | None) -> Document:
    """Returns the document without our pieces; whatever else was written since stays.

    added: what the record says; None when there is no record. Then only our hooks go, since
    nothing tells whose a permission rule or `autoMemoryEnabled` is.
    """
    emptied: list[tuple[str, ...]] = []
    while place := next(our_handlers(doc.value()), None):
        doc = _without_handler(doc, *place)
        emptied.append(("hooks", place[0]))
    for name in RULE_LISTS:
        for rule in added.rules(name) if added else ():
            there = doc.value(("permissions", name))
            if isinstance(there, list) and rule in there:
                doc = doc.without(("permissions", name, there.index(rule)))
    if added and added.auto_memory and doc.value((AUTO_MEMORY,)) is False:
        was = added.auto_memory.was
        doc = doc.without((AUTO_MEMORY,)) if was is None else doc.with_raw((AUTO_MEMORY,), was)
    made = set(added.made) if added else {*emptied, *([("hooks",)] if emptied else [])}
    for where in sorted(made, key=len, reverse=True):
        if where and doc.value(where) in ([], {}):
            doc = doc.without(where)
    for where, blanks in added.hollow if added else ():
        if doc.value(where) in ([], {}):
            doc = doc.with_interior(where, blanks)
    return doc


def satisfied(doc: Document, wanted: Wanted, added: Added | None) -> bool:
    """Returns whether everything wanted stands in the document, and nothing of ours beside it."""
    settings = doc.value()
    places = list(our_handlers(settings))
    want = groups(wanted.commands)
    if sorted(event for event, _, _ in places) != sorted(want):
        return False
    for event, g, h in places:
        handler = doc.value(("hooks", event, g, "hooks", h))
        matcher = doc.value(("hooks", event, g, "matcher")) or None
        if [handler] != want[event]["hooks"] or matcher != want[event].get("matcher"):
            return False
    for name in RULE_LISTS:
        there = doc.value(("permissions", name))
        if not set(wanted.rules(name)) <= {
            r for r in (there if isinstance(there, list) else []) if isinstance(r, str)
        }:
            return False
        if added and not set(added.rules(name)) <= set(wanted.rules(name)):
            return False
    if wanted.auto_memory_off:
        return doc.value((AUTO_MEMORY,)) is False
    return not (added and added.auto_memory and doc.value((AUTO_MEMORY,)) is False)


def check(doc: Document, wanted: Wanted) -> None:
    """Raises Refused, naming the place, when our pieces cannot be put into the document."""
    if unknown := [event for event in wanted.commands if event not in EVENTS]:
        raise Refused(what=f"{AGENT} {OLDEST_CLIENT} has no use here for the event {', '.join(unknown)}.")
    places: list[tuple[Path, type]] = [((), dict), (("hooks",), dict)]
    places += [(("hooks", event), list) for event in wanted.commands]
    if wanted.deny or wanted.ask:
        places.append((("permissions",), dict))
    places += [(("permissions", name), list) for name in RULE_LISTS if wanted.rules(name)]
    for where, kind in places:
        if doc.at(where) is not None and not isinstance(found := doc.value(where), kind):
            name = ".".join(str(step) for step in where) or "the whole file"
            raise Refused(
                what=f"{doc.path}: {name} is {_NAMES.get(type(found), 'a number')}, not {_NAMES[kind]}. "
                "Nothing was changed."
            )


def _with(doc: Document, where: tuple[str, str], value: JsonValue, ledger: _Ledger) -> Document:
    """Adds `value` to the list at `where`, making the list and its object where they are missing."""
    outer, inner = where[:1], where[1]
    if doc.at(outer) is None:
        doc = _member(doc, (), outer[0], {inner: [value]}, ledger)
        ledger.made += [outer, where]
    elif doc.at(where) is None:
        doc = _member(doc, outer, inner, [value], ledger)
        ledger.made.append(where)
    else:
        _note_hollow(doc, where, ledger)
        doc = doc.with_element(where, value)
    return doc


def _member(doc: Document, where: tuple[str, ...], key: str, value: JsonValue, ledger: _Ledger) -> Document:
    _note_hollow(doc, where, ledger)
    return doc.with_member(where, key, value)


def _note_hollow(doc: Document, where: tuple[str, ...], ledger: _Ledger) -> None:
    noted = any(where == known for known, _ in ledger.hollow)
    if not noted and where not in ledger.made and doc.value(where) in ([], {}):
        ledger.hollow.append((where, doc.interior(where)))


def _without_handler(doc: Document, event: str, g: int, h: int) -> Document:
    handlers = doc.value(("hooks", event, g, "hooks"))
    alone = isinstance(handlers, list) and len(handlers) == 1
    return doc.without(("hooks", event, g) if alone else ("hooks", event, g, "hooks", h))
