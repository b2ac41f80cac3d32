"""Base images of image files, and images that shipped compose and Kubernetes files run."""

from __future__ import annotations

import pytest

from services.analyzer.facts import base_images
from shared.domain.facts import Reach
from tests.unit.services.analyzer.facts.written import both, facts_of, told

A, B = "a" * 64, "b" * 64
CASES = [
    ("Dockerfile", "FROM debian:11\n", "FROM debian:12\n", "debian", "debian:11", "debian:12"),
    (
        "docker/Dockerfile.gpu",
        "FROM owl/base:1 AS build\n",
        "FROM owl/base:2 AS build\n",
        "owl/base",
        "owl/base:1",
        "owl/base:2",
    ),
    ("Dockerfile", "FROM debian:12 AS run\n", "FROM alpine:3.20 AS run\n", "alpine", "debian:12", "alpine:3.20"),
    (
        "Dockerfile",
        "ARG BASE_IMAGE=owl/dev:7.1\n",
        "ARG BASE_IMAGE=owl/dev:7.2\n",
        "BASE_IMAGE",
        "owl/dev:7.1",
        "owl/dev:7.2",
    ),
    ("Dockerfile", 'ARG RUN_IMAGE="owl/run:1"\n', 'ARG RUN_IMAGE="owl/run:2"\n', "RUN_IMAGE", "owl/run:1", "owl/run:2"),
    (
        "Containerfile",
        "FROM --platform=linux/amd64 owl/a:1\n",
        "FROM --platform=linux/amd64 owl/a:2\n",
        "owl/a",
        "owl/a:1",
        "owl/a:2",
    ),
    ("Dockerfile", "FROM owl/a:${V}-dev\n", "FROM owl/a:${V}-run\n", "owl/a", "owl/a:${V}-dev", "owl/a:${V}-run"),
    (
        "docker-compose.yml",
        "    image: valkey/valkey:7\n",
        "    image: valkey/valkey:8\n",
        "valkey/valkey",
        "valkey/valkey:7",
        "valkey/valkey:8",
    ),
    (
        "deploy/kubernetes/app.yaml",
        '        - image: "owl/db:15"\n',
        '        - image: "owl/db:16"\n',
        "owl/db",
        "owl/db:15",
        "owl/db:16",
    ),
    (
        "Dockerfile",
        f"FROM a/b:1@sha256:{A}\n",
        f"FROM a/b:2@sha256:{B}\n",
        "a/b",
        f"a/b:1@sha256:{A[:12]}",
        f"a/b:2@sha256:{B[:12]}",
    ),
]


@pytest.mark.parametrize(("path", "before", "after", "name", "old", "new"), CASES)
def test_told(path: str, before: str, after: str, name: str, old: str, new: str) -> None:
    assert both({path: (before, after)}, base_images) == {("changed", "base-image", name, old, new)}


NOTHING = {
    "a comment": ("Dockerfile", "# FROM debian:11\n", "# FROM debian:12\n"),
    "another stage": ("Dockerfile", "FROM base AS final\n", "FROM builder AS final\n"),
    "a variable": ("Dockerfile", "FROM ${BASE}\n", "FROM ${OTHER}\n"),
    "from nothing": ("Dockerfile", "FROM scratch\n", "FROM scratch AS run\n"),
    "a test's image": ("tests/Dockerfile", "FROM debian:11\n", "FROM debian:12\n"),
    "a sample's image": ("examples/app/compose.yml", "    image: a/b:1\n", "    image: a/b:2\n"),
    "a workflow's image": (".github/workflows/ci.yml", "    image: a/b:1\n", "    image: a/b:2\n"),
    "its own image": ("docker-compose.yml", "    image: lumen/lumen:1\n", "    image: lumen/lumen:2\n"),
    "a new image file": ("svc/Dockerfile", None, "FROM debian:12\n"),
    "an image that a program loads": ("kite/a.py", 'image = "a/b:1"\n', 'image = "a/b:2"\n'),
    "a picture": ("site/data.yml", "image: logo.png\n", "image: logo2.png\n"),
}


@pytest.mark.parametrize("case", NOTHING)
def test_no_fact(case: str) -> None:
    path, before, after = NOTHING[case]
    assert both({path: (before, after)}, base_images) == set()


def test_the_way_back() -> None:
    (fact,) = facts_of({"Dockerfile": ("ARG BASE_IMAGE=a/b:1\n", "ARG BASE_IMAGE=a/b:2\n")}, base_images)
    assert (fact.way_back, fact.reach) == ("--build-arg BASE_IMAGE=a/b:1", Reach.BUILDERS)


def test_another_build_of_one_tag_is_internal() -> None:
    (fact,) = facts_of({"Dockerfile": (f"FROM a/b:1@sha256:{A}\n", f"FROM a/b:1@sha256:{B}\n")}, base_images)
    assert fact.reach is Reach.INTERNAL


def test_one_image_of_several_stages_and_files_is_one_fact() -> None:
    files = {
        "Dockerfile": ("FROM a/b:1 AS x\nRUN y\nFROM a/b:1 AS z\n", "FROM a/b:2 AS x\nRUN y\nFROM a/b:2 AS z\n"),
        "svc/Dockerfile": ("FROM a/b:1\n", "FROM a/b:2\n"),
    }
    (fact,) = facts_of(files, base_images)
    assert fact.note == "also in svc/Dockerfile"


@pytest.mark.parametrize(
    "text", ["FROM " + "a/" * 50_000, "FROM \x00:1\n", "FROM" + " " * 9_000 + "x", "image: " + ":" * 9_000]
)
def test_hostile_texts(text: str) -> None:
    for path in ("Dockerfile", "docker-compose.yml"):
        told(facts_of({path: ("FROM a/b:1\n", text)}, base_images, sources=True))
