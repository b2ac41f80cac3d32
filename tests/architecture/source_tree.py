"""The project's own source files, parsed once, for the architecture tests."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class SourceFile:
    """One Python file: its path from the root, its dotted module name, its text and its syntax tree."""

    path: Path
    module: str
    text: str
    tree: ast.Module

    @property
    def imports(self) -> set[str]:
        """Dotted names of everything imported anywhere in the file."""
        names: set[str] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        return names


@cache
def source_files(*folders: str) -> tuple[SourceFile, ...]:
    """Every Python file below the named top-level folders."""
    found = []
    for folder in folders:
        for file in sorted((ROOT / folder).rglob("*.py")):
            path = file.relative_to(ROOT)
            parts = path.with_suffix("").parts
            module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            text = file.read_text("utf-8")
            found.append(SourceFile(path, module, text, ast.parse(text)))
    return tuple(found)
