"""Which errors refuse what worked before: new code refuses nothing, and what went with its code opens nothing."""

from __future__ import annotations

import re

from services.analyzer.facts.blocks import BlockKind, Node
from services.analyzer.facts.raising import Guard
from services.analyzer.facts.refusal_reach import words_of
from services.analyzer.facts.refusal_sides import Sides
from services.analyzer.facts.texts import identifiers

_CONDITIONS = frozenset({BlockKind.CONDITION, BlockKind.LOOP, BlockKind.CHOICE})
_VALIDATES = frozenset(
    [
        "verify",
        "validate",
        "validation",
        "validator",
        "check",
        "checks",
        "ensure",
        "reject",
        "assert",
        "require",
        "refuse",
        "guard",
        "sanity",
        "forbid",
    ]
)
_CALLED_BY_FRAMEWORKS = re.compile(
    r"@(?:\w+\.)?(?:field_|model_|root_)?validator\b|@(?:\w+\.)?(?:before_request|validates|pre_load|post_load)\b"
)
_ALWAYS_CALLED = frozenset({"__post_init__", "__init__", "model_post_init", "__init_subclass__"})
_CALL = re.compile(r"\b(?:[A-Za-z_]\w{1,80})(?=\()")
_GUARDING_CALL = re.compile(
    r"\b\w{0,60}(?:verify|validate|check|ensure|assert|require|reject)\w{0,60}\s?[(!]|\bvalidator\b", re.IGNORECASE
)
_AGAIN = re.compile(r"(?:\}\s?)?(?:elif|else if|elsif|elseif|else)\b")
_LEAF = re.compile(
    r"(?:raise|throw|return(?:\s[\w.]{1,40})?;?$|pass|continue|break|assert|logger\.|log\.|\w{1,40}\.append\(|[A-Z_]{2,40}\(|bail!|ensure!|"
    r"(?:const |let |var )?[A-Za-z_]\w{0,80}\s?(?::[^=]{1,60})?(?:=|:=|\+=)[^=])"
)
_ERROR_PASSED_ON = re.compile(r"\berr(?:or)?\s?!=\s?nil\b|\bErr\(\w{1,40}\)\s?=>?|\bmap_err\b|\bok_or")
_FEW_STATEMENTS = 6
_ASSIGNED = re.compile(r"(?:const |let |var |auto )?(?P<name>[A-Za-z_]\w{0,80})\s?(?::[^=]{1,80})?:?=(?!=)")


def no_refusal(guard: Guard, sides: Sides, *, new: bool) -> bool:
    """Whether an error that came refuses nothing that worked, or one that went opens nothing that was refused."""
    file = guard.file
    if (file.new if new else file.gone) or not guard.words_changed or (not new and not guard.node.changed):
        return True
    if _ERROR_PASSED_ON.search(guard.condition or "") or _handles(guard):
        return True
    function, scope = guard.function, guard.scope
    if guard.names & sides.own_parameters(function, new=new):
        return True
    names = _all_names(guard)
    if function is not None and function.changed and sides.brought(file, function, new=new):
        # what it calls its own parameters says nothing about what there was before
        if _of_the_merge(names - identifiers(function.statement.code), sides, new=new):
            return True
        whole_scope = scope is not None and scope.changed and sides.brought(file, scope, new=new)
        return whole_scope or not new or not _way_in(guard, function, sides)
    return _of_the_merge(names, sides, new=new) or _part_of_other_code(guard, sides, new=new)


def told_by_sources(guard: Guard, sides: Sides, *, new: bool) -> bool:
    """Whether the patch alone would have taken one of its names for one that the merge itself brought."""
    return guard.file.whole and any(sides.nearly_only_there(name, new=new) for name in _all_names(guard))


def _of_the_merge(names: frozenset[str], sides: Sides, *, new: bool) -> bool:
    """Whether one of the names is a field, a parameter or an option that the merge itself brought (or took away)."""
    return any(sides.only_there(name, new=new) for name in names)


def _part_of_other_code(guard: Guard, sides: Sides, *, new: bool) -> bool:
    scope = guard.scope
    if scope is not None and scope.changed and sides.brought(guard.file, scope, new=new):
        return True
    if _part_of_more(guard, sides, new=new):
        return True
    return not new and (
        rewritten(guard, sides, new=False) or _checked_elsewhere(guard) or _no_longer_looked_at(guard, sides)
    )


def _all_names(guard: Guard) -> frozenset[str]:
    """The identifiers of its words and of every condition around it that was touched."""
    around = " ".join(node.statement.code for node in guard.node.parents() if node.changed and node.kind in _CONDITIONS)
    said = {name for name in identifiers(guard.message.replace("-", "_")) if "_" in name.strip("_")}
    return guard.names | {name.strip("_") for name in said} | identifiers(around)


def _handles(guard: Guard) -> bool:
    """Whether it stands in the handler of another error, which the input met before, too."""
    return guard.node.within(BlockKind.HANDLER) is not None


def _way_in(guard: Guard, function: Node, sides: Sides) -> bool:
    """Whether a new function checks what came in before: one that validates by its name and is called, or by role."""
    if function.name is None:
        return False
    position = function.position
    nodes = sides.outline(guard.file, new=True)
    head = " ".join(node.statement.bare for node in nodes[max(0, position - 1) : position + 1])
    above = guard.node.fragment.lines[
        max(0, function.statement.number - guard.node.fragment.first - 6) : function.statement.number
        - guard.node.fragment.first
    ]
    if _CALLED_BY_FRAMEWORKS.search(head + " ".join(line.bare for line in above)):
        return True
    if function.name in _ALWAYS_CALLED:
        return True
    return bool(words_of(function.name) & _VALIDATES) and sides.called(guard.file, function.name)


def _root_of(alternative: Node, nodes: list[Node]) -> Node | None:
    """The condition that an ``else`` belongs to: the nearest above it at its own depth that is no ``elif``."""
    for node in reversed(nodes[: alternative.position]):
        if node.indent < alternative.indent or node.fragment is not alternative.fragment:
            return None
        if node.indent == alternative.indent and not _AGAIN.match(node.statement.bare):
            return node
    return None


def _part_of_more(guard: Guard, sides: Sides, *, new: bool) -> bool:
    """Whether the condition came (or went) together with code that does something: a new path, not a new check."""
    nodes = sides.outline(guard.file, new=new)
    for node in guard.node.parents():
        if node.kind is BlockKind.ALTERNATIVE:
            root = _root_of(node, nodes)
            return root is not None and root.changed
        if node.kind in (BlockKind.FUNCTION, BlockKind.SCOPE) or not node.changed:
            return False
        if node.kind in (BlockKind.OTHER, BlockKind.ATTEMPT) or not _belongs(node, guard, nodes):
            return True
    return False


def _belongs(node: Node, guard: Guard, nodes: list[Node]) -> bool:
    """Whether a condition that was touched is there for the refusal alone."""
    if node is not guard.above and not _guards_alone(node, nodes):
        return False
    if not _AGAIN.match(node.statement.bare):
        return True
    root = _root_of(node, nodes)
    return node is guard.above and root is not None and not root.changed


def _guards_alone(block: Node, nodes: list[Node]) -> bool:
    """Whether nothing but refusals, and what prepares their words, stands under a condition."""
    for node in nodes[block.position + 1 :]:
        if node.indent <= block.indent or node.fragment is not block.fragment:
            return True
        if node.kind is BlockKind.OTHER and not _LEAF.match(node.statement.bare):
            return False
    return True


def rewritten(guard: Guard, sides: Sides, *, new: bool) -> bool:
    """Whether the statements before and behind the refusal were touched as well: the code around it is another one."""
    nodes = sides.outline(guard.file, new=new)
    top = guard.node
    for node in guard.node.parents():
        if node.kind in (BlockKind.FUNCTION, BlockKind.SCOPE) or not node.changed:
            break
        top = node
    above = next((node for node in reversed(nodes[: top.position]) if not _is_guard(node)), None)
    below = next(
        (node for node in nodes[top.position + 1 :] if node.indent <= top.indent and not _is_guard(node)), None
    )
    return all(node is None or (node.changed and node.fragment is top.fragment) for node in (above, below)) and bool(
        above or below
    )


def _is_guard(node: Node) -> bool:
    return node.statement.bare.startswith(("raise", "throw", "assert", "return Err", "bail!", "ensure!"))


def _no_longer_looked_at(guard: Guard, sides: Sides) -> bool:
    """Whether what it asked for went with it: a variable of its condition whose assignment is gone, too."""
    nodes = sides.outline(guard.file, new=False)
    return any(
        node.changed and (found := _ASSIGNED.match(node.statement.bare)) and found["name"] in guard.names
        for node in nodes[max(0, guard.node.position - _FEW_STATEMENTS) : guard.node.position]
    )


def _checked_elsewhere(guard: Guard) -> bool:
    """Whether the same file calls something anew that checks by its name: the check may have moved there."""
    return any(_GUARDING_CALL.search(line.bare) for line in guard.file.after.changed)
