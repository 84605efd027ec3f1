"""Prints what it costs to follow 100 subjects in a repository of 10,000 files, after a commit.

    python bench/anchors/cost.py [--files N] [--subjects N] [--runs N]

Makes the repository in a temporary folder. Three commits are followed: one that touches none of the subjects'
files, one that edits, renames, moves or deletes a tenth of them among 40 changed files, and one that rewrites
1,000 files and all subjects. Not a test: it asserts nothing. The ratio is to `git status` in the same place.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))
from asides.code.changes import Checkout, branch_that_holds, changes_since
from asides.code.drift import follow, identify
from asides.model.anchor import Declaration, Followed, Subject

WORDS = (
    "amount",
    "order",
    "line",
    "price",
    "count",
    "rate",
    "zone",
    "parcel",
    "card",
    "label",
    "share",
    "track",
)


def function(number: int) -> str:
    draw = random.Random(number)
    lines = [
        f"    {draw.choice(WORDS)}_{at} = {draw.choice(WORDS)}({draw.choice(WORDS)}, {draw.randrange(99)})\n"
        for at in range(12)
    ]
    return f"def step_{number}(order, line, price, card):\n{''.join(lines)}    return order\n\n\n"


def source(number: int) -> str:
    return "".join(function(number * 10 + at) for at in range(10))


def git(root: Path, *arguments: str) -> str:
    settings = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "gc.auto=0")
    done = subprocess.run(
        ["git", *settings, *arguments], cwd=root, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit(root: Path) -> str:
    git(root, "add", "-A")
    git(root, "commit", "-qm", "more")
    return git(root, "rev-parse", "HEAD")


def place(number: int) -> str:
    return f"part{number // 100}/file{number}.py"


def timed(work: Callable[[], object], runs: int) -> float:
    spent = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        spent.append(time.perf_counter() - start)
    return median(spent)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--subjects", type=int, default=100)
    parser.add_argument("--runs", type=int, default=5)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        git(root, "init", "-q")
        for number in range(chosen.files):
            file = root / place(number)
            file.parent.mkdir(exist_ok=True)
            file.write_text(source(number))
        first = commit(root)
        every = max(1, chosen.files // chosen.subjects)
        numbers = range(0, every * chosen.subjects, every)
        tree = Checkout(str(root))
        found = [
            identify(Declaration(path=place(number), name=f"step_{number * 10 + 3}"), tree, commit=first)
            for number in numbers
        ]
        subjects = [one for one in found if one is not None]
        print(f"{chosen.files} files of {len(source(0).splitlines())} lines, {len(subjects)} subjects")
        untouched(root, every)
        show("a commit elsewhere", root, subjects, chosen.runs)
        some(root, list(numbers)[:: max(1, len(numbers) // 10)], every)
        show("a commit that touches a tenth", root, subjects, chosen.runs)
        most(root, chosen.files)
        show("a commit that rewrites 1,000 files", root, subjects, chosen.runs)


def untouched(root: Path, every: int) -> None:
    for number in range(1, min(every, 31)):
        (root / place(number)).write_text(source(number) + "LAST = 1\n")
    commit(root)


def some(root: Path, numbers: list[int], every: int) -> None:
    for at, number in enumerate(numbers):
        file, mine = root / place(number), function(number * 10 + 3)
        text = file.read_text()
        if at % 4 == 0:
            file.write_text(text.replace(mine, mine.replace("amount", "sum")))
        elif at % 4 == 1:
            file.write_text(text.replace(f"step_{number * 10 + 3}", f"pace_{number}"))
        elif at % 4 == 2:
            file.write_text(text.replace(mine, ""))
            file.with_name(f"moved{number}.py").write_text(mine)
        else:
            file.write_text(text.replace(mine, ""))
    for number in range(1, min(every, 31)):
        (root / place(number)).write_text(source(number) + "LAST = 2\n")
    commit(root)


def most(root: Path, files: int) -> None:
    for number in range(0, files, max(1, files // 1_000)):
        file = root / place(number)
        if file.exists():
            file.write_text(file.read_text().replace("price", "cost").replace(f"step_{number * 10}3", "pace"))
    commit(root)


def show(title: str, root: Path, subjects: list[Subject], runs: int) -> None:
    last: list[tuple[Followed, ...]] = []

    def work() -> None:
        last.append(
            follow(
                subjects,
                Checkout(str(root)),
                changes=lambda since: changes_since(str(root), since),
                elsewhere=lambda subject: branch_that_holds(str(root), subject, now=datetime.now(UTC)),
            )
        )

    seconds = timed(work, runs)
    status = timed(lambda: git(root, "status", "--porcelain"), runs)
    counts = Counter(str(one.drift) for one in last[-1])
    told = ", ".join(f"{count} {drift}" for drift, count in sorted(counts.items()))
    print(f"{title}: {seconds:.3f} s, {seconds / status:.1f} times git status ({status:.3f} s): {told}")


if __name__ == "__main__":
    main()
