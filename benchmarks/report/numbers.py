"""Numbers as every table prints them. Own design: one place, so that the forms cannot drift apart."""

from __future__ import annotations

from collections.abc import Sequence

from conflictbench.benchmarks.summary import Bounds, Effect, Group, Mean, Rate, UsageFigures
from conflictbench.counting import counted

NONE = "n = 0"


def percent(value: float) -> str:
    """A share in [0, 1] as whole percent; "<1%" and ">99%" keep the rounding from claiming none or all."""
    if 0 < value < 0.005:
        return "<1%"
    if 0.995 <= value < 1:
        return ">99%"
    return f"{100 * value:.0f}%"


def interval(low: float, high: float) -> str:
    """An interval of shares in whole percent: "[39, 78]"."""
    return f"[{100 * low:.0f}, {100 * high:.0f}]"


def rate_parts(value: Rate) -> tuple[str, str, str]:
    """A rate in three columns, "12/20", "60%", "[39, 78]"; "n = 0" in the first where there is nothing."""
    if value.value is None or value.low is None or value.high is None:
        return NONE, "", ""
    return f"{value.k}/{value.n}", percent(value.value), interval(value.low, value.high)


def rate(value: Rate) -> str:
    """A rate as "12/20  60% [39, 78]", or "n = 0"."""
    count, share, bracket = rate_parts(value)
    return f"{count}  {share} {bracket}" if share else count


def aligned_rates(values: Sequence[Rate]) -> list[str]:
    """Rates for one column, each part below that of the others: "  3/20  15% [5, 36]", "18/20 90% [70, 97]"."""
    parts = [rate_parts(value) for value in values]
    widths = [max((len(row[place]) for row in parts), default=0) for place in (0, 1)]
    return [f"{count:>{widths[0]}} {share:>{widths[1]}} {bracket}".rstrip() for count, share, bracket in parts]


def mean(value: Mean) -> str:
    """A mean with one decimal; "-" over nothing."""
    return "-" if value.value is None else f"{value.value:.1f}"


def points(value: float) -> str:
    """A difference of shares in whole percentage points, signed; no "-0"."""
    return f"{round(100 * value):+d}" if round(100 * value) else "0"


def effect(value: Effect) -> str:
    """An effect as "+25 [-10, +55]", "+25" where one scenario allows no interval, or "n = 0"."""
    if value.value is None:
        return NONE
    if value.low is None or value.high is None:
        return points(value.value)
    return f"{points(value.value)} [{points(value.low)}, {points(value.high)}]"


def bounds(group: Group) -> str:
    """The rate had all excluded episodes failed or succeeded: "55..65%"; "-" where none was excluded."""
    return range_of(group.bounds) if group.n_excluded else "-"


def range_of(value: Bounds) -> str:
    """Bounds as "55..65%"; "-" over nothing."""
    if value.worst is None or value.best is None:
        return "-"
    return f"{100 * value.worst:.0f}..{100 * value.best:.0f}%"


def short_rate(value: Rate) -> str:
    """A rate without its interval, "3/12 25%", for one that is exact or stands beside another; "n = 0"."""
    return NONE if value.value is None else f"{value.k}/{value.n} {percent(value.value)}"


def count(value: Rate) -> str:
    """A rate as its two counts alone, "3/12", where a column has no room; "-" over nothing."""
    return f"{value.k}/{value.n}" if value.n else "-"


def excluded(group: Group) -> str:
    """Excluded episodes by status: "provider_error 3, budget 1"; "-" where there is none."""
    return ", ".join(f"{status} {count}" for status, count in group.excluded.items()) or "-"


def usage(value: UsageFigures) -> str:
    """What calls took: "1,234 calls, 56,789 tokens read, 4,321 written, cost $0.1234; answered as gpt-x-2024"."""
    tokens = f"{counted(value.input_tokens, 'token')} read, {value.output_tokens:,} written"
    models = f"; answered as {', '.join(value.models)}" if value.models else ""
    cached = f"; {counted(value.cached, 'answer')} from the cache" if value.cached else ""
    return f"{counted(value.calls, 'call')}, {tokens}, cost {cost(value)}{cached}{models}"


def calls(value: UsageFigures) -> str:
    """Calls, and the answers that took none: "1,234", "0 and 375 cached"."""
    return f"{value.calls:,}" + (f" and {value.cached:,} cached" if value.cached else "")


def cost(value: UsageFigures) -> str:
    """What calls cost: "$0.1234"; "unknown" without a price, "at least $0.1234" where some of them had one."""
    if value.price_known:
        return money(value.cost_usd)
    return f"at least {money(value.cost_usd)}" if value.cost_usd else "unknown"


def money(usd: float) -> str:
    """US dollars as "$0.1234"; less than a hundredth of a cent keeps two digits."""
    return f"${usd:,.4f}" if usd >= 0.0001 or not usd else f"${usd:.2g}"
