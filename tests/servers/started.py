"""Servers and runs as processes of their own, ended with their block. Own design."""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tests.servers.journal import Seen, read_journal
from tests.servers.script import Script

ROOT = Path(__file__).parents[2]
LONGEST_S = 900.0  # after which a process that says nothing is taken for hanging


@dataclass(frozen=True, kw_only=True)
class Server:
    """A server that runs."""

    process: subprocess.Popen[str]
    port: int
    journal: Path

    @property
    def base_url(self) -> str:
        """Where its API is."""
        return f"http://127.0.0.1:{self.port}/v1"

    def seen(self) -> list[Seen]:
        """What it was asked so far."""
        return read_journal(self.journal)

    def has_received(self, number: int, run: subprocess.Popen[bytes]) -> bool:
        """Wait until it announces that many requests; False if the run came to its end before."""
        assert self.process.stdout is not None
        assert run.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            selector.register(run.stdout, selectors.EVENT_READ)
            while events := selector.select(LONGEST_S):
                if any(key.fileobj is self.process.stdout for key, _ in events):
                    said = int(_line(self.process.stdout).removeprefix("received "))
                    if said >= number:
                        return True
                else:
                    return False
        raise AssertionError(f"neither request {number} nor the end of the run within {LONGEST_S:g} s")


@contextmanager
def server(name: str, script: Script, folder: Path, **options: object) -> Iterator[Server]:
    """Start `tests.servers.<name>` with its options.

    Args:
        folder: for its script and its journal.
    """
    journal = folder / "journal.jsonl"
    command = [sys.executable, "-m", f"tests.servers.{name}", "--journal", str(journal)]
    command += ["--script", str(script.write(folder / "script.json"))]
    command += [word for option, value in options.items() for word in (f"--{option}", str(value))]
    with subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            port = int(_line(process.stdout).removeprefix("port "))
            yield Server(process=process, port=port, journal=journal)
        finally:
            process.kill()


def environment(**more: str) -> dict[str, str]:
    """What a process of ours needs beside the test's own."""
    return os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"} | more


def _line(stream: IO[str]) -> str:
    """One line, with nothing read ahead: a selector would not know of it."""
    made = bytearray()
    while not made.endswith(b"\n"):
        byte = os.read(stream.fileno(), 1)
        if not byte:
            raise AssertionError("the server has ended")
        made += byte
    return made.decode().strip()
