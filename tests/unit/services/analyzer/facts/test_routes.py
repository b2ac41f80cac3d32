"""HTTP routes that small diffs add, remove, move to another path, or give other methods."""

from __future__ import annotations

import time

import pytest

from services.analyzer.facts import routes
from shared.domain.facts import Reach
from tests.unit.services.analyzer.facts.written import both, facts_of


def fact(kind: str, name: str, old: str | None = None, new: str | None = None) -> set:
    return {(kind, "route", name, old, new)}


CASES = {
    "fastapi": (
        "app/api.py",
        "router = APIRouter()\n",
        'router = APIRouter()\n\n@router.post("/items")\nasync def create(): ...\n',
        fact("added", "POST /items"),
    ),
    "fastapi, gone": (
        "app/api.py",
        'router = APIRouter()\n\n@router.get("/items")\ndef items(): ...\n',
        "router = APIRouter()\n",
        fact("removed", "GET /items"),
    ),
    "fastapi, another path": (
        "app/api.py",
        '@router.get("/v1/items")\ndef items(): ...\n',
        '@router.get("/v2/items")\ndef items(): ...\n',
        fact("renamed", "GET /v1/items", "GET /v1/items", "GET /v2/items"),
    ),
    "fastapi, another method": (
        "app/api.py",
        '@router.get("/items")\ndef items(): ...\n',
        '@router.post("/items")\ndef items(): ...\n',
        fact("changed", "/items", "GET /items", "POST /items"),
    ),
    "fastapi, added by a call": (
        "app/api.py",
        "app = FastAPI()\n",
        'app = FastAPI()\napp.add_api_route("/health", health, methods=["GET", "HEAD"])\n',
        fact("added", "GET, HEAD /health"),
    ),
    "a websocket": (
        "app/api.py",
        "x = 1\n",
        'x = 1\n\n@app.websocket("/stream")\nasync def stream(ws): ...\n',
        fact("added", "WS /stream"),
    ),
    "flask": (
        "app/web.py",
        "app = Flask(__name__)\n",
        'app = Flask(__name__)\n\n@app.route("/items/<int:n>", methods=["POST"])\ndef one(n): ...\n',
        fact("added", "POST /items/<int:n>"),
    ),
    "flask, a plain path": (
        "app/web.py",
        "app = Flask(__name__)\n",
        'app = Flask(__name__)\n\n@app.route("/items", methods=["POST"])\ndef one(): ...\n',
        fact("added", "POST /items"),
    ),
    "starlette": (
        "app/web.py",
        "R = [\n]\n",
        'R = [\n    Route("/items", endpoint, methods=["GET"]),\n]\n',
        fact("added", "GET /items"),
    ),
    "django": (
        "app/urls.py",
        'urlpatterns = [\n    path("items/", views.items),\n]\n',
        "urlpatterns = [\n]\n",
        fact("removed", "/items/"),
    ),
    "go, net/http": (
        "cmd/main.go",
        "func main() {\n}\n",
        'func main() {\n\tmux.HandleFunc("POST /items", create)\n}\n',
        fact("added", "POST /items"),
    ),
    "go, gorilla": (
        "cmd/main.go",
        "func main() {\n}\n",
        'func main() {\n\tr.HandleFunc("/items", create).Methods("POST")\n}\n',
        fact("added", "POST /items"),
    ),
    "go, gin": (
        "cmd/main.go",
        'func main() {\n\tr.GET("/v1/items", list)\n}\n',
        'func main() {\n\tr.GET("/v2/items", list)\n}\n',
        fact("renamed", "GET /v1/items", "GET /v1/items", "GET /v2/items"),
    ),
    "axum": (
        "src/main.rs",
        "let app = Router::new();\n",
        'let app = Router::new()\n    .route("/items", get(list).post(create));\n',
        fact("added", "GET, POST /items"),
    ),
    "actix": (
        "src/api.rs",
        "use x;\n",
        'use x;\n\n#[get("/items")]\nasync fn items() {}\n',
        fact("added", "GET /items"),
    ),
    "express": (
        "src/app.ts",
        'app.get("/items", list);\n',
        'app.get("/items", list);\napp.delete("/items/:id", remove);\n',
        fact("added", "DELETE /items/:id"),
    ),
    "nest": (
        "src/items.controller.ts",
        "class A {\n}\n",
        'class A {\n  @Post("items")\n  create() {}\n}\n',
        fact("added", "POST /items"),
    ),
    "spring": (
        "src/main/java/A.java",
        "class A {\n}\n",
        'class A {\n  @GetMapping("/items")\n  List<Item> items() {}\n}\n',
        fact("added", "GET /items"),
    ),
    "openapi": (
        "api/openapi.yaml",
        "paths:\n  /items:\n    get: {}\n  /old:\n    get: {}\n",
        "paths:\n  /items:\n    get: {}\n",
        fact("removed", "/old"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_told(case):
    path, before, after, expected = CASES[case]
    assert both({path: (before, after)}, routes) == expected


LOOK_ALIKES = {
    "a test": ("tests/test_api.py", '@app.get("/items")\ndef items(): ...\n'),
    "a client": ("app/x.py", 'client.get("/items")\nrequests.post("/items", x)\n'),
    "a comment": ("app/x.py", '# @app.get("/items")\n'),
    "a docstring": ("app/x.py", '"""\n@app.get("/items")\n"""\n'),
    "a client in typescript": ("src/x.ts", 'axios.get("/items", options);\nhttp.get("/items", f);\n'),
    "a call without a handler": ("src/x.ts", 'api.get("/items");\n'),
    "a path of files": ("app/x.py", 'path("/tmp/items")\n'),
    "a look-up in go": ("pkg/x.go", 'v := cache.Get("/items", x)\n'),
    "a sample": ("examples/x.py", '@app.get("/items")\ndef items(): ...\n'),
    "vendored": ("vendor/x.go", 'r.GET("/items", list)\n'),
    "a string": ("src/x.rs", 'let s = "#[get(\\"/items\\")]";\n'),
}


@pytest.mark.parametrize("case", LOOK_ALIKES)
def test_look_alikes_tell_nothing(case):
    path, text = LOOK_ALIKES[case]
    assert both({path: ("x = 1\n", "x = 1\n" + text)}, routes) == set()


def test_a_route_that_moved_to_another_file_is_no_fact():
    route = '@router.get("/items")\ndef items(): ...\n'
    assert (
        both({"app/a.py": ("x = 1\n" + route, "x = 1\n"), "app/b.py": ("x = 1\n", "x = 1\n" + route)}, routes) == set()
    )


def test_a_route_left_out_of_the_schema_is_internal():
    files = {"app/a.py": ("x = 1\n", 'x = 1\n@app.get("/debug", include_in_schema=False)\ndef debug(): ...\n')}
    assert [found.reach for found in facts_of(files, routes)] == [Reach.INTERNAL]


@pytest.mark.parametrize(
    "text", ["@app.get(" * 30_000, '@a.get("/x"\n' * 4_000, "r.GET(\x00[[[[" * 3_000, 'app.get("/' + "a" * 90_000]
)
def test_hostile_text_is_read_in_bounded_time(text):
    for path in ("app/a.py", "a.go", "a.ts", "a.rs"):
        began = time.process_time()
        assert len(facts_of({path: ("x\n", "x\n" + text + "\n")}, routes)) <= 40
        assert time.process_time() - began < 5
