"""Weights on disk, loaded by transformers: a tiny network with random weights, saved as any other is."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.contract.language_model_contract import CONVERSATION, LanguageModelContract

from conflictbench.agents.models.local import LocalModel, make_local
from conflictbench.agents.models.local_decoding import decode
from conflictbench.agents.models.local_weights import Loaded, find_weights, load_weights
from conflictbench.errors import ProviderError
from conflictbench.protocols import LanguageModel
from conflictbench.types import Completion, Limits

WHY = "loading weights needs the extra `local`"
torch = pytest.importorskip("torch", reason=WHY)
transformers = pytest.importorskip("transformers", reason=WHY)
for package in ("accelerate", "gguf"):
    pytest.importorskip(package, reason=WHY)

TEMPLATE = "{% for message in messages %}<s>{{ message.role }}: {{ message.content }}</s>{% endfor %}<s>assistant: "


def save_tiny(folder: Path, **tokenizer_options: Any) -> Path:
    """A Llama of two layers and 16 columns with random weights, whose tokens are bytes; context 512."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    bytes_of = {char: index for index, char in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer = Tokenizer(models.BPE(vocab=bytes_of, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", **tokenizer_options
    )
    fast.save_pretrained(folder)
    config = transformers.LlamaConfig(
        vocab_size=len(fast),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=512,
        bos_token_id=fast.bos_token_id,
        eos_token_id=fast.eos_token_id,
    )
    with torch.random.fork_rng():
        torch.manual_seed(7)
        transformers.LlamaForCausalLM(config).save_pretrained(folder)
    return folder


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("weights") / "tiny", chat_template=TEMPLATE)


@pytest.fixture(scope="module")
def tiny(folder: Path) -> Loaded:
    return load_weights(find_weights(str(folder)))


class TestContract(LanguageModelContract):
    deterministic = True
    takes_tools = False

    @pytest.fixture(autouse=True)
    def _folder(self, folder: Path) -> None:
        self.folder = folder

    def make(self) -> LanguageModel:
        return make_local(str(self.folder))


def test_load_weights__says_what_it_loaded(tiny: Loaded, folder: Path) -> None:
    assert tiny.model_id.startswith("tiny (safetensors, sha256 ")
    assert tiny.model_id == load_weights(find_weights(str(folder))).model_id
    assert tiny.context == 512
    assert tiny.ends == {tiny.tokenizer.eos_token_id}


def test_load_weights__other_weights_have_another_id(tiny: Loaded, tmp_path: Path) -> None:
    other = save_tiny(tmp_path / "tiny", chat_template=TEMPLATE)
    file = other / "model.safetensors"
    whole = bytearray(file.read_bytes())
    whole[-1] ^= 1  # one bit of one weight
    file.write_bytes(whole)
    assert load_weights(find_weights(str(other))).model_id != tiny.model_id


def test_load_weights__a_tokenizer_may_be_shorter_than_the_network(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path, chat_template=TEMPLATE, model_max_length=100)
    assert load_weights(find_weights(str(folder))).context == 100


def test_load_weights__leaves_the_settings_of_its_libraries_alone(folder: Path) -> None:
    import huggingface_hub.constants as constants
    from transformers.utils import logging

    before = constants.HF_HUB_OFFLINE, logging.is_progress_bar_enabled()
    load_weights(find_weights(str(folder)))
    assert (constants.HF_HUB_OFFLINE, logging.is_progress_bar_enabled()) == before


def test_complete__without_a_chat_template_it_is_no_model_for_conversations(tmp_path: Path) -> None:
    model = make_local(str(save_tiny(tmp_path)))
    with pytest.raises(ProviderError, match="cannot be loaded: ValueError: its tokenizer has no chat template"):
        asyncio.run(answer(model, 1))


@pytest.mark.parametrize("damaged", ["config.json", "model.safetensors", "tokenizer.json"])
def test_complete__damaged_files_are_an_error_that_says_so(damaged: str, tmp_path: Path) -> None:
    folder = save_tiny(tmp_path, chat_template=TEMPLATE)
    (folder / damaged).write_bytes(b"{ this is not it")
    with pytest.raises(ProviderError, match="cannot be loaded: "):
        asyncio.run(answer(make_local(str(folder)), 1))


async def answer(model: LocalModel, max_tokens: int) -> Completion:
    try:
        return await model.complete(CONVERSATION, (), Limits(max_tokens=max_tokens))
    finally:
        await model.close()


def test_decode__at_temperature_0_is_transformers_own_greedy_search(tiny: Loaded) -> None:
    prompt = list(tiny.tokenizer("<s>user: where am I?</s><s>assistant: ")["input_ids"])
    expected = tiny.network.generate(
        input_ids=torch.tensor([prompt]),
        attention_mask=torch.ones(1, len(prompt), dtype=torch.long),
        do_sample=False,
        max_new_tokens=40,
        pad_token_id=tiny.tokenizer.eos_token_id,
    )[0, len(prompt) :]
    assert decode(tiny, prompt, Limits(max_tokens=40), lambda tokens: None) == expected.tolist()


def test_complete__the_prompt_is_what_the_template_makes_of_the_conversation(folder: Path) -> None:
    completion = asyncio.run(answer(make_local(str(folder)), 5))
    # One token a byte, one for each <s> and </s>: not a second <s> in front, which tokenizers like to add.
    system, user = (f"{message.role}: {message.content}" for message in CONVERSATION)
    assert completion.usage.input_tokens == len(system) + len(user) + len("assistant: ") + 5
    assert completion.usage.output_tokens == 5


OFFLINE = """
import asyncio, sys

def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        raise AssertionError(f"reached for the network: {event} {arguments}")

sys.addaudithook(refuse)
from conflictbench.agents.models import make_model
from conflictbench.types import Limits, Message

async def main():
    model = make_model("local/" + sys.argv[1])
    completion = await model.complete([Message(role="user", content="hello")], (), Limits(max_tokens=3))
    await model.close()
    return completion

print(asyncio.run(main()).usage.output_tokens)
"""


@pytest.mark.slow
def test_complete__reaches_for_no_network_and_prints_nothing(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE, str(folder)], capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "3\n", "")


LAZY = """
import sys
from conflictbench.agents.models import make_model
make_model("local/" + sys.argv[1])
print(sorted({"torch", "transformers", "accelerate", "gguf"} & set(sys.modules)))
"""


def test_make_local__loads_nothing_heavy_before_it_is_asked(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LAZY, str(folder)], capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
