"""`conflictbench plan`: what a run would take, from a probe of two episodes. Own design."""

from __future__ import annotations

from typing import Annotated

import typer

from conflictbench.commands import run_options as option
from conflictbench.commands.grouped_help import GroupedHelp


def add_to(app: typer.Typer) -> None:
    """Join the command to the command line."""
    app.command(
        "plan", cls=GroupedHelp, epilog="Example:  conflictbench plan --suite ep --agent llm:fake/look --seeds 5"
    )(plan)


def plan(
    agent: Annotated[str, typer.Option(metavar="NAME", help="Of `conflictbench list agents`, or module:Class.")],
    suite: option.Suite = "quick",
    variant: option.Variants = None,
    seeds: option.Seeds = 1,
    epochs: option.Epochs = 1,
    concurrency: option.Concurrency = None,
    observation: option.Observation = "text",
    reward: option.Reward = "human",
    out: option.Out = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
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
    """Say what a run would take: calls, tokens, money and time.

    Plays two of its episodes and keeps them in the run's directory, so that they are not paid for twice; the others
    are worked out from those. Takes the options of `conflictbench run`, which then plays the rest.
    """
    from conflictbench.benchmarks.plan_command import plan_command

    code = plan_command(
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
        as_json=as_json,
    )
    raise typer.Exit(code)
