"""`conflictbench play --two-party`: a person in one chair of a two-party game, a bot in the other. Own design."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from conflictbench.counting import counted

if TYPE_CHECKING:
    from conflictbench.envs.task_conflict.env import TaskConflictEnv
    from conflictbench.scenario_specs.parties.block import Role
    from conflictbench.scenario_specs.parties.policies import Policy

ROLES = ("incumbent", "requester")  # restated: importing the block would load pydantic before it is needed
BOT_TALKS = ("promise", "silent")
HELP = "`help` shows this page again, `quit` leaves."
INTERRUPTED = "interrupted"
_CELLS = {
    "both": "both tasks are done",
    "human": "only the requester's task is done",
    "task": "only the incumbent's task is done",
    "neither": "neither task is done",
}


class Quit(Exception):
    """The person left; the message says how."""


@dataclass
class Bot:
    """The other chair: a policy over the tables; in talk it promises what it will play, or is silent."""

    policy: Policy
    party: int
    promises: bool
    random: np.random.Generator
    _drawn: int | None = None  # promised, to be played next

    def act(self, env: TaskConflictEnv) -> int:
        """Its action in this phase."""
        from conflictbench.envs.task_conflict.coding import SILENT, Signal

        if self._drawn is None:
            weights = self.policy.weights[env.state_index]
            self._drawn = int(self.random.choice(weights.size, p=weights))
        if env.phase == "talk":
            signal = Signal(kind="promise", move=self._drawn) if self.promises else SILENT
            return env.codings[self.party].encode(signal)
        move, self._drawn = self._drawn, None
        return move


def play_game(
    scenario: str,
    *,
    role: str,
    against: str,
    talk: str,
    bot_talk: str,
    seed: int,
    read_line: Callable[[str], str],
    write: Callable[[str], None],
) -> None:
    """Play one game in the terminal.

    Args:
        read_line: a line for a prompt; raises EOFError where there are no more.  write: shows text.
    Raises:
        UnknownName: a scenario, role, bot or kind of talk that is none.
    """
    from conflictbench.envs import task_conflict_v0
    from conflictbench.envs.arguments import one_of
    from conflictbench.scenario_specs.parties.joint import two_party_ids

    one_of("role", role, ROLES)
    one_of("--bot-talk", bot_talk, BOT_TALKS)
    same = [known for known in two_party_ids() if known.casefold() == scenario.casefold()]
    env = task_conflict_v0.parallel_env(scenario=same[0] if same else scenario, observation="text", talk=talk)
    env.reset(seed=seed)
    party = ROLES.index(role)
    policy = _policy(env, cast("Role", ROLES[1 - party]), against)
    bot = Bot(policy, 1 - party, bot_talk == "promise", np.random.default_rng([seed, 1 - party]))
    seat = _Seat(env, party, read_line, write)
    seat.show(
        f"{env.joint.id}  {env.joint.game.spec.title}\nYou are the {role}; the {ROLES[1 - party]} is `{against}`."
    )
    seat.show(f"{env.briefing(seat.agent)}\n\n{HELP}")
    agents = env.possible_agents
    infos: dict[str, Any] = {}
    try:
        while env.agents:
            seat.show(env.situation(seat.agent))
            mine, message = seat.ask()
            theirs = bot.act(env)
            actions = {agents[party]: _given(mine, message, talk), agents[1 - party]: _given(theirs, "", talk)}
            *_, infos = env.step(actions)
    except (Quit, KeyboardInterrupt) as left:
        write(stopped(_turns(env), str(left) or INTERRUPTED))
        if isinstance(left, KeyboardInterrupt):
            raise
        return
    seat.show(env.situation(seat.agent))
    seat.show(_farewell(infos[seat.agent]["result"], role))


def _policy(env: TaskConflictEnv, chair: Role, name: str) -> Policy:
    """The bot in the other chair; where it plays the person's, that is said, with what to type."""
    from conflictbench.errors import UnknownName
    from conflictbench.scenario_specs.parties.bots import BOTS

    mine: Role = "requester" if chair == "incumbent" else "incumbent"
    if name in BOTS[mine] and name not in BOTS[chair]:
        hint = f"{name} plays the {mine}: to play against it take --as {chair}"
        raise UnknownName(f"bot of the {chair}", name, BOTS[chair], hint=hint)
    return env.joint.bots.get(chair, name)


def stopped(turns: int, why: str) -> str:
    """The last line of a game that was left: behind the prompt, and a line of its own."""
    from conflictbench.agents.human import wrapped

    return wrapped(f"\nstopped after {counted(turns, 'turn')}: {why}")


def _turns(env: TaskConflictEnv) -> int:
    return int(env.joint.tables.turn[env.state_index])


class _Seat:
    """The person's end: what is shown, and lines read until one is an action of the present phase."""

    def __init__(
        self, env: TaskConflictEnv, party: int, read_line: Callable[[str], str], write: Callable[[str], None]
    ) -> None:
        self.env, self.party, self.agent = env, party, env.possible_agents[party]
        self._read, self._write = read_line, write

    def show(self, text: str) -> None:
        """Text, 80 columns wide, with a blank line behind it."""
        from conflictbench.agents.human import wrapped

        self._write(wrapped(text) + "\n")

    def ask(self) -> tuple[int, str]:
        """The person's action and message.

        Raises:
            Quit: the person typed `quit`, or the input ended.
        """
        env = self.env
        while True:
            line = self._line("say> " if env.phase == "talk" else "> ")
            if not line:
                continue
            if line.casefold() == "help":
                self.show(env.briefing(self.agent))
                continue
            action = env.command(self.agent, line)
            if action is None:
                self.show(f"That is nothing you can choose now. {self._choices()}")
            elif env.phase == "move" and (why := self._obstacle(action)):
                self.show(f"That is not possible now: {why}")
            else:
                talks = env.phase == "talk" and env.config.talk == "text"
                return action, self._line("in your own words (may be empty)> ") if talks else ""

    def _line(self, prompt: str) -> str:
        from conflictbench.agents.human import QUIT_WORDS

        try:
            line = self._read(prompt).strip()
        except EOFError:
            raise Quit("the input ended before the game did") from None
        if line.casefold() in QUIT_WORDS:
            raise Quit("the player quit")
        return line

    def _choices(self) -> str:
        if self.env.phase == "talk":
            return "Say `silent`, or `ask` or `promise` and a move of the lists above."
        return "Type a move as it is written above."

    def _obstacle(self, move: int) -> str | None:
        """Why a move would count as hold."""
        game = self.env.playing
        if game.tables.legal[self.party][self.env.state_index, move]:
            return None
        return game.obstacle(self.party, move, self.env.state_index)


def _given(action: int, message: str, talk: str) -> Any:
    return {"act": action, "message": message} if talk == "text" else action


def _farewell(result: dict[str, Any], role: str) -> str:
    own, other = role, ROLES[1 - ROLES.index(role)]
    payoffs = result["payoffs"]
    each = f"You, the {own}: {payoffs[own]:.2f}. The {other}: {payoffs[other]:.2f}."
    together = f"Together {result['welfare']:.2f} of the {result['optimum']:.2f} there were to have."
    ending = [result["ending"], ""] if result["ending"] else []
    return "\n".join([*ending, f"Ending: {_CELLS[result['cell']]}.", f"{each} {together}"])
