"""What a function asks for and answers, read from the header of its definition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from services.analyzer.facts.grammars import Node, parse, text_of, walk

_WRAPPED = {
    "python": ("{} pass",),
    "go": ("{}}}", "type _ interface {{\n{}\n}}\n"),
    "rust": ("{}}}", "{}{{}}", "trait _ {{ {} }}"),
    "typescript": ("{}}}", "class _ {{ {}}} }}", "interface _ {{ {} }}", "{}"),
    "cpp": ("class _ {{ {} }};", "class _ {{ {}}} }};"),
}
"""How a header is made a whole piece of code; the first that parses without an error is taken."""

_NO_PARAMETERS = frozenset(
    {"self_parameter", "comment", "line_comment", "block_comment", "attribute_item", "decorator"}
)
_COLLECTS = frozenset(
    {
        "list_splat_pattern",
        "dictionary_splat_pattern",
        "variadic_parameter",
        "variadic_parameter_declaration",
        "rest_pattern",
    }
)
_MARKS = {"keyword_separator": "*", "positional_separator": "/"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter as written; ``default`` is None where it must be given."""

    name: str
    type: str = ""
    default: str | None = None
    collects: bool = False
    """Whether it takes any number of arguments."""
    keyword_only: bool = False
    optional: bool = False
    """Whether it may be left out without a default being written (``name?: type``)."""

    @property
    def required(self) -> bool:
        """Whether a caller must give it."""
        return self.default is None and not self.collects and not self.optional

    @property
    def written(self) -> str:
        """It as one reads it: name, type and default."""
        typed = f"{self.name}: {self.type}" if self.type else self.name
        return typed if self.default is None else f"{typed} = {self.default}"


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters in order, without the object itself, and what is answered ("" where it is not written)."""

    parameters: tuple[Parameter, ...]
    answer: str = ""


def signature_of(language: str, header: str) -> Signature | None:
    """Return what the header of a function says, None where it cannot be read without doubt."""
    for wrapped in _WRAPPED.get(language, ()):
        root = parse(language, wrapped.format(header))
        if root is None:
            return None
        if root.has_error and language != "go":
            continue
        function = next((node for node in walk(root) if node.child_by_field_name("parameters")), None)
        holder = function.child_by_field_name("parameters") if function else None
        if function is None or holder is None or holder.has_error:
            continue
        read = tuple(_parameters(holder, language))
        if language == "python" and read and read[0].name in ("self", "cls"):
            read = read[1:]
        return Signature(read, _answer(root, function, language))
    return None


def _parameters(holder: Node, language: str) -> Iterator[Parameter]:
    keyword_only = False
    for child in holder.named_children:
        if child.type in _NO_PARAMETERS:
            continue
        if child.type in _MARKS:
            keyword_only = keyword_only or child.type == "keyword_separator"
            continue
        collects = child.type in _COLLECTS or any(part.type in _COLLECTS for part in child.named_children)
        kind = text_of(child.child_by_field_name("type")).removeprefix(":").strip()
        value = child.child_by_field_name("value") or child.child_by_field_name("default_value")
        for name in _names(child, language):
            yield Parameter(
                name=name,
                type=kind + _pointer(child) if language == "cpp" else kind,
                default=text_of(value) if value is not None else None,
                collects=collects,
                keyword_only=keyword_only,
                optional=child.type == "optional_parameter" and value is None,
            )
        keyword_only = keyword_only or (language == "python" and collects)


def _names(parameter: Node, language: str) -> list[str]:
    """The names that one parameter node declares: Go writes several before one type; none where it has no name."""
    if language == "go":
        names = [text_of(node) for node in parameter.children_by_field_name("name")]
        return names or ["_"]
    named = parameter.child_by_field_name("name") or parameter.child_by_field_name("pattern")
    if language == "cpp":
        declarator = parameter.child_by_field_name("declarator")
        found = [node for node in walk(declarator) if node.type == "identifier"] if declarator is not None else []
        return [text_of(found[0]) if found else "_"]
    whole = named if named is not None else parameter
    if named is None and parameter.type == "typed_parameter":
        whole = parameter.named_children[0]
    return [text_of(whole).lstrip("*.").strip()]


def _pointer(parameter: Node) -> str:
    declarator = parameter.child_by_field_name("declarator")
    written = text_of(declarator)
    return "".join(sign for sign in written if sign in "*&") if declarator is not None else ""


def _answer(root: Node, function: Node, language: str) -> str:
    """What is written as the answer: the field of the function, for C++ the type before the declarator."""
    if language == "cpp":
        holder = next((node for node in walk(root) if node.child_by_field_name("declarator")), None)
        return text_of(holder.child_by_field_name("type")) if holder is not None else ""
    answer = function.child_by_field_name("return_type") or function.child_by_field_name("result")
    return text_of(answer).removeprefix(":").strip()
