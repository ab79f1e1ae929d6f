"""A model of torch alone: letters for tokens, and a network that says the next letter of the alphabet."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from conflictbench.agents.models.local_weights import Loaded

END = ord("z")


class Letters:
    """A tokenizer: one token a byte; a conversation is its contents, one a line."""

    def apply_chat_template(self, messages: list[dict[str, str]], **_: Any) -> str:
        return "\n".join(message["content"] for message in messages)

    def __call__(self, text: str, **_: Any) -> dict[str, list[int]]:
        return {"input_ids": list(text.encode())}

    def decode(self, tokens: list[int], **_: Any) -> str:
        return bytes(token for token in tokens if token != END).decode()


class Alphabet:
    """A network: after each letter the next one; at `equal` every letter from a to z is as likely."""

    def __init__(self, *, equal: bool = False) -> None:
        self.calls: list[int] = []  # tokens each call was given
        self.before: Any = lambda: None  # called at the start of each call
        self._equal = equal

    def __call__(self, *, input_ids: Any, **_: Any) -> Any:
        import torch

        self.before()
        self.calls.append(int(input_ids.shape[1]))
        logits = torch.full((1, 1, 128), -100.0)
        if self._equal:
            logits[0, 0, ord("a") : END] = 0.0
        else:
            logits[0, 0, int(input_ids[0, -1]) + 1] = 10.0
        return SimpleNamespace(logits=logits, cache="kept")


def loaded(network: Alphabet | None = None, *, context: int | None = 100) -> Loaded:
    """The two together, in memory."""
    return Loaded(
        model_id="alphabet (stub)",
        tokenizer=Letters(),
        network=network or Alphabet(),
        context=context,
        ends=frozenset({END}),
    )
