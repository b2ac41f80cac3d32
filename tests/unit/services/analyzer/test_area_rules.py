"""Areas: settings first, then the repository's conventions, then folders, brackets and scopes."""

from __future__ import annotations

import unicodedata

import pytest

from services.analyzer.area_names import label_area, subject_of, tree_area
from services.analyzer.examine import examine
from services.analyzer.rules import build_context
from shared.settings import RepositorySettings
from tests.builders import make_file, make_pull_request

LABELER_V5 = """
area/frontend:
  - changed-files:
      - any-glob-to-any-file: ['web/**/*.{ts,tsx}', 'ui/*']
backend:
  - any:
      - changed-files:
          - any-glob-to-any-file: server/**
      - base-branch: main
kind/bug:
  - head-branch: ['^fix/']
"""
LABELER_V4 = """
Café:
  - café/**
docs: ['**/*.md']
engine:
  - any: ['src/**', '!src/legacy/**']
"""


def areas(files, repository="lumen/lumen", conventions=None, settings=None, **overrides):
    context = build_context(RepositorySettings(full_name=repository, **(settings or {})), conventions or {})
    made = tuple(make_file(name) if isinstance(name, str) else name for name in files)
    return examine(make_pull_request(files=made, **overrides), context).areas


@pytest.mark.parametrize(
    ("repository", "path", "expected"),
    [
        ("lumen", "lumen/executor/layers/fused/x.py", "executor/layers"),
        ("lumen", "lumen/v1/worker/gpu.py", "worker"),
        ("rust", "compiler/rustc_middle/src/ty/mod.rs", "compiler/rustc-middle"),
        ("rust", "src/tools/clippy/x.rs", "tools/clippy"),
        ("kubernetes", "pkg/kubelet/cm/x.go", "kubelet"),
        ("kubernetes", "cmd/kube-apiserver/app/x.go", "cmd/kube-apiserver"),
        ("cli", "pkg/cmd/issue/list/list.go", "cmd/issue"),
        ("babel", "packages/babel-parser/src/plugins/x.ts", "babel-parser"),
        ("next.js", "crates/next-core/src/x.rs", "next-core"),
        ("django", "django/db/models/x.py", "db/models"),
        ("rails", "activerecord/lib/active_record/x.rb", "activerecord"),
        ("pytorch", "torch/_inductor/codegen/x.py", "inductor/codegen"),
        ("scikit-learn", "sklearn/linear_model/x.py", "linear-model"),
        ("spring-framework", "spring-core/src/main/java/org/springframework/core/x.java", "spring-core"),
        ("shop", "src/main/java/com/acme/shop/billing/x.java", "billing"),
        ("llvm-project", "clang/lib/sema/x.cpp", "clang"),
        ("postgres", "src/backend/optimizer/plan/x.c", "backend/optimizer"),
        ("web", "frontend/src/components/b.tsx", "frontend"),
        ("web", "app/controllers/users.rb", "controllers"),
        ("web", "server.js", "top-level"),
    ],
)
def test_folders_give_sensible_areas_in_every_kind_of_repository(repository, path, expected):
    assert tree_area(path, repository) == expected


@pytest.mark.parametrize(
    ("mark", "expected"),
    [
        ("ROCm", "rocm"),
        ("KV Connector", "kv-connector"),
        ("MoE Refactor", "moe"),
        ("kv_offload+HMA", "kv-offload"),
        ("Bugfix/Core", "core"),
        ("C++", "c++"),
        ("CI/Build", None),
        ("Bugifx", None),
        ("2/N", None),
        ("SPARK-123", None),
        ("3.0", None),
        ("Backport 1.2", None),
        ("Misc", None),
    ],
)
def test_brackets_name_subjects_but_not_types_or_numbers(mark, expected):
    assert subject_of(mark) == expected


@pytest.mark.parametrize(
    ("label", "expected"),
    [("area/kubelet", "kubelet"), ("A-parser", "parser"), ("C-bug", None), ("module: nn", "nn"), ("a-list", None)],
)
def test_labels_with_an_area_prefix(label, expected):
    assert label_area(label) == expected


def test_settings_come_before_everything_else():
    settings = {"areas": {"Motor": ("lumen/core/**",)}}

    assert areas(["lumen/core/engine.py"], settings=settings, conventions={".github/labeler.yml": "x: ['**']"}) == (
        "Motor",
    )


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        (LABELER_V5, "web/shop/cart.tsx", ("frontend",)),
        (LABELER_V5, "server/main.go", ("backend",)),
        (LABELER_V5, "ui/deep/x.ts", ("ui/deep",)),
        (LABELER_V4, "src/a.py", ("engine",)),
        (LABELER_V4, "src/legacy/a.py", ("legacy",)),
        ("{{{{ not yaml", "src/legacy/a.py", ("legacy",)),
        ("[" * 5000, "src/legacy/a.py", ("legacy",)),
    ],
)
def test_labeler_of_both_formats(text, path, expected):
    assert areas([path], conventions={".github/labeler.yml": text}) == expected


def test_codeowners_give_sections_and_teams_and_the_last_match_wins():
    text = "* @lumen/everybody\n/net/ @lumen/network-team\n/net/tls/ @somebody\n[Storage]\n/disk/\n"

    assert areas(["net/http.go"], conventions={"CODEOWNERS": text}) == ("network",)
    assert areas(["net/tls/a.go"], conventions={"CODEOWNERS": text}) == ("net/tls",)
    assert areas(["disk/a.go"], conventions={"CODEOWNERS": text}) == ("storage",)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_c37_names_compare_in_one_byte_form_and_keep_the_original(form):
    path = unicodedata.normalize("NFD" if form == "NFC" else "NFC", "CAFÉ/menü.py")
    name = unicodedata.normalize(form, "Café")
    settings = {"areas": {name: (unicodedata.normalize(form, "café/**"),)}}

    assert areas([path], settings=settings) == (name,)
    assert areas([path], conventions={".github/labeler.yml": unicodedata.normalize(form, LABELER_V4)}) == (name,)


def test_tests_go_to_the_area_they_mirror_when_its_source_changed_too():
    mirrored = [make_file("tests/lora/test_a.py", additions=500), make_file("lumen/lora/a.py", additions=5)]

    assert areas(mirrored) == ("lora",)
    assert areas(["tests/lora/test_a.py"]) == ("tests",)


def test_the_primary_area_has_most_hand_made_lines():
    files = [
        make_file("web/package-lock.json", additions=9_000),
        make_file("lumen/net/a.py", additions=10),
        make_file("lumen/disk/a.py", additions=90),
    ]

    assert areas(files) == ("disk", "net")


def test_brackets_and_scopes_stand_beside_folders_and_four_is_the_most():
    files = [f"lumen/{name}/x/y.py" for name in ("a", "b", "c", "d", "e")]

    found = areas(files, title="[ROCm][Bugfix] fix the order")
    assert len(found) == 4
    assert found[1] == "rocm"
    assert areas(["lumen/net/a.py"], title="fix(parser): keep order") == ("net", "parser")


@pytest.mark.parametrize(
    ("path", "expected"),
    [("docs/a.md", "docs"), (".github/workflows/a.yml", "ci"), ("Dockerfile", "build"), ("go.sum", "build")],
)
def test_supporting_files_have_areas_of_their_own_when_alone(path, expected):
    assert areas([path]) == (expected,)
    assert areas([path, "lumen/net/a.py"]) == ("net",)
