"""Writes the Claude Code plugin: a folder that is a marketplace with the plugin in it.

Its hooks look for the asides of this machine when they run, so the same folder serves everyone.
"""

from __future__ import annotations

import json
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from asides.agents.claude_code.registration import AGENT, REGISTRATIONS, group
from asides.agents.jsontext import JsonValue
from asides.hook.place import CALL

NAME = "asides"
MANIFEST = f"plugins/{NAME}/.claude-plugin/plugin.json"
HOOKS = f"plugins/{NAME}/hooks/hooks.json"
FINDER = "${CLAUDE_PLUGIN_ROOT}/hooks/find.sh"


def hooks_json() -> str:
    """Returns the text of the plugin's hooks file."""
    # The finder is called as the hook itself is: after an update of the plugin a running session holds a
    # path that is gone.
    hooks: dict[str, JsonValue] = {
        r.event: [group(r, ["/bin/sh", "-c", CALL, FINDER, AGENT, r.event])] for r in REGISTRATIONS
    }
    return json.dumps({"description": "Hands finished turns to asides.", "hooks": hooks}, indent=2) + "\n"


def plugin_texts(*, version: str) -> dict[str, str]:
    """Returns every file of the plugin folder, by its path in it, in alphabetic order."""
    texts = dict(_texts(resources.files(__package__) / "plugin_files", ""))
    manifest = json.loads(texts[MANIFEST])
    texts[MANIFEST] = json.dumps({**manifest, "version": version}, indent=2) + "\n"
    texts[HOOKS] = hooks_json()
    return dict(sorted(texts.items()))


def write_plugin(folder: Path, *, version: str) -> tuple[Path, ...]:
    """Writes the plugin below `folder` and returns the files that had to change.

    The folder is given to `claude plugin marketplace add`; the plugin itself is in
    `plugins/asides`, for `claude --plugin-dir`. Files of others in it are left alone.
    """
    changed = []
    for name, text in plugin_texts(version=version).items():
        path = folder / name
        raw = text.encode()
        if not path.is_file() or path.read_bytes() != raw:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(raw)
            changed.append(path)
    return tuple(changed)


def _texts(folder: Traversable, prefix: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _texts(entry, f"{prefix}{entry.name}/")
        else:
            found.append((prefix + entry.name, entry.read_bytes().decode()))
    return found
