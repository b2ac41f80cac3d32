"""Metrics that small diffs add, remove, rename, or give other labels."""

from __future__ import annotations

import pytest

from services.analyzer.facts import metrics
from tests.unit.services.analyzer.facts.written import both


def fact(kind: str, name: str, old: str | None = None, new: str | None = None) -> set:
    return {(kind, "metric", name, old, new)}


CASES = {
    "prometheus_client": (
        "app/m.py",
        "x = 1\n",
        'x = 1\nc = Counter("app_requests_total", "Requests.")\n',
        fact("added", "app_requests_total"),
    ),
    "by a class kept aside": (
        "app/m.py",
        "class M:\n    pass\n",
        'class M:\n    pass\n    g = self._gauge_cls(\n        name="app:queue_size", documentation="x", labelnames=names)\n',
        fact("added", "app:queue_size"),
    ),
    "another name": (
        "app/m.py",
        'g = Gauge("app_queue", "Waiting.")\n',
        'g = Gauge("app_queue_size", "Waiting.")\n',
        fact("renamed", "app_queue", "app_queue", "app_queue_size"),
    ),
    "other labels": (
        "app/m.py",
        'g = Gauge("app_queue", "Waiting.", labelnames=["a"])\n',
        'g = Gauge("app_queue", "Waiting.", labelnames=["a", "b"])\n',
        fact("changed", "app_queue", '["a"]', '["a", "b"]'),
    ),
    "opentelemetry": (
        "app/m.py",
        'h = meter.create_histogram("app.seconds")\n',
        "x = 1\n",
        fact("removed", "app.seconds"),
    ),
    "go": (
        "pkg/m.go",
        "var m = x\n",
        'var m = x\nvar c = prometheus.NewCounterVec(prometheus.CounterOpts{\n\tNamespace: "app",\n\tName: "requests_total",\n}, []string{"code"})\n',
        fact("added", "app_requests_total"),
    ),
    "go, a description": (
        "pkg/m.go",
        'var d = prometheus.NewDesc("app_up", "Up.", nil, nil)\n',
        "var d = x\n",
        fact("removed", "app_up"),
    ),
    "rust": (
        "src/m.rs",
        "fn x() {}\n",
        'fn x() {}\nlet c = register_counter!("app_requests", "x");\n',
        fact("added", "app_requests"),
    ),
    "prom-client": (
        "src/m.ts",
        "const x = 1;\n",
        'const x = 1;\nconst c = new client.Counter({ name: "app_requests_total", help: "x" });\n',
        fact("added", "app_requests_total"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_told(case):
    path, before, after, expected = CASES[case]
    assert both({path: (before, after)}, metrics) == expected


LOOK_ALIKES = {
    "a counter of things": ("app/m.py", 'from collections import Counter\nc = Counter("abcabc")\n'),
    "a test": ("tests/test_m.py", 'c = Counter("app_requests_total", "x")\n'),
    "a comment": ("app/m.py", '# c = Counter("app_requests_total", "x")\n'),
    "a docstring": ("app/m.py", '"""c = Counter("app_requests_total", "x")"""\n'),
    "a type": ("app/m.py", "c: Counter = make(Gauge)\n"),
    "a name in other options": ("pkg/m.go", 'x := Options{\n\tName: "requests_total",\n}\n'),
    "a page": ("docs/m.md", 'c = Counter("app_requests_total", "x")\n'),
}


@pytest.mark.parametrize("case", LOOK_ALIKES)
def test_look_alikes_tell_nothing(case):
    path, text = LOOK_ALIKES[case]
    assert both({path: ("x = 1\n", "x = 1\n" + text)}, metrics) == set()
