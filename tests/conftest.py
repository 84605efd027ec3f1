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
for name in [name for name in os.environ if name.startswith(("ASIDES_", "CLAUDE", "XDG_", "GIT_"))]:
    if not name.startswith(
        ("ASIDES_TEST", "ASIDES_REQUIRE", "ASIDES_NEWEST", "ASIDES_TURNS", "ASIDES_KILLS")
    ):
        os.environ.pop(name)


@pytest.fixture(autouse=True, scope="session")
def _a_home_of_its_own() -> Iterator[None]:
    yield
    shutil.rmtree(_HOME, ignore_errors=True)
