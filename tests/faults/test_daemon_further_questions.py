"""A language model behind the daemon is asked all three questions of the design, each where it belongs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from asides.model.anchor import label
from asides.paths import Places
from asides.writers.generative import prompts
from tests.support.model_server import Served, said, sending, serving
from tests.support.scripted_daemon import cast
from tests.support.stage import Backstage, Session, make_project, memory_folder

OLD = "use single quotes for strings in the env module"
NEW = "every string in the env module goes in double quotes"


def question(asked: dict) -> str:
    """Returns which of the three questions the server was asked."""
    system = asked["messages"][0]["content"]
    known = {
        prompts.salience("", "").system: "salience",
        prompts.anchoring([], []).system: "anchoring",
        prompts.consolidation("", []).system: "consolidation",
    }
    return known[system]


def answer(asked: dict) -> str:
    """Returns what a model that understood would answer."""
    user = asked["messages"][1]["content"]
    rule = NEW if NEW in user else OLD
    if question(asked) == "consolidation":
        return "REPLACES 1"
    if rule not in user:
        return "NONE"
    place = "config/env.js" if question(asked) == "anchoring" else "general"
    return f"MEMORY | kind=law | source=human | anchor={place} | {rule}"


@pytest.fixture
def served() -> Iterator[Served]:
    with serving(
        lambda handler, asked, server: sending(200, said(answer(asked)))(handler, asked, server)
    ) as made:
        yield made


@pytest.fixture
def ground() -> Iterator[Path]:
    with memory_folder() as folder:
        yield folder


@pytest.fixture
def where(ground: Path, served: Served) -> Places:
    stage = cast(ground / "home", chosen=True)
    stage.python.unlink()  # so that no hook starts a daemon of its own
    where = stage.where
    where.settings.parent.mkdir(parents=True, exist_ok=True)
    where.settings.write_text(
        f'writer = "remote"\nwriter_url = "{served.url}"\nwriter_model = "m"\nlive_threshold = 0.6\n'
    )
    return where


@pytest.fixture
def behind(where: Places) -> Iterator[Backstage]:
    made = Backstage(where, None)  # the writer of the settings, as in the daemon
    yield made
    made.app.close()


def turn(session: Session, text: str) -> None:
    """Plays a turn in which the agent writes a file."""
    prompt = session.prompt(text)
    path = session.project / "config" / "env.js"
    path.parent.mkdir(exist_ok=True)
    path.write_text("export const env = process.env\n")
    session.hook(
        "PostToolUse",
        prompt_id=prompt,
        tool_name="Write",
        tool_input={"file_path": str(path), "content": path.read_text()},
        tool_response={"type": "create", "filePath": str(path)},
    )
    session.answer("Done.", prompt)


def test_the_second_and_third_question_follow_where_something_is_kept_and_something_stands(
    ground: Path, where: Places, served: Served, behind: Backstage
):
    session = Session(where, make_project(ground / "shop"))
    session.turn("what does this do")
    turn(session, f"Add the flag. {OLD}")
    turn(session, f"And another. {NEW}")
    session.end()
    behind.work()
    assert [question(asked) for _, asked in served.asked] == [
        "salience",  # of a turn without anything: one inference
        "salience",
        "anchoring",  # nothing stands yet
        "salience",
        "consolidation",
        "anchoring",
    ]
    assert behind.bodies() == {OLD: "superseded", NEW: "live"}
    assert {label(entry.anchor) for entry in behind.store().all()} == {"config/env.js"}
    counts = behind.app.ledger.database.rows("SELECT inferences FROM judgment ORDER BY rowid")
    assert [int(str(row[0])) for row in counts] == [1, 2, 3]
