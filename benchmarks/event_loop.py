"""Runs a coroutine to its end from ordinary code, with Ctrl-C told to it instead of raised. Own design."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine

from conflictbench.benchmarks.collection import rarer_collection
from conflictbench.benchmarks.interrupts import Interrupts

FAREWELL_S = 4.0  # for tasks that were left behind
LOOK_UP_S = 0.2

Main = Callable[[], Coroutine[None, None, None]]


def run_to_end(main: Main, interrupts: Interrupts) -> None:
    """Run `main()` on an event loop of its own; where one is running already (a notebook), on a thread.

    The first signal cancels it.

    Raises:
        KeyboardInterrupt: it was cancelled by a signal.
        What `main` raises.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        _run(main, interrupts)
        return
    errors: list[BaseException] = []

    def run() -> None:
        try:
            _run(main, interrupts)
        except BaseException as error:  # handed on: an exception must not die with its thread
            errors.append(error)

    thread = threading.Thread(target=run, name="event-loop", daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(LOOK_UP_S)  # not for ever: a signal that another thread got is handled when this one looks up
    if errors:
        raise errors[0]


def _run(main: Main, interrupts: Interrupts) -> None:
    # Not asyncio.run: it waits without end for a task that does not let itself be cancelled.
    loop = asyncio.new_event_loop()
    task = loop.create_task(main())
    try:
        with rarer_collection(), interrupts.told_to(lambda: loop.call_soon_threadsafe(task.cancel)):
            interrupts.check()  # it came before
            loop.run_until_complete(task)
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    finally:
        _close(loop)


def _close(loop: asyncio.AbstractEventLoop) -> None:
    try:
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left, timeout=FAREWELL_S))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
    finally:
        loop.close()
