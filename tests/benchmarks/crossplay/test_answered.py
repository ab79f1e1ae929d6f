"""Which model answered: kept with the figures, and said aloud where it changes inside a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from conflictbench.benchmarks.crossplay.answered import PlayWatch, answered_as
from conflictbench.benchmarks.crossplay.directory import load_plays
from conflictbench.benchmarks.crossplay.plain import as_plain
from conflictbench.benchmarks.crossplay.runner import run_crossplay
from conflictbench.types import DEFAULT_LIMITS, Completion, Limits, Message, Reply, ToolSpec

GAME = "EP2-002"
AGENT = f"llm:{__name__}:Changing"


class Changing:
    """Holds, and goes by another id from its twentieth answer on."""

    name = "changing"

    def __init__(self) -> None:
        self.answers = 0

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), limits: Limits = DEFAULT_LIMITS
    ) -> Completion:
        self.answers += 1
        return Completion(reply=Reply(text="ACTION: hold"), model="old" if self.answers < 20 else "new")

    async def close(self) -> None:
        pass


def test_another_id_in_the_middle_of_a_run__is_a_note_and_stands_with_the_figures(tmp_path: Path) -> None:
    result = run_crossplay([AGENT, "keep", "persist"], scenarios=[GAME], out=tmp_path, concurrency=1)
    changed = f"{AGENT}: THE MODEL CHANGED inside this run: the provider answered as 'new' and as 'old'; its plays may"
    assert [note for note in result.notes if note.startswith(changed)]
    assert as_plain(result.found)["models"] == {AGENT: ["new", "old"]}  # nobody answers for a bot
    # the run's own records say the same, when the command is given again
    assert answered_as(load_plays(tmp_path)) == {AGENT: ("new", "old")}


def test_one_id_all_along__is_no_note(tmp_path: Path) -> None:
    result = run_crossplay(["llm:fake/silent", "keep", "persist"], scenarios=[GAME], out=tmp_path)
    records = load_plays(tmp_path)
    assert PlayWatch(records).changes() == ()
    assert not [note for note in result.notes if "CHANGED" in note]
    assert list(result.found.models) == ["llm:fake/silent"]


def test_two_agents_with_an_id_each__have_not_changed(tmp_path: Path) -> None:
    run_crossplay(["llm:fake/silent", "llm:fake/look"], scenarios=[GAME], out=tmp_path)
    found = answered_as(load_plays(tmp_path))
    assert len(found) == 2 and all(len(ids) == 1 for ids in found.values())
    assert PlayWatch(load_plays(tmp_path)).changes() == ()
