"""The cache: hits only for equal calls, whole entries only, never an error."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from conflictbench.agents.models import CacheModel, CallLabels, Notes, ScriptedModel, labelled
from conflictbench.agents.models.cache import cache_key
from conflictbench.errors import ProviderError
from conflictbench.types import Completion, Limits, Message, Reply, ToolCall, ToolSpec, Usage

ASK = (Message(role="user", content="Where am I?"),)
TOOL = ToolSpec(name="act", description="Do.", parameters={"type": "object"})
ANSWER = Completion(
    reply=Reply(
        text="\x1b[1mlook\u2028\ud7ff 😀",
        tool_calls=(ToolCall(name="act", arguments='{}""', id="c"),),
        reasoning="Because.",
        finish_reason="tool_calls",
    ),
    usage=Usage(calls=2, input_tokens=5, output_tokens=3, cost_usd=0.25),
    model="served-1",
)


def complete(model: CacheModel) -> Completion:
    return asyncio.run(model.complete(ASK, (TOOL,)))


def files(directory: Path) -> list[Path]:
    return sorted(path for path in directory.rglob("*") if path.is_file())


def test_cache__a_hit_is_the_same_reply_and_no_call(tmp_path: Path) -> None:
    inside = ScriptedModel([ANSWER])
    assert complete(CacheModel(inside, tmp_path / "c")) == ANSWER
    assert complete(CacheModel(inside, tmp_path / "c")) == replace(ANSWER, usage=Usage(cached=1))
    assert len(inside.calls) == 1


def test_cache__an_error_is_not_kept(tmp_path: Path) -> None:
    model = CacheModel(ScriptedModel([ProviderError("no"), ANSWER]), tmp_path)
    with pytest.raises(ProviderError):
        complete(model)
    assert files(tmp_path) == []
    assert complete(model) == ANSWER


BASE = ("m", "http://host:1/v1", ASK, (TOOL,), Limits(seed=1), "0/0")


@pytest.mark.parametrize(
    "place, other",
    [
        (0, "m2"),
        (1, "http://host:1/other"),
        (2, (*ASK, *ASK)),
        (2, (Message(role="system", content="Where am I?"),)),
        (2, (Message(role="user", content="Where am I? "),)),
        (3, ()),
        (3, (replace(TOOL, description="Do it."),)),
        (4, Limits(seed=2)),
        (4, Limits(seed=None)),
        (4, Limits(seed=1, max_tokens=9)),
        (4, Limits(seed=1, temperature=0.5)),
        (5, "0/1"),
    ],
)
def test_cache_key__everything_that_matters_is_in_it(place: int, other: object) -> None:
    changed = [*BASE]
    changed[place] = other  # type: ignore[call-overload]
    assert cache_key(*changed) != cache_key(*BASE)  # type: ignore[arg-type]


def test_cache_key__what_does_not_matter_is_not() -> None:
    assert cache_key(*BASE[:4], Limits(seed=1, timeout_s=1.0), "0/0") == cache_key(*BASE)
    reordered = replace(TOOL, parameters={"b": 1, "a": 2}), replace(TOOL, parameters={"a": 2, "b": 1})
    assert cache_key(*BASE[:3], (reordered[0],), *BASE[4:]) == cache_key(*BASE[:3], (reordered[1],), *BASE[4:])


def test_cache__another_sample_is_another_draw(tmp_path: Path) -> None:
    model = CacheModel(ScriptedModel(["first", "second"]), tmp_path)

    def ask(sample: str) -> str:
        with labelled(CallLabels(sample=sample)):
            return complete(model).reply.text

    assert [ask("7/0"), ask("7/1"), ask("7/0"), ask("7/1")] == ["first", "second", "first", "second"]


def test_cache__a_damaged_entry_is_asked_again_and_mended(tmp_path: Path) -> None:
    complete(CacheModel(ScriptedModel([ANSWER]), tmp_path))
    (entry,) = files(tmp_path)
    whole = entry.read_bytes()
    changed = json.loads(whole)
    changed["completion"]["reply"]["text"] = "ACTION: something else"
    for damage in (b"", whole[:-5], b"[]", b"null", b'{"digest": 1}', b"\xff", json.dumps(changed).encode()):
        entry.write_bytes(damage)
        notes = Notes()
        model = CacheModel(ScriptedModel([ANSWER]), tmp_path, notes=notes)
        assert complete(model) == ANSWER
        assert notes.lines == (f"the cache entry {entry} is damaged: asked again, and written anew",)
        assert entry.read_bytes() == whole


def test_cache__an_entry_under_another_name_is_damaged(tmp_path: Path) -> None:
    model = CacheModel(ScriptedModel([ANSWER, "other"]), tmp_path)
    complete(model)
    (entry,) = files(tmp_path)
    key = cache_key("fake", "", ASK, (), Limits())
    (tmp_path / key[:2]).mkdir(exist_ok=True)
    entry.rename(tmp_path / key[:2] / f"{key}.json")
    assert asyncio.run(model.complete(ASK)).reply.text == "other"


def test_cache__a_directory_that_cannot_be_written_loses_no_answer(tmp_path: Path) -> None:
    (tmp_path / "c").write_text("a file")
    notes = Notes()
    model = CacheModel(ScriptedModel([ANSWER]), tmp_path / "c", notes=notes)
    assert complete(model) == ANSWER
    assert [line.rpartition(":")[0] for line in notes.lines] == [
        f"the cache in {tmp_path / 'c'} cannot be read",
        f"the cache in {tmp_path / 'c'} cannot be written",
    ]


WRITER = """
import asyncio, sys
from conflictbench.agents.models import CacheModel, ScriptedModel
from conflictbench.types import Message

async def main():
    for _ in range(20):
        for k in range(5):
            model = CacheModel(ScriptedModel([f"answer {k} " + "x" * 5000]), sys.argv[1])
            got = await model.complete((Message(role="user", content=str(k)),))
            assert got.reply.text.startswith(f"answer {k} ") and len(got.reply.text) == 5009, got
            assert not model._notes.lines, model._notes.lines
            if _ < 19:
                next(p for p in [model._path(key) for key in KEYS(k)]).unlink(missing_ok=True)

def KEYS(k):
    from conflictbench.agents.models.cache import cache_key
    from conflictbench.types import Limits
    return [cache_key("fake", "", (Message(role="user", content=str(k)),), (), Limits())]

asyncio.run(main())
"""


def test_cache__processes_that_write_and_delete_at_once_see_whole_entries(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    running = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    for process in running:
        _, errors = process.communicate()
        assert (process.returncode, errors) == (0, "")
    assert len(files(tmp_path)) == 5
