"""Replays MemoryCode through judge and store: rules taught over sessions among filler, and changed later.

    python bench/memorycode.py /path/to/memorycode --dialogues 20
    python bench/memorycode.py /path/to/memorycode --json > memorycode.json

The data (for-ai/MemoryCode, Apache-2.0, arXiv 2502.13791) is not part of this repository: a folder with
`dialogues.jsonl.gz`. Each utterance of the mentor is a developer's message, the mentee's words before it are
the agent's; one session is one session, one dialogue one project with a store of its own. No model and no
weight was made with it; how naming rules follow one another was written down after reading forty of its
changes, later those in dialogues with an even id (docs/decisions/0006-consolidation.md). `--half odd`
measures on the others. docs/evaluation.md says what each figure counts.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
from asides.evaluation.shares import Share, percent, share
from asides.evaluation.writers import load
from asides.judge.judge import judge
from asides.model.clock import stamp
from asides.model.entry import Entry, EntryId, Framing, Kind, Standing
from asides.model.judgment import Judgment, Packet, Proposal, Reason, Relation, Sighting, Supersedes, Writer
from asides.model.turn import ProjectId, SessionId, Turn, TurnId, Via
from asides.store.absorb import absorb
from asides.store.contract import Store
from asides.store.ram import open_ram
from asides.writers.meaning import Meaning
from asides.writers.tuned import Tuned

BEGINS = datetime(2026, 1, 1, tzinfo=UTC)
MESSAGE_APART = timedelta(minutes=1)
SESSION_APART = timedelta(days=1)
SOONER = (1, 2, 3, 4, 5, 10, 15, 20, 30, 40, 50, 100)  # upper ends, as the lengths of the dialogues
MEANING = Meaning()  # loads when it is first asked
_QUOTED = re.compile(r"'([^']+)'")
_SENTENCE = re.compile(r"\S(?:[^.!?\n]|[.!?](?=\S))*[.!?]?")
_SPEAKER = re.compile(r"\W*(\w[\w .-]{0,30}?)\W{0,2}:[ \t]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One version of a rule that a session teaches. Versions of one rule share `name`."""

    name: str
    literal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One conversation: who said what, and which rules with a literal it teaches."""

    utterances: tuple[tuple[bool, str], ...]  # whether it was the mentor, words
    rules: tuple[Rule, ...]
    instructs: bool  # holds any instruction, also one that is not about code


@dataclass(slots=True)
class Tally:
    """What is counted over all dialogues."""

    shares: defaultdict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    final: defaultdict[int, list[bool]] = field(default_factory=lambda: defaultdict(list))
    missed: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Course:
    """One dialogue as far as it has come."""

    store: Store
    versions: dict[str, list[tuple[str, int]]] = field(default_factory=dict)  # literal, session
    held: set[tuple[str, str]] = field(default_factory=set)  # rule, literal: captured live at its time
    unsaid: set[str] = field(default_factory=set)  # rules whose literal in force is in no message


def dialogues(folder: Path) -> list[dict]:
    """Returns the dialogues as they are on disk."""
    with gzip.open(folder / "dialogues.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def sessions(dialogue: dict) -> list[Session]:
    """Returns the sessions of one dialogue."""
    mentor, mentee = dialogue["context"]["mentor"], dialogue["context"]["mentee"]
    return [
        Session(
            utterances=tuple(utterances(one["text"], mentor, mentee)),
            rules=tuple(
                Rule(name=_QUOTED.sub("''", topic) if _changes(topic) else topic, literal=quoted[0])
                for kind, topic in zip(one["type"], one["topic"], strict=True)
                if kind.startswith("instruction") and (quoted := _QUOTED.findall(topic))
            ),
            instructs=any("instruction" in kind for kind in one["type"]),
        )
        for one in dialogue["sessions"]
    ]


def _changes(topic: str) -> bool:
    """Tells whether other versions of the rule differ in the literal: prefixes and suffixes of names do."""
    return topic.startswith(("always start ", "always end "))


def utterances(text: str, mentor: str, mentee: str) -> Iterator[tuple[bool, str]]:
    """Yields who speaks (the mentor?) and the words, in order; names may be cut to their first letters."""
    found: list[tuple[bool, list[str]]] = []
    for line in text.split("\n"):
        spoken = _SPEAKER.match(line)
        name = spoken.group(1).strip().casefold() if spoken else ""
        who = [is_mentor for is_mentor, full in ((True, mentor), (False, mentee)) if _names(name, full)]
        if spoken and len(who) == 1:
            found.append((who[0], [line[spoken.end() :]]))
        elif found:
            found[-1][1].append(line)
    for is_mentor, lines in found:
        if said := "\n".join(lines).strip():
            yield is_mentor, said


def _names(said: str, full: str) -> bool:
    folded = full.casefold()
    return bool(said) and (said == folded or (len(said) <= 2 and folded.startswith(said)))


class Pointing:
    """A `Writer` that knows the answer: it proposes each sentence that holds one of `literals`, and no other.

    What is still wrong with it is the checks' fault and the consolidation's, not the writer's.
    """

    identity = "pointing"
    live_threshold = 0.5
    floor = 0.1

    def __init__(self) -> None:
        self.literals: tuple[str, ...] = ()

    def salience(self, message: str, previous: str) -> tuple[Proposal, ...]:  # noqa: ARG002
        """Returns the sentences with a literal."""
        return tuple(
            Proposal(
                start=one.start(), end=one.end(), kind=Kind.LAW.value, framing=Framing.EXPLICIT, score=1.0
            )
            for one in _SENTENCE.finditer(message)
            if any(_names_it(one.group(), literal) for literal in self.literals)
        )


def replay(dialogue: dict, writer: Writer, tally: Tally) -> None:
    """Plays one dialogue and adds to the tally."""
    project = ProjectId(f"dialogue-{dialogue['id']}")
    moment = BEGINS
    course = Course(store=open_ram(project, now=lambda: moment))
    for number, session in enumerate(sessions(dialogue)):
        judgments: list[Judgment] = []
        touched: set[EntryId] = set()
        moment = BEGINS + number * SESSION_APART
        if isinstance(writer, Pointing):
            writer.literals = tuple(rule.literal for rule in session.rules)
        for turn in turns(session, project, number, moment):
            moment += MESSAGE_APART
            judgment = judged(turn, course.store, writer, moment)
            absorbed = absorb(course.store, judgment, at=stamp(moment))
            touched |= {entry.id for entry in (*absorbed.kept, *absorbed.sighted)}
            judgments.append(judgment)
        _count_session(number, session, judgments, touched, course, tally)


def turns(session: Session, project: ProjectId, number: int, begins: datetime) -> Iterator[Turn]:
    """Yields the mentor's utterances as turns."""
    said = session.utterances
    for place, (is_mentor, words) in enumerate(said):
        if not is_mentor:
            continue
        before = next((w for m, w in reversed(said[:place]) if not m), "")
        after = said[place + 1 :]
        yield Turn(
            id=TurnId(f"{number}-{place}"),
            session=SessionId(f"session-{number}"),
            project=project,
            agent="claude-code",
            via=Via.TYPED,
            said_at=stamp(begins + place * MESSAGE_APART / 2),
            message=words,
            previous=before,
            reply=after[0][1] if after and not after[0][0] else "",
            following=next((w for m, w in after if m), ""),
        )


def judged(turn: Turn, store: Store, writer: Writer, moment: datetime) -> Judgment:
    """Judges one turn as the daemon does, in a project without files."""
    packet = Packet(
        turn=turn,
        standing=store.all((Standing.LIVE, Standing.PROPOSED)),
        refused=store.all((Standing.REFUSED,)),
    )
    return judge(packet, writer=writer, now=lambda: moment, gone=store.gone, closeness=MEANING.closeness)


def _count_session(
    number: int,
    session: Session,
    judgments: list[Judgment],
    touched: set[EntryId],
    course: Course,
    tally: Tally,
) -> None:
    live = {entry.id: entry for entry in course.store.live()}
    ours = [live[one] for one in touched if one in live]
    if not session.instructs:
        tally.shares["false sessions"].append(bool(ours))
        tally.shares["false sessions, proposed too"].append(bool(touched))
    for rule in session.rules:
        course.versions.setdefault(rule.name, []).append((rule.literal, number))
        caught = any(rule.literal in entry.body for entry in ours)
        tally.shares["captured"].append(caught)
        known = [course.store.get(one) for one in touched]
        offered = any(rule.literal in one.body and one.standing is Standing.PROPOSED for one in known)
        tally.shares["captured, proposed too"].append(caught or offered)
        if any(rule.literal in judgment.turn.message for judgment in judgments):
            course.unsaid.discard(rule.name)
        else:
            course.unsaid.add(rule.name)
        course.held.discard((rule.name, rule.literal))
        if caught:
            course.held.add((rule.name, rule.literal))
        else:
            tally.missed[why_missed(rule, judgments)] += 1
    if course.versions:
        _count_state(number, list(live.values()), course, tally)


def why_missed(rule: Rule, judgments: list[Judgment]) -> str:
    """Returns at which step a rule was lost."""
    said = [judgment for judgment in judgments if rule.literal in judgment.turn.message]
    if not said:
        return "not said: the literal is in no message of the mentor"
    drafts = [f for judgment in said for f in judgment.findings if rule.literal in f.draft.body]
    if not drafts:
        if any(judgment.findings for judgment in said):
            return "writer: its span leaves the literal out"
        return "writer: nothing proposed"
    best = max(drafts, key=lambda finding: (finding.kept, finding.draft.score))
    if not best.kept:
        reason = next(verdict.reason for verdict in best.verdicts if not verdict.passed)
        return f"refused: {reason}"
    if best.standing is Standing.PROPOSED:
        reasons = [v.reason for v in best.verdicts if v.reason in _HELD_BACK]
        return f"only proposed: {', '.join(reasons)}"
    return f"kept, but not live afterwards ({_related(best.relation)})"


_HELD_BACK = (Reason.BELOW_LIVE, Reason.TASK_SCOPED, Reason.TAKEN_BACK, Reason.SAID_BEFORE)


def _related(relation: Relation) -> str:
    if isinstance(relation, Sighting):
        return "said again"
    return "a change" if isinstance(relation, Supersedes) else "new"


def _count_state(number: int, live: list[Entry], course: Course, tally: Tally) -> None:
    in_force = {name: said[-1][0] for name, said in course.versions.items()}
    everything = set(in_force.values())
    by_words = by_rule = True
    for name, said in course.versions.items():
        literal = in_force[name]
        before = {old for old, _ in said} - {literal}
        there = any(literal in entry.body for entry in live)
        # "`j_` instead of `i_`" names what it replaces and is not out of date.
        others = [entry for entry in live if not _holds(entry, literal)]
        lingers = any(_holds(entry, old) for old in before - everything for entry in others)
        stale = [entry for entry in others if _stale(entry, said, literal)]
        by_words &= there and not lingers
        by_rule &= there and not stale
        tally.shares["rules right"].append(there and not lingers)
        if len({old for old, _ in said}) > 1:
            tally.shares["changed rules right"].append(there and not lingers)
        if not there:
            lost = (name, literal) in course.held
            tally.wrong[
                "the literal in force: pushed out later" if lost else "the literal in force: never live"
            ] += 1
        if lingers:
            fresh = (name, literal) in course.held
            how = "though the new one is live" if fresh else "and the new one was not captured"
            tally.wrong[f"a replaced literal is still live, {how}"] += 1
    bucket = next(end for end in SOONER if number < end)
    tally.final[bucket].append(by_words)
    tally.shares["final state"].append(by_words)
    tally.shares["final state, by origin"].append(by_rule)
    tally.shares["final state, at best"].append(not course.unsaid)


def _holds(entry: Entry, literal: str) -> bool:
    return _names_it(entry.body, literal)


def _names_it(text: str, literal: str) -> bool:
    """Tells whether a text names the literal itself, not a longer name that it is part of."""
    return re.search(rf"(?<!\w){re.escape(literal)}(?!\w)", text) is not None


def _stale(entry: Entry, said: list[tuple[str, int]], literal: str) -> bool:
    """Tells whether an entry comes from a session that taught an older version, and names that."""
    return any(
        entry.session == f"session-{session}" and _holds(entry, old)
        for old, session in said
        if old != literal
    )


def sample(every: list[dict], count: int | None, seed: int) -> list[dict]:
    """Returns so many dialogues, as many of each length as can be; all of them without a count."""
    if count is None or count >= len(every):
        return every
    dice = random.Random(seed)
    by_length: defaultdict[int, list[dict]] = defaultdict(list)
    for one in every:
        by_length[len(one["sessions"])].append(one)
    for group in by_length.values():
        dice.shuffle(group)
    order = [
        group[n]
        for n in range(max(map(len, by_length.values())))
        for group in by_length.values()
        if n < len(group)
    ]
    return order[:count]


def options() -> argparse.Namespace:
    """Reads the command line."""
    say = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    say.add_argument("folder", type=Path, help="folder that holds dialogues.jsonl.gz")
    say.add_argument("--dialogues", type=int, help="so many, as many of each length as can be (default: all)")
    say.add_argument(
        "--half", choices=("even", "odd"), help="of these, only those with such an id (default: both)"
    )
    say.add_argument("--seed", type=int, default=1, help="which ones (default: %(default)s)")
    say.add_argument(
        "--writer",
        default="encoder",
        help="NAME, NAME:PLACE, or pointing, which knows the answer, to measure all the rest "
        "(default: %(default)s)",
    )
    say.add_argument("--threshold", type=float, help="live from here (default: the writer's own)")
    say.add_argument("--floor", type=float, help="dropped below (default: the writer's own)")
    say.add_argument("--json", action="store_true", help="print JSON")
    return say.parse_args()


FIGURES = (
    "captured",
    "captured, proposed too",
    "false sessions",
    "false sessions, proposed too",
    "final state",
    "final state, by origin",
    "final state, at best",
    "rules right",
    "changed rules right",
)


def main() -> int:
    """Replays, counts, prints."""
    given = options()
    if not (given.folder / "dialogues.jsonl.gz").is_file():
        print(f"{given.folder} holds no dialogues.jsonl.gz: nothing to replay.", file=sys.stderr)
        return 1
    writer: Writer = Pointing()
    if given.writer != "pointing":
        writer = Tuned(load(given.writer), live_threshold=given.threshold, floor=given.floor)
    chosen = sample(dialogues(given.folder), given.dialogues, given.seed)
    if given.half:
        chosen = [one for one in chosen if int(one["id"]) % 2 == (given.half == "odd")]
    tally = Tally()
    began = time.process_time()
    for place, dialogue in enumerate(chosen, 1):
        replay(dialogue, writer, tally)
        if sys.stderr.isatty():
            print(f"\r{place} of {len(chosen)} dialogues", end="", file=sys.stderr, flush=True)
    spent = time.process_time() - began
    figures = {name: _share(tally.shares[name]) for name in FIGURES}
    later = {f"up to {end} sessions": _share(tally.final[end]) for end in SOONER if tally.final[end]}
    if given.json:
        print(
            json.dumps(
                {
                    "writer": writer.identity,
                    "live_threshold": writer.live_threshold,
                    "floor": writer.floor,
                    "dialogues": len(chosen),
                    "sessions": sum(len(one["sessions"]) for one in chosen),
                    "cpu_seconds": round(spent, 1),
                    "figures": {name: asdict(one) for name, one in figures.items()},
                    "final state": {name: asdict(one) for name, one in later.items()},
                    "missed": dict(tally.missed.most_common()),
                    "wrong": dict(tally.wrong.most_common()),
                },
                indent=2,
            )
        )
        return 0
    print(
        f"{writer.identity}, live from {writer.live_threshold:.3f}: {len(chosen)} dialogues, "
        f"{sum(len(one['sessions']) for one in chosen)} sessions, {spent:.0f} s CPU\n"
    )
    _print(figures)
    print("\nfinal state, by the number of sessions so far")
    _print(later)
    for title, counts in (
        ("rules missed", tally.missed),
        ("states wrong (each rule, each session)", tally.wrong),
    ):
        print(f"\n{title}: {counts.total()}")
        for reason, count in counts.most_common():
            print(f"  {count:6d}  {reason}")
    return 0


def _share(came: list[bool]) -> Share:
    return share(sum(came), len(came))


def _print(figures: dict[str, Share]) -> None:
    for name, one in figures.items():
        print(f"  {name:30s}{percent(one):20s}{one.hits}/{one.of}")


if __name__ == "__main__":
    sys.exit(main())
