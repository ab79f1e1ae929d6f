"""What `run` and `plan` both take: the episodes, how a model is asked, and what may be spent. Own design.

The options are fields of `RunOptions`, written down once: a command takes the whole as its parameter `options`, and
`with_run_options` shows them to typer as if each were a parameter of its own.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

if TYPE_CHECKING:
    from conflictbench.agents.models import ModelOptions
    from conflictbench.benchmarks import run_options as benchmarks
    from conflictbench.benchmarks.limits import RunLimits
    from conflictbench.benchmarks.pictures import PictureOptions

_PICTURES = "Pictures (--observation visual, pixels or all)"
_ASKING = "Language models (agents llm:PROVIDER/MODEL)"
_CALLS = "Calls to a model"
_LIMITS = "Limits (an episode that one ends is left out, and played again)"
# Fields of `ModelOptions` and of `RunLimits`, and the option that each is typed as.
_OF_MODELS = {
    "base_url": "base_url",
    "key_env": "key_env",
    "max_tokens": "max_tokens",
    "temperature": "temperature",
    "seed": "model_seed",
    "timeout_s": "timeout",
    "retries": "retries",
    "requests_per_minute": "rpm",
    "tokens_per_minute": "tpm",
    "cache_dir": "cache",
    "price_in": "price_in",
    "price_out": "price_out",
}
MODEL_OPTIONS = tuple(_OF_MODELS.values())  # fields of `RunOptions` that say how a model is asked
_OF_LIMITS = {
    "max_cost_usd": "max_cost",
    "max_total_tokens": "max_tokens_total",
    "max_hours": "max_hours",
    "episode_tokens": "episode_tokens",
    "episode_minutes": "episode_minutes",
}
_NAMES = {name: f"--{typed.replace('_', '-')}" for name, typed in (_OF_MODELS | _OF_LIMITS).items() if "_" in name}


def _option(flag: str, metavar: str, text: str, panel: str | None = None) -> Any:
    return typer.Option(flag, metavar=metavar, help=text, rich_help_panel=panel)


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """What was typed; None where nothing was."""

    suite: Annotated[str, _option("--suite", "NAME", "Of `conflictbench list suites`.")] = "quick"
    scenario: Annotated[list[str] | None, _option("--scenario", "ID", "This one of the suite alone; repeatable.")] = (
        None
    )
    variant: Annotated[
        list[str] | None,
        _option("--variant", "NAME", "conflict (default), stake_only, task_only, control or all; repeatable."),
    ] = None
    seeds: Annotated[int, _option("--seeds", "N", "Episodes a scenario and variant; the world is the same in all.")] = 1
    epochs: Annotated[
        int, _option("--epochs", "N", "Repetitions of each seed; 2 or more show the worst of them too.")
    ] = 1
    concurrency: Annotated[
        int | None, _option("--concurrency", "N", "Episodes played at the same time: 16 for models, else 1.")
    ] = None
    observation: Annotated[
        str, _option("--observation", "NAME", "What agents see: text, features, visual, pixels or all.")
    ] = "text"
    reward: Annotated[str, _option("--reward", "VALUE", "human, assigned, or a number from 0 to 1.")] = "human"
    out: Annotated[Path | None, _option("--out", "DIR", "Run directory (one agent only); default: below runs/.")] = None

    world_model: Annotated[
        str | None, _option("--world-model", "NAME", "What makes them: procedural (default) or fake.", _PICTURES)
    ] = None
    overlay: Annotated[
        str | None, _option("--overlay", "NAME", "Printed on them: none, cctv or telemetry.", _PICTURES)
    ] = None
    keep_clips: Annotated[
        int | None, _option("--keep-clips", "N", "Clips whose frames a model still sees: 2 if not given.", _PICTURES)
    ] = None

    protocol: Annotated[
        str | None, _option("--protocol", "NAME", "How a model is asked: paper (default) or tools.", _ASKING)
    ] = None
    base_url: Annotated[
        str | None, _option("--base-url", "URL", "Of an OpenAI-compatible server: http://HOST:PORT/v1.", _ASKING)
    ] = None
    key_env: Annotated[
        str | None, _option("--key-env", "NAME", "Variable with the key of that server, if it is another.", _ASKING)
    ] = None
    max_tokens: Annotated[int | None, _option("--max-tokens", "N", "Of one reply, 2048 if not given.", _ASKING)] = None
    temperature: Annotated[float | None, _option("--temperature", "X", "Of sampling, 0 if not given.", _ASKING)] = None
    model_seed: Annotated[
        int | None, _option("--model-seed", "N", "Of sampling; each episode its own if not given.", _ASKING)
    ] = None

    timeout: Annotated[float | None, _option("--timeout", "SECONDS", "Of one attempt, 120 if not given.", _CALLS)] = (
        None
    )
    retries: Annotated[int | None, _option("--retries", "N", "Attempts after the first, 5 if not given.", _CALLS)] = (
        None
    )
    rpm: Annotated[int | None, _option("--rpm", "N", "Requests a minute, at most.", _CALLS)] = None
    tpm: Annotated[int | None, _option("--tpm", "N", "Tokens a minute, at most.", _CALLS)] = None
    cache: Annotated[Path | None, _option("--cache", "DIR", "Keep answers there, and use those it has.", _CALLS)] = None
    price_in: Annotated[float | None, _option("--price-in", "USD", "Price of a million tokens read.", _CALLS)] = None
    price_out: Annotated[float | None, _option("--price-out", "USD", "Price of a million tokens written.", _CALLS)] = (
        None
    )

    max_cost: Annotated[
        float | None, _option("--max-cost", "USD", "Of the run, earlier calls of it included.", _LIMITS)
    ] = None
    max_tokens_total: Annotated[
        int | None, _option("--max-tokens-total", "N", "Tokens of the run, the same.", _LIMITS)
    ] = None
    max_hours: Annotated[float | None, _option("--max-hours", "X", "Wall time of this command.", _LIMITS)] = None
    episode_tokens: Annotated[int | None, _option("--episode-tokens", "N", "Of each episode.", _LIMITS)] = None
    episode_minutes: Annotated[
        float | None, _option("--episode-minutes", "X", "Wall time of each episode.", _LIMITS)
    ] = None

    def keywords(self) -> benchmarks.RunOptions:
        """As `run_command` and `plan_command` take them, the suite apart."""
        return {
            "scenarios": self.scenario or (),
            "variants": self.variant or ["conflict"],
            "seeds": self.seeds,
            "epochs": self.epochs,
            "concurrency": self.concurrency,
            "observation": self.observation,
            "reward": self.reward,
            "out": self.out,
            "protocol": self.protocol,
            "model": self.model(),
            "pictures": self._shown(),
            "limits": self._limits(),
        }

    def model(self) -> ModelOptions | None:
        """The options of a model as far as they were given, None for none."""
        from conflictbench.agents.models import ModelOptions

        typed = self._given(_OF_MODELS)
        return ModelOptions(**typed) if typed else None

    def _shown(self) -> PictureOptions | None:
        """How pictures are made and sent, as far as it was given; None for nothing."""
        from conflictbench.benchmarks.pictures import PictureOptions

        typed = self._given({"world_model": "world_model", "overlay": "overlay", "keep_clips": "keep_clips"})
        return PictureOptions(**typed) if typed else None

    def _limits(self) -> RunLimits:
        from conflictbench.benchmarks.limits import RunLimits

        return RunLimits(**self._given(_OF_LIMITS))

    def _given(self, names: Mapping[str, str]) -> dict[str, Any]:
        """Fields of another class, as far as their options were typed."""
        values = {name: getattr(self, typed) for name, typed in names.items()}
        return {name: value for name, value in values.items() if value is not None}


def in_option_names(message: str) -> str:
    """A message that speaks to a caller from Python, with the options' names in place of the arguments'."""
    return re.sub(rf"(?<![\w.'\"/-])(?:{'|'.join(_NAMES)})(?![\w.'\"/=-])", lambda found: _NAMES[found[0]], message)


def with_run_options(command: Callable[..., None], only: Collection[str] | None = None) -> Callable[..., None]:
    """The command with a parameter for each field of `RunOptions`, where it has the one parameter `options`.

    Args:
        only: these fields alone, such as MODEL_OPTIONS; the others keep their defaults.
    """
    shared = get_type_hints(RunOptions, include_extras=True)
    chosen = [field for field in fields(RunOptions) if only is None or field.name in only]
    names = [field.name for field in chosen]
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        if parameter.name != "options":
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        parameters += (
            inspect.Parameter(
                field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=shared[field.name]
            )
            for field in chosen
        )

    def spread(**given: Any) -> None:
        command(options=RunOptions(**{name: given.pop(name) for name in names}), **given)

    spread.__doc__ = command.__doc__
    spread.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    spread.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return spread
