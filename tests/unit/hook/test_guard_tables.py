"""What the guard refuses and what it must let pass, in a project at `/…/home/shop`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.hook.guard.door import judge

MEMORY = ".claude/projects/-home-dev-shop/memory"


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


SHELL_WRITES = [
    "echo x > CLAUDE.md",
    "echo x >> CLAUDE.md",
    "echo x >| CLAUDE.md",
    "echo x >CLAUDE.md 2>&1",
    "echo x &>> ./CLAUDE.md",
    "echo x | tee CLAUDE.md",
    "echo x | tee -a docs/../CLAUDE.md >/dev/null",
    "cp notes.txt CLAUDE.md",
    "cp backup/CLAUDE.md .",
    "mv notes.txt AGENTS.md",
    "mv CLAUDE.md old.md",
    "ln -s /etc/hosts CLAUDE.local.md",
    "ln -s CLAUDE.md alias.txt && echo x > alias.txt",
    "install -m 644 notes.txt CLAUDE.md",
    "sed -i 's/a/b/' CLAUDE.md",
    "sed -i.bak -e 's/a/b/' README.md CLAUDE.md",
    "sed --in-place=.orig 's/a/b/' CLAUDE.md",
    "sed -n 'w CLAUDE.md' README.md",
    "perl -pi -e 's/a/b/' CLAUDE.md",
    "dd if=/dev/zero of=CLAUDE.md count=1",
    "truncate -s 0 CLAUDE.md",
    "rm -f CLAUDE.md",
    "rm -f *.md",
    "touch AGENTS.md",
    "cd docs && cd .. && echo x > CLAUDE.md",
    "cd ~/" + MEMORY + " && echo x > note.md",
    "(cd docs; true); echo x > CLAUDE.md",
    "pushd ~/" + MEMORY + "; echo x >> MEMORY.md; popd",
    "echo x > ~/" + MEMORY + "/note.md",
    "echo x > $HOME/" + MEMORY + "/note.md",
    'echo x > "${HOME}/' + MEMORY + '/note.md"',
    "echo x > $MEM/note.md",
    "echo x > ~/.claude/projects/*/memory/note.md",
    "echo x > linked/note.md",
    "echo x > notes.md",
    "rm -rf ~/" + MEMORY,
    "rm -rf ~/.claude/projects/-home-dev-shop",
    "mkdir -p docs && cat > CLAUDE.md <<'EOF'\n# rules\nEOF",
    "cat <<EOF >> CLAUDE.md\nrules\nEOF\necho done",
    "F=CLAUDE.md; echo x > $F",
    "FILES='README.md CLAUDE.md'; rm $FILES",
    "for f in README.md CLAUDE.md; do echo x >> $f; done",
    "if true; then echo x > CLAUDE.md; fi",
    "{ echo a; echo b; } > CLAUDE.md",
    "(echo a; echo b) > CLAUDE.md",
    "! echo x > CLAUDE.md",
    "echo x > CL''AUDE.md",
    'echo x > "CLAUDE".md',
    "echo x > CLAUDE\\.md",
    "echo x > {CLAUDE,AGENTS}.md",
    "rm {CLAUDE,AGENTS}.md",
    "bash -c 'echo x > CLAUDE.md'",
    'sh -lc "cat notes.txt >> CLAUDE.md"',
    "eval 'echo x > CLAUDE.md'",
    "bash <<'EOF'\necho x > CLAUDE.md\nEOF",
    "echo $(echo x > CLAUDE.md)",
    "echo `echo x > CLAUDE.md`",
    'echo "now $(echo x | tee CLAUDE.md)"',
    "cat notes.txt | tee >(cat > CLAUDE.md)",
    "sudo -u root tee CLAUDE.md < notes.txt",
    "env A=b timeout 5 tee CLAUDE.md",
    "git ls-files | grep CLAUDE.md | xargs rm",
    "echo CLAUDE.md | xargs -I{} sh -c 'echo x > {}'",
    "find . -name CLAUDE.md -delete",
    "find . -name 'CLAUDE.md' -exec sed -i s/a/b/ {} +",
    'echo x > "$(git rev-parse --show-toplevel)/CLAUDE.md"',
    "ROOT=$(git rev-parse --show-toplevel); echo x > $ROOT/CLAUDE.md",
    "echo x > $(pwd)/CLAUDE.md",
    "echo x > $UNSET_ROOT/CLAUDE.md",
    "curl -s https://example.org/rules -o CLAUDE.md",
    "git mv CLAUDE.md docs/",
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: CLAUDE.md\n@@\n+x\n*** End Patch\nEOF",
    "patch -p1 <<'EOF'\n--- a/CLAUDE.md\n+++ b/CLAUDE.md\n@@ -1 +1 @@\n-a\n+b\nEOF",
    "python3 -c \"open('CLAUDE.md', 'w').write('x')\"",
    "python3 -c \"open('CLAUDE.md', mode='a').write('x')\"",
    "python3 -c \"from pathlib import Path; Path('CLAUDE.md').write_text('x')\"",
    "python3 -c \"import os; os.remove('CLAUDE.md')\"",
    "python3 -c \"p = 'CLAUDE.md'; f = open(p, 'a'); f.write('x')\"",
    "python3 - <<'EOF'\nimport pathlib\np = pathlib.Path('CLAUDE.md')\np.write_text(p.read_text())\nEOF",
    "python3 <<EOF\nwith open('CLAUDE.md', 'r+') as f:\n    f.write('x')\nEOF",
    "python3 -c \"from pathlib import Path; (Path.home() / '" + MEMORY + "' / 'a.md').write_text('x')\"",
    "python3 -c \"import os; os.system('echo x > CLAUDE.md')\"",
    "python3 -c \"import shutil; shutil.copy('notes.txt', 'CLAUDE.md')\"",
    "node -e \"require('fs').writeFileSync('CLAUDE.md', 'x')\"",
    "node -e \"fs.appendFileSync('./AGENTS.md', 'x')\"",
    "ruby -e \"File.write('CLAUDE.md', 'x')\"",
    "perl -e \"open(F, '>>', 'CLAUDE.md'); print F 'x'\"",
    "perl -e \"open(F, '>CLAUDE.md'); print F 'x'\"",
    "php -r \"file_put_contents('CLAUDE.md', 'x');\"",
]

SHELL_PASSES = [
    "cat CLAUDE.md",
    "head -50 ~/.claude/CLAUDE.md",
    "cat ~/" + MEMORY + "/*.md",
    "ls -la ~/" + MEMORY,
    "grep -rn axios CLAUDE.md AGENTS.md",
    "grep -o CLAUDE.md README.md",
    "rg 'write to CLAUDE.md' docs > found.txt",
    "wc -l < CLAUDE.md",
    "diff CLAUDE.md README.md > changes.diff",
    "sed -n '1,20p' CLAUDE.md",
    "sed 's/a/b/' CLAUDE.md > docs/copy.txt",
    "awk '/rule/ {print}' CLAUDE.md",
    "sed -i 's/README/CLAUDE.md/' README.md",
    "sed -i 's#x#see CLAUDE.md#' README.md",
    "cp CLAUDE.md /var/tmp/backup.txt",
    "cp CLAUDE.md docs/rules.txt",
    "D=$(mktemp -d); cp CLAUDE.md $D/CLAUDE.md",
    "git show HEAD:CLAUDE.md",
    "git add CLAUDE.md && git commit -m 'Write CLAUDE.md > done'",
    "git diff -- CLAUDE.md",
    "echo 'see CLAUDE.md' > README.md",
    'echo "echo x > CLAUDE.md" >> README.md',
    "cat > README.md <<'EOF'\necho x > CLAUDE.md\nrm CLAUDE.md\nEOF",
    "cat <<'EOF' > docs/guide.md\ncat > CLAUDE.md <<X\nX\nEOF\nls",
    "test -f CLAUDE.md && echo yes",
    "[ CLAUDE.md -nt README.md ] && echo newer",
    "[[ CLAUDE.md > README.md ]] && echo later",
    "(( 3 > 2 )) && cat CLAUDE.md",
    "find . -name CLAUDE.md",
    "find . -name CLAUDE.md -exec cat {} +",
    "find . -name '*.pyc' -delete",
    "ls *.md | xargs cat",
    "grep -rl old src | xargs sed -i 's/old/new/'",
    "echo x > src/memory/pool.c",
    "rm -rf src/memory",
    "rm -rf node_modules",
    "make memory-test > memory.log 2>&1",
    "cat CLAUDE.md | tee docs/copy.txt",
    "cat CLAUDE.md 2>/dev/null",
    "cat CLAUDE.md >&2",
    "echo x > docs/agents.md",
    "echo x > MYCLAUDE.md",
    "echo x > CLAUDE.md.txt",
    "# echo x > CLAUDE.md",
    "ls # > CLAUDE.md",
    "python3 -c \"print(open('CLAUDE.md').read())\"",
    "python3 -c \"open('out.txt', 'w').write(open('CLAUDE.md').read())\"",
    "python3 -c \"text = open('CLAUDE.md').read(); open('out.txt', 'w').write(text)\"",
    "python3 -c \"import pathlib as p; print(p.Path('CLAUDE.md').read_text().replace('a', 'b'))\"",
    "python3 -c \"open('README.md', 'a').write('see CLAUDE.md')\"",
    "node -e \"fs.writeFileSync('a.txt', fs.readFileSync('CLAUDE.md'))\"",
    "python3 check.py CLAUDE.md",
    "curl -s https://example.org/CLAUDE.md -o rules.txt",
    "tar czf docs.tgz CLAUDE.md docs",
    "vim --version; cat CLAUDE.md",
    "echo $((1 > 0)) CLAUDE.md",
    "",
    "'",
    '"$(',
    "cat <<EOF",
    "echo >",
]

FILE_WRITES = [
    ("Write", {"file_path": "{home}/" + MEMORY + "/note.md", "content": "x"}),
    ("Write", {"file_path": "{home}/shop/CLAUDE.md", "content": "x"}),
    ("Write", {"file_path": "{home}/shop/docs/../CLAUDE.md", "content": "x"}),
    ("Write", {"file_path": "{home}/shop/deep/new/CLAUDE.local.md", "content": "x"}),
    ("Write", {"file_path": "{home}/shop/linked/note.md", "content": "x"}),
    ("Write", {"file_path": "CLAUDE.md", "content": "x"}),
    ("Write", {"file_path": "~/.claude/CLAUDE.md", "content": "x"}),
    ("Write", {"file_path": "{home}/CLAUDE.md", "content": "above the project, loaded all the same"}),
    ("Edit", {"file_path": "{home}/shop/AGENTS.md", "old_string": "a", "new_string": "b"}),
    ("Edit", {"file_path": "{home}/shop/notes.md", "old_string": "a", "new_string": "b"}),
    ("MultiEdit", {"file_path": "{home}/" + MEMORY + "/MEMORY.md", "edits": []}),
    ("NotebookEdit", {"notebook_path": "{home}/" + MEMORY + "/a.ipynb", "new_source": "x"}),
    ("apply_patch", {"command": "*** Begin Patch\n*** Add File: CLAUDE.md\n+x\n*** End Patch"}),
    ("mcp__filesystem__write_file", {"path": "{home}/shop/CLAUDE.md", "content": "x"}),
]

FILE_PASSES = [
    ("Read", {"file_path": "{home}/shop/CLAUDE.md"}),
    ("Grep", {"pattern": "x", "path": "{home}/shop/CLAUDE.md"}),
    ("Write", {"file_path": "{home}/shop/README.md", "content": "write to CLAUDE.md; echo x > CLAUDE.md"}),
    ("Edit", {"file_path": "{home}/shop/app.py", "old_string": "CLAUDE.md", "new_string": "AGENTS.md"}),
    ("Write", {"file_path": "{home}/shop/src/memory/pool.py", "content": "x"}),
    ("Write", {"file_path": "{home}/elsewhere/CLAUDE.md", "content": "another project's"}),
    ("Write", {"file_path": "{home}/.claude/settings.json", "content": "{}"}),
    ("mcp__filesystem__read_file", {"path": "{home}/shop/CLAUDE.md"}),
    ("Write", {}),
    ("Write", {"file_path": 3}),
    ("Bash", {}),
]


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
