"""`conflictbench run`: evaluate agents on a suite, or go on where the same command stopped. Own design."""

from __future__ import annotations

from typing import Annotated

import typer

from conflictbench.commands import run_options as option
from conflictbench.commands.grouped_help import GroupedHelp


def add_to(app: typer.Typer) -> None:
    """Join the command to the command line."""
    app.command(
        "run", cls=GroupedHelp, epilog="Example:  conflictbench run --suite quick --agent random --variant all"
    )(run)


def run(
    agent: Annotated[
        list[str], typer.Option(metavar="NAME", help="Of `conflictbench list agents`, or module:Class; repeatable.")
    ],
    suite: option.Suite = "quick",
    variant: option.Variants = None,
    seeds: option.Seeds = 1,
    epochs: option.Epochs = 1,
    concurrency: option.Concurrency = None,
    observation: option.Observation = "text",
    reward: option.Reward = "human",
    out: option.Out = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start another run beside one that is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of the table.")] = False,
    protocol: option.Protocol = None,
    base_url: option.BaseUrl = None,
    max_tokens: option.MaxTokens = None,
    temperature: option.Temperature = None,
    model_seed: option.ModelSeed = None,
    timeout: option.Timeout = None,
    retries: option.Retries = None,
    rpm: option.RPM = None,
    tpm: option.TPM = None,
    cache: option.Cache = None,
    price_in: option.PriceIn = None,
    price_out: option.PriceOut = None,
    max_cost: option.MaxCost = None,
    max_tokens_total: option.MaxTokensTotal = None,
    max_hours: option.MaxHours = None,
    episode_tokens: option.EpisodeTokens = None,
    episode_minutes: option.EpisodeMinutes = None,
) -> None:
    """Evaluate agents on a suite.

    Prints the table and the path of the report. The same command goes on where it was stopped; when it is finished it
    prints its table again. A key for a model comes from the environment: OPENAI_API_KEY for llm:openai/..., and so on.
    Exit code 3: some episodes were left out of the figures; the table says how many and why.
    """
    from conflictbench.benchmarks.run_command import run_command

    code = run_command(
        suite,
        agent,
        variants=variant or ["conflict"],
        seeds=seeds,
        epochs=epochs,
        concurrency=concurrency,
        observation=observation,
        reward=reward,
        protocol=protocol,
        model=option.model_options(
            base_url=base_url,
            max_tokens=max_tokens,
            temperature=temperature,
            seed=model_seed,
            timeout_s=timeout,
            retries=retries,
            requests_per_minute=rpm,
            tokens_per_minute=tpm,
            cache_dir=cache,
            price_in=price_in,
            price_out=price_out,
        ),
        limits=option.run_limits(
            max_cost_usd=max_cost,
            max_total_tokens=max_tokens_total,
            max_hours=max_hours,
            episode_tokens=episode_tokens,
            episode_minutes=episode_minutes,
        ),
        out=out,
        fresh=fresh,
        as_json=as_json,
    )
    raise typer.Exit(code)
