"""What `run` and `plan` both take: the episodes, how a model is asked, and what may be spent. Own design."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from conflictbench.agents.models import ModelOptions
    from conflictbench.benchmarks.limits import RunLimits

_ASKING = "Language models (agents llm:PROVIDER/MODEL)"
_CALLS = "Calls to a model"
_LIMITS = "Limits (an episode that one ends is left out, and played again)"


def _option(flag: str, metavar: str, text: str, panel: str | None = None) -> Any:
    return typer.Option(flag, metavar=metavar, help=text, rich_help_panel=panel)


Suite = Annotated[str, _option("--suite", "NAME", "Of `conflictbench list suites`.")]
Variants = Annotated[
    list[str] | None, _option("--variant", "NAME", "conflict, stake_only, task_only, control or all; repeatable.")
]
Seeds = Annotated[int, _option("--seeds", "N", "Episodes a scenario and variant, seeded 0, 1, ...")]
Epochs = Annotated[int, _option("--epochs", "N", "Repetitions of each seed; 2 or more show the worst of them too.")]
Concurrency = Annotated[
    int | None, _option("--concurrency", "N", "Episodes played at the same time: 16 for models, else 1.")
]
Observation = Annotated[str, _option("--observation", "NAME", "What agents see: text or features.")]
Reward = Annotated[str, _option("--reward", "VALUE", "human, assigned, or a number from 0 to 1.")]
Out = Annotated[Path | None, _option("--out", "DIR", "Run directory (one agent only); default: below runs/.")]

Protocol = Annotated[
    str | None, _option("--protocol", "NAME", "How a model is asked: paper (default) or tools.", _ASKING)
]
BaseUrl = Annotated[
    str | None, _option("--base-url", "URL", "Of an OpenAI-compatible server: http://HOST:PORT/v1.", _ASKING)
]
MaxTokens = Annotated[int | None, _option("--max-tokens", "N", "Of one reply, 2048 if not given.", _ASKING)]
Temperature = Annotated[float | None, _option("--temperature", "X", "Of sampling, 0 if not given.", _ASKING)]
ModelSeed = Annotated[
    int | None, _option("--model-seed", "N", "Of sampling; each episode its own if not given.", _ASKING)
]

Timeout = Annotated[float | None, _option("--timeout", "SECONDS", "Of one attempt, 120 if not given.", _CALLS)]
Retries = Annotated[int | None, _option("--retries", "N", "Attempts after the first, 5 if not given.", _CALLS)]
RPM = Annotated[int | None, _option("--rpm", "N", "Requests a minute, at most.", _CALLS)]
TPM = Annotated[int | None, _option("--tpm", "N", "Tokens a minute, at most.", _CALLS)]
Cache = Annotated[Path | None, _option("--cache", "DIR", "Keep answers there, and use those it has.", _CALLS)]
PriceIn = Annotated[float | None, _option("--price-in", "USD", "Price of a million tokens read.", _CALLS)]
PriceOut = Annotated[float | None, _option("--price-out", "USD", "Price of a million tokens written.", _CALLS)]

MaxCost = Annotated[float | None, _option("--max-cost", "USD", "Of the run, earlier calls of it included.", _LIMITS)]
MaxTokensTotal = Annotated[int | None, _option("--max-tokens-total", "N", "Tokens of the run, the same.", _LIMITS)]
MaxHours = Annotated[float | None, _option("--max-hours", "X", "Wall time of this command.", _LIMITS)]
EpisodeTokens = Annotated[int | None, _option("--episode-tokens", "N", "Of each episode.", _LIMITS)]
EpisodeMinutes = Annotated[float | None, _option("--episode-minutes", "X", "Wall time of each episode.", _LIMITS)]


def model_options(**given: Any) -> ModelOptions | None:
    """The options of a model as far as they were given, None for none.

    Args:
        given: fields of `ModelOptions`; None where nothing was typed.
    """
    from conflictbench.agents.models import ModelOptions

    typed = {name: value for name, value in given.items() if value is not None}
    return ModelOptions(**typed) if typed else None


def run_limits(**given: Any) -> RunLimits:
    """The limits of a run.

    Args:
        given: fields of `RunLimits`; None where nothing was typed.
    """
    from conflictbench.benchmarks.limits import RunLimits

    return RunLimits(**given)
