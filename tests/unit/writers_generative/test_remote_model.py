"""A model behind an address: local by promise, bounded in time, and every failure says what to do."""

from __future__ import annotations

import math
import socket

import pytest

from asides.model.errors import Unavailable
from asides.writers.generative.answers import Fault
from asides.writers.generative.completion import ANSWER_TOKENS, NoAnswer, TooLong, TooSlow, UselessAnswer
from asides.writers.generative.prompts import Prompt
from asides.writers.generative.remote import Remote
from asides.writers.generative.writer import Generative
from tests.support.model_server import said, sending, serving

PROMPT = Prompt(system="Pick out rules.", user="The developer:\nnever use tabs here")
LINE = "MEMORY | kind=law | source=human | anchor=general | never use tabs here"


def remote(url, *, seconds=20.0, **more):
    return Remote(url, "small", seconds=seconds, **more)


def test_it_asks_in_the_openai_form_and_reads_the_answer_with_its_odds():
    odds = {
        "content": [
            {"token": "MEM", "logprob": -0.1, "top_logprobs": [{"token": "NONE", "logprob": -2.3}]},
            {"token": "ORY", "logprob": None, "top_logprobs": None},
        ]
    }
    with serving(sending(200, said(LINE, logprobs=odds))) as served:
        done = remote(served.url).complete(PROMPT, grammar='root ::= "NONE"')
    (path, asked), *others = served.asked
    assert others == []
    assert path == "/v1/chat/completions"
    assert asked["model"] == "small"
    assert [each["role"] for each in asked["messages"]] == ["system", "user"]
    assert asked["messages"][1]["content"] == PROMPT.user
    assert asked["temperature"] == 0
    assert asked["max_tokens"] == ANSWER_TOKENS
    assert asked["grammar"] == 'root ::= "NONE"'
    assert asked["chat_template_kwargs"] == {"enable_thinking": False}
    assert done.text == LINE
    assert done.whole
    assert done.tokens[0].instead == (("NONE", -2.3),)
    assert done.tokens[1].logprob == -math.inf


def test_a_server_that_knows_only_the_common_form_is_asked_again_without_the_rest():
    def picky(handler, asked, served):
        known = {"model", "messages", "temperature", "max_tokens", "stream"}
        status, body = (200, said("NONE")) if set(asked) <= known else (400, {"error": "unknown field"})
        sending(status, body)(handler, asked, served)

    with serving(picky) as served:
        model = remote(served.url)
        assert model.complete(PROMPT, grammar="g").text == "NONE"
        assert model.complete(PROMPT, grammar="g").text == "NONE"
    assert ["grammar" in asked for _, asked in served.asked] == [True, False, False]


def test_an_answer_that_ran_into_its_limit_is_not_whole():
    with serving(sending(200, said(LINE, reason="length"))) as served:
        assert not remote(served.url).complete(PROMPT, grammar="").whole


def test_a_prompt_that_is_too_long_is_said_to_be():
    told = {"error": {"message": "the request exceeds the available context size"}}
    with serving(sending(400, told)) as served, pytest.raises(TooLong):
        remote(served.url).complete(PROMPT, grammar="")
    assert len(served.asked) == 1


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_server_in_trouble_is_waited_for(status):
    told = sending(status, {"error": "loading model"})
    with serving(told) as served, pytest.raises(NoAnswer, match=f"{status}.*loading model") as raised:
        remote(served.url).complete(PROMPT, grammar="")
    assert isinstance(raised.value, Unavailable)
    assert "Start the server" in raised.value.advice


def test_where_nothing_listens_it_says_so_and_what_to_do():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(NoAnswer, match=r"small@127\.0\.0\.1.*refused") as raised:
        remote(f"http://127.0.0.1:{port}/v1").complete(PROMPT, grammar="")
    assert raised.value.exit_code == 4
    assert "writer_url" in raised.value.advice


@pytest.mark.parametrize(
    ("status", "body", "why"),
    [
        (401, {"error": "no key"}, "401.*no key"),
        (404, b"not found", "404"),
        (200, b"<html>", "no answer"),
        (200, b"", "no answer"),
        (200, {"choices": []}, "no text"),
        (200, said(None), "no text"),
        (200, {"choices": "many"}, "no answer"),
        (200, b"\xff" * 5_000_000, "more than"),
    ],
)
def test_an_answer_that_cannot_be_used_is_an_error_with_a_step(status, body, why):
    with serving(sending(status, body)) as served, pytest.raises(UselessAnswer, match=why) as raised:
        remote(served.url).complete(PROMPT, grammar="")
    assert not isinstance(raised.value, Unavailable), "a job that fails so is set aside, not tried for ever"
    assert "writer_model" in raised.value.advice


def test_no_redirect_is_followed():
    with serving(sending(200, said("NONE"))) as elsewhere:
        answer = sending(307, b"", Location=f"{elsewhere.url}/chat/completions")
        with serving(answer) as served, pytest.raises(UselessAnswer, match="307"):
            remote(served.url).complete(PROMPT, grammar="")
    assert elsewhere.asked == []


def test_no_proxy_is_used(monkeypatch):
    with serving(sending(200, said("NONE"))) as proxy, serving(sending(200, said("NONE"))) as served:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        remote(served.url).complete(PROMPT, grammar="")
    assert proxy.asked == []
    assert len(served.asked) == 1


def silent(_handler, _asked, served):
    served.over.wait(30)


def dripping(handler, _asked, served):
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while not served.over.wait(0.02):
        handler.wfile.write(b" ")
        handler.wfile.flush()


@pytest.mark.parametrize("slow", [silent, dripping])
def test_a_server_that_takes_too_long_is_left_whatever_it_sends_meanwhile(slow):
    with serving(slow) as served, pytest.raises(TooSlow, match=r"within 0\.3 seconds") as raised:
        remote(served.url, seconds=0.3).complete(PROMPT, grammar="")
    assert not isinstance(raised.value, Unavailable)
    assert "writer_seconds" in raised.value.advice


@pytest.mark.parametrize("before", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"])
def test_a_server_that_hangs_up_is_waited_for(before):
    def rude(handler, _asked, _served):
        handler.wfile.write(before)
        handler.connection.shutdown(socket.SHUT_RDWR)

    with serving(rude) as served, pytest.raises(NoAnswer):
        remote(served.url).complete(PROMPT, grammar="")


def test_what_is_no_http_is_an_answer_that_cannot_be_used():
    def other(handler, _asked, _served):
        handler.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n" * 3)

    with serving(other) as served, pytest.raises(UselessAnswer, match="does not speak HTTP"):
        remote(served.url).complete(PROMPT, grammar="")


@pytest.fixture
def own_address():
    """An address of this machine by which others reach it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a test network; for datagrams nothing is sent
        except OSError:
            pytest.skip("this machine has no address but loopback")
        address = probe.getsockname()[0]
    if address.startswith("127."):
        pytest.skip("this machine has no address but loopback")
    return address


def test_nothing_is_sent_to_a_peer_that_is_not_this_machine_unless_that_is_allowed(own_address):
    with serving(sending(200, said("NONE")), host=own_address) as served:
        with pytest.raises(NoAnswer, match="not this machine"):
            remote(served.url).complete(PROMPT, grammar="")
        assert served.asked == []
        assert remote(served.url, off_machine=True).complete(PROMPT, grammar="").text == "NONE"


def test_behind_the_writer_free_talk_counts_as_none():
    with serving(sending(200, said("Sure! The rule is: never use tabs here."))) as served:
        writer = Generative(remote(served.url))
        assert writer.salience("please never use tabs here", "") == ()
    assert dict(writer.refusals) == {Fault.FORM: 1}


def test_behind_the_writer_a_line_becomes_a_span():
    with serving(sending(200, said(LINE))) as served:
        writer = Generative(remote(served.url))
        (found,) = writer.salience("please, never use tabs here!", "")
    assert (found.start, found.end) == (8, 27)
    assert writer.floor <= found.score < writer.live_threshold
