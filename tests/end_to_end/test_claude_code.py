"""The real Claude Code, oldest supported and newest: said once in passing, there in the next session.

The client is answered from a script on loopback; hooks, daemon, writer, store and command line are the
real ones. Sessions are slow, so fixtures play them once for each version; tests look at what came of them.
"""

from dataclasses import dataclass

import pytest

from tests.support.clients import NEWEST, VERSIONS, Machine, Ran, delivered, json_text, machine

pytestmark = pytest.mark.client

ASIDE = "Also, fyi: we are moving off requests. Do not use it in anything new, httpx only from now on."
WORK = f"Add a small retry function in retry.py. {ASIDE}"
UNRELATED = "What does total() return for an empty list?"
FOR_NOW = "Just for this PR: keep the diff small and leave the tests alone. What does total() do with None?"
BY_HAND = "Prices are integer cents, never floats."
LATER = "Dates are always ISO 8601."
DELEGATED = "SUBTASK: list the Python files"

HEADER = "Standing instructions from the developer of this project"
REPLACES = "This list replaces any earlier one in this conversation"
TEXT_LIMIT, SUBAGENT_TEXT_LIMIT = 2_000, 800
SAYS_WHO = "asides keeps the memory of this project"


def tool(name, **given):
    return [{"type": "tool_use", "name": name, "input": given}]


def write(path, content="kept by the agent\n"):
    return tool("Write", file_path=str(path), content=content)


def bash(command):
    return tool("Bash", command=command, description="Run a command")


def said(request):
    """Returns each text of a request that stands there in the person's role, whole."""
    texts = []
    for message in request["messages"]:
        if message["role"] == "user":
            content = message["content"]
            blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
            texts += [block["text"] for block in blocks if block["type"] == "text"]
    return texts


def tool_results(ran):
    """Returns the texts that the agent got back from its tools, in order."""
    results = {}
    for request in ran.requests:
        for message in request.body["messages"]:
            for block in message["content"] if isinstance(message["content"], list) else ():
                if block["type"] == "tool_result":
                    results[block["tool_use_id"]] = json_text(block["content"])
    return list(results.values())


@pytest.fixture(scope="module", params=VERSIONS)
def version(request):
    return request.param


# the main story


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A session in which something is said in passing, and the one after it; and a decoy's two."""

    machine: Machine
    shop: object
    first: Ran
    entries: list
    second: Ran
    decoy: Ran
    decoy_entries: list
    after_decoy: Ran


@pytest.fixture(scope="module")
def story(version, tmp_path_factory):
    with machine(tmp_path_factory.mktemp("story"), version, {}) as here:
        shop, notes = here.project("my shop"), here.project("notes")
        memory = here.memory_of(shop)
        here.api.script["turns"] = [
            {
                "match": "Add a small retry function",
                "steps": [
                    write(shop / "retry.py"),
                    write(memory / "httpx.md"),
                    write(shop / "CLAUDE.md"),
                    bash(f"mkdir -p '../.claude/{memory.relative_to(here.config)}'"),
                    bash(
                        'python3 -c "import pathlib; '
                        f"pathlib.Path('../.claude/{memory.relative_to(here.config)}/x.md').write_text('x')\""
                    ),
                    bash("python3 -c \"open('CLAUDE.md', 'w').write('x')\""),
                    "I added retry() in retry.py.",
                ],
            },
            {
                "match": "Have a subagent",
                "steps": [
                    tool(
                        "Agent",
                        description="List Python files",
                        prompt=DELEGATED,
                        subagent_type="general-purpose",
                    ),
                    "The subagent is at work.",
                    "The subagent found app.py.",
                ],
            },
            {"match": DELEGATED, "steps": [bash("ls *.py"), write(shop / "files.txt"), "app.py"]},
            {"match": "<task-notification>", "steps": ["The background work is done."]},
        ]
        here.asides("install", "claude-code")
        first = here.say(shop, WORK)
        here.settle()
        entries = here.asides("list", "--json", cwd=shop)
        second = here.say(shop, UNRELATED)
        here.settle()
        decoy = here.say(notes, FOR_NOW)
        here.settle()
        yield Story(
            machine=here,
            shop=shop,
            first=first,
            entries=entries,
            second=second,
            decoy=decoy,
            decoy_entries=here.asides("list", "--all", "--json", cwd=notes),
            after_decoy=here.say(notes, UNRELATED),
        )


def test_what_was_said_in_passing_is_kept_word_for_word_and_live(story):
    live = [entry["body"] for entry in story.entries if entry["standing"] == "live"]
    assert any("httpx only from now on" in body for body in live)
    assert all(body in WORK for body in live)


def test_the_next_session_reads_each_entry_once_under_the_header_and_within_the_budget(story):
    assert story.second.code == 0
    request = story.second.requests[0].body
    assert UNRELATED in said(request)
    (text,) = delivered(request)
    assert HEADER in text
    assert len(text) <= TEXT_LIMIT
    for entry in story.entries:
        assert json_text(request).count(entry["body"]) == (1 if entry["standing"] == "live" else 0)


def test_the_first_session_had_nothing_to_read(story):
    assert (story.first.code, delivered(story.first.requests[0].body)) == (0, [])


def test_the_agent_does_its_work_and_cannot_write_its_memory_or_instruction_files(story):
    memory = story.machine.memory_of(story.shop)
    assert (story.shop / "retry.py").read_text() == "kept by the agent\n"
    assert not (story.shop / "CLAUDE.md").exists()
    assert not list(memory.rglob("*.md"))
    worked, memory_file, instructions, _, memory_by_shell, instructions_by_shell = tool_results(story.first)
    assert "created successfully" in worked
    # The client looks at its permission rules before it asks hooks, so a plain Write is refused in its words.
    assert "denied" in memory_file
    assert "denied" in instructions
    assert SAYS_WHO in memory_by_shell
    assert SAYS_WHO in instructions_by_shell


def test_a_decoy_leaves_nothing(story):
    assert story.decoy.code == 0
    assert story.decoy_entries == []
    assert "[asides]" not in json_text(story.after_decoy.requests[0].body)


# resuming


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed:
    """The second session of the story, gone on with again and again."""

    unchanged: Ran
    changed: Ran
    again: Ran
    forked: Ran
    forked_changed: Ran
    retired: str


@pytest.fixture(scope="module")
def resumed(story):
    here, shop = story.machine, story.shop
    unchanged = here.say(shop, "What does total() return for a tuple?", "--continue")
    here.settle()
    here.asides("add", BY_HAND, cwd=shop)
    for entry in story.entries:
        here.asides("retire", entry["id"], "--why", "the move is done", cwd=shop)
    changed = here.say(shop, "What does total() return for a set?", "--resume", story.second.session)
    here.settle()
    again = here.say(shop, "What does total() return for a string?", "--resume", story.second.session)
    here.settle()
    fork = ("--resume", story.second.session, "--fork-session")
    forked = here.say(shop, "What does total() return for a dict?", *fork)
    here.settle()
    here.asides("add", LATER, cwd=shop)
    forked_changed = here.say(shop, "What does total() return for a range?", *fork)
    here.settle()
    return Resumed(
        unchanged=unchanged,
        changed=changed,
        again=again,
        forked=forked,
        forked_changed=forked_changed,
        retired=story.entries[0]["body"],
    )


def test_a_resumed_session_is_not_given_the_same_text_twice(story, resumed):
    assert resumed.unchanged.session == story.second.session
    assert delivered(resumed.unchanged.requests[0].body) == delivered(story.second.requests[0].body)


def test_a_resumed_session_is_told_that_a_changed_list_replaces_the_earlier_one(resumed):
    earlier, new = delivered(resumed.changed.requests[0].body)
    assert resumed.retired in earlier
    assert REPLACES in new
    assert BY_HAND in new
    assert resumed.retired not in new
    assert delivered(resumed.again.requests[0].body) == [earlier, new]


def test_a_fork_is_not_given_again_what_its_copy_of_the_conversation_holds(story, resumed):
    assert resumed.forked.session not in ("", story.second.session)
    earlier, new = delivered(resumed.changed.requests[0].body)
    assert delivered(resumed.forked.requests[0].body) == [earlier, new]
    assert LATER in delivered(resumed.forked_changed.requests[0].body)[2]
    # The newest client leaves out a text that stands there already, so what the hook printed counts as well.
    printed = "SELECT count(*) FROM heartbeat WHERE event = 'SessionStart' AND reason = 'replace'"
    assert story.machine.rows(printed) == [(2,)]


def test_every_message_of_a_person_is_judged_exactly_once_in_spite_of_resuming_and_forking(story, resumed):
    here = story.machine
    turns = dict(here.rows("SELECT id, state FROM turn"))
    assert set(turns) == set(here.lines_of_people())
    assert set(turns.values()) == {"judged"}
    (judged,) = here.rows("SELECT count(*) FROM judgment")
    (runs,) = here.rows("SELECT count(*) FROM heartbeat WHERE what = 'judge'")
    assert judged == runs == (len(turns),)
    kept = here.asides("list", "--all", "--json", cwd=story.shop)
    assert {entry["sightings"] for entry in kept} == {1}


# sub-agents


@pytest.fixture(scope="module")
def delegated(story, resumed):
    ran = story.machine.say(story.shop, "Have a subagent list the Python files.")
    story.machine.settle()
    return ran


def test_a_sub_agent_gets_the_laws_within_its_own_budget(delegated):
    request = next(r.body for r in delegated.requests if any(DELEGATED in text for text in said(r.body)))
    (text,) = delivered(request)
    assert BY_HAND in text
    assert "They hold for your task too" in text
    assert len(text) <= SUBAGENT_TEXT_LIMIT


def test_the_turns_of_a_sub_agent_are_not_turns_of_the_project(story, delegated):
    found = story.machine.rows("SELECT message FROM turn WHERE session = ?", delegated.session)
    assert (story.shop / "files.txt").exists()
    assert found == [("Have a subagent list the Python files.",)]
    worked = (
        "SELECT DISTINCT tool FROM event WHERE session = ? AND kind = 'used_tool' AND subagent IS NOT NULL"
    )
    assert set(story.machine.rows(worked, delegated.session)) == {("Bash",), ("Write",)}


def test_the_ledger_has_one_row_for_every_hook_that_the_client_ran(story, resumed, delegated):
    here = story.machine
    here.settle()
    counted = here.hook_runs_counted()
    assert here.hook_runs_recorded() == counted
    assert {event for _, event in counted} >= {"SubagentStart", "PreToolUse", "Stop", "SessionEnd"}
    assert here.rows("SELECT * FROM heartbeat WHERE outcome IN ('failed', 'killed')") == []


def test_nothing_of_ours_is_written_into_the_project_or_the_home_folder(story, resumed, delegated):
    home = story.machine.home
    assert {path.name for path in home.iterdir()} <= {".claude", ".claude.json", "my shop", "notes"}
    assert {path.name for path in story.shop.iterdir()} == {".git", "app.py", "retry.py", "files.txt"}
    assert not [path for path in home.rglob("*") if "asides" in path.name or "onnx" in path.name]


# a hostile machine


@pytest.fixture(scope="module")
def hostile(version, tmp_path_factory):
    with machine(tmp_path_factory.mktemp("hostile"), version, {}) as here:
        here.shop = here.project("shop")
        here.asides("install", "claude-code")
        here.asides("add", BY_HAND, cwd=here.shop)
        yield here


@pytest.fixture
def attempt(hostile):
    """Says one thing on the broken machine, checks that it went through, and mends the machine afterwards."""

    def say(prompt, *steps):
        hostile.api.script["turns"] = [{"match": prompt, "steps": [*steps, "Done."]}]
        ran = hostile.say(hostile.shop, prompt, "--permission-mode", "acceptEdits")
        assert went_through(ran, prompt)
        return ran

    yield say
    hostile.thaw()
    hostile.asides("install", "claude-code")


def went_through(ran, prompt):
    """Fails unless the prompt reached the API as it was typed and the client was content."""
    assert (ran.code, ran.err) == (0, "")
    assert said(ran.requests[0].body)[-1] == prompt
    return True


def test_a_prompt_goes_through_when_the_hook_script_is_deleted(hostile, attempt):
    (hostile.places.state / "hook" / "hook.sh").unlink()
    ran = attempt("Say it with no script.", write(hostile.shop / "1.txt"))
    assert delivered(ran.requests[0].body) == []
    assert (hostile.shop / "1.txt").exists()


def test_a_prompt_goes_through_and_waits_to_be_judged_when_every_interpreter_is_gone(hostile, attempt):
    hostile.asides("daemon", "stop")
    names = hostile.places.state / "hook" / "interpreters"
    names.write_text("plain_python /gone/python3\ndaemon_python /gone/venv/bin/python\n")
    prompt = "Say it with no interpreter."
    ran = attempt(prompt, bash("echo x > 2.txt # not CLAUDE.md"))
    assert BY_HAND in json_text(ran.requests[0].body)
    assert (hostile.shop / "2.txt").exists()
    hostile.asides("install", "claude-code")
    hostile.asides("daemon", "start")
    hostile.settle()
    assert (prompt, "judged") in hostile.rows("SELECT message, state FROM turn")


def test_a_prompt_goes_through_when_the_spool_cannot_be_written(hostile, attempt):
    hostile.settle()
    hostile.places.spool.rename(hostile.places.state / "spool.aside")
    hostile.places.spool.write_text("a file where the folder should be")
    try:
        ran = attempt("Say it with no spool.", write(hostile.shop / "3.txt"))
    finally:
        hostile.places.spool.unlink()
        (hostile.places.state / "spool.aside").rename(hostile.places.spool)
    assert BY_HAND in json_text(ran.requests[0].body)
    assert (hostile.shop / "3.txt").exists()


def test_a_prompt_goes_through_when_the_state_folder_is_no_folder(hostile, attempt):
    hostile.asides("daemon", "stop")
    aside = hostile.places.state.with_name("state.aside")
    hostile.places.state.rename(aside)
    hostile.places.state.write_text("a file where the folder should be")
    try:
        attempt("Say it with no state.", write(hostile.shop / "4.txt"))
    finally:
        hostile.places.state.unlink()
        aside.rename(hostile.places.state)
    assert (hostile.shop / "4.txt").exists()


def test_a_prompt_goes_through_and_is_judged_later_when_the_daemon_is_deaf(hostile, attempt):
    hostile.asides("daemon", "start")
    deaf = hostile.daemon
    hostile.freeze(deaf)
    prompt = "Say it to a deaf daemon."
    ran = attempt(prompt, write(hostile.shop / "5.txt"))
    assert BY_HAND in json_text(ran.requests[0].body)
    # Ending a deaf daemon takes about 20 s of waiting for its answer, and no client has a part in that.
    if hostile.version == NEWEST:
        hostile.settle()
        assert hostile.daemon != deaf
        assert (prompt, "judged") in hostile.rows("SELECT message, state FROM turn")


def test_uninstalling_while_the_agent_works_harms_nothing_and_leaves_the_settings_as_they_were(hostile):
    prompt = "Say it while asides leaves."
    hostile.api.script["turns"] = [
        {
            "match": prompt,
            "steps": [{"blocks": write(hostile.shop / "6.txt"), "hold": "uninstalled"}, "Done."],
        }
    ]
    assert hostile.settings.read_text("utf-8") != hostile.settings_before
    at_work = hostile.begin(hostile.shop, prompt, "--permission-mode", "acceptEdits")
    hostile.api.wait_for(lambda request: request.is_messages and prompt in json_text(request.body))
    hostile.asides("uninstall", "claude-code")
    assert hostile.settings.read_bytes() == hostile.settings_before.encode()
    hostile.api.let_go("uninstalled")
    assert went_through(hostile.finish(at_work), prompt)
    assert (hostile.shop / "6.txt").exists()
    assert went_through(hostile.say(hostile.shop, "Say it without asides."), "Say it without asides.")
    hostile.asides("install", "claude-code")
