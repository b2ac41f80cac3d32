"""Digest every merge-records file of a folder by hand: totals, ledger, themes and seconds (``make real-weeks DIR=…``)."""

from __future__ import annotations

import argparse
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from services.cli.one_week import digest_of_source
from services.cli.weeks import Wish
from shared.domain.digest import Digest
from shared.domain.errors import MergecastError
from shared.domain.period import week_of
from shared.rendering import html, markdown
from shared.settings import Settings
from shared.sources.merge_records import MergeRecords

LANGUAGES = ("en", "zh-CN")


def busiest_week(path: Path) -> str:
    """Return the ISO week (UTC) in which most merges of the file lie."""
    weeks = [
        week_of(merge.merged_at).week
        for merge in MergeRecords(path).merged_between(datetime(2000, 1, 1, tzinfo=UTC), datetime.now(UTC))
    ]
    return max(sorted(set(weeks)), key=weeks.count)


def report(path: Path, made: Digest, seconds: float) -> None:
    """Print one week: its account, its key pull requests, its themes."""
    ledger = made.ledger
    sets = {name: getattr(ledger, name) for name in ("featured", "grouped", "condensed", "failed")}
    account = " + ".join(f"{len(numbers)} {name}" for name, numbers in sets.items())
    print(f"\n{path.name}: {made.repository} {made.period.week}, {made.merged_total} merges in {seconds:.1f} s")
    print(f"  ledger: {account} = {sum(map(len, sets.values()))}")
    for key in made.key_pull_requests:
        print(f"  key: #{key.number} [{key.reason}] {key.title}")
    print(f"  featured: {', '.join(f'#{number}' for number in ledger.featured)}")
    for theme in made.themes:
        numbers = ", ".join(f"#{number}" for number in theme.pull_requests)
        print(f"  theme ({theme.found_by}): {theme.title}: {numbers}")
    for risk in made.risks:
        print(f"  risk {risk.tag}: {len(risk.pull_requests)}")


def main() -> int:
    """Run every file; exit code 1 when one fails, 2 when there is none."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--output", type=Path, default=Path("out/real-weeks"))
    arguments = parser.parse_args()
    files = sorted(arguments.folder.glob("*.jsonl"))
    if not files:
        print(f"There is no .jsonl file in {arguments.folder}.", file=sys.stderr)
        return 2
    failed = 0
    for path in files:
        started = time.perf_counter()
        try:
            wish = Wish(week=busiest_week(path), languages=LANGUAGES)
            made, _ = digest_of_source(Settings(), str(path), wish, datetime.now(UTC))
        except MergecastError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            failed += 1
            continue
        folder = arguments.output / path.stem
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "digest.json").write_text(made.to_json(), "utf-8")
        for language in LANGUAGES:
            (folder / f"digest.{language}.md").write_text(markdown.render(made, language), "utf-8")
            (folder / f"digest.{language}.html").write_text(html.render(made, language), "utf-8")
        report(path, made, time.perf_counter() - started)
        print(f"  written to {folder}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
