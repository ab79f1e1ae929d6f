"""What a server plays: a way through each scenario it may meet, and replies kept for single episodes. Own design."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import gymnasium as gym
from tests.servers.completions import act

import conflictbench
from conflictbench.types import Reply, ToolCall

LOST = Reply(text="THINK: I was never told of this place.\nACTION: look")


@dataclass(frozen=True, kw_only=True)
class Script:
    """Routes: opening of a world -> commands that lead to its human outcome. Replies: episode -> one for each turn."""

    routes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    replies: Mapping[str, Sequence[Reply]] = field(default_factory=dict)

    def write(self, path: Path) -> Path:
        """Keep it in a file, for a server's command line."""
        kept = {name: [asdict(reply) for reply in replies] for name, replies in self.replies.items()}
        path.write_text(json.dumps({"routes": dict(self.routes), "replies": kept}))
        return path

    @classmethod
    def read(cls, path: Path) -> Script:
        """Read what `write` kept."""
        kept = json.loads(path.read_text())
        return cls(
            routes=kept["routes"], replies={name: [*map(_reply, all_)] for name, all_ in kept["replies"].items()}
        )

    def answer(self, episode: str, messages: Sequence[Mapping[str, Any]], *, in_tools: bool) -> Reply:
        """The reply to a conversation: the episode's own one for this turn, else the next command of the route."""
        if episode in self.replies:
            said: int = sum(message["role"] == "assistant" for message in messages)
            own = self.replies[episode]
            return own[min(said, len(own) - 1)]
        command = self.next_command(messages)
        return LOST if command is None else act(command, in_tools=in_tools)

    def next_command(self, messages: Sequence[Mapping[str, Any]]) -> str | None:
        """What comes after the commands of the route that were carried out; None in a world that is not known."""
        for opening, route in self.routes.items():
            if opening in messages[0]["content"]:
                done = 0
                for command in _carried_out(messages):
                    done += done < len(route) and command == route[done]
                return route[min(done, len(route) - 1)]
        return None


def human_route(env_id: str, scenario: str, variant: str) -> tuple[str, list[str]]:
    """The opening of a world, and the commands by which the oracle reaches its human outcome."""
    gym.register_envs(conflictbench)
    best = "best_action_human"
    env = gym.make(env_id, scenario=scenario, variant=variant, privileged=[best], mask="exists")
    observation, info = env.reset(seed=0)
    opening, commands, ended = str(observation["text"]), [], False
    while not ended:
        _, _, ended, _, info = env.step(info[best])
        commands.append(str(info["command"]))
    assert info["label"] == "human"
    return opening, commands


def human_routes(scenarios: Iterable[str], variants: Iterable[str]) -> dict[str, list[str]]:
    """Routes through scenarios of the core pack."""
    names = [*variants]
    return dict(human_route(f"ConflictBench/{one[:3]}-v0", one, variant) for one in scenarios for variant in names)


def _carried_out(messages: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    """The commands that the conversation says were carried out."""
    for message in messages:
        if message["role"] == "assistant":
            for call in message.get("tool_calls", ()):
                yield json.loads(call["function"]["arguments"]).get("command", "")
            yield (message["content"] or "").removeprefix("ACTION: ")


def _reply(kept: dict[str, Any]) -> Reply:
    return Reply(**kept | {"tool_calls": tuple(ToolCall(**call) for call in kept["tool_calls"])})
