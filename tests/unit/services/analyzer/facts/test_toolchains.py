"""Toolchains: standards, least versions and architectures, from every kind of file that states one."""

from __future__ import annotations

import pytest

from services.analyzer.facts import toolchains
from shared.domain.facts import Reach
from tests.unit.services.analyzer.facts.written import both, facts_of, told

CASES = [
    (
        "CMakeLists.txt",
        "set(CMAKE_CXX_STANDARD 17)\n",
        "set(CMAKE_CXX_STANDARD 20)\n",
        "CMAKE_CXX_STANDARD",
        "17",
        "20",
    ),
    (
        "a/CMakeLists.txt",
        "project(k)\n",
        "project(k)\nset(CMAKE_CUDA_STANDARD 20)\n",
        "CMAKE_CUDA_STANDARD",
        None,
        "20",
    ),
    (
        "lib.cmake",
        "set_target_properties(kite PROPERTIES CXX_STANDARD 14)\n",
        "set_target_properties(kite PROPERTIES CXX_STANDARD 17)\n",
        "CXX_STANDARD",
        "14",
        "17",
    ),
    (
        "CMakeLists.txt",
        "target_compile_features(kite PUBLIC cxx_std_14)\n",
        "target_compile_features(kite PUBLIC cxx_std_17)\n",
        "cxx_std",
        "14",
        "17",
    ),
    (
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\n",
        "cmake_minimum_required(VERSION 3.26)\n",
        "cmake_minimum_required",
        "3.20",
        "3.26",
    ),
    (
        "CMakeLists.txt",
        'set(CMAKE_CUDA_ARCHITECTURES "70;80")\n',
        'set(CMAKE_CUDA_ARCHITECTURES "80;90")\n',
        "CMAKE_CUDA_ARCHITECTURES",
        "70;80",
        "80;90",
    ),
    (
        "CMakeLists.txt",
        "if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 9)\n",
        "if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 11)\n",
        "CMAKE_CXX_COMPILER_VERSION",
        "9",
        "11",
    ),
    ("setup.py", 'flags = ["-O3", "-std=c++17"]\n', 'flags = ["-O3", "-std=c++20"]\n', "-std=c++", "17", "20"),
    ("Makefile", "CXXFLAGS += -std=gnu++14 -O2\n", "CXXFLAGS += -std=gnu++17 -O2\n", "-std=c++", "14", "17"),
    ("BUILD.bazel", 'copts = ["-std=c++17"],\n', 'copts = ["-std=c++20"],\n', "-std=c++", "17", "20"),
    ("meson.build", "    'cpp_std=c++17',\n", "    'cpp_std=c++20',\n", "cpp_std", "c++17", "c++20"),
    (
        "pyproject.toml",
        'requires-python = ">=3.9"\n',
        'requires-python = ">=3.10,<3.14"\n',
        "requires-python",
        ">=3.9",
        ">=3.10,<3.14",
    ),
    (
        "setup.py",
        '    python_requires=">=3.8",\n',
        '    python_requires=">=3.9",\n',
        "python_requires",
        ">=3.8",
        ">=3.9",
    ),
    (
        "pyproject.toml",
        '[tool.poetry.dependencies]\npython = "^3.9"\n',
        '[tool.poetry.dependencies]\npython = "^3.10"\n',
        "python",
        "^3.9",
        "^3.10",
    ),
    (".python-version", "3.11\n", "3.12\n", "python", "3.11", "3.12"),
    ("Cargo.toml", 'rust-version = "1.70"\n', 'rust-version = "1.75"\n', "rust-version", "1.70", "1.75"),
    ("Cargo.toml", 'edition = "2021"\n', 'edition = "2024"\n', "edition", "2021", "2024"),
    (
        "rust-toolchain.toml",
        '[toolchain]\nchannel = "1.80"\n',
        '[toolchain]\nchannel = "1.81"\n',
        "rust toolchain",
        "1.80",
        "1.81",
    ),
    ("go.mod", "module a.b/c\n\ngo 1.21\n", "module a.b/c\n\ngo 1.22\n", "go", "1.21", "1.22"),
    ("go.mod", "toolchain go1.22.1\n", "toolchain go1.22.4\n", "go toolchain", "go1.22.1", "go1.22.4"),
    (
        "package.json",
        '{\n  "engines": {\n    "node": ">=18"\n  }\n}\n',
        '{\n  "engines": {\n    "node": ">=20"\n  }\n}\n',
        "node",
        ">=18",
        ">=20",
    ),
    (".nvmrc", "v18.1\n", "v20.2\n", "node", "v18.1", "v20.2"),
    ("build.gradle", "sourceCompatibility = '11'\n", "sourceCompatibility = '17'\n", "sourceCompatibility", "11", "17"),
    ("build.gradle.kts", "    jvmToolchain(11)\n", "    jvmToolchain(17)\n", "jvmToolchain", "11", "17"),
    (
        "pom.xml",
        "<maven.compiler.release>11</maven.compiler.release>\n",
        "<maven.compiler.release>17</maven.compiler.release>\n",
        "maven.compiler.release",
        "11",
        "17",
    ),
    (
        "src/Kite.csproj",
        "<TargetFramework>net6.0</TargetFramework>\n",
        "<TargetFramework>net8.0</TargetFramework>\n",
        "TargetFramework",
        "net6.0",
        "net8.0",
    ),
    (
        "kite.gemspec",
        '  s.required_ruby_version = ">= 2.7"\n',
        '  s.required_ruby_version = ">= 3.0"\n',
        "required_ruby_version",
        ">= 2.7",
        ">= 3.0",
    ),
    ("Dockerfile", "ARG CUDA_VERSION=12.4.1\n", "ARG CUDA_VERSION=13.0.0\n", "CUDA_VERSION", "12.4.1", "13.0.0"),
    (
        "docker/Dockerfile",
        "ARG torch_cuda_arch_list='7.0 8.0'\n",
        "ARG torch_cuda_arch_list='8.0 9.0'\n",
        "torch_cuda_arch_list",
        "7.0 8.0",
        "8.0 9.0",
    ),
    (
        "tools/build.sh",
        'export PYTORCH_ROCM_ARCH="gfx90a"\n',
        'export PYTORCH_ROCM_ARCH="gfx942"\n',
        "PYTORCH_ROCM_ARCH",
        "gfx90a",
        "gfx942",
    ),
]


@pytest.mark.parametrize(
    ("path", "before", "after", "name", "old", "new"), CASES, ids=[f"{c[0]}-{c[3]}-{c[5]}" for c in CASES]
)
def test_told(path: str, before: str, after: str, name: str, old: str | None, new: str | None) -> None:
    kind = "changed" if old else "added"
    assert both({path: (before, after)}, toolchains) == {(kind, "toolchain", name, old, new)}


NOTHING = {
    "a comment": ("CMakeLists.txt", "# set(CMAKE_CXX_STANDARD 17)\n", "# set(CMAKE_CXX_STANDARD 20)\n"),
    "a message": (
        "CMakeLists.txt",
        'message("set(CMAKE_CXX_STANDARD 17)")\n',
        'message("set(CMAKE_CXX_STANDARD 20)")\n',
    ),
    "a switch beside it": (
        "CMakeLists.txt",
        "set(CMAKE_CXX_STANDARD_REQUIRED OFF)\n",
        "set(CMAKE_CXX_STANDARD_REQUIRED ON)\n",
    ),
    "a flag of one target goes": (
        "x.cmake",
        "target_compile_options(k\n  -std=c++17\n  -O3)\n",
        "target_compile_options(k\n  -O3)\n",
    ),
    "a line that moved": (
        "CMakeLists.txt",
        "set(CMAKE_CXX_STANDARD 20)\nproject(k)\n",
        "project(k)\nset(CMAKE_CXX_STANDARD 20)\n",
    ),
    "a test's project": ("tests/app/CMakeLists.txt", "set(CMAKE_CXX_STANDARD 17)\n", "set(CMAKE_CXX_STANDARD 20)\n"),
    "a vendored project": (
        "third_party/x/CMakeLists.txt",
        "set(CMAKE_CXX_STANDARD 17)\n",
        "set(CMAKE_CXX_STANDARD 20)\n",
    ),
    "a page": ("docs/build.md", "set(CMAKE_CXX_STANDARD 17)\n", "set(CMAKE_CXX_STANDARD 20)\n"),
    "another table's edition": ("kite/data.toml", 'edition = "2021"\n', 'edition = "2024"\n'),
    "an engine elsewhere": ("kite/data.json", '"engines": {"node": ">=18"}\n', '"engines": {"node": ">=20"}\n'),
    "a new project": ("svc/go.mod", None, "module a.b/c\n\ngo 1.22\n"),
    "a workflow": (".github/workflows/x.yml", "  CUDA_VERSION: 12.4\n", "  CUDA_VERSION: 13.0\n"),
    "a variable of another": ("Dockerfile", "ARG BRASS_VERSION=1.2\n", "ARG BRASS_VERSION=1.3\n"),
}


@pytest.mark.parametrize("case", NOTHING)
def test_no_fact(case: str) -> None:
    path, before, after = NOTHING[case]
    assert both({path: (before, after)}, toolchains) == set()


def test_which_entries_of_a_list_came_and_went_under_which_condition() -> None:
    text = 'if(BRASS VERSION_GREATER 2)\n  set(KITE_SUPPORTED_ARCHS "{}")\nendif()\n'
    (fact,) = facts_of({"CMakeLists.txt": (text.format("7.0;8.0;9.0"), text.format("8.0;9.0;10.0"))}, toolchains)
    assert fact.note == "where BRASS VERSION_GREATER 2; new: 10.0; gone: 7.0"


@pytest.mark.parametrize(
    ("path", "before", "after", "reach", "way_back"),
    [
        ("pyproject.toml", 'requires-python = ">=3.9"\n', 'requires-python = ">=3.10"\n', Reach.PUBLIC, None),
        ("CMakeLists.txt", "set(CMAKE_CXX_STANDARD 17)\n", "set(CMAKE_CXX_STANDARD 20)\n", Reach.BUILDERS, None),
        ("Dockerfile", "ARG CUDA_VERSION=12\n", "ARG CUDA_VERSION=13\n", Reach.BUILDERS, "--build-arg CUDA_VERSION=12"),
        (
            "Dockerfile",
            "ARG TORCH_CUDA_ARCH_LIST='7.0 8.0'\n",
            "ARG TORCH_CUDA_ARCH_LIST='8.0'\n",
            Reach.BUILDERS,
            '--build-arg TORCH_CUDA_ARCH_LIST="7.0 8.0"',
        ),
    ],
)
def test_reach_and_way_back(path: str, before: str, after: str, reach: Reach, way_back: str | None) -> None:
    (fact,) = facts_of({path: (before, after)}, toolchains)
    assert (fact.reach, fact.way_back) == (reach, way_back)


def test_one_standard_in_several_files_is_one_fact() -> None:
    files = dict.fromkeys(
        ("cmake/cpu.cmake", "CMakeLists.txt"), ("set(CMAKE_CXX_STANDARD 17)\n", "set(CMAKE_CXX_STANDARD 20)\n")
    )
    (fact,) = facts_of(files, toolchains)
    assert fact.after
    assert (fact.after.path, fact.note) == ("CMakeLists.txt", "also in cmake/cpu.cmake")


@pytest.mark.parametrize(
    "path", ["CMakeLists.txt", "setup.py", "pom.xml", "package.json", "Dockerfile", "go.mod", ".nvmrc", "a.sh"]
)
@pytest.mark.parametrize(
    "text", ["x " * 60_000, "(" * 4_000, "\x00", "set(" * 900 + "\n", "if(" * 400 + "\n" + '"' * 400]
)
def test_hostile_texts(path: str, text: str) -> None:
    told(facts_of({path: ("a\n", text)}, toolchains))
    told(facts_of({path: (text, "b\n")}, toolchains, sources=True))
