"""Makes a GGUF file small: Q4_K_M, by llama.cpp itself, as the package cyllama carries it.

    python -m asides.training.quantise FROM TO THREADS

In a process of its own: the library writes a line for each tensor, and may end the process where it fails.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

from asides.model.errors import Broken

Q4_K_M = 15  # LLAMA_FTYPE_MOSTLY_Q4_K_M of llama.h


class NotQuantised(Broken):
    """{path} could not be quantised: {why}."""

    hint = "The file in 16 bits is kept. It can be used as it is, or quantised with llama-quantize."


def available() -> bool:
    """Returns whether a quantiser is installed."""
    return importlib.util.find_spec("cyllama") is not None


def quantised(path: Path, out: Path, *, threads: int) -> Path:
    """Writes a GGUF file as Q4_K_M, and returns it. Raises NotQuantised."""
    done = subprocess.run(
        [sys.executable, "-m", "asides.training.quantise", str(path), str(out), str(threads)],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0 or not out.exists():
        told = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise NotQuantised(path=path, why=told[-1])
    return out


def main(path: str, out: str, threads: int) -> None:
    """Quantises in this process; the library raises where it fails."""
    from cyllama.llama import llama_cpp

    params = llama_cpp.LlamaModelQuantizeParams()
    params.ftype, params.nthread = Q4_K_M, threads
    llama_cpp.model_quantize(path, out, params)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
