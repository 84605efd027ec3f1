"""Refactors the sources of packages by rule, commit by commit, and prints how well subjects are followed.

    python bench/anchors/scripted.py FOLDER [--pairs N] [--seed N] [--half tuning|reported] [--fetch]

FOLDER holds packages as `pip download --no-deps --no-binary :all:` and `npm pack` leave them; `--fetch` asks
those two clients for them first. Each package becomes a repository in a temporary folder. In each commit some
files are refactored, one declaration in each; a deleted one is restored in a later commit. The rule says what
became of it, so truth is known. A package belongs to one half by its name.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tarfile
import tempfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))
from refactorings import REFACTORINGS, Done, Target, true

from asides.code.changes import Checkout, branch_that_holds, changes_since
from asides.code.declarations import declarations, language_of
from asides.code.drift import follow, identify
from asides.model.anchor import Declaration, Drift, Followed, Subject, label

PYPI = ("attrs", "click", "lz4", "msgpack", "ujson")
NPM = (
    "express",
    "rxjs",
    "zod",
    "@capacitor/camera",
    "react-native-device-info",
    "@react-native-async-storage/async-storage",
    "blueimp-file-upload",
)
FILES = 400  # of a package, the first by name
SMALLEST = 12  # words and signs of a declaration that is refactored
EACH = 12  # refactorings of a commit


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One subject in one commit."""

    language: str
    refactoring: str
    subject: Subject
    truth: Declaration | None
    found: Followed
    size: int

    @property
    def outcome(self) -> str:
        place = self.found.subject.anchor if self.found.subject is not None else None
        if self.truth is None:
            return {Drift.GONE: "gone", Drift.UNKNOWN: "unknown"}.get(self.found.drift, "false find")
        if self.found.drift is Drift.GONE:
            return "false gone"
        if self.found.drift is Drift.UNKNOWN:
            return "unknown"
        if place != self.truth:
            return "false same" if place == self.subject.anchor else "elsewhere"
        same = self.refactoring in ("untouched", "reformatted", "restored")
        return "followed" if not same or self.found.drift is Drift.SAME else "false edit"


class Package:
    """One package as a repository that is refactored."""

    def __init__(self, archive: Path, folder: Path, seed: int) -> None:
        self.name = archive.name
        self._root = folder
        self._draw = random.Random(f"{seed} {archive.name}")
        self._number = 0
        self._deleted: list[tuple[Subject, dict[str, str | None]]] = []
        with tarfile.open(archive) as opened:
            opened.extractall(folder, filter="data")
        sources = sorted(path for path in folder.rglob("*") if path.is_file())
        kept = [path for path in sources if language_of(path.name) is not None and _small(path)][:FILES]
        for path in set(sources) - set(kept):
            path.unlink()
        self._git("init", "-q")
        self._commit()

    def _git(self, *arguments: str) -> str:
        settings = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "core.autocrlf=false")
        done = subprocess.run(
            ["git", *settings, *arguments], cwd=self._root, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def _commit(self) -> str:
        self._git("add", "-A")
        self._git("commit", "-q", "--allow-empty", "-m", "refactored")
        return self._git("rev-parse", "HEAD")

    def step(self) -> Iterator[Case]:
        """Refactors some files, commits, and follows what was refactored."""
        before = self._git("rev-parse", "HEAD")
        tree = Checkout(str(self._root))
        done: list[tuple[str, Subject, Done, str]] = []
        restored = self._restored() if self._draw.random() < 0.6 else []
        busy = {path for _, files in restored for path in files}
        for path in self._draw.sample(sorted(tree.paths()), min(len(tree.paths()), 4 * EACH)):
            if len(done) < EACH and path not in busy:
                done += self._refactored(path, tree, before)
        for files in [files for _, files in restored] + [dict(one.files) for _, _, one, _ in done]:
            for path, text in files.items():
                self._write(path, text)
        self._commit()
        subjects = [subject for _, subject, _, _ in done] + [subject for subject, _ in restored]
        found = follow(
            subjects,
            Checkout(str(self._root)),
            changes=lambda since: changes_since(str(self._root), since),
            elsewhere=lambda subject: branch_that_holds(str(self._root), subject, now=datetime.now(UTC)),
        )
        truths = [one.place for _, _, one, _ in done] + [_place(subject) for subject, _ in restored]
        names = [name for name, _, _, _ in done] + ["restored"] * len(restored)
        for name, subject, truth, followed in zip(names, subjects, truths, found, strict=True):
            language = language_of(subject.anchor.path)
            assert language is not None
            yield Case(
                language=language.name,
                refactoring=name,
                subject=subject,
                truth=truth,
                found=followed,
                size=subject.size,
            )

    def _refactored(self, path: str, tree: Checkout, commit: str) -> list[tuple[str, Subject, Done, str]]:
        text, language = tree.read(path), language_of(path)
        if text is None or language is None or (not text.isprintable() and "\r" in text):
            return []
        every = declarations(text, language)
        fit = [one for one in every if len(one.tokens) >= SMALLEST and one.end > one.start]
        names = list(REFACTORINGS)
        self._draw.shuffle(names)
        for one in self._draw.sample(fit, min(len(fit), 3)):
            for name in names:
                self._number += 1
                target = Target(path=path, text=text, one=one, every=every, number=self._number)
                done = REFACTORINGS[name](target, self._draw)
                if done is None or done.files.get(path, "") == text or not true(done, target):
                    continue
                subject = identify(target.at(), tree, commit=commit)
                if subject is None:
                    continue
                if done.place is None:
                    self._deleted.append((subject, {path: text}))
                return [(name, subject, done, path)]
        return []

    def _restored(self) -> list[tuple[Subject, dict[str, str | None]]]:
        back = [one for one in self._deleted[:-EACH] if self._draw.random() < 0.5]
        self._deleted = [one for one in self._deleted if one not in back]
        seen: set[str] = set()
        fresh = []
        for subject, files in back:
            if not seen & set(files):
                fresh.append((subject, files))
            seen |= set(files)
        return fresh

    def _write(self, path: str, text: str | None) -> None:
        file = self._root / path
        if text is None:
            file.unlink(missing_ok=True)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("w", encoding="utf-8", newline="") as opened:
                opened.write(text)


def _place(subject: Subject) -> Declaration:
    assert isinstance(subject.anchor, Declaration)
    return subject.anchor


def _small(path: Path) -> bool:
    raw = path.read_bytes()
    return 200 < len(raw) < 120_000 and b"\0" not in raw and b"\r" not in raw and ".min." not in path.name


def fetch(folder: Path) -> None:
    """Asks the ordinary clients for the packages that are not there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in PYPI:
        if not list(folder.glob(f"{name}-*")):
            download = ["pip", "download", "-q", "--no-deps", "--no-binary", ":all:", name]
            subprocess.run(download, cwd=folder, check=False)
    for name in NPM:
        if not list(folder.glob(f"{name.removeprefix('@').replace('/', '-')}-*")):
            subprocess.run(["npm", "pack", "--silent", name], cwd=folder, check=False)


def show(title: str, rows: dict[str, Counter[str]]) -> None:
    kinds = ["followed", "false edit", "unknown", "elsewhere", "false same", "false gone"]
    gone = ["gone", "unknown ", "false find"]
    print("\t".join([title, "pairs", *kinds, "followed %", "deleted: gone", "unknown", "false find"]))
    for name, row in [*sorted(rows.items()), ("all", sum(rows.values(), Counter()))]:
        there = sum(row[kind] for kind in kinds)
        share = f"{row['followed'] / there:.1%}" if there else "-"
        counts = [str(row[kind]) for kind in kinds]
        print("\t".join([name, str(row.total()), *counts, share, *(str(row[kind]) for kind in gone)]))
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pairs", type=int, default=1000, help="subjects followed, all packages together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--half", choices=["tuning", "reported", "all"], default="all")
    parser.add_argument("--fetch", action="store_true")
    parser.add_argument("--failures", type=Path)
    chosen = parser.parse_args()
    if chosen.fetch:
        fetch(chosen.folder)
    archives = sorted(one for one in chosen.folder.iterdir() if one.name.endswith((".tgz", ".tar.gz")))
    mine = [one for one in archives if chosen.half == "all" or chosen.half == half(one)]
    cases: list[Case] = []
    with tempfile.TemporaryDirectory() as temporary:
        packages = []
        for at, archive in enumerate(mine):
            (Path(temporary) / str(at)).mkdir()
            packages.append(Package(archive, Path(temporary) / str(at), chosen.seed))
        rounds = 0
        while len(cases) < chosen.pairs and rounds < 200:
            rounds += 1
            for package in packages:
                cases += package.step()
    by_language: dict[str, Counter[str]] = defaultdict(Counter)
    by_refactoring: dict[str, Counter[str]] = defaultdict(Counter)
    for case in cases:
        outcome = "unknown " if case.truth is None and case.outcome == "unknown" else case.outcome
        by_language[case.language][outcome] += 1
        by_refactoring[case.refactoring][outcome] += 1
    print(f"{len(cases)} pairs of a subject and a commit, {len(mine)} packages, seed {chosen.seed}")
    show("language", by_language)
    show("refactoring", by_refactoring)
    if chosen.failures is not None:
        failed = [case for case in cases if case.outcome not in ("followed", "gone")]
        chosen.failures.write_text("".join(map(written, failed)))


def written(case: Case) -> str:
    found, truth = case.found, case.truth
    now = label(found.subject.anchor) if found.subject is not None else found.why
    there = label(truth) if truth is not None else "gone"
    places = f"  was {label(case.subject.anchor)}\n  is  {there}\n  now {now}\n"
    return f"{case.outcome}: {case.refactoring}, {case.size} words, {found.edited:.2f} edited\n{places}"


def half(archive: Path) -> str:
    return "tuning" if zlib.crc32(archive.name.encode()) % 2 else "reported"


if __name__ == "__main__":
    main()
