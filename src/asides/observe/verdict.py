"""The verdict on asides itself: from facts of the moment to sentences, worst first, each with a step."""

from __future__ import annotations

from dataclasses import dataclass

SPOOL_STALE = 600.0  # seconds a hook run may wait; the daemon takes one in within a second


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What was looked up; nothing here is judged yet."""

    silenced: bool  # ASIDES_INSIDE is set, which is for children of the daemon only
    settings_fault: str  # what is wrong with the person's settings, as a sentence
    attached: tuple[str, ...]  # settings files that asides was installed into
    detached: tuple[str, ...]  # those of them that no longer call it
    hook_in_place: bool
    waiting: int  # hook runs in the spool
    oldest: float  # seconds that the oldest of them has waited
    answers: bool  # a daemon answers with its nonce
    refused: str  # why no daemon works, where one left word
    owed: int
    writer_trouble: str  # why the writer could not be loaded
    parked: int
    broken: int  # hook runs that could not be read
    broken_folder: str
    log: str


def problems(facts: Facts) -> tuple[str, ...]:
    """Returns what is wrong, worst first; empty when all is well. Every command named here exists."""
    found = []
    if facts.silenced:
        found.append("ASIDES_INSIDE is set here, so every hook of ours does nothing. Unset it.")
    if facts.settings_fault:
        found.append(
            f"{facts.settings_fault} Until it is mended no daemon starts, and commands use the defaults."
        )
    if not facts.attached:
        found.append("asides is not installed into any agent. Run `asides install claude-code`.")
    found += [
        f"{name} no longer calls asides. Run `asides install claude-code` again." for name in facts.detached
    ]
    if facts.attached and not facts.hook_in_place:
        found.append(
            "The hook's files are gone, so nothing is recorded. Run `asides install claude-code` again."
        )
    if facts.refused and not facts.answers:
        why = facts.refused.rstrip(".")
        found.append(f"No daemon works: {why}. See {facts.log}, then run `asides daemon start`.")
    if facts.waiting and facts.oldest > SPOOL_STALE:
        told = "the daemon does not take them in" if facts.answers else "no daemon is running"
        found.append(
            f"{facts.waiting} hook runs wait, the oldest for {facts.oldest / 60:.0f} min: {told}. "
            "Run `asides daemon start`."
        )
    if facts.owed and facts.writer_trouble:
        found.append(f"{facts.owed} turns wait to be judged. {facts.writer_trouble}")
    if facts.parked:
        found.append(
            f"{facts.parked} turns could not be judged and are set aside. See `asides why`, "
            "then try them again with `asides daemon retry`."
        )
    if facts.broken:
        found.append(f"{facts.broken} hook runs could not be read and are kept in {facts.broken_folder}.")
    return tuple(found)
