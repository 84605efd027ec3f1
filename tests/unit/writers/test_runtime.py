"""The library that runs the weights keeps to itself."""

import os
import subprocess
import sys


def test_loading_and_asking_the_writer_leaves_nothing_in_the_home_folder(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    asking = "from asides.writers.encoder import Encoder; Encoder().salience('Never use tabs here.', '')"
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "ORT_"))}
    subprocess.run(
        [sys.executable, "-c", asking], env={**environment, "HOME": str(home)}, check=True, timeout=60
    )
    assert list(home.rglob("*")) == []
