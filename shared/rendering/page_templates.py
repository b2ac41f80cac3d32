"""The page templates and the style sheet, read once from the package."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup


def template(name: str) -> Template:
    """Return the template file called ``name``; everything put into it is escaped unless it is markup already."""
    return _environment().get_template(name)


@lru_cache
def stylesheet() -> Markup:
    """Return the one style sheet, which every page carries inline."""
    return Markup(_read("style.css"))  # noqa: S704 (a file of this package)


@lru_cache
def _environment() -> Environment:
    return Environment(
        loader=FunctionLoader(_read), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def _read(name: str) -> str:
    return (files("shared.rendering") / "templates" / name).read_text(encoding="utf-8")
