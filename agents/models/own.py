"""A language model from outside the package, named as `module:Class`, or by a function that makes one. Own design."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from hashlib import blake2b
from inspect import isawaitable
from pathlib import Path
from typing import Any

from conflictbench.agents.models.retry import MORE_TIME
from conflictbench.agents.models.wrapper import ModelWrapper
from conflictbench.agents.named import import_own, split_spec
from conflictbench.errors import AgentError, ModelError, TransientError, UnknownName
from conflictbench.protocols import LanguageModel
from conflictbench.types import DEFAULT_LIMITS, Completion, Limits, Message, ToolSpec, Usage

_IS = "a language model has a name, complete(...) and close()"


class OwnModel(ModelWrapper):
    """A model from outside, held to what it promises: `complete` is awaited, and gives a `Completion` in its time.

    A completion whose usage names no call is one call.
    """

    def __init__(self, model: LanguageModel, spec: str) -> None:
        super().__init__(model)
        self._spec = spec

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), limits: Limits = DEFAULT_LIMITS
    ) -> Completion:
        """As the model's.

        Raises:
            AgentError: it gave something else.  TransientError: nothing within `limits.timeout_s`.
            Whatever the model raises.
        """
        answer: Any = self.model.complete(messages, tools, limits)
        if not isawaitable(answer):
            raise AgentError(f"{self._spec}.complete is no `async def`: it returned {_kind(answer)} at once")
        clock = asyncio.timeout(limits.timeout_s)
        try:
            async with clock:
                completion: Any = await answer
        except TimeoutError:
            if not clock.expired():  # the model's own
                raise
            message = f"{self.name} did not answer within {limits.timeout_s:g} s"
            raise TransientError(message, remedy=MORE_TIME) from None
        if not isinstance(completion, Completion):
            raise AgentError(f"{self._spec}.complete returned {_kind(completion)}, not Completion")
        if completion.usage.calls or completion.usage.cached:
            return completion
        usage = completion.usage + Usage(calls=1)
        return Completion(reply=completion.reply, usage=usage, model=completion.model)


def make_own(spec: str) -> OwnModel:
    """Make the model of `module:name`: a class, or a function, that is called without arguments.

    Raises:
        ModelError: the import failed, or what was made is no language model; says what is missing.
        UnknownName: the module has no such name.
    """
    module_name, name = _parts(spec)
    module = import_own(module_name, f"model {spec!r}", ModelError)
    found = getattr(module, name, None)
    if found is None:
        kinds = ((key, value) for key, value in vars(module).items() if isinstance(value, type))
        own = (key for key, value in kinds if not _missing(value) and value.__module__ == module_name)
        raise UnknownName(f"language model in module {module_name!r}", name, sorted(own), hint=_IS)
    if not callable(found):
        raise ModelError(f"model {spec!r} is {_kind(found)}: it must be a class, or a function that makes the model")
    if isinstance(found, type) and _missing(found):
        raise ModelError(_lacking(spec, found))
    try:
        made = found()
    except (Exception, SystemExit) as error:
        raise ModelError(f"model {spec!r} cannot be made without arguments: {type(error).__name__}: {error}") from error
    if _missing(made) or not hasattr(made, "name"):
        raise ModelError(_lacking(spec, made))
    if not isinstance(made.name, str) or not made.name.strip() or not made.name.isprintable():
        raise ModelError(f"model {spec!r}: name is {made.name!r}; it must be a str of printable characters, not blank")
    return OwnModel(made, spec)


def identity_of(spec: str) -> str:
    """What tells its answers from those of any other model: its spec, and the text of its module."""
    file = getattr(import_own(_parts(spec)[0], f"model {spec!r}", ModelError), "__file__", None)
    text = Path(file).read_bytes() if file and Path(file).is_file() else b""
    return f"{spec} {blake2b(text, digest_size=16).hexdigest()}"


def _parts(spec: str) -> tuple[str, str]:
    parts = split_spec(spec)
    assert parts is not None, spec
    return parts


def _missing(holder: Any) -> list[str]:
    return [method for method in ("complete", "close") if not callable(getattr(holder, method, None))]


def _lacking(spec: str, holder: Any) -> str:
    missing = _missing(holder)
    if not isinstance(holder, type) and not hasattr(holder, "name"):
        missing.append("a name")
    agent = all(callable(getattr(holder, method, None)) for method in ("reset", "act"))
    hint = f"; it is an agent: give it as {spec}, without `llm:`" if agent else ""
    return f"model {spec!r} is missing {' and '.join(missing)} ({_IS}){hint}"


def _kind(value: object) -> str:
    return type(value).__name__
