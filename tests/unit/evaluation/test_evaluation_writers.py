"""Writers by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from asides.evaluation.writers import NoAddress, NoSuchWriter, NotThisMachine, load
from asides.model.errors import WriterUnavailable
from asides.writers.generative.writer import Generative
from tests.support.model_server import said, sending, serving

LINE = "MEMORY | kind=law | source=human | anchor=general | never use tabs in here"


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(NoSuchWriter) as caught:
        load("oracle")
    assert "encoder" in caught.value.advice


def test_a_scripted_writer_reads_its_phrases(tmp_path: Path):
    path = tmp_path / "phrases.json"
    path.write_text(json.dumps({"use tabs": ["law", "explicit", 0.9]}))
    (found,) = load(f"scripted:{path}").salience("please use tabs", "")
    assert (found.start, found.end, found.kind, found.score) == (7, 15, "law", 0.9)
    assert load("scripted").salience("please use tabs", "") == ()


@pytest.mark.parametrize("content", ["{", '{"use tabs": ["rule", "explicit", 0.9]}', None])
def test_phrases_that_cannot_be_read_are_a_writer_that_cannot_be_loaded(tmp_path: Path, content):
    path = tmp_path / "phrases.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(WriterUnavailable, match="phrases"):
        load(f"scripted:{path}")


def test_other_weights_are_looked_for_where_the_name_says(tmp_path: Path):
    with pytest.raises(WriterUnavailable, match=str(tmp_path)):
        load(f"encoder:{tmp_path}")


def test_a_remote_writer_is_the_daemons_and_asks_the_model_that_is_named():
    with serving(sending(200, said(LINE))) as served:
        writer = load(f"remote:{served.url}#qwen3:1.7b")
        assert isinstance(writer, Generative)
        assert served.asked == [], "nothing is sent before there is a turn"
        (found,) = writer.salience("ok, never use tabs in here", "")
    assert (found.start, found.kind) == (4, "law")
    ((path, asked),) = served.asked
    assert path == "/v1/chat/completions"
    assert asked["model"] == "qwen3:1.7b"
    assert "never use tabs in here" in asked["messages"][1]["content"]


def test_a_server_with_one_model_needs_no_name_for_it():
    with serving(sending(200, said("NONE"))) as served:
        assert load(f"remote:{served.url}").salience("never use tabs in here", "") == ()
    assert served.asked[0][1]["model"] == "default"


@pytest.mark.parametrize(
    "host", ["models.example", "10.0.0.1", "0.0.0.0", "localhost.example", "127.0.0.1.example", "[fe80::1]"]
)
def test_an_address_of_another_machine_is_refused_whatever_the_settings_say(host):
    with pytest.raises(NotThisMachine) as caught:
        load(f"remote:https://{host}:8080/v1#m")
    assert caught.value.sentence == (
        f"{host.strip('[]')} is not this machine, and the labelled turns would be sent there."
    )
    assert "127.0.0.1" in caught.value.advice


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ("", "the address is ''; it must begin with http"),
        ("#m", "the address is ''; it must begin with http"),
        ("127.0.0.1:8080", "must begin with http"),
        ("ftp://127.0.0.1/v1", "must begin with http"),
        ("http://127.0.0.1:99999/v1", "which is no address"),
        ("http://me:secret@127.0.0.1/v1", "nothing but scheme, host, port and path"),
    ],
)
def test_what_is_no_address_is_refused_with_the_reason(where, why):
    with pytest.raises(NoAddress, match=why):
        load(f"remote:{where}")
