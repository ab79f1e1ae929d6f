"""What of a reply is given back to its model, and what of it the parser may read. Own design.

A reply comes back harmless: no control characters, colours or chat-template tokens, bounded in length, and with
arguments that are JSON whatever was sent. What looks like another speaker ("ENV:") stays the assistant's words.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

from conflictbench.types import Reply, ToolCall
from conflictbench.wrappers.chat.protocols import TOOL_ARGUMENT, TOOL_NAME
from conflictbench.wrappers.chat.thoughts import without_thoughts
from conflictbench.wrappers.text_actions.cleaning import clean
from conflictbench.wrappers.text_actions.structured import tool_arguments

MAX_TEXT = 1_000  # characters of a reply without a command: enough to see what was wrong with it
MAX_CALLS = 8  # of one reply; none but the first can be carried out
_MAX_COMMAND = 200  # characters, as the world keeps of an unknown command
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]")  # what providers accept in a function's name


def is_offered(name: str) -> bool:
    """Whether a function's name is the one on offer, also with a prefix (`functions.act`) or a template's rest."""
    plain = clean(name.partition("<|")[0]).strip().casefold()
    return re.split(r"[.:/]", plain)[-1] == TOOL_NAME


def readable(reply: Reply) -> Reply:
    """The reply for the parser: a call of a function that was not offered loses its arguments.

    The parser reads arguments whatever the name; here the name is known to be wrong, so that the call counts as
    malformed and is asked again.
    """
    calls = tuple(call if is_offered(call.name) else replace(call, arguments="") for call in reply.tool_calls)
    return replace(reply, tool_calls=calls)


def offered(call: ToolCall) -> bool:
    """Whether a call is of the function on offer and holds a command."""
    return is_offered(call.name) and bool(tool_arguments(call.arguments).actions)


def wrong_call(reply: Reply) -> str | None:
    """What was wrong with the calls of a reply in which none held a command; None if it is not that.

    Returns:
        "function": no call was of the function on offer.  "arguments": those that were held no command.
    """
    if not reply.tool_calls or any(offered(call) for call in reply.tool_calls):
        return None
    return "arguments" if any(is_offered(call.name) for call in reply.tool_calls) else "function"


def command_call(command: str) -> ToolCall:
    """A well-formed call of `act` with a command."""
    return ToolCall(name=TOOL_NAME, arguments=json.dumps({TOOL_ARGUMENT: command}))


def shown_call(call: ToolCall) -> ToolCall:
    """A call as it may be sent back: a legal name, and arguments that are a JSON object."""
    name = TOOL_NAME if is_offered(call.name) else _NOT_IN_A_NAME.sub("_", call.name)[:64] or "unnamed"
    commands = sorted(set(tool_arguments(call.arguments).actions))
    arguments = command_call(_harmless(commands[0])[:_MAX_COMMAND]).arguments if len(commands) == 1 else "{}"
    return ToolCall(name=name, arguments=arguments, id=_storable(call.id))


def shown_text(reply: Reply) -> str:
    """What a reply gave or said as it may be sent back, without its thoughts; "" if there is nothing.

    Tool calls are written out behind the words, as `shown_call` has them: for a conversation without a place for them.
    """
    calls = [shown_call(call) for call in reply.tool_calls[:MAX_CALLS]]
    words = _harmless("\n".join([without_thoughts(reply), *(f"{call.name}({call.arguments})" for call in calls)]))
    return words if len(words) <= MAX_TEXT else words[: MAX_TEXT - 4].rstrip() + " ..."


def _harmless(text: str) -> str:
    return _storable(clean(text)).strip()


def _storable(text: str) -> str:
    """Without lone surrogates, which UTF-8 and so no request can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
