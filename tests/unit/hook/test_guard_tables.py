"""What the guard refuses and what it must let pass, in a project at `/…/home/shop`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.hook.guard.door import judge

sys.path.insert(0, str(Path(__file__).parents[2] / "support"))
from guard_tables import FILE_PASSES, FILE_WRITES, MEMORY, SHELL_PASSES, SHELL_WRITES


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    (home / MEMORY).mkdir(parents=True)
    (home / MEMORY / "MEMORY.md").write_text("- [x](x.md)\n")
    (home / ".claude" / "CLAUDE.md").write_text("mine\n")
    shop = home / "shop"
    (shop / "docs").mkdir(parents=True)
    (shop / "src" / "memory").mkdir(parents=True)
    (shop / "CLAUDE.md").write_text("# shop\n")
    (shop / "README.md").write_text("# shop\n")
    (shop / "linked").symlink_to(home / MEMORY)
    (shop / "notes.md").symlink_to("CLAUDE.md")
    return home


def guard(home: Path, mode: str = "deny") -> dict[str, object]:
    return {
        "mode": mode,
        "protected": [
            {"glob": f"{home}/.claude/projects/*/memory/**", "what": "memory"},
            {"glob": "~/.claude/CLAUDE.md", "what": "instructions"},
        ],
        "names": ["CLAUDE.md", "CLAUDE.local.md", "AGENTS.md"],
    }


def outcome(home: Path, tool: str, given: dict[str, object], mode: str = "deny") -> str:
    payload = {"tool_name": tool, "tool_input": given, "cwd": str(home / "shop")}
    environment = {"HOME": str(home), "CLAUDE_PROJECT_DIR": str(home / "shop"), "MEM": f"{home}/{MEMORY}"}
    return judge(payload, guard(home, mode), environment)[0]


def filled(home: Path, given: dict[str, object]) -> dict[str, object]:
    return {
        key: value.replace("{home}", str(home)) if isinstance(value, str) else value
        for key, value in given.items()
    }


@pytest.mark.parametrize("command", SHELL_WRITES)
def test_a_command_that_writes_a_protected_file_is_refused(home: Path, command: str) -> None:
    assert outcome(home, "Bash", {"command": command}).startswith("deny ")


@pytest.mark.parametrize("command", SHELL_PASSES)
def test_a_command_that_only_reads_or_mentions_a_protected_file_passes(home: Path, command: str) -> None:
    assert outcome(home, "Bash", {"command": command}) == "pass"


@pytest.mark.parametrize(("tool", "given"), FILE_WRITES)
def test_a_tool_that_writes_a_protected_file_is_refused(
    home: Path, tool: str, given: dict[str, object]
) -> None:
    assert outcome(home, tool, filled(home, given)).startswith("deny ")


@pytest.mark.parametrize(("tool", "given"), FILE_PASSES)
def test_a_tool_that_reads_or_writes_elsewhere_passes(
    home: Path, tool: str, given: dict[str, object]
) -> None:
    assert outcome(home, tool, filled(home, given)) == "pass"


@given(content=st.text(max_size=300) | st.sampled_from(SHELL_WRITES))
def test_what_is_written_never_matters_only_where(home: Path, content: str) -> None:
    path = str(home / "shop" / "README.md")
    assert outcome(home, "Write", {"file_path": path, "content": content}) == "pass"
    assert outcome(home, "Edit", {"file_path": path, "old_string": content, "new_string": content}) == "pass"


@given(content=st.sampled_from(SHELL_WRITES))
def test_a_command_quoted_in_a_here_document_or_an_argument_is_text(home: Path, content: str) -> None:
    assert outcome(home, "Bash", {"command": f"cat > README.md <<'ASIDES'\n{content}\nASIDES"}) == "pass"
    quoted = "'" + content.replace("'", "'\\''") + "'"
    assert outcome(home, "Bash", {"command": f"git commit -m {quoted}"}) == "pass"


@given(command=st.text(alphabet="aC. \n\t'\"`$(){}[]<>|&;\\#*?~/=-", max_size=60))
def test_no_command_line_makes_the_guard_fail(home: Path, command: str) -> None:
    for text in (command, f"python3 -c {command}", f"cat <<{command}", f"find {command}", f"ln {command}"):
        assert outcome(home, "Bash", {"command": text}).split()[0] in ("pass", "deny")


@given(
    prefix=st.sampled_from(
        ["true; ", "cd docs/..\n", "A=1 ", "ls | ", "x && ", "(true) ; ", "echo 'a b' \"c\" $X `d`; "]
    )
)
def test_a_write_is_seen_behind_any_other_command(home: Path, prefix: str) -> None:
    assert outcome(home, "Bash", {"command": prefix + "tee CLAUDE.md"}).startswith("deny ")


def test_audit_records_only_and_ask_asks(home: Path) -> None:
    payload = {"tool_name": "Write", "tool_input": {"file_path": "CLAUDE.md"}, "cwd": str(home / "shop")}
    environment = {"HOME": str(home)}
    assert judge(payload, guard(home, "audit"), environment) == [f"audit {home}/shop/CLAUDE.md"]
    assert judge(payload, guard(home, "off"), environment) == ["pass"]
    assert judge(payload, {}, environment) == ["pass"]
    first, second = judge(payload, guard(home, "ask"), environment)
    assert first == f"ask {home}/shop/CLAUDE.md"
    assert '"permissionDecision": "ask"' in second


def test_on_a_file_system_that_minds_case_another_case_is_another_file(home: Path) -> None:
    if (home / "shop" / "claude.md").exists():
        pytest.skip("this file system ignores case")
    assert outcome(home, "Write", {"file_path": str(home / "shop" / "claude.md")}) == "pass"


def test_another_spelling_of_the_same_file_is_refused(home: Path) -> None:
    (home / "shop" / "agents.md").write_text("x")
    os.link(home / "shop" / "agents.md", home / "shop" / "AGENTS.md")  # what a caseless file system shows
    try:
        assert outcome(home, "Write", {"file_path": str(home / "shop" / "agents.md")}).startswith("deny ")
    finally:
        (home / "shop" / "agents.md").unlink()
        (home / "shop" / "AGENTS.md").unlink()
