"""From a prompt to a reply, token by token, on the CPU. Own design.

Written out, because transformers' `generate` draws from torch's global randomness and cannot be told to stop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from conflictbench.agents.models.local_weights import Loaded
from conflictbench.types import Limits

_CACHES = ("cache", "past_key_values")  # transformers' newer name for it, and the older


def decode(loaded: Loaded, prompt: Sequence[int], limits: Limits, check: Callable[[int], None]) -> list[int]:
    """Continue a prompt until a token that ends the reply (it is the last one returned), or `limits.max_tokens`.

    Args:
        prompt: token ids, at least one.
        limits: at temperature 0 always the likeliest token; above it a draw by `seed` (None counts as 0).
        check: called with the number of tokens so far before each is computed; raises to stop.
    Raises:
        RuntimeError: torch's own, such as for want of memory.
    """
    torch = import_module("torch")
    generator = torch.Generator().manual_seed(limits.seed or 0)
    tokens: list[int] = []
    step, kept = torch.tensor([list(prompt)]), dict[str, Any]()
    with torch.inference_mode():
        while len(tokens) < limits.max_tokens:
            check(len(tokens))
            answer = loaded.network(input_ids=step, use_cache=True, logits_to_keep=1, **kept)
            token = _choose(torch, answer.logits[0, -1], limits.temperature, generator)
            tokens.append(token)
            if token in loaded.ends:
                break
            step, kept = torch.tensor([[token]]), _kept(answer)
    return tokens


def _kept(answer: Any) -> dict[str, Any]:
    """What the network remembers of the tokens so far, by the name under which it wants it back."""
    for name in _CACHES:
        if (cache := getattr(answer, name, None)) is not None:
            return {name: cache}
    raise RuntimeError(f"the network keeps nothing of what it read (none of {', '.join(_CACHES)} in its output)")


def _choose(torch: Any, logits: Any, temperature: float, generator: Any) -> int:
    """One token id from logits of shape (vocabulary,)."""
    if temperature == 0.0:
        return int(logits.argmax())
    shifted = (logits.double() - logits.max()) / temperature  # at most 0: no overflow, however low the temperature
    return int(torch.multinomial(shifted.softmax(dim=-1), 1, generator=generator))
