"""Whatever bytes stand in a file, verifying it ends in a report whose faults print; never in an exception."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.scenario_specs.small import SMALL

from conflictbench.scenario_specs.packs import PACKS
from conflictbench.scenario_specs.verifier import FileReport, render_report, verify_file

FILES = (SMALL, *sorted(PACKS["core"].folder.rglob("*.yaml")))
FUZZ = settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
PIECES = st.sampled_from(
    [
        b'"\\UFFFFFFFF"', b'"\\U00110000"', b'"\\uD800"', b'"\\x"', b"%YAML 1.1\n---\n", b"\n%FOO\n", b"!<%ff> ",
        b"&a ", b"*a", b"{", b"[", b"]", b"}", b": ", b"- ", b"? ", b"|", b">", b"\n", b"\n\n  ", b"\t", b"\0", b"\xff",
        b"\xef\xbb\xbf", b"\xc2\x85", b"9" * 5_000, b"~", b"<<: *x\n", b"'", b'"', b"#", b"---\n", b"...\n", b"1if",
        b"yield", b"an", b"true", b"-1", b"//", b"0",
    ]
)  # fmt: skip
Edit = tuple[float, int, bytes]  # where in the file, how many bytes are taken out, what is put there
EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40), PIECES | st.binary(max_size=4)), min_size=1, max_size=4)


@lru_cache
def whole(path: Path) -> bytes:
    return path.read_bytes()


def check(report: FileReport) -> None:
    lines = [str(fault) for fault in report.faults]
    assert lines or report.facts is not None
    assert all(line.isprintable() and len(line) < 10_000 for line in lines)
    render_report([report]).encode("utf-8")


@FUZZ
@given(raw=st.binary(max_size=200))
def test_verify_file__any_bytes_end_in_faults(raw: bytes, tmp_path: Path) -> None:
    path = tmp_path / "EP1-001.yaml"
    path.write_bytes(raw)
    report = verify_file(path)
    check(report)
    assert not report.ok


@FUZZ
@given(text=st.text(st.sampled_from("ab :-?|>%!&*'\"\\Uuxf01{}[],#~\n\t\ufeff\x85\u2028é"), max_size=60))
def test_verify_file__any_marks_of_yaml_end_in_faults(text: str, tmp_path: Path) -> None:
    path = tmp_path / "EP1-001.yaml"
    path.write_bytes(text.encode())
    report = verify_file(path)
    check(report)
    assert not report.ok


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
@FUZZ
@given(edits=EDITS)
def test_verify_file__a_damaged_file_ends_in_a_report(file: Path, edits: list[Edit], tmp_path: Path) -> None:
    raw = whole(file)
    for share, taken, put in edits:
        at = int(share * len(raw))
        raw = raw[:at] + put + raw[at + taken :]
    path = tmp_path / file.name
    path.write_bytes(raw)
    check(verify_file(path))


@pytest.mark.parametrize("path", ["a\0b", b"a\0b", b"\xff.yaml", "no\nsuch", "", os.sep, "x" * 5_000])
def test_verify_file__any_path_ends_in_a_fault(path: str | bytes) -> None:
    report = verify_file(path)
    check(report)
    (fault,) = report.faults
    assert fault.message.startswith("cannot be read: ")
