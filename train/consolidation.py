"""Measures how the judge relates later words to an earlier entry, on the labelled pairs.

    PYTHONPATH=src python train/consolidation.py [--split test] [--wrong]

Each pair is related with the earlier entry standing alone, once live and once proposed, and once refused.
Then every later saying meets all entries of the other groups of its split at once, as in a project that has
that many: whatever it is then related to is a false alarm, but for rules of two groups that really contradict
or repeat each other, which are left out by name (`AKIN`).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from asides.evaluation.shares import percent, share
from asides.judge.consolidation import relate
from asides.judge.kinship import Closeness
from asides.judge.withdrawal import meant, withdrawals
from asides.model.entry import Entry, EntryId, Framing, Kind, Source, Standing
from asides.model.judgment import Draft, Reason, Sighting, Supersedes
from asides.model.turn import ProjectId
from asides.writers.meaning import Meaning

PAIRS = Path(__file__).parent / "data" / "pairs.jsonl"
EARLIER, LATER = "2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"
CLOSENESS: dict[str, Closeness] = {}
RELATIONS = ("same", "replaces", "narrows", "unrelated", "forget")
OUTCOMES = ("sighting", "supersedes", "new", "retires")
RIGHT = {
    "same": "sighting",
    "replaces": "supersedes",
    "narrows": "new",
    "unrelated": "new",
    "forget": "retires",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """An earlier entry, later words, and what the later words are to it."""

    id: str
    earlier: str
    later: str
    relation: str
    kinds: tuple[str, str]
    note: str
    split: str


def pairs(path: Path = PAIRS) -> list[Pair]:
    """Returns the labelled pairs in file order."""
    rows = (json.loads(line) for line in path.read_text("utf-8").splitlines())
    return [Pair(**{**row, "kinds": tuple(row["kinds"])}) for row in rows]


def entry(body: str, kind: str, standing: Standing, name: str = "earlier") -> Entry:
    """Returns an entry that was said before all later words."""
    return Entry(
        id=EntryId(name),
        project=ProjectId("p"),
        body=body,
        kind=Kind(kind),
        standing=standing,
        said_at=EARLIER,
        last_seen_at=EARLIER,
    )


def draft(body: str, kind: str) -> Draft:
    """Returns later words as a draft that a writer is sure of."""
    return Draft(
        body=body,
        start=0,
        end=len(body),
        kind=kind,
        framing=Framing.PASSING,
        source=Source.HUMAN,
        score=0.9,
    )


def outcome(pair: Pair, standing: Standing) -> str:
    """Returns what the judge makes of a pair whose earlier entry has this standing."""
    old = entry(pair.earlier, pair.kinds[0], standing)
    refused = (old,) if standing is Standing.REFUSED else ()
    if standing is not Standing.REFUSED and takes_out(pair.later, (old,)) is not None:
        return "retires"
    found = relate(
        draft(pair.later, pair.kinds[1]),
        () if refused else (old,),
        refused,
        said_at=LATER,
        closeness=CLOSENESS.get("closeness"),
    )
    if any(verdict.reason is Reason.REFUSED_BEFORE for verdict in found.verdicts):
        return "refused"
    match found.relation:
        case Sighting():
            return "sighting"
        case Supersedes():
            return "supersedes"
        case _:
            return "new"


def takes_out(later: str, entries: tuple[Entry, ...]) -> Entry | None:
    """Returns the entry that later words take back by a fixed form."""
    found = (meant(one.subject, entries, CLOSENESS.get("closeness")) for one in withdrawals(later))
    return next((one[0] for one in found if one is not None), None)


def shown(right: int, of: int) -> str:
    """Returns a share with its 95% interval, in percent."""
    return f"{right}/{of} = {percent(share(right, of))}" if of else "0/0"


def table(found: Iterable[tuple[Pair, str]], outcomes: tuple[str, ...]) -> None:
    """Prints, for each relation, how often each outcome came."""
    counts = Counter((pair.relation, came) for pair, came in found)
    print(f"| {'':10} | " + " | ".join(f"{name:>10}" for name in outcomes) + " |")
    print("|---|" + "---|" * len(outcomes))
    for relation in RELATIONS:
        print(f"| {relation:10} | " + " | ".join(f"{counts[relation, o]:>10}" for o in outcomes) + " |")
    print()


def report(chosen: list[Pair], *, wrong: bool) -> None:
    """Prints all figures of one split."""
    live = [(pair, outcome(pair, Standing.LIVE)) for pair in chosen]
    proposed = [(pair, outcome(pair, Standing.PROPOSED)) for pair in chosen]
    refused = [(pair, outcome(pair, Standing.REFUSED)) for pair in chosen]
    print("earlier entry live")
    table(live, OUTCOMES)
    for relation in RELATIONS:
        came = [o for pair, o in live if pair.relation == relation]
        print(f"  {relation:10} right {shown(came.count(RIGHT[relation]), len(came))}")
    reworded = [o for pair, o in live if pair.note.startswith("other words")]
    print(f"  same, in other words, right {shown(reworded.count('sighting'), len(reworded))}")
    for name, relation in (("sighting", "same"), ("supersedes", "replaces"), ("retires", "forget")):
        were = [pair.relation for pair, o in live if o == name]
        print(f"  precision of {name}: {shown(were.count(relation), len(were))}")
    ended = [pair.relation for pair, o in live if o in ("supersedes", "retires")]
    ends = [o for pair, o in live if pair.relation in ("replaces", "forget")]
    print(
        "  earlier rule ended where it should be (replaces, forget): "
        f"{shown(sum(o in ('supersedes', 'retires') for o in ends), len(ends))}; rightly: "
        f"{shown(sum(r in ('replaces', 'forget') for r in ended), len(ended))}"
    )
    harmed = [o for pair, o in live if pair.relation in ("narrows", "unrelated")]
    print(f"  narrows and unrelated left alone {shown(harmed.count('new'), len(harmed))}\n")
    print("earlier entry proposed (a sighting makes it live)")
    table(proposed, OUTCOMES)
    again = [(pair.relation, o) for pair, o in proposed]
    same = [o for relation, o in again if relation == "same"]
    reworded = [o for pair, o in proposed if pair.note.startswith("other words")]
    raised = [relation for relation, o in again if o == "sighting"]
    print(f"  same, found {shown(same.count('sighting'), len(same))}")
    print(f"  same, in other words, found {shown(reworded.count('sighting'), len(reworded))}")
    print(f"  precision of promotion {shown(raised.count('same'), len(raised))}\n")
    print("earlier entry refused (`refused`: the later words do not pass)")
    table(refused, ("refused", "new"))
    strangers(chosen, wrong=wrong)
    if wrong:
        for heading, found in (("live", live), ("proposed", proposed)):
            print(f"\nwrong with the earlier entry {heading}:")
            for pair, came in found:
                if came != RIGHT[pair.relation]:
                    print(f"  {pair.relation}→{came}: {pair.earlier!r} | {pair.later!r} {pair.kinds}")


def strangers(chosen: list[Pair], *, wrong: bool) -> None:
    """Prints how often later words are related to an entry of another group."""
    groups = list(dict.fromkeys((pair.earlier, pair.kinds[0]) for pair in chosen))
    for standing in (Standing.LIVE, Standing.PROPOSED):
        named = {f"e{n}": body for n, (body, _) in enumerate(groups)}
        entries = tuple(entry(b, k, standing, f"e{n}") for n, (b, k) in enumerate(groups))
        met: list[tuple[str, str, str]] = []
        for pair in chosen:
            others = tuple(one for one in entries if one.body != pair.earlier)
            relation = relate(
                draft(pair.later, pair.kinds[1]),
                others,
                (),
                said_at=LATER,
                closeness=CLOSENESS.get("closeness"),
            ).relation
            if isinstance(relation, Sighting | Supersedes):
                met.append((type(relation).__name__.lower(), pair.later, named[relation.entry]))
        count = Counter(kind for kind, _, _ in met)
        print(
            f"among {len(groups) - 1} {standing} entries of other groups, of {len(chosen)} sayings:",
            dict(count),
        )
        if wrong:
            for kind, later, body in met:
                print(f"  {kind}: {body!r} | {later!r}")


def main() -> None:
    """Reads the command line and prints the figures."""
    say = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    say.add_argument("--split", choices=("dev", "test", "last", "both"), default="both")
    say.add_argument("--wrong", action="store_true", help="list what went wrong (look at dev only)")
    say.add_argument("--words", action="store_true", help="without sentence vectors")
    asked = say.parse_args()
    if not asked.words:
        CLOSENESS["closeness"] = Meaning().closeness
    every = pairs()
    for split in ("dev", "test") if asked.split == "both" else (asked.split,):
        chosen = [pair for pair in every if pair.split == split]
        print(f"== {split}: {len(chosen)} pairs")
        report(chosen, wrong=asked.wrong)


if __name__ == "__main__":
    main()
