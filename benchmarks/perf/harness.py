"""What the runner itself costs a model call, and how many it makes at 128 at a time, beside Inspect. Own design.

    python -m conflictbench.benchmarks.perf.harness [PYTHON_WITH_INSPECT]

Everything asks one mock server that answers after 100 ms, from one process each; it shares the machine. The runner
plays whole runs: planning, environments, prompts, parsing, records on disk. The client alone sends the same
conversations through the adapter and does nothing else. Without `inspect-ai` (extra `inspect`, or another interpreter
named as the argument) its lines are left out.
"""

from __future__ import annotations

import asyncio
import io
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from conflictbench.agents import LLMAgent
from conflictbench.agents.models import ModelOptions, ScriptedModel, by_turn
from conflictbench.agents.models.fake import Call
from conflictbench.agents.models.openai_http import OpenAIHTTPModel
from conflictbench.benchmarks.perf import inspect_client
from conflictbench.benchmarks.perf.interleaved import Goal, table
from conflictbench.benchmarks.perf.mock_server import REPLY, mock_server
from conflictbench.benchmarks.plan import plan_run
from conflictbench.benchmarks.rollout import Episode, make_env, rollout_async
from conflictbench.benchmarks.runner import run_suite
from conflictbench.benchmarks.units import pending_units

ROUNDS = 3
CONCURRENCY = 128
LATENCY_S = 0.1
WAVES = 5  # episodes of a run: at most so many for each conversation at a time
INSPECT_CALLS = 1024
SUITE, VARIANTS, AGENT = "quick", ("all",), "llm:openai/any-name"

RUNNER, CLIENT, FAKE, INSPECT = "runner", "client alone", "runner, no server", "Inspect model.generate"
IDEAL, OWN, ALLOWED = "ideal", "runner above client", "0.5 ms"
RATE_GOALS = (Goal(case=RUNNER, anchor=IDEAL, ratio=0.5, at_most=False),)
INSPECT_GOALS = (Goal(case=RUNNER, anchor=INSPECT, ratio=4, at_most=False),)
CPU_GOALS = (Goal(case=OWN, anchor=ALLOWED, ratio=1, at_most=True),)


@dataclass(frozen=True, kw_only=True)
class Timing:
    """One round of one case."""

    calls: int
    wall_s: float
    cpu_s: float  # of the client's process

    @property
    def rate(self) -> float:
        """Calls a second."""
        return self.calls / self.wall_s

    @property
    def cpu_ms(self) -> float:
        """Milliseconds of CPU a call."""
        return 1000 * self.cpu_s / self.calls


Case = Callable[[], Timing]


def run_whole(agent: str, seeds: int, options: ModelOptions | None) -> Timing:
    """A whole run into an empty directory."""
    with TemporaryDirectory() as folder, redirect_stderr(io.StringIO()):  # its progress is no part of our output
        wall_s, cpu_s = time.perf_counter(), time.process_time()
        result = run_suite(
            SUITE,
            agent,
            variants=VARIANTS,
            seeds=seeds,
            concurrency=CONCURRENCY,
            model=options,
            out=Path(folder) / "run",
        )
        wall_s, cpu_s = time.perf_counter() - wall_s, time.process_time() - cpu_s
    assert result.finished == result.planned
    return Timing(calls=result.usage.calls, wall_s=wall_s, cpu_s=cpu_s)


def send_alone(base_url: str, conversations: Sequence[Call], repeats: int) -> Timing:
    """The same conversations through the adapter, nothing round it, each so many times."""

    async def send() -> Timing:
        model = OpenAIHTTPModel("any-name", base_url=base_url)
        left = iter([call for _ in range(repeats) for call in conversations])

        async def work() -> None:
            for call in left:
                await model.complete(call.messages, call.tools, call.limits)

        wall_s, cpu_s = time.perf_counter(), time.process_time()
        await asyncio.gather(*(work() for _ in range(CONCURRENCY)))
        timing = Timing(
            calls=repeats * len(conversations),
            wall_s=time.perf_counter() - wall_s,
            cpu_s=time.process_time() - cpu_s,
        )
        await model.close()
        return timing

    return asyncio.run(send())


def recorded() -> list[Call]:
    """Every call of one seed of the run, as the server is sent it."""
    model = ScriptedModel(by_turn([REPLY]))
    agent = LLMAgent(model, ModelOptions().limits)

    async def play() -> None:
        identity, _ = plan_run(SUITE, AGENT, variants=VARIANTS, model=ModelOptions(base_url="http://127.0.0.1:9/v1"))
        for unit in pending_units(identity, {}):
            await rollout_async(Episode(make_env(unit), unit.key.seed), agent)

    asyncio.run(play())
    return model.calls


def ask_inspect(python: str, base_url: str, conversation: Call) -> Timing:
    """Inspect's calls of the conversation's first two messages."""
    messages = [{"role": message.role, "content": message.content} for message in conversation.messages[:2]]
    command = [python, str(inspect_client.__file__), base_url, str(CONCURRENCY), str(INSPECT_CALLS)]
    done = subprocess.run(command, input=json.dumps(messages), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{python} cannot run Inspect:\n{done.stderr}")
    return Timing(**json.loads(done.stdout.splitlines()[-1]))


def main(inspect_python: str | None) -> None:
    """Print the tables."""
    conversations = recorded()
    episodes = sum(len(call.messages) == 2 for call in conversations)  # of one seed
    seeds = WAVES * CONCURRENCY // episodes
    with mock_server(LATENCY_S) as base_url:
        cases: dict[str, Case] = {
            RUNNER: lambda: run_whole(AGENT, seeds, ModelOptions(base_url=base_url)),
            CLIENT: lambda: send_alone(base_url, conversations, seeds),
            FAKE: lambda: run_whole("llm:fake/look", seeds, None),
        }
        if inspect_python is not None:
            cases[INSPECT] = lambda: ask_inspect(inspect_python, base_url, conversations[0])
        timings: dict[str, list[Timing]] = {name: [] for name in cases}
        for _ in range(ROUNDS):
            for name, case in cases.items():
                timings[name].append(case())
                print(f"{name}: {timings[name][-1]}", file=sys.stderr)
    show(timings)


def show(timings: dict[str, list[Timing]]) -> None:
    """Print calls a second, then CPU a call, each with its goals."""
    rates = {name: [one.rate for one in rounds] for name, rounds in timings.items() if name != FAKE}
    rates[IDEAL] = [CONCURRENCY / LATENCY_S] * len(timings[RUNNER])
    print(table(rates, "calls/s", (*RATE_GOALS, *(INSPECT_GOALS if INSPECT in timings else ()))), end="\n\n")
    cpu = {name: [one.cpu_ms for one in rounds] for name, rounds in timings.items()}
    cpu[OWN] = [mine - client for mine, client in zip(cpu[RUNNER], cpu[CLIENT], strict=True)]
    cpu[ALLOWED] = [0.5] * len(cpu[OWN])
    print(table(cpu, "ms CPU a call", CPU_GOALS))
    if INSPECT not in timings:
        print("\nInspect was left out: inspect-ai is not installed here; name a Python that has it")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else sys.executable if find_spec("inspect_ai") else None)
