"""Which writer is loaded: chosen by the settings, the bundled one unless they say otherwise."""

from __future__ import annotations

import subprocess
import sys

import pytest

from asides.model.errors import WriterUnavailable
from asides.settings import BadSettings, Settings, load, loopback
from asides.writers.generative.writer import Generative
from asides.writers.loading import chosen
from tests.support.model_server import said, sending, serving


@pytest.fixture
def settings(tmp_path):
    def put(text: str) -> Settings:
        path = tmp_path / "settings.toml"
        path.write_text(text)
        return load(path)

    return put


def test_without_a_word_it_is_the_bundled_encoder(settings):
    pytest.importorskip("onnxruntime")
    assert settings("").writer == "encoder"
    assert chosen(settings("")).identity.startswith("encoder")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('writer = "gpt"', "writer is 'gpt'; it may be encoder, llama, remote"),
        ("writer = 1", "writer is 1; it may be"),
        ('writer = "llama"', "needs writer_path, the GGUF file"),
        ('writer = "llama"\nwriter_path = "model.gguf"', "must begin with / or ~"),
        ('writer_path = ""', "writer_path is ''; it must be a text"),
        ("writer_path = 3", "writer_path is 3; it must be a text"),
        ('writer = "remote"', "needs writer_url and writer_model"),
        ('writer = "remote"\nwriter_url = "http://127.0.0.1/v1"', "needs writer_url and writer_model"),
        ('writer = "remote"\nwriter_model = "m"\nwriter_url = "127.0.0.1:8080"', "must begin with http"),
        ('writer = "remote"\nwriter_model = "m"\nwriter_url = "ftp://localhost/"', "must begin with http"),
        ('writer = "remote"\nwriter_model = "m"\nwriter_url = "http://localhost:99999/v1"', "no address"),
        ('writer = "remote"\nwriter_model = "m"\nwriter_url = "http://a:b@localhost/v1"', "nothing but"),
        ('writer = "remote"\nwriter_model = "m"\nwriter_url = "http://:b@localhost/v1"', "nothing but"),
        (
            'writer = "remote"\nwriter_model = "m"\nwriter_url = "http://models.example/v1"',
            r"names models\.example, which is not this machine.*writer_off_machine = true",
        ),
        (
            'writer = "remote"\nwriter_model = "m"\nwriter_url = "http://localhost.example/v1"',
            "not this machine",
        ),
        ('writer_off_machine = "yes"', "must be true or false"),
        ("writer_seconds = 0", "whole number of seconds above 0"),
    ],
)
def test_settings_that_name_no_usable_writer_are_refused_with_the_reason(settings, text, why):
    with pytest.raises(BadSettings, match=why):
        settings(text)


def test_another_machines_address_is_taken_only_when_that_is_said(settings):
    text = 'writer = "remote"\nwriter_model = "m"\nwriter_url = "https://models.example/v1"\n'
    assert settings(text + "writer_off_machine = true").writer_off_machine


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST", "127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"]
)
def test_these_are_this_machine(host):
    assert loopback(host)


@pytest.mark.parametrize(
    "host", ["", "example.org", "0.0.0.0", "::", "10.0.0.1", "127.0.0.1.example", "::ffff:10.0.0.1"]
)
def test_these_may_be_another(host):
    assert not loopback(host)


def test_a_remote_writer_is_loaded_without_asking_its_server_and_asks_when_it_judges(settings):
    heard = []
    with serving(sending(200, said("that is no answer line"))) as served:
        writer = chosen(
            settings(f'writer = "remote"\nwriter_model = "m"\nwriter_url = "{served.url}"'), told=heard.append
        )
        assert isinstance(writer, Generative)
        assert served.asked == []
        assert writer.salience("never use tabs in here", "") == ()
    assert len(served.asked) == 1
    assert heard == ["form 1"]


def test_a_missing_model_file_is_a_writer_that_cannot_be_loaded(settings, tmp_path):
    told = settings(f'writer = "llama"\nwriter_path = "{tmp_path}/gone.gguf"')
    with pytest.raises(WriterUnavailable, match=r"gone\.gguf cannot be read"):
        chosen(told)


def test_what_commands_import_holds_no_model_and_no_runtime_of_one():
    seen = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, asides.daemon.desk\n"
            "print({'numpy', 'onnxruntime', 'tokenizers'} & set(sys.modules))",
        ],
        capture_output=True,
        check=True,
        text=True,
    )
    assert seen.stdout.strip() == "set()"
