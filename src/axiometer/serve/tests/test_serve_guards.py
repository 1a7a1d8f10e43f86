"""Who may ask the server: each refused request differs from a good one in one thing."""

import contextlib
import http.client
import io
import json
import threading

import pytest

import serve_kit
from axiometer.base import progress
from axiometer.base.errors import AxiometerError
from axiometer.serve import guards, kept, questions, server, uploads, work

BOARDS = "/api/boards"


def asked(served, method, path, headers=(), body=b"{}"):
    """The status, headers and document or text of a request; a header of None is left out."""
    usual = {"Host": f"127.0.0.1:{served.port}"}
    if method == "POST":
        origin = f"http://127.0.0.1:{served.port}"
        usual |= {"Origin": origin, "Sec-Fetch-Site": "same-origin"}
        usual |= {"Content-Type": guards.JSON, guards.TOKEN: served.token}
        usual |= {"Content-Length": str(len(body))}
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
    with contextlib.closing(connection):
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in {**usual, **dict(headers)}.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body if method == "POST" else None)
        response = connection.getresponse()
        content = response.read()
        kind = response.headers["Content-Type"]
        found = json.loads(content) if kind == guards.JSON else content.decode()
        return response.status, response.headers, found


def test_the_server_is_of_this_machine_alone(served):
    assert served.server_address[0] == "127.0.0.1"
    assert served.url == f"http://127.0.0.1:{served.port}/"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_its_own_page_is_answered(served, host):
    own = {"Host": f"{host}:{served.port}", "Origin": f"http://{host}:{served.port}"}
    status, headers, found = asked(served, "POST", BOARDS, own)
    assert status == 200 and len(found["boards"]) > 70
    assert {name: headers[name] for name in guards.HEADERS} == guards.HEADERS
    assert not [name for name in headers if name.lower().startswith("access-control")]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 403),  # a name that points at this machine
        ({"Host": None}, 403),
        ({"Host": "127.0.0.1:1"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),  # another port of this machine
        ({guards.TOKEN: None}, 403),
        ({guards.TOKEN: "x" * 43}, 403),
        ({guards.TOKEN: "\xe9"}, 403),
        ({"Content-Type": "text/plain"}, 415),  # what a form of another site can send
        ({"Content-Type": guards.BYTES}, 415),
        ({"Content-Length": None}, 411),
        ({"Content-Length": "-1"}, 411),
        ({"Transfer-Encoding": "chunked"}, 411),
        ({"Content-Length": str(server.MOST_QUESTION + 1)}, 413),
        ({"Content-Length": "9" * 40}, 413),
    ],
)
def test_others_are_refused(served, headers, status):
    got, _, found = asked(served, "POST", BOARDS, headers)
    assert (got, "boards" in found) == (status, False)
    assert found["error"]["message"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", BOARDS, 404),  # a question needs the token
        ("GET", "/page.html", 404),
        ("GET", "/../server.py", 404),
        ("GET", "/static/..%2f..%2fserver.py", 404),
        ("GET", "//etc/passwd", 404),
        ("GET", "/?next", 404),
        ("POST", "/", 404),
        ("POST", "/api/", 404),
        ("PUT", BOARDS, 501),
        ("OPTIONS", BOARDS, 501),  # so no browser lets another site ask
    ],
)
def test_only_what_is_in_the_tables_is_there(served, method, path, status):
    assert asked(served, method, path)[0] == status


def test_a_link_on_another_site_opens_the_page_but_none_of_its_parts(served):
    there = {"Sec-Fetch-Site": "cross-site"}
    status, headers, page = asked(served, "GET", "/", there)
    assert status == 200 and served.token in page
    assert "'unsafe" not in headers["Content-Security-Policy"]
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert asked(served, "GET", "/app.js", there)[0] == 403
    assert asked(served, "GET", "/app.js")[0] == 200
    assert asked(served, "GET", "/", {"Host": "evil.example"})[0] == 403


@pytest.mark.parametrize("body", [b"{", b"[]", b"[" * 60_000, b"\xff"])
def test_a_body_that_is_no_question_is_refused(served, body):
    assert asked(served, "POST", BOARDS, body=body)[0] == 400


@pytest.mark.parametrize("board", ["/etc/passwd", "../zybo", "boards/zybo.toml", "", 3, None])
def test_a_board_is_a_name_and_no_file(served, board):
    body = json.dumps({"board": board}).encode()
    status, _, found = asked(served, "POST", "/api/point", body=body)
    assert status == 200 and "board" in found["error"]["message"]
    assert "answer" not in found and found["error"]["remedy"]


def test_a_file_is_bounded_and_leaves_nothing(served, tmp_path, monkeypatch):
    (tmp_path / "drafts").mkdir()
    monkeypatch.setattr(uploads.tempfile, "tempdir", str(tmp_path / "drafts"))
    usual = {"Content-Type": guards.BYTES, "X-Axiometer-Board": "zybo"}

    def sent(name, body=b"<EDKSYSTEM", **more):
        headers = {**usual, "X-Axiometer-Name": name, **more}
        status, _, found = asked(served, "POST", questions.FILE, headers, body)
        assert list((tmp_path / "drafts").iterdir()) == []
        assert kept.answer({}) == {"kept": []}
        return status, found["error"]["message"]

    status, message = sent("..%2F..%2Fetc%2Fa%20b.hwh")
    assert status == 200 and "etc_a_b.hwh" in message and str(tmp_path) not in message
    assert sent("a.exe")[1] == "a.exe is no export of a design and no table of rates"
    assert "board" in sent("a.hwh", **{"X-Axiometer-Board": "/etc/passwd"})[1]
    assert sent("a.hwh", **{"Content-Length": str(uploads.MAX_FILE + 1)})[0] == 413
    assert sent("a.hwh", **{"Content-Type": guards.JSON})[0] == 415
    assert sent("a.hwh", **{guards.TOKEN: None})[0] == 403
    assert "a.csv:2: " in sent("..%2Fa.csv", b"ports,total_MBps\nHP9,1\n")[1]


@pytest.mark.parametrize("remove", [False, True])
def test_only_listed_files_are_given_and_removed(served, remove, tmp_path):
    files = tmp_path / "other.csv", tmp_path / "designs" / "no-board.hwh"
    files[1].parent.mkdir()
    for file in files:
        file.write_text("theirs")
    for of in (*map(str, files), "../other.csv", "no-board.hwh", "", ".", "..", 3, None, ["a"]):
        body = json.dumps({"id": of, "remove": remove}).encode()
        _, _, found = asked(served, "POST", "/api/kept", body=body)
        assert "no longer kept" in found["error"]["message"]
    assert [file.read_text() for file in files] == ["theirs", "theirs"]


def test_as_many_files_are_kept_as_there_is_room_for(tmp_path, monkeypatch):
    (tmp_path / "a.hwh").write_bytes(bytes(100))
    for name, most in (("MOST_FILES", 1), ("MOST_BYTES", 150)):
        with monkeypatch.context() as patch:
            patch.setattr(kept, name, most)
            for _ in "again":
                kept.keep_design(tmp_path / "a.hwh", "zybo")
            with pytest.raises(AxiometerError, match="no room"):
                kept.keep_design(tmp_path / "a.hwh", "zedboard")
            with pytest.raises(AxiometerError, match="no room"):
                uploads.answer(io.BytesIO(serve_kit.ROWS), len(serve_kit.ROWS), "a.csv", "zybo")
    assert kept.answer({}) == {"kept": [["zybo,a.hwh", "zybo", "a.hwh", "design"]]}


# ---- bounded work ----------------------------------------------------------------------------


def test_only_a_few_answers_are_computed_at_a_time():
    desk, go = work.Desk(at_once=1, waiting=1, kept=4), threading.Event()
    begun = threading.Event()

    def slow():
        begun.set()
        go.wait(10)
        return {"n": 1}

    found = []
    first = threading.Thread(target=lambda: found.append(desk.answer(1, slow, lambda: False)))
    first.start()
    assert begun.wait(10)
    waits, left = threading.Event(), threading.Event()

    def gone():
        waits.set()
        return left.is_set()

    def second():
        try:
            desk.answer(2, lambda: pytest.fail("computed"), gone)
        except progress.StoppedError:
            found.append("gone")

    waiting = threading.Thread(target=second)
    waiting.start()
    assert waits.wait(10)
    with pytest.raises(work.BusyError):
        desk.answer(3, lambda: pytest.fail("computed"), lambda: False)
    left.set()
    waiting.join(10)
    assert found == ["gone"]
    go.set()
    first.join(10)
    assert found[1:] == [{"n": 1}]
    assert desk.answer(1, lambda: pytest.fail("computed twice"), lambda: False) == {"n": 1}


def test_work_ends_at_the_next_repeat_if_nobody_waits_or_it_takes_too_long(monkeypatch):
    desk = work.Desk(at_once=1, waiting=0, kept=1)

    def endless():
        while True:
            progress.simulated()

    with pytest.raises(progress.StoppedError):
        desk.answer(1, endless, lambda: True)
    monkeypatch.setattr(work, "MOST_S", 0.01)
    with pytest.raises(AxiometerError, match="longer than"):
        desk.answer(1, endless, lambda: False)
    assert desk.answer(2, lambda: {"a": 1}, lambda: False) == {"a": 1}  # its turn came back


def test_the_oldest_answers_are_forgotten():
    desk = work.Desk(at_once=1, waiting=0, kept=2)
    for n in (1, 2, 3):
        desk.answer(n, lambda n=n: {"n": n}, lambda: False)
    assert desk.answer(1, lambda: {"n": "anew"}, lambda: False) == {"n": "anew"}
    assert desk.answer(3, lambda: {"n": "anew"}, lambda: False) == {"n": 3}


def test_too_many_connections_are_closed_and_their_room_comes_back(monkeypatch):
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 2)
    with serve_kit.running() as served:
        held = [http.client.HTTPConnection("127.0.0.1", served.port, timeout=20) for _ in range(3)]
        for connection in held:
            connection.connect()
        held[2].request("GET", "/app.js")
        with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
            held[2].getresponse()
        for connection in held:
            connection.close()
        answers = (_status(served) for _ in range(1000))
        assert 200 in answers


def _status(served):
    with contextlib.suppress(http.client.HTTPException, ConnectionError):
        return asked(served, "GET", "/app.js")[0]
    return None
