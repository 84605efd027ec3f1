"""What git knows about the paths of a checkout since a commit, and what else still holds a subject."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

from asides.code.declarations import MOST_CHARACTERS, language_of
from asides.code.git import tracked
from asides.code.program import GitRefused, output
from asides.code.subjects import source_of
from asides.model.anchor import Declaration, File, Subject

READ_LIMIT = (
    4 * MOST_CHARACTERS
)  # bytes of a file; a longer one is generated, and no character has more than four
LISTED = 64 << 20  # bytes of git's lists: 200,000 paths of the longest kind
OLD_LIMIT = 16 << 20  # bytes of the changed files' old texts, together; what is over it is not told
LIVE_DAYS = 90  # a branch whose last commit is older is no longer worked on
TIPS = 60  # branches looked at, the newest first
_BATCH = 200  # objects asked of git at a time, far below the longest command line
_LINK = b"120000"
_LIVE = ("refs/heads", "refs/remotes", "refs/stash")
_AS_NAMES = (
    "--name-status",
    "--no-ext-diff",
    "--no-textconv",
    "--no-relative",
    "--ignore-submodules=all",
    "-M",
    "-z",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What git knows between a commit and the tree.

    `changed`: paths added or modified since, untracked ones too; `added`: those of them that were not there.
    `renamed`: old path to new path by git's own detection; the old ones are not in `removed`. `before`
    returns a changed, removed or renamed file's text at the commit, by its path then; None where it was not
    there, is no text, or cannot be told.
    """

    changed: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()
    renamed: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    added: frozenset[str] = frozenset()
    before: Callable[[str], str | None] = lambda _: None


class Checkout:
    """The files of a checkout as they are: a `Tree`. Paths are listed once, so each look takes a new one."""

    __slots__ = ("_paths", "_program", "_root")

    def __init__(self, root: str, *, program: str = "git") -> None:
        self._root = Path(root).resolve()
        self._program = program
        self._paths: frozenset[str] | None = None

    def paths(self) -> frozenset[str]:
        """Returns the paths that are there and not ignored, with slashes."""
        if self._paths is None:
            self._paths = tracked(str(self._root), program=self._program)
        return self._paths

    def read(self, path: str) -> str | None:
        """Returns a file's text; None for no file, no text, too much of it, or what leads out of the root."""
        try:
            file = (self._root / path).resolve()
            if not file.is_relative_to(self._root) or not file.is_file():
                return None
            with file.open("rb") as opened:
                return text_of(opened.read(READ_LIMIT + 1))
        except (OSError, ValueError, RuntimeError):  # closed to us, no path, links in a circle
            return None


def text_of(raw: bytes) -> str | None:
    """Returns the text of a file's bytes; None for what is no text (it holds NUL) or too large."""
    if len(raw) > READ_LIMIT or b"\0" in raw:
        return None
    return raw.decode("utf-8-sig", "replace")


def changes_since(root: str, commit: str, *, program: str = "git") -> Changes | None:
    """Returns what changed in a checkout since a commit; None where git does not know or answer."""
    if not _is_commit(commit):
        return None
    try:
        compared = [*_unfiltered(root, program), "diff", *_AS_NAMES, commit, "--"]
        differing = output(compared, root, program=program, limit=LISTED)
        untracked = output(
            ["ls-files", "-z", "-o", "--exclude-standard"], root, program=program, limit=LISTED
        )
    except GitRefused:
        return None
    if len(differing) >= LISTED or len(untracked) >= LISTED:
        return None
    return told(differing, untracked, Old(root, commit, program))


def branch_that_holds(
    root: str, subject: Subject, *, now: datetime | None = None, program: str = "git"
) -> str | None:
    """Returns a live branch or worktree, other than the one at hand, that still holds a subject at its place.

    Live are worktrees, what is stashed, and branches (of remotes too) with a commit of the last LIVE_DAYS
    that is not in HEAD. Outside git none does. Where git does not answer, the sentence says so: then nobody
    can say that none does. `now`: what the machine's clock says, unless given.
    """
    return Branches(root, now=now or datetime.now(UTC), program=program).holding(subject)


class Branches:
    """What else is worked on beside a checkout, as `branch_that_holds` tells it, asked of git once."""

    def __init__(self, root: str, *, now: datetime, program: str = "git") -> None:
        self._root = root
        self._now = now
        self._program = program
        self._tips: list[tuple[str, str]] | None = None
        self._names: dict[tuple[str, str], frozenset[str] | None] = {}

    def holding(self, subject: Subject) -> str | None:
        """Returns the first that holds a subject at its place, by the name to call it by; None for none."""
        if not subject.commit:
            return None
        try:
            if self._tips is None:
                self._tips = _tips(self._root, self._now, self._program)
            return next((name for tip, name in self._tips if self._holds(tip, subject.anchor)), None)
        except GitRefused as error:
            return f"another branch, perhaps ({error})"

    def _holds(self, tip: str, anchor: File | Declaration) -> bool:
        match anchor:
            case File(path=path):
                where = ["--literal-pathspecs", "ls-tree", "-z", "--full-tree", tip, "--", path]
                return bool(output(where, self._root, program=self._program, limit=1 << 16))
            case Declaration(path=path, name=name):
                blob = _blobs(self._root, tip, [path], self._program).get(path)
                if blob is None or language_of(path) is None:
                    return False
                names = self._declared(path, blob)
                return names is None or name in names

    def _declared(self, path: str, blob: tuple[str, int]) -> frozenset[str] | None:
        """Returns what a file of a commit declares; None for what cannot be read: it may declare anything."""
        key = (path, blob[0])
        if key not in self._names:
            small = blob[1] <= READ_LIMIT
            text = text_of(_contents(self._root, {path: blob}, self._program)[path]) if small else None
            source = source_of(path, text)
            self._names[key] = None if source is None else frozenset(one.name for one in source.declared)
        return self._names[key]


def _unfiltered(root: str, program: str) -> list[str]:
    """Returns options without which a repository's filters would be run to compare its files."""
    keys = output(["config", "--list", "--name-only", "-z"], root, program=program, limit=1 << 20)
    filters = [key for key in keys.decode("utf-8", "replace").split("\0") if key.startswith("filter.")]
    drivers = dict.fromkeys(key.rpartition(".")[0] for key in filters)
    return [
        part
        for driver in drivers
        for setting in ("clean=", "process=", "required=false")
        for part in ("-c", f"{driver}.{setting}")
    ]


def _is_commit(commit: str) -> bool:
    return 7 <= len(commit) <= 64 and all(sign in "0123456789abcdef" for sign in commit)


def _names(raw: bytes) -> list[str | None]:
    """Returns names that NUL ends; None for those that are not UTF-8: text cannot say them."""
    names: list[str | None] = []
    for one in raw.split(b"\0")[:-1]:
        try:
            names.append(one.decode("utf-8"))
        except UnicodeDecodeError:
            names.append(None)
    return names


def told(differing: bytes, untracked: bytes, old: Old) -> Changes:
    """Returns the changes that git lists: `diff --name-status -M -z`, and `ls-files -o -z` for new files."""
    changed, removed, added, renamed = set[str](), set[str](), set[str](), dict[str, str]()
    fields = iter(_names(differing))
    for status in fields:
        path = next(fields, None)
        match (status or "?")[0]:
            case "R" | "C":
                new = next(fields, None)
                if new is not None:
                    changed.add(new)
                    added.add(new)
                if path is not None and new is not None and status is not None and status[0] == "R":
                    renamed[path] = new
                elif path is not None and status is not None and status[0] == "R":
                    removed.add(path)
            case "D" if path is not None:
                removed.add(path)
            case kind if path is not None:
                changed.add(path)
                if kind == "A":
                    added.add(path)
    old.paths = frozenset((changed - added) | removed | set(renamed))
    new_files = {path for path in _names(untracked) if path is not None}
    # A path that was only taken out of the index is there nevertheless: it is changed, not gone.
    return Changes(
        changed=frozenset(changed | new_files),
        removed=frozenset(removed - new_files),
        renamed=MappingProxyType(renamed),
        added=frozenset(added | (new_files - removed)),
        before=old.text,
    )


class Old:
    """The texts of a commit: those of all paths that may be asked for are read at the first question."""

    def __init__(self, root: str, commit: str, program: str) -> None:
        self._root = root
        self._commit = commit
        self._program = program
        self.paths: frozenset[str] = frozenset()
        self._texts: dict[str, str | None] | None = None

    def text(self, path: str) -> str | None:
        if self._texts is None:
            try:
                self._texts = self._read(sorted(self.paths, key=_sources_first))
            except GitRefused:  # then nothing is told of any, as promised
                self._texts = {}
        return self._texts.get(path)

    def _read(self, paths: list[str]) -> dict[str, str | None]:
        texts: dict[str, str | None] = {}
        left = OLD_LIMIT
        for start in range(0, len(paths), _BATCH):
            blobs = _blobs(self._root, self._commit, paths[start : start + _BATCH], self._program)
            wanted = {path: blob for path, blob in blobs.items() if blob[1] <= READ_LIMIT}
            left -= sum(size for _, size in wanted.values())
            if left < 0:
                break
            for path, raw in _contents(self._root, wanted, self._program).items():
                texts[path] = text_of(raw)
        return texts


def _sources_first(path: str) -> tuple[bool, str]:
    return language_of(path) is None, path


def _blobs(root: str, tip: str, paths: list[str], program: str) -> dict[str, tuple[str, int]]:
    """Returns the object and the bytes of those paths that are files in a commit."""
    listed = output(
        ["--literal-pathspecs", "ls-tree", "-l", "-z", "--full-tree", tip, "--", *paths],
        root,
        program=program,
        limit=LISTED,
    )
    found = {}
    for line in listed.split(b"\0")[:-1]:
        facts, _, name = line.partition(b"\t")
        mode, kind, identity, size = facts.split()
        if kind == b"blob" and mode != _LINK:
            found[name.decode("utf-8", "replace")] = (identity.decode(), int(size))
    return found


def _contents(root: str, blobs: Mapping[str, tuple[str, int]], program: str) -> dict[str, bytes]:
    """Returns the bytes of objects, which git prints one after the other."""
    if not blobs:
        return {}
    whole = sum(size for _, size in blobs.values())
    shown = ["show", "--no-textconv", "--no-ext-diff", *(identity for identity, _ in blobs.values())]
    printed = output(shown, root, program=program, limit=whole + 1)
    if len(printed) != whole:
        raise GitRefused(why="objects of another size than it said")
    contents, at = {}, 0
    for path, (_, size) in blobs.items():
        contents[path] = printed[at : at + size]
        at += size
    return contents


def _tips(root: str, now: datetime, program: str) -> list[tuple[str, str]]:
    """Returns the commits that others stand at, each with a name for it: worktrees, then branches."""
    here = output(["rev-parse", "HEAD"], root, program=program, limit=256).decode().strip()
    tips: dict[str, str] = {}
    worktrees = output(["worktree", "list", "--porcelain", "-z"], root, program=program, limit=1 << 20)
    folder = ""
    for field_ in worktrees.decode("utf-8", "replace").split("\0"):
        key, _, value = field_.partition(" ")
        if key == "worktree":
            folder = value
        elif key == "HEAD" and value != here and value.strip("0"):
            tips.setdefault(value, f"the worktree {Path(folder).name}")
    branches = output(
        ["for-each-ref", f"--count={TIPS}", "--no-merged=HEAD", "--sort=-committerdate",
         "--format=%(objectname) %(committerdate:unix) %(refname:short)", *_LIVE],
        root, program=program, limit=1 << 20,
    )  # fmt: skip
    oldest = now.timestamp() - LIVE_DAYS * 86_400
    for line in branches.decode("utf-8", "replace").splitlines():
        tip, date, name = line.split(" ", 2)
        if date and int(date) >= oldest:
            tips.setdefault(tip, f"the branch {name}")
    return list(tips.items())
