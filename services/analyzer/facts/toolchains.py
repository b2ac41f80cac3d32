"""Toolchains: language standards, least versions of interpreters, compilers and build tools, target architectures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from services.analyzer.facts.building_files import BAZEL, CMAKE, DOCKER, MAKE, MESON, SETUP, aside, published, shipped
from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.declared import LONGEST_VALUE, Declared, compared
from services.analyzer.facts.dependencies import is_toolchain
from services.analyzer.facts.installed_pins import variable_of
from services.analyzer.facts.manifest_places import Placed, placed
from services.analyzer.facts.sides import Side
from shared.domain.facts import Fact, FactKind, Reach, Subject

name = "toolchains"

_BUILDS = "needed to build it"
_RUNS = "needed to install or import it"


@dataclass(frozen=True, slots=True)
class _Sign:
    """How one kind of file states a toolchain: groups ``value`` and, where the name stands in the line, ``name``."""

    files: re.Pattern[str]
    pattern: re.Pattern[str]
    named: str = ""
    public: bool = False
    flag: bool = False
    """A flag of a compiler that comes and goes for other reasons; only a new value counts."""


def _sign(files: str | re.Pattern[str], pattern: str, named: str = "", **more: bool) -> _Sign:
    compiled = files if isinstance(files, re.Pattern) else re.compile(rf"(?:^|/)(?:{files})$")
    return _Sign(compiled, re.compile(pattern, re.IGNORECASE), named, **more)


_ANY_BUILD = re.compile(
    "|".join(pattern.pattern for pattern in (CMAKE, MAKE, BAZEL, MESON, SETUP, DOCKER))
    + r"|build\.rs$|\.gypi?$|\.pro$|/package\.swift$"
)
_VALUE = r"[\"']?(?P<value>[\w.+-]{1,40})[\"']?"
_SIGNS: tuple[_Sign, ...] = (
    _sign(
        CMAKE,
        rf"set\s{{0,2}}\(\s{{0,3}}(?P<name>CMAKE_(?:C|CXX|CUDA|HIP|OBJC|OBJCXX|Fortran)_STANDARD)\s{{1,4}}{_VALUE}\s{{0,3}}(?:\)|CACHE)",
    ),
    _sign(CMAKE, r"(?:.{0,120}\s)?(?P<name>(?:CXX|CUDA|HIP|C)_STANDARD)\s{1,4}(?P<value>\d{2})\b"),
    _sign(CMAKE, r".{0,120}?\b(?P<name>(?:c|cxx|cuda|hip)_std)_(?P<value>\d{2})\b", flag=True),
    _sign(
        CMAKE,
        r"cmake_minimum_required\s{0,2}\(\s{0,3}VERSION\s{1,4}(?P<value>[\d.]{1,20}(?:\.\.\.[\d.]{1,20})?)",
        "cmake_minimum_required",
    ),
    _sign(
        CMAKE,
        r"set\s{0,2}\(\s{0,3}(?P<name>\w{0,40}(?:CUDA_ARCHITECTURES|HIP_ARCHITECTURES|CUDA_ARCH_LIST|ROCM_ARCH|CUDA_SUPPORTED_ARCHS|HIP_SUPPORTED_ARCHS|SUPPORTED_ARCHS|GPU_TARGETS|OSX_DEPLOYMENT_TARGET))\s{1,4}(?P<value>[^)$]{1,300}?)\s{0,3}(?:\)|CACHE|$)",
    ),
    _sign(
        CMAKE,
        r"(?:else)?if\s{0,2}\(.{0,80}?(?P<name>CMAKE_(?:C|CXX|CUDA|HIP)_COMPILER_VERSION)"
        r"\s{1,4}VERSION_LESS\s{1,4}[\"']?(?P<value>\d[\d.]{0,12})",
    ),
    _sign(_ANY_BUILD, r".{0,200}?[-/]std[=:](?:c|gnu)(?P<name>\+\+|xx)(?P<value>\d[\da-z])\b", "-std=c++", flag=True),
    _sign(
        MESON,
        r".{0,80}?[\"']?(?P<name>c(?:pp)?_std)\s{0,2}[=:]\s{0,2}[\"']?(?P<value>(?:gnu|c|vc)[+\d a-z]{1,8})",
        flag=True,
    ),
    _sign(MESON, r".{0,80}?meson_version\s{0,2}:\s{0,2}[\"'](?P<value>[^\"']{1,30})", "meson_version"),
    _sign(
        r"pyproject\.toml|setup\.py|setup\.cfg",
        r"[\"']?(?P<name>requires-python|python_requires)[\"']?\s{0,4}=\s{0,4}"
        r"[\"']?(?P<value>[<>=~!^\d][\w.,<>=!~* ]{0,60})",
        public=True,
    ),
    _sign(
        r"pyproject\.toml",
        r"python\s{0,2}=\s{0,2}[\"'](?P<value>[\^~<>=\d][\w.,<>=!~* |^]{0,60})[\"']",
        "python",
        public=True,
    ),
    _sign(r"\.python-version|runtime\.txt", r"(?:python-)?(?P<value>\d[\w.]{0,20})$", "python"),
    _sign(
        r"cargo\.toml|clippy\.toml|\.clippy\.toml",
        r"(?P<name>rust-version|msrv)\s{0,4}=\s{0,4}[\"'](?P<value>[\d.]{1,12})[\"']",
        "rust-version",
        public=True,
    ),
    _sign(r"cargo\.toml", r"(?P<name>edition)\s{0,4}=\s{0,4}[\"'](?P<value>\d{4})[\"']"),
    _sign(r"rust-toolchain(?:\.toml)?", r"channel\s{0,4}=\s{0,4}[\"'](?P<value>[\w.-]{1,40})", "rust toolchain"),
    _sign(r"rust-toolchain", r"(?P<value>\d[\w.-]{0,40}|stable|beta|nightly[\w.-]{0,20})$", "rust toolchain"),
    _sign(r"go\.mod|go\.work", r"go\s{1,4}(?P<value>\d[\w.]{0,12})$", "go", public=True),
    _sign(r"go\.mod|go\.work", r"toolchain\s{1,4}(?P<value>go\d[\w.]{0,12})$", "go toolchain"),
    _sign(r"package\.json", r"\"packageManager\"\s{0,2}:\s{0,2}\"(?P<name>\w{2,10})@(?P<value>\d[\w.-]{0,20})"),
    _sign(r"\.nvmrc|\.node-version", r"(?P<value>v?\d[\w.]{0,20}|lts/[\w*]{1,20})$", "node"),
    _sign(r"tsconfig[\w.-]{0,40}\.json", r"\"target\"\s{0,2}:\s{0,2}\"(?P<value>es\w{1,8})\"", "typescript target"),
    _sign(
        r"[^/]*\.gradle(?:\.kts)?",
        r"(?:\w{1,20}\.)?(?P<name>sourceCompatibility|targetCompatibility|jvmTarget|jvmToolchain|minSdk(?:Version)?|compileSdk(?:Version)?|targetSdk(?:Version)?)\s{0,2}(?:=|\(|\s|\.set\()\s{0,2}(?:JavaVersion\.|JvmTarget\.)?[\"']?(?P<value>(?:VERSION_|JVM_)?\d[\w.]{0,12})",
    ),
    _sign(
        r"[^/]*\.gradle(?:\.kts)?", r".{0,80}?JavaLanguageVersion\.of\(\s{0,2}(?P<value>\d{1,2})", "JavaLanguageVersion"
    ),
    _sign(r"pom\.xml", r"<(?P<name>maven\.compiler\.(?:release|source|target)|java\.version)>(?P<value>[\d.]{1,8})</"),
    _sign(
        r"gradle-wrapper\.properties",
        r"distributionUrl=.{0,120}/gradle-(?P<value>\d[\w.]{0,20}?)-(?:bin|all)",
        "gradle",
    ),
    _sign(
        r"[^/]*\.(?:cs|fs|vb)proj|[^/]*\.props",
        r"<(?P<name>TargetFrameworks?|LangVersion)>(?P<value>[^<]{1,80})</",
        public=True,
    ),
    _sign(r"global\.json", r"\"version\"\s{0,2}:\s{0,2}\"(?P<value>\d[\w.-]{0,30})\"", "dotnet sdk"),
    _sign(
        r"[^/]*\.gemspec",
        r"(?:\w{1,12}\.)?(?P<name>required_ruby_version)\s{0,2}=\s{0,2}(?P<value>.{2,60}?)$",
        public=True,
    ),
    _sign(r"gemfile", r"ruby\s{1,2}(?P<value>[\"'][^\"']{1,20}[\"'])", "ruby"),
    _sign(r"\.ruby-version", r"(?:ruby-)?(?P<value>\d[\w.]{0,12})$", "ruby"),
    _sign(r"composer\.json", r"\"php\"\s{0,2}:\s{0,2}\"(?P<value>[^\"]{1,40})\"", "php", public=True),
    _sign(
        r"package\.swift",
        r"\s*// ?swift-tools-version\s{0,2}:\s{0,2}(?P<value>\d[\w.]{0,8})",
        "swift-tools-version",
        public=True,
    ),
    _sign(r"\.bazelversion", r"(?P<value>\d[\w.]{0,20})$", "bazel"),
    _sign(r"[^/]*\.tf", r"required_version\s{0,2}=\s{0,2}[\"'](?P<value>[^\"']{1,40})", "terraform", public=True),
)
_ENGINE = re.compile(r"\"(?P<name>node|npm|pnpm|yarn|bun|deno|vscode)\"\s{0,2}:\s{0,2}\"(?P<value>[^\"]{1,60})\"")
ARCHITECTURES = re.compile(
    r"\w{0,40}(?:CUDA_ARCH_LIST|CUDA_ARCHITECTURES|ROCM_ARCH|HIP_ARCHITECTURES|GPU_TARGETS|AMDGPU_TARGETS|GFX_\w{0,20}ARCHS?)",
    re.IGNORECASE,
)


_BRANCH = re.compile(
    r"(?:(?:else)?if\s{0,2}\((?P<condition>[^()]{1,120})\)\s*$|else\s{0,2}\(|endif\s{0,2}\()", re.IGNORECASE
)


def read(change: Change) -> Iterable[Fact]:
    """Yield the facts."""
    for fact in compared((file for file in change.files if shipped(file)), _declared):
        yield _with_difference(fact)


def _with_difference(fact: Fact) -> Fact:
    """Say which entries of a list came and went."""
    old, new = (re.split(r"[;,\s]+", value or "") for value in (fact.old, fact.new))
    cut = any(len(value or "") >= LONGEST_VALUE for value in (fact.old, fact.new))
    if fact.kind is not FactKind.CHANGED or cut or (len(old) < 3 and len(new) < 3):
        return fact
    gone, come = (", ".join(one for one in here if one not in there) for here, there in ((old, new), (new, old)))
    parts = [fact.note, f"new: {come}" if come else "", f"gone: {gone}" if gone else ""]
    return fact.model_copy(update={"note": "; ".join(part for part in parts if part)})


def _declared(file: FileChange, side: Side) -> Iterator[Declared]:
    path = file.reading.path.folded
    signs = [sign for sign in _SIGNS if sign.files.search(path)]
    ending = "json" if path.endswith("package.json") else ""
    shell = file.language == "shell"
    open_to = ending == "json" and published(file) and not aside(file)
    if not signs and not shell:
        return
    branch = ""
    for place in placed(side, ending):
        if opened := _BRANCH.match(place.text):
            branch = opened["condition"].strip() if opened["condition"] else ""
        text = place.line.text if path.endswith("package.swift") else place.text
        for sign in signs:
            if found := sign.pattern.match(text):
                yield _toolchain(sign, found, place, branch, public=sign.public and not aside(file))
                break
        else:
            yield from _elsewhere(
                place, ending, dockerfile=DOCKER.search(path) is not None, shell=shell, public=open_to
            )


def _elsewhere(place: Placed, ending: str, *, dockerfile: bool, shell: bool, public: bool) -> Iterator[Declared]:
    """Engines of a package, and variables of images and scripts that name a version or architectures."""
    if ending == "json":
        found = _ENGINE.match(place.text)
        if found and place.section in {"engines", "volta", None}:
            yield _plain(found["name"], found["value"], place, public=public)
    elif (dockerfile or shell) and (set_to := variable_of(place.text)) and "$" not in set_to[1]:
        named, value = set_to
        versioned = is_toolchain(named) and re.match(r"v?\d", value) is not None
        if versioned or (ARCHITECTURES.fullmatch(named) and value):
            keep = f"--build-arg {named}=" if place.text.startswith("ARG") else None
            yield _plain(named, value, place, keep=keep)


def _toolchain(sign: _Sign, found: re.Match[str], place: Placed, branch: str, *, public: bool) -> Declared:
    named = sign.named or found["name"]
    value = " ".join(found["value"].strip("\"' ").split())
    made = _plain(named, value, place, public=public)
    return replace(made, revalued_only=sign.flag, note=f"where {branch}" if branch else "")


def _plain(named: str, value: str, place: Placed, *, public: bool = False, keep: str | None = None) -> Declared:
    reach, why = (Reach.PUBLIC, _RUNS) if public else (Reach.BUILDERS, _BUILDS)
    return Declared(Subject.TOOLCHAIN, named.casefold(), named, value, place.line, reach, why, keep=keep)
