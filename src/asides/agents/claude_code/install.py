"""Installs asides into a settings file of Claude Code, and takes it out without a trace."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from asides.agents.claude_code import record as records
from asides.agents.claude_code import settings_file
from asides.agents.claude_code.merge import AUTO_MEMORY, RULE_LISTS, Added, Wanted, add, satisfied, take_out
from asides.agents.claude_code.record import Record, digest, marker_path, record_path
from asides.agents.claude_code.registration import faults, our_handlers
from asides.agents.jsonedit import Document, document
from asides.agents.jsontext import BYTE_ORDER_MARK, JsonValue
from asides.model.clock import Clock, stamp
from asides.model.errors import AsidesError

EMPTY = "{}\n"

_LINES = re.compile(r"[^\n]*\n|[^\n]+")


class Scope(StrEnum):
    """Which of the client's settings files."""

    USER = "user"
    PROJECT = "project"  # shared with everybody who clones the repository
    LOCAL = "local"  # of this project, for this person


class Did(StrEnum):
    """What became of a request; in a dry run, what would."""

    INSTALLED = "installed"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    REMOVED = "removed"
    NOT_INSTALLED = "not_installed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One change of a settings text. `before` and `after` are None where there is no file."""

    path: str
    before: str | None
    after: str | None
    did: Did
    added: Added | None = None
    original: str | None = None  # what uninstalling would leave
    notes: tuple[str, ...] = ()

    @property
    def diff(self) -> str:
        """The change as a unified diff; empty when there is none."""
        names = ["/dev/null" if text is None else self.path for text in (self.before, self.after)]
        old, new = (_LINES.findall(text or "") for text in (self.before, self.after))
        unended = "\n\\ No newline at end of file\n"
        lines = difflib.unified_diff(old, new, names[0], names[1])
        return "".join(line if line.endswith("\n") else line + unended for line in lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """One handler of ours as it stands in a settings file."""

    event: str
    matcher: str | None
    command: tuple[str, ...]
    timeout: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """What a settings file holds now, read from the disk."""

    path: str
    exists: bool
    hooks: tuple[Hook, ...] = ()
    deny: tuple[str, ...] = ()  # every rule of the list, whoever wrote it
    ask: tuple[str, ...] = ()
    auto_memory: bool | None = None  # None: not set in this file
    memory_directory: str | None = None  # where this file moves the client's memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was done, and what stands in the file after it."""

    did: Did
    dry_run: bool
    scope: Scope
    diff: str
    there: Registered
    notes: tuple[str, ...] = ()


def settings_path(scope: Scope, *, config: Path, root: Path) -> Path:
    """Returns the settings file of a scope; `config` is the client's folder, `root` the project's."""
    match scope:
        case Scope.USER:
            return config / "settings.json"
        case Scope.PROJECT:
            return root / ".claude" / "settings.json"
        case Scope.LOCAL:
            return root / ".claude" / "settings.local.json"


def plan_install(text: str | None, wanted: Wanted, *, path: str, record: Record | None = None) -> Plan:
    """Returns the change that makes everything wanted stand in `text`, once.

    Pieces of an earlier installation, also one in another place, are replaced. Nothing else of
    the text changes by a byte. Raises NotPlainJson and Refused.
    """
    doc = document(_or_empty(text), path=path)
    _second_opinion(doc)
    added = record.added if record else None
    if text is not None and satisfied(doc, wanted, added):
        return Plan(path=path, before=text, after=text, did=Did.UNCHANGED, notes=tuple(_notes(doc)))
    here_already = any(our_handlers(doc.value()))
    original = _original(text, doc, record)
    clean = document(_or_empty(original), path=path)
    changed, added = add(clean, wanted)
    _second_opinion(changed)
    return Plan(
        path=path,
        before=text,
        after=changed.text,
        did=Did.UPDATED if here_already else Did.INSTALLED,
        added=added,
        original=original,
        notes=tuple(_notes(changed)),
    )


def plan_uninstall(text: str | None, *, path: str, record: Record | None = None) -> Plan:
    """Returns the change that takes everything of ours out of `text`.

    The bytes from before where the file is as installing left it; else exactly our pieces go
    and remembered values come back. Raises NotPlainJson only when the file was edited since.
    """
    if text is None:
        return Plan(path=path, before=None, after=None, did=Did.NOT_INSTALLED)
    if record and text == record.after:
        return Plan(path=path, before=text, after=record.before, did=Did.REMOVED)
    doc = document(_or_empty(text), path=path)
    after = _original(text, doc, record)
    if after == text:
        return Plan(path=path, before=text, after=text, did=Did.NOT_INSTALLED)
    left = _left(document(_or_empty(after), path=path), record)
    return Plan(path=path, before=text, after=after, did=Did.REMOVED, notes=tuple(left))


def install(
    path: Path, wanted: Wanted, *, state: Path, scope: Scope, now: Clock, dry_run: bool = False
) -> Report:
    """Installs into the settings file at `path`; writes nothing when all is in place already.

    `state` is the state folder, where the record is kept. Raises NotPlainJson, Refused,
    CannotWrite and ChangedMeanwhile, each with the settings as they were.
    """
    file = settings_file.read(path)
    remembered = record_path(state, path)
    record = records.load(remembered, file.text)
    plan = plan_install(file.text, wanted, path=str(path), record=record)
    notes = (*_scope_notes(scope), *_record_notes(remembered, record), *plan.notes)
    if not dry_run:
        settings_file.sweep(file)
    if not dry_run and plan.did is Did.UNCHANGED:
        records.settle(remembered, file.text)
        records.mark(marker_path(state), path, there=True)
    elif not dry_run:
        _carry_out(file, plan, _record(plan, file, record, scope, now), state)
    return _report(plan, scope, dry_run, notes)


def uninstall(path: Path, *, state: Path, scope: Scope, dry_run: bool = False) -> Report:
    """Takes asides out of the settings file at `path` and forgets the record.

    The settings go first, so that no entry is ever left without what it needs; the hook's own
    files are the caller's to remove afterwards. Raises as `install` does.
    """
    file = settings_file.read(path)
    remembered = record_path(state, path)
    record = records.load(remembered, file.text)
    plan = plan_uninstall(file.text, path=str(path), record=record)
    notes = (*_record_notes(remembered, record), *plan.notes)
    if not dry_run:
        settings_file.sweep(file)
        if plan.after is None and file.text is not None:
            settings_file.delete(file)
        elif plan.after is not None and plan.after != file.text:
            settings_file.write(file, plan.after)
        if record and plan.after is None:
            settings_file.remove_folders(tuple(map(Path, record.folders)))
        records.mark(marker_path(state), path, there=False)
        records.forget(remembered)
    return _report(plan, scope, dry_run, notes)


def inspect(path: Path) -> Registered:
    """Returns what the settings file at `path` holds, by the standard library's own parser.

    Raises NotPlainJson, and Refused when it cannot be read.
    """
    text = settings_file.read(path).text
    if text is None:
        return Registered(path=str(path), exists=False)
    doc = document(_or_empty(text), path=str(path))
    settings: JsonValue = json.loads(_or_empty(text).removeprefix(BYTE_ORDER_MARK))
    if not isinstance(settings, dict):
        return Registered(path=str(path), exists=True)
    permissions = settings.get("permissions")
    rules: dict[str, tuple[str, ...]] = {}
    for name in RULE_LISTS:
        there = permissions.get(name) if isinstance(permissions, dict) else None
        rules[name] = tuple(r for r in there if isinstance(r, str)) if isinstance(there, list) else ()
    auto_memory, moved = settings.get(AUTO_MEMORY), settings.get("autoMemoryDirectory")
    return Registered(
        path=str(path),
        exists=True,
        hooks=tuple(_hook(doc, *place) for place in our_handlers(settings)),
        deny=rules["deny"],
        ask=rules["ask"],
        auto_memory=auto_memory if isinstance(auto_memory, bool) else None,
        memory_directory=moved if isinstance(moved, str) else None,
    )


def _record(
    plan: Plan, file: settings_file.SettingsFile, record: Record | None, scope: Scope, now: Clock
) -> Record:
    assert plan.after is not None
    assert plan.added is not None
    return Record(
        path=plan.path,
        scope=scope,
        at=stamp(now()),
        before=plan.original,
        after=plan.after,
        before_sha256=digest(plan.original),
        after_sha256=digest(plan.after),
        added=plan.added,
        folders=tuple(map(str, _folders(file, record))),
    )


def _carry_out(file: settings_file.SettingsFile, plan: Plan, record: Record, state: Path) -> None:
    """Writes record, marker and settings; a failure at any of them leaves all as they were."""
    assert plan.after is not None
    remembered = record_path(state, file.path)
    marker = marker_path(state)
    here_before = records.marked(marker, file.path)
    records.begin(remembered, record)
    try:
        records.mark(marker, file.path, there=True)
        settings_file.write(file, plan.after, new_mode=0o600 if record.scope == Scope.USER else 0o666)
    except AsidesError:
        records.abandon(remembered)
        records.mark(marker, file.path, there=here_before)
        raise
    records.finish(remembered)


def _or_empty(text: str | None) -> str:
    """Returns the text, or an empty object where there is none: the client reads both alike."""
    return EMPTY if text is None or not text.removeprefix(BYTE_ORDER_MARK).strip(" \t\r\n") else text


def _original(text: str | None, doc: Document, record: Record | None) -> str | None:
    """Returns the text as if asides had never been installed."""
    if text is None:
        return None
    if record and text == record.after:
        return record.before
    if record and text == record.before:
        return text
    without = take_out(doc, record.added if record else None)
    if without.text == doc.text:
        return text
    if record and record.before is None and without.value() == {}:
        return None
    return without.text


def _second_opinion(doc: Document) -> None:
    """Makes sure that the standard library's parser reads the same from the text."""
    other: JsonValue = json.loads(doc.text.removeprefix(BYTE_ORDER_MARK))
    assert other == doc.value(), f"two readings of {doc.path} differ"


def _hook(doc: Document, event: str, g: int, h: int) -> Hook:
    handler = doc.value(("hooks", event, g, "hooks", h))
    matcher = doc.value(("hooks", event, g, "matcher"))
    assert isinstance(handler, dict)
    args, timeout = handler["args"], handler.get("timeout")
    assert isinstance(args, list)
    return Hook(
        event=event,
        matcher=matcher if isinstance(matcher, str) else None,
        command=(str(handler.get("command", "")), *map(str, args)),
        timeout=timeout if isinstance(timeout, int | float) else None,
    )


def _folders(file: settings_file.SettingsFile, record: Record | None) -> Iterator[Path]:
    """Yields the folders that come into being with the file, or came when it was first written."""
    if record:
        yield from map(Path, record.folders)
    folder = file.target.parent
    while not folder.exists():
        yield folder
        folder = folder.parent


def _report(plan: Plan, scope: Scope, dry_run: bool, notes: tuple[str, ...]) -> Report:
    there = inspect(Path(plan.path))
    return Report(did=plan.did, dry_run=dry_run, scope=scope, diff=plan.diff, there=there, notes=notes)


def _notes(doc: Document) -> Iterator[str]:
    if doc.value(("disableAllHooks",)) is True:
        yield f"{doc.path} says disableAllHooks: no hook runs, also none of asides, until it is gone."
    yield from faults(doc.value())


def _left(doc: Document, record: Record | None) -> Iterator[str]:
    if record is None and (rules := [n for n in RULE_LISTS if doc.value(("permissions", n))]):
        yield f"No record of an installation: permissions.{' and '.join(rules)} were left as they are."
    if record is None and doc.value((AUTO_MEMORY,)) is False:
        yield f"No record of an installation: {AUTO_MEMORY} was left at false."


def _scope_notes(scope: Scope) -> Iterator[str]:
    if scope is Scope.PROJECT:
        yield (
            "The project's settings are shared, and the hooks name absolute paths of this machine: "
            "scope local keeps them to yourself."
        )


def _record_notes(remembered: Path, record: Record | None) -> Iterator[str]:
    if record is None and records.damaged(remembered):
        yield f"The record {remembered} cannot be read; it was left out of account."
