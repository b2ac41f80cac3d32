"""What each statement stands under, in every language that indents."""

from __future__ import annotations

import pytest

from services.analyzer.facts.blocks import BlockKind, outline
from services.analyzer.facts.lexing import lexer_of
from services.analyzer.facts.sides import whole_side

PYTHON = (
    "class A:\n    def b(\n        self,\n    ):\n        if x:\n            go()\n        else:\n            stop()\n"
)
GO = "func (a *A) B(x int) error {\n\tfor _, y := range z {\n\t\tswitch y {\n\t\tdefault:\n\t\t\tgo()\n\t\t}\n\t}\n}\n"
CPP = "#ifdef X\nvoid A::b(int x) const {\n#endif\n  if (x) {\n    go();\n  } else {\n    stop();\n  }\n}\n"
TS = "export class A {\n  async b(x: number): Promise<void> {\n    try {\n      go()\n    } catch (e) {\n      stop()\n    }\n  }\n}\n"
ARROW = "export const b = async (x) => {\n  each(xs, (y) => {\n    go()\n  })\n}\n"
RUST = "impl A {\n    pub fn b(&self) -> Result<()> {\n        if let Some(x) = y {\n            go();\n        }\n    }\n}\n"


@pytest.mark.parametrize(
    ("language", "text", "call", "kinds", "names"),
    [
        ("python", PYTHON, "go()", ["condition", "function", "scope"], ["b", "A"]),
        ("python", PYTHON, "stop()", ["alternative", "function", "scope"], ["b", "A"]),
        ("go", GO, "go()", ["alternative", "loop", "function"], ["B"]),
        ("cpp", CPP, "go();", ["condition", "function"], ["b"]),
        ("cpp", CPP, "stop();", ["alternative", "function"], ["b"]),
        ("typescript", TS, "go()", ["attempt", "function", "scope"], ["b", "A"]),
        ("typescript", TS, "stop()", ["handler", "function", "scope"], ["b", "A"]),
        ("typescript", ARROW, "go()", ["other", "function"], ["b"]),
        ("rust", RUST, "go();", ["condition", "function", "scope"], ["b", "A"]),
    ],
)
def test_parents(language, text, call, kinds, names):
    side = whole_side(text, frozenset(), lexer_of("x", language))
    (node,) = [node for node in outline(side) if node.statement.code == call]
    parents = list(node.parents())
    assert [parent.kind for parent in parents] == [BlockKind(kind) for kind in kinds]
    assert [parent.name for parent in parents if parent.kind in (BlockKind.FUNCTION, BlockKind.SCOPE)] == names
