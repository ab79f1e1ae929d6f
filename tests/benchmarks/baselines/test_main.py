"""`python -m conflictbench.benchmarks.baselines`, small."""

from __future__ import annotations

from pathlib import Path

import pytest

from conflictbench.benchmarks.baselines.__main__ import main

pytest.importorskip("sb3_contrib", reason="training needs the extra rl")


@pytest.mark.slow
def test_main__trains_writes_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs, docs = tmp_path / "runs", tmp_path / "docs"
    command = [str(docs), "--family", "EP3", "--seeds", "1", "--steps", "4096", "--runs", str(runs)]
    assert main(command) == 0
    assert capsys.readouterr().out.split() == [str(docs / "baselines.md"), str(docs / "images" / "baselines-EP3.svg")]
    page = (docs / "baselines.md").read_bytes()
    times = {path: path.stat().st_mtime_ns for path in runs.rglob("policy.zip")}
    assert len(times) == 5
    assert main(command) == 0
    assert (docs / "baselines.md").read_bytes() == page
    assert {path: path.stat().st_mtime_ns for path in times} == times


def test_main__a_wrong_value_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), "--steps", "0"]) == 2
    assert capsys.readouterr().err == "Error: steps 0 must be a whole number >= 1\n"
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--family", "EP9"])
    assert "invalid choice: 'EP9'" in capsys.readouterr().err
