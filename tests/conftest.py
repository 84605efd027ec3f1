"""What every test starts from: a home of its own, so that nothing can touch the real one."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator

import pytest

# Set before any test module is imported: modules read the environment only when they are called,
# but processes started by module-wide fixtures inherit it too.
_HOME = tempfile.mkdtemp(prefix="asides-tests-")
os.environ["HOME"] = _HOME
for name in ("ASIDES_HOME", "ASIDES_INSIDE", "CLAUDE_CONFIG_DIR", "CLAUDE_PROJECT_DIR", "CLAUDE_CODE_SESSION_ID"):
    os.environ.pop(name, None)
for name in [name for name in os.environ if name.startswith(("XDG_", "GIT_"))]:
    os.environ.pop(name)


@pytest.fixture(autouse=True, scope="session")
def _a_home_of_its_own() -> Iterator[None]:
    yield
    shutil.rmtree(_HOME, ignore_errors=True)
