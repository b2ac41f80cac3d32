"""The OpenAPI description of the API and a page made from it that needs no script and no foreign host."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, JSONResponse

from shared.problems import MEDIA_TYPE, ProblemDetails

PAGE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Of every page: styles of its own, nothing from elsewhere, no script."""
_PROBLEM = f"#/components/schemas/{ProblemDetails.__name__}"
_CODE = re.compile(r"`([^`]+)`")
_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
)


class Documentation:
    """Serves both; made from the application that the routes are part of, once."""

    def __init__(self) -> None:
        self._description: dict[str, Any] | None = None

    def add_to(self, routes: APIRouter) -> None:
        """Add the two routes."""
        routes.add_api_route("/openapi.json", self.openapi, include_in_schema=False)
        routes.add_api_route("/docs", self.page, include_in_schema=False)

    def openapi(self, request: Request) -> JSONResponse:
        """The OpenAPI description."""
        return JSONResponse(self._of(request))

    def page(self, request: Request) -> HTMLResponse:
        """The description as a page."""
        description = self._of(request)
        operations = [
            {"path": path, "method": method.upper(), **operation}
            for path, methods in description["paths"].items()
            for method, operation in methods.items()
        ]
        page = _TEMPLATES.get_template("documentation.html").render(
            title=description["info"]["title"],
            operations=operations,
            schemas=description["components"]["schemas"],
            name_of=_name_of,
            marked=_marked,
        )
        return HTMLResponse(page, headers={"Content-Security-Policy": PAGE_POLICY})

    def _of(self, request: Request) -> dict[str, Any]:
        if self._description is None:
            self._description = described(request.app.openapi())
        return self._description


def described(openapi: dict[str, Any]) -> dict[str, Any]:
    """Return the description that FastAPI makes, with errors under the media type that they are sent with."""
    description = copy.deepcopy(openapi)
    for methods in description["paths"].values():
        for operation in methods.values():
            for response in operation["responses"].values():
                content = response.get("content", {})
                if content.get("application/json", {}).get("schema", {}).get("$ref") == _PROBLEM:
                    content[MEDIA_TYPE] = content.pop("application/json")
    return description


def _marked(text: str | None) -> Markup:
    """Return text of a description with its code marks as HTML; everything else is escaped."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text or ""))))  # noqa: S704 - escaped just before


def _name_of(schema: dict[str, Any]) -> str:
    """Return the short name of a schema: the name of its component, or its type."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(_name_of(choice) for choice in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "const" in schema:
        return str(schema["const"])
    if schema.get("type") == "array":
        return f"list of {_name_of(schema.get('items', {}))}"
    kind = str(schema.get("type", "any"))
    return f"{kind} ({schema['format']})" if "format" in schema else kind
