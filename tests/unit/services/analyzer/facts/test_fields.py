"""Fields of settings, requests, answers and other records, as small diffs change them."""

from __future__ import annotations

import pytest

from services.analyzer.facts import fields
from shared.domain.facts import Reach
from tests.unit.services.analyzer.facts.written import both, facts_of


def data(name: str, *lines: str) -> str:
    return f"@dataclass\nclass {name}:\n" + "".join(f"    {line}\n" for line in lines)


def model(name: str, *lines: str) -> str:
    return f"class {name}(BaseModel):\n" + "".join(f"    {line}\n" for line in lines)


FACTS = {
    "a default": (
        "pkg/config.py",
        data("EngineConfig", "port: int = 80"),
        data("EngineConfig", "port: int = 8080"),
        {("default-changed", "field", "EngineConfig.port", "80", "8080")},
    ),
    "a default in a call": (
        "pkg/config.py",
        model("EngineConfig", "port: int = Field(default=80, ge=1)"),
        model("EngineConfig", "port: int = Field(default=8080, ge=1)"),
        {("default-changed", "field", "EngineConfig.port", "80", "8080")},
    ),
    "gone": (
        "pkg/config.py",
        data("EngineConfig", "port: int = 80", "tree: str | None = None"),
        data("EngineConfig", "port: int = 80"),
        {("removed", "field", "EngineConfig.tree", "tree: str | None = None", None)},
    ),
    "another name": (
        "pkg/config.py",
        data("EngineConfig", "is_old_swizzled: bool = True", "x: int = 1"),
        data("EngineConfig", "is_swizzled: bool = True", "x: int = 1"),
        {("renamed", "field", "EngineConfig.is_old_swizzled", "is_old_swizzled", "is_swizzled")},
    ),
    "a setting is new": (
        "pkg/config.py",
        data("EngineConfig", "port: int = 80"),
        data("EngineConfig", "port: int = 80", "threads: int = 8"),
        {("added", "field", "EngineConfig.threads", None, "threads: int = 8")},
    ),
    "must be given": (
        "pkg/records.py",
        data("Row", "one: int"),
        data("Row", "one: int", "two: str"),
        {("required", "field", "Row.two", None, "two: str")},
    ),
    "must be given now": (
        "pkg/api.py",
        model("ChatRequest", "model: str | None = None"),
        model("ChatRequest", "model: str"),
        {
            ("required", "field", "ChatRequest.model", "None", None),
        },
    ),
    "an answer has more": (
        "pkg/api.py",
        model("ChatResponse", "text: str"),
        model("ChatResponse", "text: str", "usage: Usage | None = None"),
        {("added", "field", "ChatResponse.usage", None, "usage: Usage | None = None")},
    ),
    "another type": (
        "pkg/api.py",
        model("ChatResponse", "routes: Int32Array"),
        model("ChatResponse", "routes: Int16Array"),
        {("changed", "field", "ChatResponse.routes", "Int32Array", "Int16Array")},
    ),
    "an answer may be nothing": (
        "pkg/api.py",
        model("ChatResponse", "text: str"),
        model("ChatResponse", "text: str | None"),
        {("changed", "field", "ChatResponse.text", "str", "str | None")},
    ),
    "another alias": (
        "pkg/api.py",
        model("ChatRequest", 'user: str = Field("", alias="userName")'),
        model("ChatRequest", 'user: str = Field("", alias="user_name")'),
        {("renamed", "field", "ChatRequest.user", "userName", "user_name")},
    ),
    "moved to another class": (
        "pkg/config.py",
        data("EngineConfig", "port: int = 80", "x: int = 1") + "\n\n" + data("ServerConfig", "y: int = 1"),
        data("EngineConfig", "x: int = 1") + "\n\n" + data("ServerConfig", "y: int = 1", "port: int = 80"),
        {("moved", "field", "EngineConfig.port", "EngineConfig.port", "ServerConfig.port")},
    ),
    "Go": (
        "store/config.go",
        'package store\n\ntype Config struct {\n\tPort int `json:"port"`\n\tName string `json:"name"`\n}\n',
        'package store\n\ntype Config struct {\n\tPort int `json:"listen_port"`\n\tName string `json:"name"`\n}\n',
        {("renamed", "field", "Config.Port", "port", "listen_port")},
    ),
    "Rust": (
        "crates/a/src/config.rs",
        "#[derive(Deserialize)]\npub struct Limits {\n    pub port: u16,\n}\n",
        "#[derive(Deserialize)]\npub struct Limits {\n    pub port: u32,\n    pub name: String,\n    pub more: Option<String>,\n}\n",
        {
            ("changed", "field", "Limits.port", "u16", "u32"),
            ("required", "field", "Limits.name", None, "name: String"),
            ("added", "field", "Limits.more", None, "more: Option<String>"),
        },
    ),
    "TypeScript": (
        "packages/a/src/options.ts",
        "export interface EngineOptions {\n  port?: number;\n  old: string;\n}\n",
        "export interface EngineOptions {\n  port?: number;\n  host: string;\n}\n",
        {
            ("removed", "field", "EngineOptions.old", "old: string", None),
            ("required", "field", "EngineOptions.host", None, "host: string"),
        },
    ),
}


@pytest.mark.parametrize(("path", "before", "after", "expected"), FACTS.values(), ids=FACTS.keys())
def test_what_became_of_fields_is_told(path: str, before: str, after: str, expected: set) -> None:
    assert both({path: (before, after)}, fields) == expected


NOTHING = {
    "a class is new": ("pkg/config.py", "x = 1\n", "x = 1\n\n\n" + data("EngineConfig", "port: int = 80")),
    "a class is gone": ("pkg/config.py", data("EngineConfig", "port: int = 80") + "\n\nx = 1\n", "x = 1\n"),
    "a field moves within": (
        "pkg/config.py",
        data("EngineConfig", "a: int = 1", "b: str = ''"),
        data("EngineConfig", "b: str = ''", "a: int = 1"),
    ),
    "more is let in": ("pkg/a.py", data("EngineConfig", "a: int = 1"), data("EngineConfig", "a: int | None = 1")),
    "of the class": ("pkg/a.py", data("Config", "a: ClassVar[int] = 1"), data("Config", "a: ClassVar[int] = 2")),
    "private": ("pkg/a.py", data("Config", "_a: int = 1"), data("Config", "_a: int = 2")),
    "a local": ("pkg/a.py", "def f():\n    port: int = 80\n", "def f():\n    port: int = 8080\n"),
    "a parameter": (
        "pkg/a.py",
        "def f(\n    port: int = 80,\n) -> int:\n    return 1\n",
        "def f(\n    port: int = 8080,\n) -> int:\n    return 1\n",
    ),
    "a test": ("tests/test_a.py", data("Config", "a: int = 1"), data("Config", "a: int = 2")),
    "a docstring": (
        "pkg/a.py",
        'class Config:\n    """\n    a: int = 1\n    """\n',
        'class Config:\n    """\n    a: int = 2\n    """\n',
    ),
    "generated": ("pkg/a_pb2.py", data("Config", "a: int = 1"), data("Config", "a: int = 2")),
    "an attribute of no record": (
        "pkg/a.py",
        "class Layer(Module):\n    x: int = 1\n    y: int = 2\n",
        "class Layer(Module):\n    x: int = 1\n",
    ),
    "a type only": ("pkg/a.py", "class Layer(Module):\n    x: int\n", "class Layer(Module):\n    x: int\n    y: int\n"),
}


@pytest.mark.parametrize(("path", "before", "after"), NOTHING.values(), ids=NOTHING.keys())
def test_look_alikes_are_not_told(path: str, before: str, after: str) -> None:
    assert both({path: (before, after)}, fields) == set()


def test_settings_are_public_with_the_old_default_as_the_way_back() -> None:
    files = {"pkg/config.py": (data("EngineConfig", "port: int = 80"), data("EngineConfig", "port: int = 90"))}

    (fact,) = facts_of(files, fields)

    assert (fact.reach, fact.reach_why, fact.way_back) == (Reach.PUBLIC, "a class of settings", "port=80")


def test_with_a_nearer_name_at_hand_a_field_is_not_renamed() -> None:
    before = data("DraftConfig", "acceptance_rate: float | None = None")
    after = data("DraftConfig", "acceptance_rates: list[float] = []", "acceptance_length: float | None = None")

    kinds = {fact.kind.value for fact in facts_of({"pkg/config.py": (before, after)}, fields)}

    assert kinds == {"removed", "added"}


def test_fields_that_leave_together_are_one_fact() -> None:
    lines = [f"step_{number}: int = {number}" for number in range(5)]

    (fact,) = facts_of({"pkg/config.py": (data("Config", "x: int = 1", *lines), data("Config", "x: int = 1"))}, fields)

    assert (fact.name, fact.note) == ("Config.step_0", "step_1, step_2, step_3, step_4 as well")
