"""Completions kept on disk by the content of the call, for runs that are repeated. Own design; off by default.

One JSON file an entry, written beside its place and moved there, so that concurrent processes see a whole entry or
none. Only completions are kept, never an error. A hit has the usage `Usage(cached=1)`: no request, no tokens, no cost.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from typing import Any

from conflictbench.agents.models.labels import current_labels
from conflictbench.agents.models.notes import Notes
from conflictbench.agents.models.openai_request import wire_messages, wire_tools
from conflictbench.agents.models.wrapper import ModelWrapper
from conflictbench.protocols import LanguageModel
from conflictbench.types import (
    DEFAULT_LIMITS,
    Completion,
    Limits,
    Message,
    Reply,
    ToolCall,
    ToolSpec,
    Usage,
)

_FORMAT = 2


def cache_key(
    model: str, endpoint: str, messages: Sequence[Message], tools: Sequence[ToolSpec], limits: Limits, sample: str = ""
) -> str:
    """40 hex digits over everything an answer may depend on; `timeout_s` is no part of it.

    `sample` tells draws apart that are meant to be independent although their content is equal (seeds, epochs).
    """
    content = {
        "format": _FORMAT,
        "model": model,
        "endpoint": endpoint,
        "messages": wire_messages(messages),
        "tools": wire_tools(tools),
        "max_tokens": limits.max_tokens,
        "temperature": limits.temperature,
        "seed": limits.seed,
        "sample": sample,
    }
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))  # ASCII: any string can be digested
    return blake2b(canonical.encode("ascii"), digest_size=20).hexdigest()


class CacheModel(ModelWrapper):
    """Answers from the directory where it can.

    Args:
        directory: made when first written to.  endpoint: base URL the model is served at, "" for the
            provider's own.
    """

    def __init__(
        self, model: LanguageModel, directory: Path | str, *, endpoint: str = "", notes: Notes | None = None
    ) -> None:
        super().__init__(model)
        self._directory, self._endpoint = Path(directory), endpoint
        self._notes = notes if notes is not None else Notes()

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), limits: Limits = DEFAULT_LIMITS
    ) -> Completion:
        """The kept completion, with `Usage(cached=1)`, or the model's, kept from now on."""
        key = cache_key(self.name, self._endpoint, messages, tools, limits, current_labels().sample)
        kept = self._read(key)
        if kept is not None:
            return kept
        completion = await self.model.complete(messages, tools, limits)
        self._write(key, completion)
        return completion

    def _path(self, key: str) -> Path:
        return self._directory / key[:2] / f"{key}.json"

    def _read(self, key: str) -> Completion | None:
        path = self._path(key)
        try:
            entry = json.loads(path.read_bytes())
            if entry["digest"] != _digest(key, entry["completion"]):
                raise ValueError("digest")
            reply = entry["completion"]["reply"]
            calls = tuple(ToolCall(**call) for call in reply.pop("tool_calls"))
            answer = Reply(**reply, tool_calls=calls)
            return Completion(reply=answer, usage=Usage(cached=1), model=entry["completion"]["model"])
        except FileNotFoundError:
            return None
        except OSError as error:
            self._notes.add(f"the cache in {self._directory} cannot be read: {error.strerror}")
            return None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self._notes.add(f"the cache entry {path} is damaged: asked again, and written anew")
            return None

    def _write(self, key: str, completion: Completion) -> None:
        kept = {
            "reply": asdict(completion.reply),
            "model": completion.model,
            "usage": completion.usage.model_dump(),  # of the call that was made, for whoever reads the file
        }
        try:
            _write_whole(self._path(key), json.dumps({"digest": _digest(key, kept), "completion": kept}))
        except OSError as error:  # the answer is there and paid for: it is not lost for want of disk
            self._notes.add(f"the cache in {self._directory} cannot be written: {error.strerror}")


def _write_whole(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _digest(key: str, completion: dict[str, Any]) -> str:
    canonical = json.dumps(completion, sort_keys=True, separators=(",", ":"))
    return blake2b(f"{key}{canonical}".encode("ascii"), digest_size=16).hexdigest()
