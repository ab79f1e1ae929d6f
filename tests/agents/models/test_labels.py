"""Labels of calls: each task has its own."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextvars import copy_context
from typing import Any

from conflictbench.agents.models import CallLabels, current_labels, labelled


def test_labelled__holds_inside_the_block_only() -> None:
    assert current_labels() == CallLabels()
    with labelled(CallLabels(episode="a")):
        with labelled(CallLabels(episode="b")):
            assert current_labels().episode == "b"
        assert current_labels().episode == "a"
    assert current_labels() == CallLabels()


def test_labelled__concurrent_tasks_do_not_see_each_other() -> None:
    async def episode(name: str, everybody: asyncio.Barrier) -> str:
        with labelled(CallLabels(episode=name)):
            await everybody.wait()
            return current_labels().episode

    async def main() -> list[str]:
        everybody = asyncio.Barrier(3)
        return await asyncio.gather(*(episode(name, everybody) for name in "abc"))

    assert asyncio.run(main()) == ["a", "b", "c"]


def test_headers__are_none_without_an_episode() -> None:
    assert CallLabels(sample="x", attempt=3).headers() == {}
    assert CallLabels(episode="0f", attempt=3).headers() == {
        "X-Conflictbench-Episode": "0f",
        "X-Conflictbench-Attempt": "3",
    }


def test_labelled__a_task_closed_elsewhere_leaves_without_an_error() -> None:
    # A task that would not be cancelled is closed by the garbage collector, outside the context it ran in.
    async def stubborn() -> None:
        with labelled(CallLabels(episode="a")):
            await asyncio.Future()

    async def main() -> Coroutine[Any, Any, None]:
        work = stubborn()
        copy_context().run(work.send, None)
        return work

    work = asyncio.run(main())
    work.close()
    assert current_labels().episode == ""
