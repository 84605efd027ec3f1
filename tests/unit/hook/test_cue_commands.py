"""Which commands a command line runs, and what they do to files."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.hook.cues.commands import Run, runs
from tests.support.guard_tables import SHELL_PASSES, SHELL_WRITES

CWD = "/home/dev/shop"


def lines(text: str) -> list[Run]:
    return list(runs(text, cwd=CWD, home="/home/dev"))


def does(text: str, command: str) -> bool:
    return any(run.begins(command.split()) for run in lines(text))


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("git push", "git push"),
        ("git -C x push -f", "git push"),
        ("git --no-pager -c core.pager=cat push origin main", "git push"),
        ("/usr/bin/git push", "git push"),
        ("cd a && npm test", "npm test"),
        ("npm --prefix web test -- --ci", "npm test"),
        ("npm run test", "npm test"),
        ("npm run test", "npm run test"),
        ("CI=1 NODE_ENV=test npm test", "npm test"),
        ("sudo -u deploy make install", "make install"),
        ("time cargo +nightly test --all", "cargo test"),
        ("npx --yes prisma migrate dev", "prisma migrate"),
        ("npx prisma migrate dev --name x", "npx prisma migrate"),
        ("python3 -m pytest -q", "pytest"),
        ("poetry run pytest tests", "pytest"),
        ("uv run python -m pytest", "pytest"),
        ("timeout 60 env A=b go test ./...", "go test"),
        ("if true; then git push; fi", "git push"),
        ("for f in *; do git push; done", "git push"),
        ("(cd web && git push)", "git push"),
        ("echo $(git push 2>&1)", "git push"),
        ("bash -lc 'make lint && git push'", "git push"),
        ("eval 'git push'", "git push"),
        ("make -j 4 check", "make check"),
        ("docker compose -f dev.yml up -d", "docker compose up"),
        ("./scripts/deploy.sh prod", "scripts/deploy.sh"),
        ("bash scripts/deploy.sh", "bash scripts/deploy.sh"),
        ("scripts/deploy.sh", "deploy.sh"),
        ("bash -e scripts/deploy.sh prod", "deploy.sh"),
        ("python scripts/schema.py", "scripts/schema.py"),
        ("git commit -m 'push it' && git push", "git push"),
        ("true || git push", "git push"),
        ("git push | tee log", "git push"),
        ("! git push", "git push"),
        ('g"it" push', "git push"),
        ("git commit -m \"$(cat <<'EOF'\nDon't break (it\nEOF\n)\" && git push", "git commit"),
        ("git commit -m \"$(cat <<'EOF'\nDon't break (it\nEOF\n)\" && git push", "git push"),
        ("cat <<-A > a <<B\nit's\n\tA\nx\nB\ngit push", "git push"),
        ("echo $((1 << 2)) && git push", "git push"),
        ("grep x <<<'it' && git push", "git push"),
    ],
)
def test_a_command_is_seen_for_what_it_is(text: str, command: str) -> None:
    assert does(text, command)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("git status", "git push"),
        ("git stash push", "git push"),
        ("git commit -m 'then git push'", "git push"),
        ("echo git push", "git push"),
        ("echo 'git push' >> notes", "git push"),
        ("cat <<'EOF'\ngit push\nEOF", "git push"),
        ('cat > a <<"THE END"\ngit push\nTHE END\nls', "git push"),
        ("cat <<EOF\ngit push", "git push"),
        ("# git push", "git push"),
        ("gitk push", "git push"),
        ("git log --grep=push", "git push"),
        ("npm run build test", "npm test"),
        ("npm install test", "npm test"),
        ("man git push", "git push"),
        ("grep -r 'npm test' .", "npm test"),
        ("git", "git push"),
        ("", "git push"),
        ("git push", ""),
    ],
)
def test_words_that_only_look_like_it_are_none(text: str, command: str) -> None:
    assert not does(text, command)


WORDS = st.text(alphabet="abcxyz", min_size=1, max_size=5)


@given(
    command=st.lists(WORDS, min_size=1, max_size=3),
    options=st.lists(st.tuples(st.integers(0, 3), WORDS.map("--{}=1".format)), max_size=4),
    rest=st.lists(WORDS, max_size=3),
)
def test_options_change_nothing(command: list[str], options: list[tuple[int, str]], rest: list[str]) -> None:
    words = [*command, *rest]
    for at, option in options:
        words.insert(max(1, min(at, len(words))), option)
    assert does(shlex.join(words), " ".join(command))


@pytest.mark.parametrize("text", [*SHELL_WRITES, *SHELL_PASSES])
def test_every_command_line_of_the_guards_tables_is_read_to_its_end(text: str) -> None:
    for run in lines(text):
        assert all(isinstance(word, str) for words in run.forms for word in words)


@given(text=st.text(alphabet="ab '\"$(){}`<>|&;\\\n-=#!*?~[]", max_size=60))
def test_any_text_is_read_without_a_failure(text: str) -> None:
    lines(text)


@pytest.mark.parametrize(
    ("text", "removed", "written"),
    [
        ("rm -rf build dist", [f"{CWD}/build", f"{CWD}/dist"], []),
        ("rm -- -odd", [f"{CWD}/-odd"], []),
        ("cd src && rm a.py", [f"{CWD}/src/a.py"], []),
        ("git rm --cached src/a.py", [f"{CWD}/src/a.py"], []),
        ("git -C web rm a.ts", [f"{CWD}/web/a.ts"], []),
        ("cd $UNKNOWN && rm a.py", [], []),
        ("(cd src); rm a.py", [f"{CWD}/a.py"], []),
        ("echo x > a.sql", [], [f"{CWD}/a.sql"]),
        ("cat >> db/a.sql <<'EOF'\nrm b\nEOF", [], [f"{CWD}/db/a.sql"]),
        ("rm ~/x", ["/home/dev/x"], []),
        ("grep rm a.py", [], []),
        ("git commit -m rm", [], []),
    ],
)
def test_what_a_command_removes_and_writes(text: str, removed: list[str], written: list[str]) -> None:
    seen = lines(text)
    assert [run.path(word) for run in seen for word in run.removes if run.path(word)] == removed
    assert [run.path(word) for run in seen for word in run.writes if run.path(word)] == written


def test_where_a_command_runs_is_known_or_said_to_be_unknown() -> None:
    text = "cd web && make; cd $X; make; cd /srv && make; git -C /opt status"
    assert [run.cwd for run in lines(text) if run.forms[0][0] in ("make", "git")] == [
        f"{CWD}/web",
        "",
        "/srv",
        "/opt",
    ]
