"""An option that takes one value is given once: of two values the last would be taken, and nobody told. Own design.

A path that is empty is refused as well: it would be read as the folder in which the command was typed.
One walk over the command line, before it is read, for every command there is and every one that will be.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from typer.core import TyperGroup

_PATHS = ("DIR", "FILE", "FILE|DIR")  # what the help calls them


def refuse_repeated(command: Any, ctx: Any, words: list[str]) -> list[str]:
    """Look through the options of a command, and of the command below it that the words name.

    Args:
        ctx: of the command.  words: behind its name; left as they are.
    Returns:
        The words behind the command's own options: for a group, the name of a command and what belongs to that.
    Raises:
        UsageError (typer's): an option is given more than once, and is not a repeatable one; a path is empty.
    """
    try:
        values, rest, order = command.make_parser(ctx).parse_args(args=list(words))
    except Exception:  # whatever else is wrong is told by the reading itself, in its own words
        return []
    for option, times in Counter(order).items():
        if option.param_type_name == "option" and times > 1 and not (option.multiple or option.count):
            often = "twice" if times == 2 else f"{times} times"
            ctx.fail(f"{option.opts[0]} is given {often}; give it once")
        given = values.get(option.name)
        if "" in (given if option.multiple else [given]) and option.metavar in _PATHS:
            ctx.fail(f"{option.opts[0]} '' is empty; name a path, or leave the option out")
    below = command.get_command(ctx, rest[0]) if isinstance(command, TyperGroup) and rest else None
    if below is not None:
        refuse_repeated(below, type(ctx)(below, info_name=rest[0], parent=ctx), rest[1:])
    return [str(word) for word in rest]
