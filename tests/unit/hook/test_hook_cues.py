"""Cues through the real hook: what is due is put before the agent at its moment, once."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from asides.deliver.cues import Modes
from asides.hook.cues import words
from asides.hook.cues.door import CHARACTERS, ENTRIES
from asides.model.delivery import FENCE_CLOSE, FENCE_OPEN
from asides.model.watch import CUE_ENTRY_LIMIT, CUE_TEXT_LIMIT, Deed, Proof, Trigger
from tests.support.cuetables import (
    COMMIT,
    MIGRATION,
    PUSH,
    SESSION,
    Agent,
    at,
    entry,
    on_command,
    ritual,
    table,
)
from tests.support.hookrun import install_hook, run_hook, spooled, stand_in_daemon
from tests.support.hooktexts import AGENT, armed, starting


@pytest.fixture
def agent(state: Path, repo: Path, shell: str) -> Agent:
    return Agent(state=state, repo=repo, shell=shell)


@pytest.fixture
def plain(state: Path, repo: Path) -> Agent:
    """The agent in the shell of this machine, where shells make no difference."""
    return Agent(state=state, repo=repo)


def add(repo: Path, path: str, text: str = "x\n") -> Path:
    file = repo / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def test_the_frame_and_the_limits_are_those_of_the_model() -> None:
    assert (words.OPEN, words.CLOSE) == (FENCE_OPEN, FENCE_CLOSE)
    assert (ENTRIES, CHARACTERS) == (CUE_ENTRY_LIMIT, CUE_TEXT_LIMIT)


def test_a_file_that_is_read_brings_its_entry_once(state: Path, repo: Path, agent: Agent) -> None:
    table(state, repo / ".git", at("cart", "src/cart.py", body="Prices are integer cents."))
    add(repo, "src/cart.py")
    told = agent.reads("src/cart.py")
    assert told.context == (
        "[asides]\nAbout the file that you are reading, from the developer of this project, word for word."
        ' Follow it:\n- Rule, always follow it: "Prices are integer cents."\n[/asides]'
    )
    assert (told.trailer["cued"], told.trailer["cued_for"], told.trailer["printed"]) == (
        "cart",
        "read",
        "cue",
    )
    assert "version" not in told.trailer
    again = [agent.reads("src/cart.py"), agent.edits("src/cart.py"), agent.edited("src/cart.py", "x")]
    assert all(one.silent and "cued" not in one.trailer for one in again)


@pytest.mark.parametrize("tool", ["Edit", "MultiEdit", "Write", "NotebookEdit"])
def test_a_file_that_is_edited_brings_its_entry(state: Path, repo: Path, plain: Agent, tool: str) -> None:
    table(state, repo / ".git", at("cart", "src/**"))
    path = add(repo, "src/cart.ipynb")
    key = "notebook_path" if tool == "NotebookEdit" else "file_path"
    told = plain.before(tool, **{key: str(path)})
    assert (told.trailer["cued"], told.trailer["cued_for"]) == ("cart", "edit")


@pytest.mark.parametrize(("there", "deed"), [(False, "create"), (True, "edit")])
def test_a_new_file_is_created_and_one_that_is_there_edited(
    state: Path, repo: Path, plain: Agent, there: bool, deed: str
) -> None:
    only_new = Trigger(deeds=(Deed.CREATE,), globs=("migrations/*.sql",))
    any_edit = Trigger(deeds=(Deed.EDIT,), globs=("migrations/*.sql",))
    new, edit = (
        ritual(name, trigger, MIGRATION[1].proof) for name, trigger in (("new", only_new), ("edit", any_edit))
    )
    table(state, repo / ".git", new, edit)
    if there:
        add(repo, "migrations/1.sql")
    told = plain.before("Write", file_path=f"{repo}/migrations/1.sql", content="x")
    assert told.trailer["cued"] == ("edit" if there else "new edit")
    assert told.trailer["cued_for"] == deed


def test_a_command_brings_its_entry_before_it_runs(state: Path, repo: Path, agent: Agent) -> None:
    table(state, repo / ".git", on_command("pushing", "git", "push"), at("cart", "src/cart.py"))
    assert agent.runs("git commit -m 'git push'").silent
    told = agent.runs("cd . && git -C . push -f")
    assert (told.trailer["cued"], told.trailer["cued_for"]) == ("pushing", "run")
    assert "About this command" in told.context
    assert agent.runs("git push").silent


def test_a_file_that_a_command_removes_brings_its_entry(state: Path, repo: Path, plain: Agent) -> None:
    trigger = Trigger(deeds=(Deed.DELETE,), globs=("migrations/**",))
    table(state, repo / ".git", ritual("gone", trigger, MIGRATION[1].proof))
    assert plain.runs("cat migrations/1.sql").silent
    told = plain.runs("rm -f migrations/1.sql")
    assert (told.trailer["cued"], told.trailer["cued_for"]) == ("gone", "delete")


def test_a_file_that_a_command_writes_is_created_like_any_other(
    state: Path, repo: Path, plain: Agent
) -> None:
    table(state, repo / ".git", MIGRATION)
    told = plain.runs("cat > migrations/1.sql <<'EOF'\ncreate table a;\nEOF")
    assert (told.trailer["cued"], told.trailer["cued_for"]) == ("migration", "create")


def test_after_a_compaction_it_is_put_before_the_agent_again(state: Path, repo: Path, agent: Agent) -> None:
    table(state, repo / ".git", at("cart", "src/cart.py"))
    assert agent.reads("src/cart.py").context
    for source, again in (("resume", False), ("compact", True), ("startup", False)):
        run_hook(state, AGENT, "SessionStart", starting(source, SESSION), repo, shell=agent.shell)
        for kept in spooled(state):
            kept.path.unlink()
        assert bool(agent.reads("src/cart.py").context) is again


def test_a_compaction_forgets_what_was_given_and_not_what_is_owed(
    state: Path, repo: Path, plain: Agent
) -> None:
    table(state, repo / ".git", MIGRATION)
    plain.created("migrations/1.sql")
    run_hook(state, AGENT, "SessionStart", starting("compact", SESSION), repo)
    for kept in spooled(state):
        kept.path.unlink()
    assert plain.stops().trailer["reminded"] == "migration"


def test_each_sub_agent_is_told_for_itself(state: Path, repo: Path, plain: Agent) -> None:
    table(state, repo / ".git", at("cart", "src/cart.py"))
    first, second = replace(plain, subagent="a0000000000000001"), replace(plain, subagent="a0000000000000002")
    assert first.reads("src/cart.py").context
    assert first.reads("src/cart.py").silent
    assert plain.reads("src/cart.py").context
    assert second.reads("src/cart.py").context
    assert first.reads("src/cart.py").silent


def test_each_session_is_told_for_itself(state: Path, repo: Path, plain: Agent) -> None:
    table(state, repo / ".git", at("cart", "src/cart.py"))
    assert plain.reads("src/cart.py").context
    assert replace(plain, session="00000000-0000-4000-8000-000000000002").reads("src/cart.py").context


def test_no_more_is_told_at_once_than_there_is_room_for_and_the_rest_next_time(
    state: Path, repo: Path, plain: Agent
) -> None:
    watched = [at(f"entry{n}", "src/cart.py", body=f"Rule {n} is about " + "cents " * 20) for n in range(7)]
    table(state, repo / ".git", *watched)
    seen = []
    for _ in range(4):
        told = plain.reads("src/cart.py")
        assert len(told.context) <= CUE_TEXT_LIMIT
        seen.append(told.trailer.get("cued", "").split())
    assert [len(ids) for ids in seen] == [3, 3, 1, 0]
    assert [name for ids in seen for name in ids] == [one.id for one, _ in watched]


def test_the_longest_entries_fit_one_at_a_time(state: Path, repo: Path, plain: Agent) -> None:
    long = [
        (
            entry(f"long{n}", f"{n} " + "word " * 200, verify="its file changed " * 40),
            at(f"long{n}", "a.py")[1],
        )
        for n in range(2)
    ]
    table(state, repo / ".git", *long)
    for name in ("long0", "long1"):
        told = plain.reads("a.py")
        assert told.trailer["cued"] == name
        assert len(told.context) <= CUE_TEXT_LIMIT
        assert "verify first" in told.context


# Which project


def git(*words: str | Path) -> None:
    subprocess.run(
        ["git", "-c", "user.name=x", "-c", "user.email=x@example.com", *words],
        check=True,
        capture_output=True,
    )


@pytest.fixture
def real(tmp_path: Path) -> Path:
    repo = tmp_path / "real shop"
    git("init", "-q", repo)
    add(repo, "src/cart.py")
    git("-C", repo, "add", ".")
    git("-C", repo, "commit", "-qm", "one")
    return repo


def test_a_worktree_has_the_entries_of_its_repository(state: Path, real: Path, tmp_path: Path) -> None:
    table(state, real / ".git", at("cart", "src/cart.py"), PUSH)
    tree = tmp_path / "tree"
    git("-C", real, "worktree", "add", "-q", tree)
    assert Agent(state=state, repo=tree).reads("src/cart.py").context
    # Started in the repository, at work in the worktree.
    here = Agent(state=state, repo=real, session="s2")
    assert here.before("Edit", file_path=f"{tree}/src/cart.py").trailer["cued"] == "cart"
    assert here.runs(f"cd '{tree}' && git push").trailer["cued"] == "pushing00"


def test_another_repository_is_none_of_its_business(state: Path, real: Path, tmp_path: Path) -> None:
    table(state, real / ".git", at("cart", "src/cart.py"), PUSH)
    for other in (tmp_path / "other", real / "vendored"):
        git("init", "-q", other)
        add(other, "src/cart.py")
        agent = Agent(state=state, repo=real)
        assert agent.before("Read", file_path=f"{other}/src/cart.py").silent
        assert agent.runs(f"cd '{other}' && git push").silent
        assert agent.runs(f"git -C '{other}' push").silent
        assert replace(agent, cwd=other).runs("git push").silent
    assert Agent(state=state, repo=real).reads("src/cart.py").context


def test_a_path_outside_of_everything_is_none_of_its_business(state: Path, repo: Path, plain: Agent) -> None:
    table(state, repo / ".git", at("all", "**"))
    for path in (f"{repo}/../cart.py", "/etc/hosts", "/", "", "~/cart.py"):
        assert plain.before("Read", file_path=path).silent


def test_a_folder_below_and_a_path_that_is_not_absolute_are_understood(
    state: Path, repo: Path, plain: Agent
) -> None:
    table(state, repo / ".git", at("cart", "web/src/cart.py"))
    add(repo, "web/src/cart.py")
    assert replace(plain, cwd=repo / "web").before("Read", file_path="src/../src/cart.py").context


def test_a_linked_folder_is_where_it_leads_to(state: Path, repo: Path, plain: Agent, tmp_path: Path) -> None:
    table(state, repo / ".git", at("cart", "src/cart.py"), at("link", "linked.py"))
    add(repo, "src/cart.py")
    (tmp_path / "elsewhere").symlink_to(repo)
    assert plain.before("Read", file_path=f"{tmp_path}/elsewhere/src/cart.py").trailer["cued"] == "cart"
    (repo / "linked.py").symlink_to("/etc/hosts")
    assert plain.reads("linked.py").trailer["cued"] == "link"


def test_a_folder_outside_git_has_cues_too(state: Path, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    add(folder, "src/cart.py")
    table(state, folder, at("cart", "src/cart.py"))
    assert Agent(state=state, repo=folder).reads("src/cart.py").context
    git("init", "-q", folder / "inner")
    add(folder / "inner", "src/cart.py")
    assert Agent(state=state, repo=folder, session="s2").reads("inner/src/cart.py").silent


# Cost, and other sessions


def test_without_cause_no_interpreter_runs(state: Path, repo: Path, shell: str, tmp_path: Path) -> None:
    says = tmp_path / "says"
    install_hook(state, plain_python=stand_in_daemon(tmp_path / "python", says))
    table(state, repo / ".git", at("cart", "src/cart.py"), PUSH, MIGRATION)
    agent = Agent(state=state, repo=repo, shell=shell)
    agent.reads("src/other.py")
    agent.runs("ls -la")
    agent.edited("src/cart.py", "x")  # what is due there was due before
    agent.stops()
    agent.is_asked()
    assert list(tmp_path.glob("says*")) == []
    assert agent.reads("src/cart.py").trailer["cue_why"] == "interpreter"
    assert len(list(tmp_path.glob("says*"))) == 1


def test_without_a_table_nothing_is_looked_at(state: Path, repo: Path, agent: Agent) -> None:
    folder = table(state, repo / ".git", at("cart", "src/cart.py"))
    table(state, repo / ".git")
    assert list(folder.glob("cues*")) == []
    assert agent.reads("src/cart.py").silent
    assert not (state / "given" / f"{SESSION}.cues").exists()


def test_other_agents_have_no_cues(state: Path, repo: Path) -> None:
    table(state, repo / ".git", at("cart", "src/cart.py"))
    payload = json.dumps(
        {"session_id": "s", "tool_name": "Read", "tool_input": {"file_path": f"{repo}/src/cart.py"}}
    ).encode()
    for agent in ("gemini-cli", "codex"):
        assert run_hook(state, agent, "PreToolUse", payload, repo).stdout == b""
    assert list((state / "given").iterdir()) == []


# The guard beside it


def test_the_guard_answers_first_and_the_entry_is_left_for_another_time(
    state: Path, repo: Path, agent: Agent
) -> None:
    armed(state, "deny")
    table(state, repo / ".git", at("docs", "**/*.md"))
    told = agent.before("Write", file_path=f"{repo}/CLAUDE.md", content="x")
    assert "asides keeps the memory" in told.denied
    assert (told.trailer["guard"], told.trailer["printed"]) == ("deny", "guard")
    assert not {"cued", "cue_why"} & set(told.trailer)
    other = agent.before("Write", file_path=f"{repo}/docs/a.md", content="see CLAUDE.md")
    assert (other.trailer["guard"], other.trailer["cued"]) == ("pass", "docs")


def test_a_guard_that_only_watches_leaves_the_word_to_the_cue(state: Path, repo: Path, agent: Agent) -> None:
    armed(state, "audit")
    table(state, repo / ".git", at("docs", "**/*.md"))
    told = agent.before("Write", file_path=f"{repo}/CLAUDE.md", content="x")
    assert told.trailer["cued"] == "docs"
    assert (told.trailer["guard"], told.trailer["guard_path"]) == ("audit", f"{repo}/CLAUDE.md")


def test_reading_never_starts_the_guard(state: Path, repo: Path, shell: str, tmp_path: Path) -> None:
    says = tmp_path / "says"
    install_hook(state, plain_python=stand_in_daemon(tmp_path / "python", says))
    armed(state, "deny")
    agent = Agent(state=state, repo=repo, shell=shell)
    for path in ("CLAUDE.md", "memory/MEMORY.md"):
        assert "guard" not in agent.reads(path).trailer
    assert list(tmp_path.glob("says*")) == []


def test_a_tool_cannot_pass_for_reading(state: Path, repo: Path, agent: Agent) -> None:
    armed(state, "deny")
    sly = {"tool_name": "Read", "path": f"{repo}/CLAUDE.md", "content": '"tool_name":"Read"'}
    assert agent.before("mcp__files__write_file", **sly).denied
    assert agent.before("Write", file_path=f"{repo}/CLAUDE.md", tool_name="Read", content="x").denied


# Rituals


def test_a_ritual_that_was_due_and_not_done_is_reminded_of_once(
    state: Path, repo: Path, agent: Agent
) -> None:
    table(state, repo / ".git", MIGRATION)
    agent.created("migrations/1.sql")
    told = agent.stops()
    assert told.reason == (
        "[asides]\nThe developer of this project asked for this, word for word, and in this session it was"
        ' due and does not seem to be done:\n- "After adding a migration, update docs/schema.md."\n'
        "Do it now; if it is done or does not apply, say so in one line.\n[/asides]"
    )
    assert (told.trailer["reminded"], told.trailer["printed"]) == ("migration", "cue")
    assert agent.stops(stop_hook_active=True).silent
    assert agent.stops().silent
    agent.created("migrations/2.sql")
    assert agent.stops().silent


def test_an_edit_where_something_may_be_added_makes_nothing_owed(
    state: Path, repo: Path, plain: Agent
) -> None:
    adding = Trigger(
        deeds=(Deed.CREATE, Deed.EDIT), globs=("src/routes/**",), said="whenever you add an endpoint"
    )
    table(state, repo / ".git", ritual("endpoint0", adding, Proof(globs=("docs/api.md",))))
    add(repo, "src/routes/users.ts")
    assert plain.edits("src/routes/users.ts").trailer["cued"] == "endpoint0"
    plain.edited("src/routes/users.ts", "x")
    assert plain.stops().silent
    plain.created("src/routes/orders.ts")
    assert plain.stops().trailer["reminded"] == "endpoint0"


@pytest.mark.parametrize("when", ["afterwards", "in the same turn, before", "a turn later"])
def test_a_ritual_that_was_done_is_not_owed(state: Path, repo: Path, plain: Agent, when: str) -> None:
    table(state, repo / ".git", MIGRATION)
    match when:
        case "afterwards":
            plain.created("migrations/1.sql")
            plain.edited("docs/schema.md", "x")
        case "a turn later":
            plain.created("migrations/1.sql")
            replace(plain, turn="t2").edited("docs/schema.md", "x")
        case _:
            plain.edited("docs/schema.md", "x")
            plain.created("migrations/1.sql")
    assert plain.stops().silent


def test_what_was_done_in_an_earlier_turn_does_not_count_for_a_later_one(
    state: Path, repo: Path, plain: Agent
) -> None:
    table(state, repo / ".git", MIGRATION)
    plain.edited("docs/schema.md", "x")
    replace(plain, turn="t2").created("migrations/1.sql")
    assert plain.stops().reason


def test_a_command_that_was_run_shows_it_even_where_it_failed(state: Path, repo: Path, plain: Agent) -> None:
    table(state, repo / ".git", COMMIT)
    plain.runs("git commit -m x")
    plain.ran("git commit -m x")
    plain.runs("npm test")  # it fails, so that no hook runs after it
    assert plain.stops().silent
    replace(plain, turn="t2").ran("git commit -m y")
    assert plain.stops().trailer["reminded"] == "commitone"


def test_a_command_that_did_not_come_through_makes_nothing_due(state: Path, repo: Path, plain: Agent) -> None:
    table(state, repo / ".git", COMMIT)
    plain.runs("git commit -m x")
    plain.after("Bash", {"interrupted": True}, command="git commit -m x")
    assert plain.stops().silent


def test_what_comes_before_a_deed_is_cued_and_never_owed(state: Path, repo: Path, plain: Agent) -> None:
    table(state, repo / ".git", PUSH)
    assert plain.runs("git push").trailer["cued"] == "pushing00"
    plain.ran("git push")
    assert plain.stops().silent


def test_a_command_is_held_once_where_a_person_chose_that(state: Path, repo: Path, plain: Agent) -> None:
    table(state, repo / ".git", PUSH, modes=Modes(hold=True))
    told = plain.runs("git push")
    assert told.denied
    assert "Before you push, run make check." in told.denied
    assert told.denied.endswith("if the developer asked for this very command.\n[/asides]")
    assert (told.trailer["held"], told.trailer["cued"]) == ("pushing00", "pushing00")
    assert plain.runs("git push").silent


def test_what_was_done_in_this_turn_needs_no_cue_before_the_deed(
    state: Path, repo: Path, plain: Agent
) -> None:
    table(state, repo / ".git", PUSH)
    plain.runs("make check")
    assert plain.runs("git push").silent
    assert replace(plain, turn="t2").runs("git push").context


def test_work_of_a_sub_agent_makes_a_ritual_due_and_shows_it_done(
    state: Path, repo: Path, plain: Agent
) -> None:
    table(state, repo / ".git", MIGRATION, COMMIT)
    helper = replace(plain, subagent="a0000000000000001")
    helper.created("migrations/1.sql")
    plain.ran("git commit -m x")
    helper.runs("npm test")
    assert plain.stops(background_tasks=[{"id": "a0000000000000001"}]).silent
    assert plain.stops().trailer["reminded"] == "migration"


@pytest.mark.parametrize("attended", ["0", ""])
def test_where_nobody_watches_the_agent_is_let_go(state: Path, repo: Path, shell: str, attended: str) -> None:
    table(state, repo / ".git", MIGRATION)
    agent = Agent(state=state, repo=repo, shell=shell, attended=attended)
    agent.created("migrations/1.sql")
    assert agent.stops().silent


def test_a_reminder_can_wait_for_the_next_prompt(state: Path, repo: Path, agent: Agent) -> None:
    table(state, repo / ".git", MIGRATION, modes=Modes(owed="prompt"))
    agent.created("migrations/1.sql")
    assert agent.stops().silent
    told = agent.is_asked()
    assert "update docs/schema.md" in told.context
    assert told.trailer["reminded"] == "migration"
    assert agent.is_asked().silent


def test_reminders_can_be_off(state: Path, repo: Path, plain: Agent) -> None:
    table(state, repo / ".git", MIGRATION, modes=Modes(owed="off"))
    plain.created("migrations/1.sql")
    assert plain.stops().silent
    assert plain.is_asked().silent


def test_cues_can_be_off_and_reminders_on(state: Path, repo: Path, plain: Agent) -> None:
    table(state, repo / ".git", MIGRATION, at("cart", "src/cart.py"), modes=Modes(cues=False))
    assert plain.reads("src/cart.py").silent
    assert plain.before("Write", file_path=f"{repo}/migrations/1.sql", content="x").silent
    plain.created("migrations/1.sql")
    assert plain.stops().reason


def test_an_entry_that_has_gone_meanwhile_is_not_owed(state: Path, repo: Path, plain: Agent) -> None:
    table(state, repo / ".git", MIGRATION, COMMIT)
    plain.created("migrations/1.sql")
    table(state, repo / ".git", COMMIT)
    assert plain.stops().silent


def test_more_rituals_than_one_reminder_holds_come_with_the_next(
    state: Path, repo: Path, plain: Agent
) -> None:
    trigger, proof = MIGRATION[1].triggers[0], MIGRATION[1].proof
    table(state, repo / ".git", *(ritual(f"ritual{n}", trigger, proof) for n in range(4)))
    plain.created("migrations/1.sql")
    assert plain.stops().trailer["reminded"] == "ritual0 ritual1 ritual2"
    assert plain.stops().trailer["reminded"] == "ritual3"
    assert plain.stops().silent


def test_a_session_named_by_the_payload_alone_is_reminded_too(state: Path, repo: Path, shell: str) -> None:
    table(state, repo / ".git", MIGRATION)
    Agent(state=state, repo=repo).created("migrations/1.sql")
    payload = {"session_id": SESSION, "stop_hook_active": False, "last_assistant_message": "x" * 9_000}
    env = {"CLAUDE_CODE_SESSION_ATTENDED": "1", "CLAUDE_PROJECT_DIR": str(repo)}
    run = run_hook(state, AGENT, "Stop", json.dumps(payload).encode(), repo, env, shell=shell)
    assert json.loads(run.stdout)["decision"] == "block"
