"""The command line towards language models and agents of one's own: in its own words, and with the remedy."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from conflictbench.cli import app
from conflictbench.commands.run_options import in_option_names

MINE = """
from conflictbench.types import Completion, Decision, Reply


class Looks:
    name = "looks"
    async def complete(self, messages, tools=(), limits=None):
        return Completion(reply=Reply(text="ACTION: look"), model="looks-1")
    async def close(self):
        pass


class Breaks:
    name = "breaks"
    def reset(self, task): ...
    def act(self, observation, info):
        raise ValueError("oh no")


class Counts(Breaks):
    name = "counts"
    def act(self, observation, info):
        return 3
"""
LINE = MINE.splitlines().index('        raise ValueError("oh no")') + 1


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine_of_cli.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.endswith("_API_KEY")]:
        monkeypatch.delenv(name)


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


HERE = ["--base-url", "http://127.0.0.1:9/v1"]
THERE = ["--base-url", "http://gpu-box:8000/v1"]


SAID = {
    ("llm:vllm/toy", *THERE): (
        "no key for 'vllm': set the environment variable VLLM_API_KEY or CONFLICTBENCH_API_KEY; "
        "any value, if the server wants none"
    ),
    ("llm:openai/toy", *THERE): (
        "no key for gpu-box:8000: OPENAI_API_KEY goes to openai.com alone; set CONFLICTBENCH_API_KEY, or name a "
        "variable by --key-env (any value, if the server wants none)"
    ),
    ("llm:vllm/toy",): (
        "'vllm' is a server of your own: say where it listens by --base-url, such as http://127.0.0.1:8000/v1"
    ),
    ("llm:openai/toy", "--base-url", "http://127.0.0.1:9/v1/chat/completions"): (
        "the base URL ends in /chat/completions, which is added to it for each call: give 'http://127.0.0.1:9/v1'"
    ),
    ("llm:vllm/toy", *HERE, "--max-cost", "5"): (
        "--max-cost cannot be kept: the price of vllm/toy is not known; give --price-in and --price-out "
        "(0 for a server of your own)"
    ),
    ("llm:vllm/toy", *HERE, "--price-in", "5"): "--price-in and --price-out go together, not 5.0 and None",
    ("llm:vllm/toy", *HERE, "--timeout", "0"): "--timeout is 0.0; wanted: a number above 0",
    ("llm:vllm/toy", *HERE, "--rpm", "0"): "--rpm is 0; wanted: a number above 0",
    ("llm:vllm/toy", *HERE, "--max-tokens-total", "0"): "--max-tokens-total must be above 0, not 0",
    ("llm:vllm/toy", *HERE, "--key-env", "LAB_KEY"): "the environment variable LAB_KEY (--key-env) is not set",
    ("lm:openai/toy",): (
        "unknown agent 'lm'; known: aligned, assigned, first, human, llm, longest, random, replay, sb3 "
        "(did you mean 'llm'?)"
    ),
    ("openai/gpt-4o",): "a language model is given as llm:openai/gpt-4o",
    ("llm:mine_of_cli/Looks",): "a model of your own is mine_of_cli:Looks",
    ("mine_of_cli:Looks",): "it has `complete`, as a language model: give it as llm:mine_of_cli:Looks",
    ("random", "--scenario", "EP1-999"): "unknown scenario in suite quick 'EP1-999'; known: EP1-001, EP2-001",
}


@pytest.mark.parametrize("arguments, said", SAID.items())
def test_error__speaks_of_options_and_says_what_to_do(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    for command in ("run", "plan"):
        result = call(command, "--agent", *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert said in " ".join(result.stderr.split())
    assert [path.name for path in tmp_path.iterdir() if path.name != "__pycache__"] == ["mine_of_cli.py"]


def test_error__a_key_given_in_place_of_its_variable_is_shown_nowhere(tmp_path: Path) -> None:
    result = call("run", "--agent", "llm:vllm/toy", *HERE, "--key-env", "gsk-0123456789abcdef")
    assert result.exit_code == 2
    assert "--key-env wants the name of an environment variable" in " ".join(result.stderr.split())
    assert "0123456789" not in result.output


@pytest.mark.parametrize("agent", ["llm:anthropic/any", "llm:opnai/any", "llm:ollama/any"])
def test_error__of_a_name_or_a_key_comes_without_loading_litellm(agent: str) -> None:
    program = (
        "import sys\nfrom conflictbench.cli import app\n"
        f"try:\n    app(['run', '--agent', {agent!r}])\nexcept SystemExit as leave:\n    print(leave.code)\n"
        "print('litellm' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2", "False"]
    assert len(done.stderr.splitlines()) <= 12


def test_names__of_arguments_become_options_where_they_stand_alone() -> None:
    assert in_option_names("max_cost_usd is -1.0") == "--max-cost is -1.0"
    assert in_option_names("give price_in and price_out (max_total_tokens)") == (
        "give --price-in and --price-out (--max-tokens-total)"
    )
    for other in ("model.max_tokens: 5 there", "my_max_tokens", "'max_tokens'", "/a/base_url/b", "seeds must be"):
        assert in_option_names(other) == other


def test_run__a_model_of_ones_own_by_its_class() -> None:
    result = call(
        "run", "--agent", "llm:mine_of_cli:Looks", "--scenario", "EP1-001", "--price-in", "1", "--price-out", "1"
    )
    assert result.exit_code == 0, result.output
    assert "answered as looks-1" in " ".join(result.stdout.split())
    assert "0/1" in result.stdout


def test_run__the_scenarios_that_are_named_alone_are_played() -> None:
    arguments = ["--suite", "quick", "--scenario", "ep1-001", "--scenario", "EP3-001", "--json"]
    result = call("run", "--agent", "random", *arguments)
    assert result.exit_code == 0, result.output
    groups = json.loads(result.stdout)["summary"]["scenarios"]
    assert {group["scenario"] for group in groups} == {"EP1-001", "EP3-001"}


@pytest.mark.parametrize(
    "name, reason, error",
    [
        ("Breaks", rf"env_error: ValueError: oh no \(mine_of_cli\.py:{LINE}\)", "ValueError: oh no"),
        ("Counts", r"env_error: AgentError: mine_of_cli:Counts\.act returned int, not Decision", "AgentError: "),
    ],
)
def test_run__a_mistake_in_an_agent_is_placed_and_debug_shows_its_traceback_once(
    name: str, reason: str, error: str
) -> None:
    arguments = ["run", "--agent", f"mine_of_cli:{name}", "--scenario", "EP1-001", "--seeds", "3"]
    plain = call(*arguments)
    assert plain.exit_code == 3
    assert re.search(rf"No episode counted: 3 x {reason}", " ".join(plain.stdout.split()))
    assert "Traceback" not in plain.output
    debugged = call("--debug", *arguments, "--fresh")
    assert debugged.exit_code == 3
    assert debugged.stderr.count("Traceback") == 1
    assert re.search(rf"^(conflictbench\.errors\.)?{error}", debugged.stderr, re.MULTILINE)
    assert "Traceback" not in call(*arguments).output  # the next command is as quiet as before


def test_debug__shows_no_key_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "canary-0123456789")
    Path("telling_of_cli.py").write_text(MINE.replace('"oh no"', '"canary-0123456789"'))
    result = call("--debug", "run", "--agent", "telling_of_cli:Breaks", "--scenario", "EP1-001")
    assert "ValueError: [key]" in result.stderr
    assert "0123456789" not in result.output.replace("telling", "")


def test_help__of_run_gives_every_default_that_an_option_has() -> None:
    text = " ".join(call("run", "--help").output.split())
    for said in (
        "--variant NAME conflict (default), stake_only",
        "--seeds N Episodes a scenario and variant; the world is the same in all. [default: 1]",
        "--scenario ID This one of the suite alone; repeatable.",
        "--key-env NAME Variable with the key of that server, if it is another.",
    ):
        assert said in text
