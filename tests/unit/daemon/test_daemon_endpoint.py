"""The socket: only its owner reaches it, only the nonce is believed, nonsense gets nothing."""

from __future__ import annotations

import socket
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from asides.daemon import endpoint, marks
from asides.daemon.endpoint import Answer, Question
from asides.model.errors import Broken, DaemonNotRunning

WAIT = 0.5  # seconds; where nothing may come


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def mark(run: Path) -> marks.Mark:
    made = marks.fresh(version="1.0.0", socket=run / "socket")
    marks.write(run, made)
    return made


@pytest.fixture
def serving(run: Path) -> Iterator[Callable[[Callable[[Question], Answer]], None]]:
    """Serves one client in another thread."""
    server = endpoint.listen(run / "socket")
    server.setblocking(True)
    threads: list[threading.Thread] = []

    def serve(respond: Callable[[Question], Answer]) -> None:
        threads.append(threading.Thread(target=endpoint.serve_one, args=(server, respond)))
        threads[-1].start()

    yield serve
    for thread in threads:
        thread.join(10)
    server.close()


def test_an_answer_with_the_nonce_is_the_daemons(run: Path, mark: marks.Mark, serving):
    asked: list[Question] = []

    def respond(question: Question) -> Answer:
        asked.append(question)
        return Answer(nonce=mark.nonce, version="1.0.0", pid=7, owed=3)

    serving(respond)
    answer = endpoint.ask(run, "hello")
    assert (asked, answer.owed, answer.pid) == ([Question("hello")], 3, 7)


def test_an_answer_with_another_nonce_is_nobodys(run: Path, mark: marks.Mark, serving):
    serving(lambda _: Answer(nonce="0" * 32, version="1.0.0", pid=7))
    with pytest.raises(DaemonNotRunning):
        endpoint.ask(run, "hello")


def test_without_marks_nobody_is_asked(run: Path):
    with pytest.raises(DaemonNotRunning):
        endpoint.ask(run, "hello")
    assert endpoint.answering(run) is None


def test_one_that_listens_and_says_nothing_is_not_waited_for(run: Path, mark: marks.Mark):
    with endpoint.listen(run / "socket"), pytest.raises(DaemonNotRunning):
        endpoint.ask(run, "hello", patience=WAIT)


@pytest.mark.parametrize("said", [b"", b"\n", b"nonsense\n", b"{}\n", b'{"ask": 1}\n', b"x" * 200_000])
def test_a_client_that_says_nonsense_gets_nothing_and_is_hung_up_on(run: Path, serving, said: bytes):
    serving(lambda _: Answer(nonce="", version="", pid=0))
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(10)
        client.connect(str(run / "socket"))
        try:
            client.sendall(said)
            client.shutdown(socket.SHUT_WR)
            assert client.recv(100) == b""
        except (BrokenPipeError, ConnectionResetError):
            return  # hung up on while still talking


def test_a_client_that_says_nothing_does_not_hold_the_daemon(run: Path, serving):
    serving(lambda _: Answer(nonce="", version="", pid=0))
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(10)
        client.connect(str(run / "socket"))
        assert client.recv(100) == b""


def test_a_client_that_is_gone_again_breaks_nothing(run: Path):
    with endpoint.listen(run / "socket") as server:
        client = socket.socket(socket.AF_UNIX)
        client.connect(str(run / "socket"))
        client.sendall(b'{"ask": "hello"}\n')
        client.close()
        endpoint.serve_one(server, lambda _: Answer(nonce="", version="", pid=0))
        endpoint.serve_one(server, lambda _: Answer(nonce="", version="", pid=0))  # and nobody waits


def test_a_full_queue_is_a_busy_daemon_that_is_waited_for(
    run: Path, mark: marks.Mark, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(endpoint, "QUEUE", 1)
    waiting: list[socket.socket] = []
    with endpoint.listen(run / "socket") as server:

        def fill() -> None:
            while len(waiting) < 100:
                client = socket.socket(socket.AF_UNIX)
                client.setblocking(False)
                client.connect(str(run / "socket"))
                waiting.append(client)

        with pytest.raises(BlockingIOError):
            fill()
        for client in waiting:
            client.close()
        asked: list[Answer] = []
        asker = threading.Thread(target=lambda: asked.append(endpoint.ask(run, "hello", patience=20)))
        asker.start()
        server.setblocking(True)
        for _ in range(len(waiting) + 1):
            endpoint.serve_one(server, lambda _: Answer(nonce=mark.nonce, version="1.0.0", pid=7))
        asker.join(20)
    assert [answer.pid for answer in asked] == [7]


def test_a_socket_that_a_dead_daemon_left_is_taken_away(run: Path):
    endpoint.listen(run / "socket").close()
    assert (run / "socket").exists()
    endpoint.listen(run / "socket").close()
    assert stat.S_IMODE((run / "socket").stat().st_mode) == 0o600


def test_a_folder_that_others_may_enter_gets_no_socket(tmp_path: Path):
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o755)
    with pytest.raises(Broken):
        endpoint.listen(folder / "socket")
    assert list(folder.iterdir()) == []
