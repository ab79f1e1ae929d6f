"""The command line as a person and as a program meet it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from conflictbench.cli import app
from conflictbench.commands.run_options import RunOptions
from conflictbench.scenario_specs import PACKS

COMMANDS = (
    "list",
    "show",
    "show-prompt",
    "play",
    "render",
    "verify",
    "plan",
    "run",
    "report",
    "crossplay",
    "train",
    "clips",
)
CORE = ("EP1-001", "EP2-001", "EP3-001")


def call(*arguments: str, typed: str = "") -> Result:
    """Run a command line in this process."""
    return CliRunner().invoke(app, list(arguments), input=typed)


def process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command line in a process of its own, its output into a pipe."""
    return subprocess.run(
        [sys.executable, "-m", "conflictbench", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def process_typed(*arguments: str, typed: str) -> subprocess.CompletedProcess[str]:
    """The same with lines to read."""
    command = [sys.executable, "-m", "conflictbench", *arguments]
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=False)


def widths(text: str) -> list[str]:
    """The lines that are wider than 80 columns."""
    return [line for line in text.splitlines() if len(line) > 80]


@pytest.mark.parametrize("command", COMMANDS)
def test_help__shows_one_real_example_within_80_columns(command: str) -> None:
    result = call(command, "--help")
    assert result.exit_code == 0
    assert f"Example:  conflictbench {command}" in result.output
    assert widths(result.output) == []


def test_help__lists_every_command_in_whole_sentences() -> None:
    output = call("--help").output
    shown = [line.split()[0] for line in output.split("Commands:\n")[1].splitlines() if line.startswith("  ")]
    assert shown[: len(COMMANDS)] == list(COMMANDS)
    assert "..." not in output.split("Commands:\n")[1]


def test_help__loads_neither_the_scenarios_nor_anything_heavy() -> None:
    heavy = "pydantic", "yaml", "scipy", "rich", "litellm", "pettingzoo"
    program = (
        "import sys\nfrom conflictbench.cli import app\n"
        "try:\n    app(['--help'])\nexcept SystemExit:\n    pass\n"
        f"print('loaded:', [name for name in {heavy!r} if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert shown.splitlines()[-1] == "loaded: []"


@pytest.mark.parametrize("command", ["run", "plan"])
def test_help__of_run_and_plan_shows_every_option_they_share(command: str) -> None:
    text = call(command, "--help").output
    for field in fields(RunOptions):
        assert f"--{field.name.replace('_', '-')} " in text


def test_version__is_that_of_the_package() -> None:
    import conflictbench

    assert process("--version").stdout == f"conflictbench {conflictbench.__version__}\n"


def test_list__one_line_a_scenario() -> None:
    lines = call("list").output.splitlines()
    assert lines[0].split() == ["ID", "WINDOW", "ACTIONS", "TITLE", "DOMAIN"]
    ids = [line.split()[0] for line in lines[1:] if line]
    assert ids == sorted(ids)
    assert set(ids) >= set(CORE)


def test_list__json_is_one_object_a_scenario_of_the_family() -> None:
    rows = json.loads(call("list", "--category", "EP2", "--json").output)
    assert [row["id"] for row in rows if row["id"] == "EP2-001"] == ["EP2-001"]
    assert {row["id"][:3] for row in rows} == {"EP2"}


@pytest.mark.parametrize("kind, name", [("agents", "aligned"), ("suites", "quick")])
def test_list__agents_and_suites(kind: str, name: str) -> None:
    assert name in [line.split()[0] for line in call("list", kind).output.splitlines()]


@pytest.mark.parametrize(
    "arguments, parts",
    [
        (["list", "--category", "EP9"], ["'EP9'", "EP1, EP2, EP3"]),
        (["list", "agents", "--category", "EP1"], ["--category", "only scenarios"]),
        (["list", "things"], ["unknown kind of list 'things'; known: scenarios, agents, suites"]),
        (["run", "--agent", "random", "--seeds", "x"], ["'--seeds': 'x' is not a whole number"]),
        (["show-prompt", "EP1-001", "--seed", "-1"], ["'--seed': '-1' is less than 0"]),
        (
            ["show-prompt", "EP1-001", "--env", "CartPole-v1"],
            ["environment 'CartPole-v1'", "ConflictBench/EP1-v0"],
        ),
        (["show", "EP1-999"], ["'EP1-999'", "EP1-001"]),
        (["show", "EP1-001", "--variant", "controll"], ["'controll'", "did you mean 'control'?", "stake_only"]),
        (["play", "EP1-001", "--variant", "none"], ["'none'", "conflict"]),
        (["play", "EP1-001", "--engine", "glulx"], ["glulx", "not available yet"]),
        (["verify", "no_such_file.yaml"], ["no such file", "no_such_file.yaml"]),
        (["run", "--agent", "alinged"], ["'alinged'", "did you mean 'aligned'?"]),
        (["run", "--agent", "random", "--suite", "ep4"], ["'ep4'", "ep1", "quick"]),
        (["run", "--agent", "random", "--variant", "x"], ["'x'", "task_only"]),
        (["run", "--agent", "random", "--reward", "much"], ["'much'", "human", "assigned"]),
        (["run", "--agent", "random", "--reward", "7"], ["reward 7 must be a finite number in 0..1"]),
        (["run", "--agent", "random", "--reward", "null"], ["reward None is a NoneType", "human", "assigned"]),
        (["run", "--agent", "random", "--reward", "true"], ["reward True is a bool"]),
        (["run", "--agent", "random", "--reward", "[1]"], ["reward [1] is a list"]),
        (["run", "--agent", "random", "--reward", '{"human": 1}'], ["leaves out assigned"]),
        (["run", "--agent", "random", "--seeds", "0"], ["seeds must be at least 1, not 0"]),
        (["run", "--agent", "random", "--concurrency", "-1"], ["concurrency must be at least 1, not -1"]),
        (["run"], ["--agent"]),
        (["report", "no_such_run"], ["no_such_run"]),
        (["report"], ["RUN"]),
    ],
)
def test_error__is_one_message_with_the_valid_choices_and_exit_code_2(
    arguments: list[str], parts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = call(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert [part for part in parts if part not in result.stderr] == []
    assert "Traceback" not in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments, option",
    [
        (["run", "--agent", "random", "--protocol", "paper", "--protocol", "tools"], "--protocol"),
        (["run", "--agent", "random", "--seeds", "2", "--seeds=2"], "--seeds"),
        (["plan", "--agent", "random", "--agent", "first"], "--agent"),
        (["report", "x", "--out", "a", "--out", "b"], "--out"),
        (["show", "EP1-001", "--variant", "control", "--variant", "conflict"], "--variant"),
        (["list", "--json", "--json"], "--json"),
        (["clips", "stats", "--json", "--json"], "--json"),
        (["--debug", "--debug", "list"], "--debug"),
    ],
)
def test_error__an_option_that_takes_one_value_is_given_once(
    arguments: list[str], option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = call(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"Error: {option} is given twice; give it once" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--suite", "quick", "--agent", "random", "--out", ""],
        ["crossplay", "--agents", "fair", "--out="],
        ["train", "--two-party", "EP2-001", "--role", "incumbent", "--against", "fair", "--out", ""],
    ],
)
def test_error__an_empty_path_is_not_the_folder_one_stands_in(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = call(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error: --out '' is empty; name a path, or leave the option out" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_run__options_that_are_repeatable_are_not_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["run", "--suite", "ep1", "--agent", "random", "--agent", "first", "--variant", "control"]
    words += ["--variant", "conflict", "--scenario", "EP1-001"]
    assert call(*words).exit_code == 0
    (first, *_) = sorted((tmp_path / "runs").glob("*/manifest.json"))
    assert json.loads(first.read_text())["command"] == " ".join(["conflictbench", *words])


def test_debug__shows_where_an_error_came_from() -> None:
    shown = process("--debug", "show", "EP1-999")
    assert shown.returncode == 1
    assert "Traceback" in shown.stderr
    assert "UnknownName" in shown.stderr


def test_show__says_which_scenarios_two_parties_can_play() -> None:
    hint = "conflictbench play --two-party EP2-001"
    assert hint in call("show", "ep2-001").output
    assert "--two-party" not in call("show", "EP1-001").output
    told = [json.loads(call("show", scenario, "--json").output)["two_party"] for scenario in CORE]
    assert told == [False, True, False]


def test_verify__takes_ids_in_any_case_beside_paths() -> None:
    by_id, by_path = call("verify", "ep1-001"), call("verify", str(PACKS["core"].folder / "ep1" / "EP1-001.yaml"))
    assert (by_id.exit_code, by_id.output) == (0, by_path.output)
    assert by_id.output.startswith("EP1-001: proved")


@pytest.mark.parametrize("scenario", CORE)
def test_show__is_right_at_80_columns_and_spoils_nothing(scenario: str) -> None:
    output = call("show", scenario).output
    assert output.startswith(scenario)
    assert [part for part in ("OPENING (conflict)", "ACTIONS (", "ENDINGS") if part not in output] == []
    assert widths(output) == []
    assert "ROUTES" not in output


def test_show__spoilers_add_routes_chances_and_points_of_no_return() -> None:
    output = call("show", "EP1-001", "--spoilers").output
    assert [part for part in ("ROUTES", "CHANCE", "NO RETURN") if part not in output] == []
    assert widths(output) == []


def test_show__variants_differ_in_their_texts_only() -> None:
    conflict = json.loads(call("show", "EP1-001", "--json").output)
    control = json.loads(call("show", "EP1-001", "--variant", "control", "--json").output)
    assert conflict["opening"] != control["opening"]
    assert [a["command"] for a in conflict["actions"]] == [a["command"] for a in control["actions"]]
    human = [o for o in control["outcomes"] if o["label"] == "human"]
    assert {o["assigned_value"] for o in human} == {1.0}


def test_show__json_spoilers_hold_routes_as_commands() -> None:
    facts = json.loads(call("show", "EP3-001", "--spoilers", "--json").output)
    commands = {action["command"] for action in facts["actions"]}
    routes = [route for label in ("human", "agent_by_choice") for route in facts["routes"][label]]
    assert routes
    assert {command for route in routes for command in route} <= commands


def routes(scenario: str, label: str) -> list[str]:
    facts = json.loads(call("show", scenario, "--spoilers", "--json").output)
    route: list[str] = facts["routes"][label][0]
    return route


@pytest.mark.parametrize("scenario", CORE)
@pytest.mark.parametrize("label, words", [("human", "human: the people"), ("agent_by_choice", "by choice: the agent")])
def test_play__a_typed_route_reaches_its_ending(scenario: str, label: str, words: str) -> None:
    route = routes(scenario, label)
    result = call("play", scenario, typed="\n".join(route) + "\n")
    assert result.exit_code == 0
    assert f"({words}" in result.output
    assert f"Your route, {len(route)} turns: {', '.join(route)}." in " ".join(result.output.split())
    assert widths(result.output) == []


def test_play__quit_and_the_end_of_input_leave_without_an_error() -> None:
    for typed, reason in (("help\nquit\n", "the player quit"), ("look\n", "the input ended before the episode did")):
        result = call("play", "EP2-001", typed=typed)
        assert result.exit_code == 0
        assert f"stopped after 0 turns: {reason}" in result.output


def test_play__says_so_when_the_interactions_are_used_up() -> None:
    result = call("play", "EP2-001", typed="look\n" * 20)
    assert result.exit_code == 0
    assert "Over without an ending: truncated after 14 commands." in result.output


def test_play__says_which_turn_and_command_it_is_and_how_many_there_are() -> None:
    output = call("play", "EP2-001", typed="look\nphone ellerby\nquit\n").output
    assert "You have 14 commands" in output
    # `look` costs a command, `phone ellerby` a turn as well; the window of EP2-001 is 6 turns
    places = [line for line in output.splitlines() if line.startswith("(turn ")]
    assert places == [
        "(turn 1 of 6, command 1 of 14)",
        "(turn 1 of 6, command 2 of 14)",
        "(turn 2 of 6, command 3 of 14)",
    ]


def test_play__is_the_screen_of_run_with_a_person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    typed = "\n".join(routes("EP1-001", "human"))
    played = process_typed("play", "EP1-001", typed=f"{typed}\n")
    run = process_typed("run", "--agent", "human", "--suite", "ep1", typed=f"{typed}\n")
    echoed = {f"> {command}" for command in typed.split("\n")}  # `play` shows what came through a pipe
    screen = [line for line in played.stdout.splitlines() if line not in echoed]
    shown = run.stdout.replace("> ", "").splitlines()
    assert screen[0] == "EP1-001  Corvane tunnel, smoke to the west (conflict)"
    assert [line for line in screen if line.removeprefix("> ") not in {*shown, *typed.split("\n")}] == []
    assert "1/1" in run.stdout
    assert "episodes/s" not in run.stderr


@pytest.mark.parametrize("command", ["show", "play", "show-prompt"])
def test_scenario__is_found_in_any_case(command: str) -> None:
    lower, upper = call(command, "ep1-001", typed="quit\n"), call(command, "EP1-001", typed="quit\n")
    assert lower.exit_code == 0
    assert lower.output == upper.output
    assert call("list", "--category", "ep1").output == call("list", "--category", "EP1").output


@pytest.fixture(scope="module")
def proofs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, str]:
    """What `verify` of the whole pack answers and reports; it takes the time of many tests, so it is asked once."""
    report = tmp_path_factory.mktemp("proofs") / "proofs.md"
    return call("verify", "--report", str(report)), report.read_text("utf-8")


def test_verify__says_in_one_short_line_a_file_what_was_proved(proofs: tuple[Result, str]) -> None:
    lines = proofs[0].output.splitlines()
    # the figures of `show --spoilers`: four turns for either side, chances over any action
    assert "EP2-001: proved, 471 states; human 4 turns, 7.39%; by choice 4 turns, 3.89%" in lines
    assert lines[-2].startswith("Of each side: turns of its shortest route")
    assert [line for line in lines if "(a)" in line or "(b)" in line or len(line) > 100] == []


def test_verify__the_core_scenarios_are_proved_without_a_warning(proofs: tuple[Result, str]) -> None:
    result, report = proofs
    assert result.exit_code == 0
    assert result.output.splitlines()[-1].endswith("0 errors, 0 warnings")
    assert [scenario for scenario in CORE if scenario not in report] == []


def test_verify__a_broken_file_is_one_line_a_fault_and_exit_code_1(tmp_path: Path) -> None:
    broken = tmp_path / "EP1-002.yaml"
    broken.write_text("id: EP1-002\ntitle: yes\n", "utf-8")
    result = call("verify", str(tmp_path))
    assert result.exit_code == 1
    titles = [line for line in result.output.splitlines() if line.startswith(f"{broken}:2 title: error [")]
    assert len(titles) == 1
    [file] = json.loads(call("verify", str(broken), "--json").output)["files"]
    assert [fault["line"] for fault in file["faults"] if fault["key"] == "title"] == [2]


def test_verify__a_picture_that_cannot_be_drawn_is_a_fault_of_its_file(tmp_path: Path) -> None:
    core = PACKS["core"].folder / "ep1" / "EP1-001.yaml"
    broken = tmp_path / "EP1-001.yaml"
    broken.write_text(core.read_text("utf-8").replace("glyph: rack_row", "glyph: rack_rows", 1), "utf-8")
    result = call("verify", str(broken))
    assert result.exit_code == 1
    (line,) = [line for line in result.output.splitlines() if "[visual]" in line]
    assert ".glyph: error [visual] unknown glyph 'rack_rows'; known: " in line
    assert line.endswith("(nearest fix: rack_row)")
    assert "1 error, 0 warnings" in result.output


def test_verify__a_folder_without_scenarios_is_an_error(tmp_path: Path) -> None:
    result = call("verify", str(tmp_path))
    assert result.exit_code == 2
    assert "no .yaml file" in result.stderr


def test_run_and_report__a_rerun_prints_the_same_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["run", "--agent", "aligned", "--agent", "random", "--seeds", "2"]
    first, second = call(*arguments), call(*arguments)
    assert (first.exit_code, second.exit_code) == (0, 0)
    assert first.stdout == second.stdout
    assert "3/3" in first.stdout  # the oracle, once on each scenario: it is deterministic
    assert widths(first.stdout) == [line for line in widths(first.stdout) if "report" in line]
    runs = sorted(str(path) for path in (tmp_path / "runs").iterdir() if (path / "manifest.json").exists())
    assert len(runs) == 2
    summary = json.loads(call("report", *runs, "--json").stdout)
    assert {group["agent"] for group in summary["summary"]["groups"]} == {"aligned", "random"}


def test_output__into_a_closed_pipe_is_quiet() -> None:
    command = f"{sys.executable!r} -m conflictbench list --json | head -c 1"
    shown = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert (shown.stdout, shown.stderr) == ("[", "")


def test_output__has_no_colour_in_a_pipe() -> None:
    for arguments in (["list"], ["show", "EP1-001", "--spoilers"], ["--help"]):
        assert "\x1b" not in process(*arguments, FORCE_COLOR="", TERM="xterm-256color").stdout
