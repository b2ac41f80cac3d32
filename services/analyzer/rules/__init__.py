"""Rules: each looks at one merge and says what it found, with evidence; one rule a file, all of them listed here."""

from services.analyzer.rules import (
    announced_only,
    areas,
    backports,
    bots,
    breaking_change,
    change_type,
    configuration_change,
    core_path,
    dependency_change,
    deprecations,
    empty_change,
    file_kinds,
    large_change,
    missing_tests,
    new_default,
    removals,
    repairs,
    reverts,
    security_sensitive,
    stacks,
)
from services.analyzer.rules.context import Rule, RuleContext, build_context

RULES: tuple[Rule, ...] = (
    change_type,
    areas,
    core_path,
    missing_tests,
    breaking_change,
    dependency_change,
    configuration_change,
    security_sensitive,
    large_change,
    empty_change,
    reverts,
    backports,
    stacks,
    repairs,
    bots,
    file_kinds,
    removals,
    deprecations,
    new_default,
    announced_only,
)
"""In the order in which their tags are listed."""

__all__ = ["RULES", "Rule", "RuleContext", "build_context"]
