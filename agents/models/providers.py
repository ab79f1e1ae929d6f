"""What is known of providers without loading a library: whose key is whose, and which are servers of one's own.

Own design. A key is money: `HOMES` says to which hosts the key of a hosted provider may go when nobody says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

# Variables in which litellm looks for the key of a provider; one of them is enough.
LITELLM_KEYS: Mapping[str, tuple[str, ...]] = {
    "ai21": ("AI21_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "cerebras": ("CEREBRAS_API_KEY",),
    "codestral": ("CODESTRAL_API_KEY",),
    "cohere": ("COHERE_API_KEY",),
    "dashscope": ("DASHSCOPE_API_KEY",),
    "deepinfra": ("DEEPINFRA_API_KEY",),
    "deepseek": ("DEEPSEEK_API_KEY",),
    "fireworks_ai": ("FIREWORKS_AI_API_KEY",),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "groq": ("GROQ_API_KEY",),
    "mistral": ("MISTRAL_API_KEY",),
    "moonshot": ("MOONSHOT_API_KEY",),
    "novita": ("NOVITA_API_KEY",),
    "nvidia_nim": ("NVIDIA_NIM_API_KEY",),
    "openrouter": ("OPENROUTER_API_KEY",),
    "perplexity": ("PERPLEXITYAI_API_KEY",),
    "replicate": ("REPLICATE_API_KEY",),
    "together_ai": ("TOGETHERAI_API_KEY",),
    "xai": ("XAI_API_KEY",),
}

# Domains of whoever gave out the key in a variable, the first of them named in errors: it is sent to no other host.
# None under which customers put up machines of their own.
HOMES: Mapping[str, tuple[str, ...]] = {
    "AI21_API_KEY": ("ai21.com",),
    "ANTHROPIC_API_KEY": ("anthropic.com",),
    "ANTHROPIC_AUTH_TOKEN": ("anthropic.com",),
    "AZURE_API_KEY": ("openai.azure.com", "cognitiveservices.azure.com", "services.ai.azure.com", "openai.azure.us"),
    "CEREBRAS_API_KEY": ("cerebras.ai",),
    "CODESTRAL_API_KEY": ("mistral.ai",),
    "COHERE_API_KEY": ("cohere.com", "cohere.ai"),
    "DASHSCOPE_API_KEY": ("dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com"),
    "DEEPINFRA_API_KEY": ("deepinfra.com",),
    "DEEPSEEK_API_KEY": ("deepseek.com",),
    "FIREWORKS_AI_API_KEY": ("fireworks.ai",),
    "FIREWORKS_API_KEY": ("fireworks.ai",),
    "GEMINI_API_KEY": ("googleapis.com",),
    "GOOGLE_API_KEY": ("googleapis.com",),
    "GROQ_API_KEY": ("groq.com",),
    "HUGGINGFACE_API_KEY": ("huggingface.co", "endpoints.huggingface.cloud"),
    "MISTRAL_API_KEY": ("mistral.ai",),
    "MOONSHOT_API_KEY": ("moonshot.ai", "moonshot.cn"),
    "NOVITA_API_KEY": ("novita.ai",),
    "NVIDIA_API_KEY": ("nvidia.com",),
    "NVIDIA_NIM_API_KEY": ("nvidia.com",),
    "OPENAI_API_KEY": ("openai.com",),
    "OPENROUTER_API_KEY": ("openrouter.ai",),
    "PERPLEXITYAI_API_KEY": ("perplexity.ai",),
    "PERPLEXITY_API_KEY": ("perplexity.ai",),
    "REPLICATE_API_KEY": ("replicate.com",),
    "SAMBANOVA_API_KEY": ("sambanova.ai",),
    "TOGETHERAI_API_KEY": ("together.ai", "together.xyz"),
    "TOGETHER_AI_API_KEY": ("together.ai", "together.xyz"),
    "TOGETHER_API_KEY": ("together.ai", "together.xyz"),
    "XAI_API_KEY": ("x.ai",),
}

# Programs that serve models on a machine of one's own, and the base URL each has there by default.
SELF_HOSTED: Mapping[str, str] = {
    "docker_model_runner": "http://127.0.0.1:12434/engines/v1",
    "hosted_vllm": "http://127.0.0.1:8000/v1",
    "lemonade": "http://127.0.0.1:8000/api/v1",
    "litellm_proxy": "http://127.0.0.1:4000/v1",
    "llama.cpp": "http://127.0.0.1:8080/v1",
    "llamacpp": "http://127.0.0.1:8080/v1",
    "llamafile": "http://127.0.0.1:8080/v1",
    "lm_studio": "http://127.0.0.1:1234/v1",
    "lmstudio": "http://127.0.0.1:1234/v1",
    "localai": "http://127.0.0.1:8080/v1",
    "ollama": "http://127.0.0.1:11434/v1",
    "ollama_chat": "http://127.0.0.1:11434/v1",
    "oobabooga": "http://127.0.0.1:5000/v1",
    "sglang": "http://127.0.0.1:30000/v1",
    "tgi": "http://127.0.0.1:8080/v1",
    "vllm": "http://127.0.0.1:8000/v1",
    "xinference": "http://127.0.0.1:9997/v1",
}


def key_variable(provider: str) -> str:
    """Name of the environment variable that holds a provider's key: `openai` -> `OPENAI_API_KEY`."""
    return re.sub(r"[^A-Za-z0-9]", "_", provider).upper() + "_API_KEY"


def at_home(variable: str, hostname: str) -> bool:
    """True if the key in this variable may go to this host: its giver's, or any if the variable is the user's own."""
    domains = HOMES.get(variable)
    name = hostname.rstrip(".").lower()
    return domains is None or any(name == domain or name.endswith(f".{domain}") for domain in domains)


@lru_cache(maxsize=1)
def names_known_to_litellm() -> frozenset[str]:
    """Names of litellm's providers, read from its source, which takes no time; empty where they are not found there."""
    spec = find_spec("litellm")  # finds the folder, imports nothing
    for folder in spec.submodule_search_locations or () if spec else ():
        path = Path(folder) / "types" / "utils.py"
        if path.is_file():
            _, _, body = path.read_text("utf-8").partition("\nclass LlmProviders(")
            return frozenset(re.findall(r'^ {4}[A-Z0-9_]+ = "([^"\s]+)"', body.partition("\n\n\n")[0], re.MULTILINE))
    return frozenset()
