"""Measures what compiles to a check, and what the checks find in added lines, on the labelled entries.

    python bench/checks.py [--misses]

Prints how many entries compile that must and that must not, and how many samples of added lines are told
right: for the part that the rules were written against (`tune`), and for the one that was left out (`held`).
Then the same for triggers and proofs. Labels: bench/checks/entries.jsonl and triggers.jsonl.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import msgspec

from asides.hook.cues.lines import broken
from asides.model.anchor import parse
from asides.model.entry import Entry, EntryId, Kind
from asides.model.turn import ProjectId
from asides.model.watch import Check, Watch
from asides.watch.compiling import compile_watch

HERE = Path(__file__).parent / "checks"


def watched(row: dict[str, Any]) -> Watch:
    """Returns the watch that a row's entry compiles to."""
    entry = Entry(
        id=EntryId("labelled0"),
        project=ProjectId("bench"),
        body=row["body"],
        kind=Kind(row.get("kind", "law")),
        anchor=parse(row.get("anchor", "general")),
    )
    return compile_watch(entry, tracked=frozenset(row["tracked"]))


def of_checks(rows: list[dict[str, Any]], *, misses: bool) -> None:
    """Prints the figures of the checks over some rows."""
    right = wrong = wanted = fired = fired_right = to_fire = samples = 0
    for row in rows:
        check = watched(row).check
        wanted += row["compiles"]
        if check is None:
            if row["compiles"]:
                to_fire += sum(sample["broken"] for sample in row["samples"])
                samples += len(row["samples"])
                if misses:
                    print("  not compiled: ", row["body"])
            continue
        right, wrong = right + row["compiles"], wrong + (not row["compiles"])
        if not row["compiles"]:
            print("  WRONG:        ", row["body"], "->", _short(check))
        as_json = msgspec.to_builtins(check)
        for sample in row["samples"]:
            found = bool(broken(as_json, sample["path"], [sample["line"]]))
            samples += 1
            to_fire += sample["broken"]
            fired += found
            fired_right += found and sample["broken"]
            if found != sample["broken"] and (misses or found):
                print("  FIRED:        " if found else "  silent:       ", row["body"], sample, _short(check))
    print(f"  compiled {right} of {wanted} that must ({share(right, wanted)})")
    print(f"  of {right + wrong} compiled, {right} must (precision {share(right, right + wrong)})")
    print(f"  of {len(rows) - wanted} that must not, {wrong} compiled")
    print(f"  of {fired} samples that fired, {fired_right} must (precision {share(fired_right, fired)})")
    print(f"  of {to_fire} samples that must fire, {fired_right} did ({share(fired_right, to_fire)})")
    print(f"  {len(rows)} entries, {samples} samples")


def of_moments(rows: list[dict[str, Any]], *, misses: bool) -> None:
    """Prints the figures of triggers and proofs over some rows."""
    for what in ("triggers", "proof"):
        wanted = given = right = 0
        for row in rows:
            expected, found = row[what], moments(watched(row), what)
            wanted, given = wanted + bool(expected), given + bool(found)
            right += bool(found) and found == expected
            if found != expected and (found or misses):
                print(f"  {what}:", row["body"], "->", found, "expected", expected)
        print(f"  {what}: of {given} given, {right} right (precision {share(right, given)})")
        print(f"  {what}: of {wanted} wanted, {right} given ({share(right, wanted)})")
    print(f"  {len(rows)} entries")


def moments(watch: Watch, what: str) -> list[Any]:
    """Returns triggers or proof in the form of the labels: deeds, then globs and commands, sorted."""
    if what == "proof":
        return _moment(watch.proof.globs, watch.proof.commands) if watch.proof else []
    deeds = sorted({deed.value for one in watch.triggers for deed in one.deeds})
    globs = [glob for one in watch.triggers for glob in one.globs]
    commands = [command for one in watch.triggers for command in one.commands]
    return [" ".join(deeds), *_moment(tuple(globs), tuple(commands))] if watch.triggers else []


def _moment(globs: tuple[str, ...], commands: tuple[tuple[str, ...], ...]) -> list[str]:
    return sorted({*globs, *(f"$ {' '.join(command)}" for command in commands)})


def share(part: int, whole: int) -> str:
    """Returns a share in percent."""
    return f"{part / whole:.1%}" if whole else "none"


def _short(check: Check) -> str:
    return f"{[(sign.form.value, sign.text) for sign in check.signs]} {check.globs} outside {check.outside}"


def main() -> None:
    """Reads the labels and prints the figures."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("--misses", action="store_true", help="print what is missed in the tune part, too")
    misses = arguments.parse_args().misses
    for name, measure in (("entries.jsonl", of_checks), ("triggers.jsonl", of_moments)):
        if not (HERE / name).exists():
            continue
        rows = [json.loads(line) for line in (HERE / name).read_text().splitlines()]
        for part in ("tune", "held"):
            print(f"{name}, {part}:")
            measure([row for row in rows if row["part"] == part], misses=misses and part == "tune")


if __name__ == "__main__":
    main()
