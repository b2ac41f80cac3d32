"""What a model read of a merge, as lines for a person: each claim with its quotations and their places."""

from __future__ import annotations

from collections.abc import Iterator

from rich.tree import Tree

from services.cli.console import literal
from shared.domain.analysis import NO_MODEL, Analysis
from shared.domain.reading import ActionClaim, Claim, ContestedClaim, LimitClaim, Quote, Reading, ReasonClaim, RiskClaim


def add_reading(tree: Tree, analysis: Analysis) -> None:
    """Add what a model read of the merge to ``tree``; without a reading, why rules alone tell of it."""
    reading = analysis.reading
    if reading is None:
        if analysis.source_why and analysis.source_why != NO_MODEL:
            tree.add(literal(f"by rules alone: {analysis.source_why}"))
        return
    branch = tree.add(literal(f"read by {reading.model} (prompt {reading.prompt_version}, {reading.language})"))
    for name, claim in _named(reading):
        leaf = branch.add(literal(f"{name}: {'announced: ' if claim.announced else ''}{claim.text}", "cyan"))
        for quote in claim.quotes:
            leaf.add(literal(_quote(quote)))
    if reading.keywords:
        branch.add(literal(f"keywords: {', '.join(reading.keywords)}"))
    for line in _account(reading):
        branch.add(literal(line))


def _named(reading: Reading) -> Iterator[tuple[str, Claim]]:
    for name, claim in (("effect", reading.effect), ("change", reading.change), ("why", reading.why)):
        if claim is not None:
            yield name, claim
    further: list[LimitClaim | ActionClaim | ContestedClaim | RiskClaim] = [*reading.limits, *reading.actions]
    further += [*reading.contested, *reading.risks]
    yield from ((_name(claim), claim) for claim in further)
    if reading.reason is not None:
        yield _name(reading.reason), reading.reason


def _name(claim: LimitClaim | ActionClaim | ContestedClaim | RiskClaim | ReasonClaim) -> str:
    match claim:
        case LimitClaim():
            return f"limit ({claim.kind})"
        case ActionClaim():
            way_back = f", way back: {claim.way_back}" if claim.way_back else ""
            return f"to act on ({claim.kind}{way_back})"
        case ContestedClaim():
            return f"contested ({claim.outcome.value})"
        case RiskClaim():
            return f"risk ({claim.risk.value})"
        case ReasonClaim():
            return f"reason ({claim.reason.value})"


def _quote(quote: Quote) -> str:
    line = f":{quote.line}" if quote.line else ""
    place = f"{quote.path}{line}" if quote.path else quote.field
    return f"“{quote.text}” in {place}"


def _account(reading: Reading) -> Iterator[str]:
    """What was dropped, what was shown, what was taken out first, and what it took."""
    dropped = [f"{one.count} of {one.field} ({one.reason})" for one in reading.dropped]
    yield f"dropped: {', '.join(dropped) or 'nothing'}"
    shown = [
        _shown(one.part, (one.characters, one.of_characters), (one.pieces, one.of_pieces)) for one in reading.seen.shown
    ]
    yield f"shown: {', '.join(shown) or 'not known'}"
    taken_out = reading.seen.hidden | {f"secret {kind}": count for kind, count in reading.seen.redacted.items()}
    if taken_out:
        yield f"taken out first: {', '.join(f'{count} {kind}' for kind, count in sorted(taken_out.items()))}"
    usage = reading.usage
    cost = "cost not known" if usage.cost_usd is None else f"${usage.cost_usd:.4f}"
    repaired = ", repaired" if reading.repaired else ""
    yield (
        f"took: {usage.requests} request{'' if usage.requests == 1 else 's'}, {usage.input_tokens} tokens in"
        f" ({usage.cached_tokens} cached), {usage.output_tokens} out, {usage.seconds:.1f} s, {cost}"
        f" (answered as {reading.mode}{repaired})"
    )


def _shown(part: str, characters: tuple[int, int], pieces: tuple[int, int]) -> str:
    whole = characters[0] >= characters[1] and pieces[0] >= pieces[1]
    if whole:
        return f"{part} whole"
    told = [f"{had} of {of} {name}" for (had, of), name in ((characters, "characters"), (pieces, "pieces")) if of]
    return f"{part} {' and '.join(told)}"
