"""The hash audit of memory and instruction files."""

import os
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.agents.claude_code.audit import (
    FILE_LIMIT,
    SIZE_LIMIT,
    UNREADABLE,
    Change,
    How,
    compare,
    memory_folders,
    slug,
    snapshot,
    watched,
)


@pytest.fixture
def project(tmp_path):
    """A project and a client's folder: root, config, and the memory folder of the project."""
    root, config = tmp_path / "my proj_v1.2 ü", tmp_path / ".claude"
    (memory,) = memory_folders(config=config, root=root)
    root.mkdir()
    memory.mkdir(parents=True)
    return root, config, memory


def taken(root, config, **more):
    return snapshot(watched(config=config, root=root, **more))


def test_the_slug_is_the_clients():
    assert slug("/home/dev/my proj_v1.2 ü") == "-home-dev-my-proj-v1-2--"
    assert slug("/p/😀") == "-p---"


@given(st.text())
def test_a_slug_is_one_plain_name(text):
    assert all(c == "-" or (c.isascii() and c.isalnum()) for c in slug(text))


def test_a_slug_the_client_cuts_is_found_by_its_beginning(tmp_path):
    root = "/" + "x" * 300
    cut = tmp_path / "projects" / (slug(root)[:200] + "-1a2b3c")
    cut.mkdir(parents=True)
    assert memory_folders(config=tmp_path, root=root) == (cut / "memory",)


def test_every_memory_and_instruction_file_is_seen(project):
    root, config, memory = project
    files = [
        root / "CLAUDE.md",
        root / "CLAUDE.local.md",
        root / "AGENTS.md",
        root / ".claude" / "CLAUDE.md",
        root / ".claude" / "rules" / "deep" / "style.md",
        config / "CLAUDE.md",
        config / "rules" / "all.md",
        memory / "MEMORY.md",
        memory / "topic.md",
    ]
    for number, file in enumerate(files):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(str(number))
    (root / "README.md").write_text("not watched")
    assert taken(root, config) == {f: sha256(str(n).encode()).hexdigest() for n, f in enumerate(files)}


def test_added_changed_and_removed_files_are_told_apart(project):
    root, config, memory = project
    (root / "CLAUDE.md").write_text("old")
    (memory / "gone.md").write_text("x")
    before = taken(root, config)
    (root / "CLAUDE.md").write_text("new")
    (memory / "gone.md").unlink()
    (memory / "MEMORY.md").write_text("- a")
    after = taken(root, config)
    assert {(c.path.name, c.how) for c in compare(before, after)} == {
        ("CLAUDE.md", How.CHANGED),
        ("gone.md", How.REMOVED),
        ("MEMORY.md", How.ADDED),
    }


hashes = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(["1", "2", UNREADABLE]))


@given(hashes, hashes)
def test_the_changes_lead_from_one_snapshot_to_the_other(before, after):
    mended = dict(before)
    for change in compare(before, after):
        assert before.get(change.path) == change.before != change.after
        if change.after is None:
            del mended[change.path]
        else:
            mended[change.path] = change.after
    assert mended == after


def test_a_touched_file_with_the_same_words_is_no_change(project):
    root, config, _ = project
    (root / "CLAUDE.md").write_text("same")
    before = taken(root, config)
    os.utime(root / "CLAUDE.md", (1, 1))
    assert compare(before, taken(root, config)) == ()


def test_a_file_is_read_through_its_link(project, tmp_path):
    root, config, _ = project
    (tmp_path / "shared.md").write_text("one")
    (root / "CLAUDE.md").symlink_to(tmp_path / "shared.md")
    before = taken(root, config)
    (tmp_path / "shared.md").write_text("two")
    (change,) = compare(before, taken(root, config))
    assert change == Change(
        path=root / "CLAUDE.md",
        how=How.CHANGED,
        before=sha256(b"one").hexdigest(),
        after=sha256(b"two").hexdigest(),
    )


def test_a_pipe_and_a_broken_link_stop_nothing(project):
    root, config, memory = project
    os.mkfifo(memory / "pipe")
    (memory / "nowhere").symlink_to(root / "absent")
    (memory / "circle").symlink_to(memory / "circle")
    (memory / "a.md").write_text("a")
    found = taken(root, config)
    assert memory / "pipe" not in found
    assert memory / "nowhere" not in found
    assert found[memory / "circle"] == UNREADABLE
    assert memory / "a.md" in found


def test_a_huge_file_is_hashed_in_part_and_its_size_counts(project):
    root, config, _ = project
    with (root / "CLAUDE.md").open("wb") as file:
        file.truncate(SIZE_LIMIT + 10)
    before = taken(root, config)
    with (root / "CLAUDE.md").open("ab") as file:
        file.write(b"more")
    assert [c.how for c in compare(before, taken(root, config))] == [How.CHANGED]


def test_the_number_of_files_is_bounded(project):
    root, config, memory = project
    for number in range(FILE_LIMIT + 5):
        (memory / f"{number:05}").touch()
    assert len(taken(root, config)) == FILE_LIMIT


def test_a_memory_folder_that_settings_moved_is_watched(project, tmp_path):
    root, config, _ = project
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("a")
    assert list(taken(root, config, memory_directory=tmp_path / "notes")) == [tmp_path / "notes" / "a.md"]
