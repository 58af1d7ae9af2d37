"""A silent connection, as browsers open ahead, does not hold up the end of the web server."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path

PATIENCE = 30


def test_a_stop_does_not_wait_for_silent_connections(root: Path) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        command = [
            *(sys.executable, "-m", "gunicorn", "wsgiref.simple_server:demo_app", "--threads", "4"),
            *("--bind", f"fd://{listener.fileno()}", "--graceful-timeout", "5", "--no-control-socket"),
            *("--config", "python:juryflow_app.web_server"),
        ]
        server = subprocess.Popen(command, cwd=root, stderr=subprocess.PIPE, text=True, pass_fds=(listener.fileno(),))
        with socket.create_connection(listener.getsockname(), PATIENCE) as asking:
            asking.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert asking.recv(15) == b"HTTP/1.1 200 OK"
            with socket.create_connection(listener.getsockname(), PATIENCE):
                started = time.monotonic()
                server.terminate()
                _, log = server.communicate(timeout=PATIENCE)

    assert server.returncode == 0
    assert time.monotonic() - started < 4
    assert "SIGKILL" not in log
