"""Base images: what images are built from, and which images the shipped compose, Helm and Kubernetes files run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from services.analyzer.facts.building_files import DOCKER, aside, shipped
from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.declared import Declared, compared
from services.analyzer.facts.installed_pins import variable_of
from services.analyzer.facts.sides import Line, Side
from shared.domain.facts import Fact, FactKind, Reach, Subject

name = "base-images"

_FROM = re.compile(
    r"FROM\s{1,4}(?:--platform=\S{1,60}\s{1,4})?(?P<image>[\w./:@${}+-]{2,200})(?:\s{1,4}AS\s{1,4}(?P<stage>[\w.-]{1,80}))?\s*$",
    re.IGNORECASE,
)
_IMAGE_VARIABLE = re.compile(r"\w{0,60}(?:BASE|IMAGE)\w{0,30}", re.IGNORECASE)
_IMAGE = re.compile(
    r"(?:[\w.-]{1,100}(?::\d{2,5})?/){0,6}[\w.${}-]{1,100}(?::[\w.${}+-]{1,120})?(?:@sha256:\w{1,64})?$"
)
_STAGE = re.compile(r"[\w-]{1,60}$")
_RUNS = re.compile(r"(?:-\s)?image:\s{1,4}[\"']?(?P<image>[\w./:@-]{3,200})[\"']?\s*$")
_YAML = (".yml", ".yaml")
_NO_IMAGE_FILES = re.compile(r"(?:^|/)(?:\.[\w-]{1,40}/|ci/)")


def read(change: Change) -> Iterable[Fact]:
    """Yield the facts."""
    repository = change.reading.pull_request.repository
    owner, _, project = repository.full_name.casefold().rpartition("/")

    def declare(file: FileChange, side: Side) -> Iterator[Declared]:
        for image in _declared(file, side):
            path = f"/{_repository(image.value or '').casefold()}"
            if f"/{owner}/{project}" not in path:  # its own images follow its own releases
                yield replace(image, reach=Reach.INTERNAL, why="for development") if aside(file) else image

    for fact in compared((file for file in change.files if shipped(file)), declare):
        yield _same_tag(fact)


def _same_tag(fact: Fact) -> Fact:
    """Another build of the same tag says nothing to anybody but who checks digests."""
    old, new = ((value or "").partition("@")[0] for value in (fact.old, fact.new))
    if fact.kind is not FactKind.CHANGED or old != new:
        return fact
    return fact.model_copy(update={"reach": Reach.INTERNAL, "reach_why": "the same tag", "way_back": None})


def _declared(file: FileChange, side: Side) -> Iterator[Declared]:
    path = file.reading.path.folded
    if DOCKER.search(path):
        for line in side.lines:
            yield from _built_from(line)
    elif path.endswith(_YAML) and not _NO_IMAGE_FILES.search(path):
        for line in side.lines:
            if (found := _RUNS.match(line.code.strip())) and re.search(r":\w|@sha", found["image"]):
                repository = _repository(found["image"])
                yield _image(f"image {repository}", repository, found["image"], line, "run by the shipped files")


def _built_from(line: Line) -> Iterator[Declared]:
    code = line.code.strip()
    if found := _FROM.match(code):
        image = found["image"]
        # A word alone is an earlier stage or a variable, whose default is told where it stands.
        if image.casefold() != "scratch" and not image.startswith("$") and not _STAGE.match(image):
            repository = _repository(image)
            yield _image(f"from {found['stage'] or repository}", repository, image, line, "what the image is built on")
    elif code.startswith("ARG ") and (set_to := variable_of(code)):
        named, value = set_to
        if _IMAGE_VARIABLE.fullmatch(named) and re.search(r"[:/]", value) and _IMAGE.match(value):
            keep = f"--build-arg {named}="
            yield _image(f"arg {named}", named, value, line, "what the image is built on", keep)


def _repository(image: str) -> str:
    return re.sub(r":[\w.${}+-]{1,160}$", "", image.partition("@")[0])


def _image(key: str, named: str, value: str, line: Line, why: str, keep: str | None = None) -> Declared:
    value = re.sub(r"(@sha256:\w{12})\w{0,60}$", r"\1", value)
    return Declared(Subject.BASE_IMAGE, key, named, value, line, Reach.BUILDERS, why, keep=keep, full=value)
