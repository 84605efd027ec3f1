"""Names are looked up where they are declared, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from asides.code.declaring import FILES_READ, declaring
from asides.code.git import tracked
from tests.support.repositories import git

FILES = {
    "src/cart.py": "class Cart:\n    def total(self):\n        return charge_card(1)\n",
    "src/pay.ts": "export function chargeCard() {}\n// total\n",
    "docs/notes.md": "chargeCard and total\n",
    "vendored.py": "def hidden(): pass\n",
    "config/app.yml": "db:\n  max_connections: 5\n",
    "package.json": '{"scripts": {"build-docs": "tsc"}, "dependencies": {"left-pad": "1"}}\n',
    ".gitignore": "vendored.py\n",
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    git(tmp_path, "init", "-q")
    return tmp_path


def where(shop: Path, *names: str, **other: str) -> dict[str, list[str]]:
    found = declaring(str(shop), names, tracked=tracked(str(shop)), **other)  # type: ignore[arg-type]
    return {path: sorted(full) for path, full in found.items()}


def test_a_name_is_found_where_it_is_declared_not_where_it_is_used(shop: Path) -> None:
    assert where(shop, "total") == {"src/cart.py": ["Cart.total"]}
    assert where(shop, "Cart.total", "chargeCard") == {
        "src/cart.py": ["Cart.total"],
        "src/pay.ts": ["chargeCard"],
    }
    assert where(shop, "charge_card") == {}
    assert where(shop, "tal") == {}


def test_a_key_of_settings_is_declared_and_a_package_in_a_list_is_not(shop: Path) -> None:
    assert where(shop, "max_connections") == {"config/app.yml": ["db.max_connections"]}
    assert where(shop, "build-docs") == {"package.json": ["scripts.build-docs"]}
    assert where(shop, "left-pad") == {}


def test_what_git_ignores_declares_nothing(shop: Path) -> None:
    assert where(shop, "hidden") == {}


def test_without_git_only_the_files_of_the_turn_are_read(shop: Path) -> None:
    known = frozenset(FILES)
    assert declaring(str(shop), ["total"], tracked=known, program="no-such-git") == {}
    found = declaring(str(shop), ["total"], tracked=known, first=["src/cart.py"], program="no-such-git")
    assert found == {"src/cart.py": {"Cart.total"}}


def test_a_name_that_stands_everywhere_costs_a_bounded_number_of_files(shop: Path) -> None:
    for number in range(FILES_READ + 5):
        (shop / f"m{number:03}.py").write_text("def run(): pass\n")
    found = where(shop, "run", "total")
    assert len(found) == FILES_READ


@pytest.mark.parametrize("name", ["", "a b", "-e", "x; rm -rf /", "\0"])
def test_no_name_can_be_an_option_or_a_command(shop: Path, name: str) -> None:
    assert where(shop, name) == {}
