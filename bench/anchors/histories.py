"""Follows declarations through real histories, and prints how many are found where git says they are.

    python bench/anchors/histories.py [--pairs N] [--seed N] [--half HALF] [--cases FILE] FOLDER ...

Each FOLDER is a git repository, bare or not, that is only read. A pair is an older and a newer commit, 1 to
200 apart; every second one is chosen for a renamed file between them. Of each pair declarations are taken
whose file changed or went. Truth is mechanical where the newer commit has the same name in the same file, or
in the file that git says it was renamed to. All else is written to FILE with its context, to be read by eye;
so is what kept its name and little else.

A pair belongs to one half by its commits alone: thresholds are chosen on `tuning`.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rapidfuzz import fuzz

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))
from asides.code.changes import Changes, Old, text_of, told
from asides.code.declarations import declarations, language_of
from asides.code.drift import follow, identify
from asides.model.anchor import Declaration, Drift, Followed, Subject, label

LONGEST_GAP = 200
EACH = 12  # subjects of a pair
LITTLE = 0.3  # likeness under which what kept its name is read by eye


class Repository:
    """A history: commits, and their files through one git process."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.parent.name if folder.name in ("repo", ".git") else folder.name
        self._git = ["git", "-c", "safe.directory=*", "-C", str(folder)]
        self._batch = subprocess.Popen(
            [*self._git, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.commits = self.ask("rev-list", "--first-parent", "--reverse", "HEAD").decode().split()
        self.place = {commit: at for at, commit in enumerate(self.commits)}

    def ask(self, *arguments: str) -> bytes:
        return subprocess.run([*self._git, *arguments], check=True, capture_output=True).stdout

    def read(self, commit: str, path: str) -> str | None:
        assert self._batch.stdin is not None
        assert self._batch.stdout is not None
        if "\n" in path:
            return None
        self._batch.stdin.write(f"{commit}:{path}\n".encode())
        self._batch.stdin.flush()
        header = self._batch.stdout.readline().split()
        if header[-1] == b"missing" or len(header) < 3:
            return None
        raw = self._batch.stdout.read(int(header[2]) + 1)[:-1]
        return text_of(raw) if header[1] == b"blob" else None

    def close(self) -> None:
        self._batch.communicate()

    def renaming(self) -> list[int]:
        """Returns the places of commits that rename a file and leave it as it is: those need no contents."""
        listed = self.ask(
            "log", "--first-parent", "-m", "-M100%", "--diff-filter=R", "--name-only", "--format=%H", "HEAD"
        )
        words = listed.decode("utf-8", "replace").split()
        return sorted({self.place[word] for word in words if word in self.place})


class Committed:
    """One commit as a tree."""

    def __init__(self, repository: Repository, commit: str) -> None:
        self._repository = repository
        self.commit = commit
        self._paths: frozenset[str] | None = None

    def paths(self) -> frozenset[str]:
        if self._paths is None:
            listed = self._repository.ask("ls-tree", "-r", "--name-only", "-z", self.commit)
            self._paths = frozenset(listed.decode("utf-8", "replace").split("\0")[:-1])
        return self._paths

    def read(self, path: str) -> str | None:
        return self._repository.read(self.commit, path)


class Texts(Old):
    """What a commit's files were, through the repository's own process."""

    def __init__(self, repository: Repository, commit: str) -> None:
        super().__init__("", commit, "git")
        self._repository = repository

    def text(self, path: str) -> str | None:
        return self._repository.read(self._commit, path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One subject in one pair."""

    repository: str
    language: str
    old: str
    new: str
    subject: Subject
    truth: Declaration | None  # None where it is not mechanical
    found: Followed
    texts: tuple[str, str]  # as it was, and what it was taken for, or what is nearest to it
    near: str


def pairs(repository: Repository, count: int, seed: int) -> Iterator[tuple[str, str]]:
    draw = random.Random(f"{seed} {repository.name}")
    renaming = repository.renaming()
    last = len(repository.commits) - 1
    for number in range(count):
        gap = min(last, round(LONGEST_GAP ** draw.random()))
        if number % 2 and renaming:
            newer = min(last, draw.choice(renaming) + draw.randrange(gap))
            newer = max(newer, gap)
        else:
            newer = draw.randint(gap, last)
        yield repository.commits[newer - gap], repository.commits[newer]


def half(old: str, new: str) -> str:
    return "tuning" if zlib.crc32(f"{old}{new}".encode()) % 2 else "reported"


def cases(repository: Repository, old: str, new: str) -> Iterator[Case]:
    draw = random.Random(f"{old} {new}")
    tree, before = Committed(repository, new), Committed(repository, old)
    differing = repository.ask("diff", "--name-status", "--no-ext-diff", "-M", "-z", old, new, "--")
    changes = told(differing, b"", Texts(repository, old))
    subjects = chosen(draw, before, tree, changes)
    found = follow(subjects, tree, changes=lambda _: changes, elsewhere=lambda _: False)
    for subject, followed in zip(subjects, found, strict=True):
        anchor = subject.anchor
        assert isinstance(anchor, Declaration)
        language = language_of(anchor.path)
        assert language is not None
        place = followed.subject.anchor if followed.subject is not None else None
        if place is None:
            place = nearest(excerpt(before, anchor), tree, changes)
        now = excerpt(tree, place) if isinstance(place, Declaration) else ""
        yield Case(
            repository=repository.name,
            language=language.name,
            old=old,
            new=new,
            subject=subject,
            truth=truth(anchor, tree, changes),
            found=followed,
            texts=(excerpt(before, anchor), now),
            near=label(place) if place is not None else "",
        )


def chosen(draw: random.Random, before: Committed, tree: Committed, changes: Changes) -> list[Subject]:
    """Takes a third each of names that went, of files that were renamed, and of files that changed."""
    groups: dict[str, list[Declaration]] = defaultdict(list)
    touched = changes.removed | set(changes.renamed) | (changes.changed - changes.added)
    sources = sorted(path for path in touched if language_of(path) is not None)
    for path in draw.sample(sources, min(len(sources), 40)):
        text = before.read(path)
        for one in declarations(text, language_of(path)) if text is not None else ():  # type: ignore[arg-type]
            anchor = Declaration(path=path, name=one.name)
            where = truth(anchor, tree, changes)
            group = "went" if where is None else "renamed" if where.path != path else "changed"
            groups[group].append(anchor)
    taken = [
        one
        for group in ("went", "renamed", "changed")
        for one in draw.sample(groups[group], min(len(groups[group]), EACH // 3))
    ]
    found = (identify(anchor, before, commit=before.commit) for anchor in taken)
    return [subject for subject in found if subject is not None]


_NAMES: dict[tuple[str, str], frozenset[str]] = {}


def names(tree: Committed, path: str) -> frozenset[str]:
    key = (tree.commit, path)
    if key not in _NAMES:
        if len(_NAMES) > 2_000:
            _NAMES.clear()
        text, language = tree.read(path), language_of(path)
        known = text is not None and language is not None
        _NAMES[key] = frozenset(one.name for one in declarations(text, language)) if known else frozenset()
    return _NAMES[key]


def truth(anchor: Declaration, tree: Committed, changes: Changes) -> Declaration | None:
    for path in (anchor.path, changes.renamed.get(anchor.path)):
        if path is not None and anchor.name in names(tree, path):
            return Declaration(path=path, name=anchor.name)
    return None


def excerpt(tree: Committed, anchor: Declaration, lines: int = 14) -> str:
    text, language = tree.read(anchor.path), language_of(anchor.path)
    if text is None or language is None:
        return ""
    one = next((one for one in declarations(text, language) if one.name == anchor.name), None)
    if one is None:
        return ""
    whole = text[one.start : one.end].splitlines()
    return "\n".join(line[:120] for line in whole[:lines]) + (
        f"\n... {len(whole)} lines" if whole[lines:] else ""
    )


def nearest(text: str, tree: Committed, changes: Changes) -> Declaration | None:
    """Returns the declaration of a changed file that is most like a text, by its letters."""
    best, place = 0.0, None
    for path in sorted(changes.changed)[:60]:
        source, language = tree.read(path), language_of(path)
        for one in declarations(source, language) if source is not None and language is not None else ():
            there = "\n".join(source[one.start : one.end].splitlines()[:14]) if source is not None else ""
            like = fuzz.ratio(text, there, score_cutoff=best)
            if like > best:
                best, place = like, Declaration(path=path, name=one.name)
    return place


def outcome(case: Case) -> str:
    """Names what happened, next to the truth where it is mechanical."""
    found = case.found
    place = found.subject.anchor if found.subject is not None else None
    if case.truth is None:
        return f"no truth: {found.drift}"
    if found.drift is Drift.GONE:
        return "false gone"
    if found.drift is Drift.UNKNOWN:
        return "unknown"
    if place == case.truth:
        return "followed"
    return "false same" if place == case.subject.anchor else "elsewhere"


def doubtful(case: Case) -> bool:
    """Tells whether a case is to be read by eye."""
    if case.truth is None:
        return True
    return outcome(case) != "followed" or 1 - case.found.edited < LITTLE


def written(number: int, case: Case) -> str:
    found = case.found
    place = label(found.subject.anchor) if found.subject is not None else ""
    facts = f"{outcome(case)} edited={found.edited:.2f} size={case.subject.size} {found.why}"
    head = f"##### {number} {case.language} {case.repository} {case.old[:10]}..{case.new[:10]}\n"
    places = f"WAS {label(case.subject.anchor)}\nNOW {place}\n{facts}\n"
    shown = "now" if place else f"nearest {case.near}"
    return f"{head}{places}--- was\n{case.texts[0]}\n--- {shown}\n{case.texts[1]}\n\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--pairs", type=int, default=40, help="of each repository")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--half", choices=["tuning", "reported", "all"], default="all")
    parser.add_argument("--cases", type=Path)
    parser.add_argument("--sample", type=int, default=200, help="cases written to be read by eye")
    chosen_ = parser.parse_args()
    table: dict[str, Counter[str]] = defaultdict(Counter)
    read: list[Case] = []
    looked = unread = 0
    for folder in chosen_.folders:
        repository = Repository(folder)
        for old, new in pairs(repository, chosen_.pairs, chosen_.seed):
            if chosen_.half not in ("all", half(old, new)):
                continue
            try:
                found = list(cases(repository, old, new))
            except subprocess.CalledProcessError:  # a snapshot lacks its largest files, and git then stops
                unread += 1
                continue
            looked += 1
            for case in found:
                table[case.language][outcome(case)] += 1
            read += filter(doubtful, found)
        repository.close()
    kinds = ["followed", "unknown", "elsewhere", "false same", "false gone"]
    rest = [f"no truth: {drift}" for drift in (Drift.MOVED, Drift.GONE, Drift.UNKNOWN)]
    subjects = sum(row.total() for row in table.values())
    print(
        f"{looked} pairs of commits ({unread} cannot be compared), {subjects} subjects, seed {chosen_.seed}"
    )
    print("language\t" + "\t".join([*kinds, "followed %", *rest]))
    for language, row in [*sorted(table.items()), ("all", sum(table.values(), Counter()))]:
        known = sum(row[kind] for kind in kinds)
        share = f"{row['followed'] / known:.1%}" if known else "-"
        counts = [str(row[kind]) for kind in kinds], [str(row[kind]) for kind in rest]
        print("\t".join([language, *counts[0], share, *counts[1]]))
    if chosen_.cases is not None:
        draw = random.Random(chosen_.seed)
        taken = draw.sample(read, min(len(read), chosen_.sample))
        chosen_.cases.write_text("".join(written(number, case) for number, case in enumerate(taken, 1)))
        print(f"{len(taken)} of {len(read)} cases to be read by eye: {chosen_.cases}")


if __name__ == "__main__":
    main()
