"""Makers of models by their names, and names that belong to nobody."""

from __future__ import annotations

import pytest

from evaluation.llm.families import family_of

MAKERS = {
    "OpenAI": (
        *("gpt-4o", "gpt-5.4-mini", "GPT-4", "GPT4", "chatgpt-4o-latest", "ChatGPT", "openai/gpt-oss-120b", "o1"),
        *("o3", "o4-mini", "o3-mini-2025-01-31", "openai/o3-pro", "gpt-3.5-turbo", "azure gpt-4.1", "text-davinci-003"),
    ),
    "Anthropic": (
        *("claude-haiku-4-5", "Claude 3 Opus", "anthropic.claude-3-sonnet-20240229-v1:0", "opus-4", "Sonnet 4.5"),
        "haiku-3.5",
    ),
    "Google": ("gemini-2.5-pro", "models/gemini-3-flash", "gemma-2-9b-it", "gemma3:12b", "codegemma", "palm-2"),
    "Meta": ("llama-3.1-70b", "Llama 3 (8B)", "meta-llama/Llama-4-Scout", "us.meta.llama3-1-8b", "codellama:13b"),
    "Mistral": ("mistral-large-latest", "Mixtral-8x7B", "codestral", "ministral-8b", "open-mistral-nemo"),
    "Qwen": ("qwen2.5-72b-instruct", "Qwen/Qwen3-32B", "qwq-32b"),
    "DeepSeek": ("deepseek-chat", "DeepSeek-R1-Distill-Llama-70B", "deepseek/deepseek-r1"),
    "Cohere": ("command-r-plus", "command-a-03-2025", "c4ai-aya"),
    "xAI": ("grok-4", "Grok"),
    "Microsoft": ("phi-4", "Phi-3.5-mini", "microsoft/phi3"),
    "Moonshot": ("kimi-k2",),
    "Zhipu": ("glm-4.6", "chatglm3"),
    "NVIDIA": ("llama-3.1-nemotron-70b",),
}
NOBODY = (
    *("", "aster", "Birch", "Cedar", "o2 team", "o3 team", "o2", "o30", "phi", "Sophia", "philosopher-2", "opus"),
    *("opus-mt-en-de", "opus-100", "sonnet 18", "haiku", "ollama", "llama-index", "llama.cpp", "llamafile", "groq"),
    *("gpt4all", "nanogpt", "MiniGPT-4", "AutoGPT", "gpt-j-6b", "gpt-neox", "command", "command-run", "nova", "palm"),
    *("Recommand-R", "granite", "minimax", "minimax search", "baseline v1", "our agent", "system A", "m", "gptq"),
    *("Claudette", "geminid", "mistralize", "grokking", "titan", "words", "recorded"),
)


@pytest.mark.parametrize(("maker", "name"), [(maker, name) for maker, names in MAKERS.items() for name in names])
def test_a_model_is_its_makers(maker: str, name: str) -> None:
    assert family_of(name) == maker


@pytest.mark.parametrize("name", NOBODY)
def test_a_name_that_says_nothing_is_nobodys(name: str) -> None:
    assert family_of(name) == ""
