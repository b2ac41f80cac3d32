"""Both ways of docs/github.md, step by step as the page says: a merge arrives and is analysed, and doctor is content."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from services.cli.github_rights import NEEDED, WISHED
from shared.domain.pull_request import DetailSource, PullRequest
from shared.store import analyses, pull_requests, reconciliations, repositories
from shared.store.session import Database
from tests.e2e.newcomer import ROOT, Block, Newcomer, blocks, section
from tests.e2e.serving import until
from tests.servers.github import FileSpec, GitHubServer, World
from tests.servers.github.repositories import Repository

PAGE = (ROOT / "docs" / "github.md").read_text("utf-8")
AS_APP, WITH_TOKEN = section(PAGE, "As a GitHub App"), section(PAGE, "As a repository webhook with a token")
NAME = "lumen-labs/lumen"


@pytest.fixture
def github() -> Iterator[GitHubServer]:
    """GitHub as the newcomer finds it."""
    with GitHubServer(world=World(html_host="https://github.com")) as server:
        yield server


@pytest.fixture
def newcomer(github: GitHubServer, tmp_path: Path) -> Iterator[Newcomer]:
    """A person with an empty folder."""
    person = Newcomer(tmp_path, github.api_url)
    yield person
    person.stop()


def test_as_a_github_app(newcomer: Newcomer, github: GitHubServer) -> None:
    first_start, form, lock, settings, start, ask, answer = blocks(AS_APP)
    lumen = github.world.add_repository(NAME, private=True)

    newcomer.do(first_start)
    register(newcomer, github, form)
    app = github.world.app
    app.id = int(re.findall(r'app_id = "(\d+)"', settings.text)[0])
    (newcomer.folder / "github-app.pem").write_text(app.private_key_pem)
    newcomer.do(lock)
    app.install("lumen-labs", [NAME])
    newcomer.write_settings(settings)
    newcomer.stop()
    newcomer.do(start)

    is_analysed_with_files_and_review(newcomer, lumen)
    is_what_the_page_shows(newcomer, newcomer.do(ask), answer)
    assert github.writes == []


def test_as_a_webhook_with_a_token(newcomer: Newcomer, github: GitHubServer) -> None:
    settings, start, ask, answer = blocks(WITH_TOKEN)
    lumen = github.world.add_repository(NAME)
    value = re.findall(r"GITHUB__TOKEN=(\S+)", start.text)[0]
    github.world.token("octocat", rights_of_the_page(), value=value, repositories=[NAME])

    newcomer.write_settings(settings)
    newcomer.do(start)
    add_webhook(newcomer, lumen)

    is_analysed_with_files_and_review(newcomer, lumen)
    is_what_the_page_shows(newcomer, newcomer.do(ask), answer)
    assert github.writes == []


def test_each_fault_gives_the_line_that_the_page_explains(newcomer: Newcomer, github: GitHubServer) -> None:
    settings, start, ask, _ = blocks(WITH_TOKEN)
    lumen = github.world.add_repository(NAME, private=True)
    value = re.findall(r"GITHUB__TOKEN=(\S+)", start.text)[0]
    token = github.world.token("octocat", rights_of_the_page(), value=value)
    newcomer.write_settings(settings)
    newcomer.do(start)
    hook = add_webhook(newcomer, lumen)

    hook.content_type, hook.events = "form", ("push",)
    answer = newcomer.do(ask)
    assert_told(answer, "sends content type 'form', which is refused", "Set the content type to application/json")
    assert_told(answer, "does not send pull_request events", "Tick «Pull requests» among the events")
    hook.content_type, hook.events, hook.secret = "json", ("pull_request",), "another"
    lumen.open_pull("Keep the order").merge()
    token.permissions.pop("pull_requests")
    answer = newcomer.do(ask)
    assert_told(answer, "failed: 2 × 401", "The secrets differ: set the hook's Secret on GitHub")
    assert_told(answer, "pull requests, their files and their review cannot be read", "«Pull requests: Read-only»")
    assert "deliveries failed with 401" in PAGE


def register(newcomer: Newcomer, github: GitHubServer, form: Block) -> None:
    """Open the prefilled form, type in the secret, press the button."""
    filled = parse_qs(urlsplit(newcomer.placed(form.text.strip())).query)
    app = github.world.app
    app.name, app.slug = filled["name"][0], filled["name"][0].lower()
    app.permissions = {right: filled[right][0] for right in (*NEEDED, *WISHED)}
    app.events, app.hook_url, app.hook_secret = tuple(filled["events[]"]), filled["webhook_url"][0], newcomer.secret


def rights_of_the_page() -> dict[str, str]:
    """The rights of the token, as step 1 names them."""
    named = re.findall(r"\*([A-Z][a-z ]+)\*", WITH_TOKEN.split("under *Permissions*")[1].split("(*Metadata*")[0])
    slugs = {"Commit statuses": "statuses", "Webhooks": "repository_hooks"}
    assert len(named) == 5
    return {"metadata": "read"} | {slugs.get(right, right.lower().replace(" ", "_")): "read" for right in named}


def add_webhook(newcomer: Newcomer, repository: Repository):
    """Fill in the form of the repository's settings as the table says."""
    rows = dict(re.findall(r"^ *\| ([A-Z][\w …]+?) \| (.+?) \|$", WITH_TOKEN, re.MULTILINE))
    url, kind = (rows[field].strip("`") for field in ("Payload URL", "Content type"))
    assert kind == "application/json"
    slugs = {"Pull requests": "pull_request", "Repositories": "repository"}
    events = [slugs[event] for event in re.findall(r"`(.+?)`", rows["Which events …"])]
    return repository.add_hook(newcomer.placed(url), newcomer.secret, events=events, content_type="json")


def is_analysed_with_files_and_review(newcomer: Newcomer, repository: Repository) -> None:
    """Merge something on GitHub and wait until the service has analysed it whole."""
    pull = repository.open_pull(
        "fix: keep the order of the queue", files=[FileSpec("src/queue.py"), FileSpec("docs/a.md")]
    )
    pull.review("alice", "APPROVED", "Good.")
    pull.check("test", "success")
    pull.merge(by="maintainer")
    stored = until(lambda: analysed(newcomer, pull.number), seconds=90)

    assert stored.detail_source is DetailSource.API
    assert [file.filename for file in stored.files or ()] == ["src/queue.py", "docs/a.md"]
    assert [(review.user.login, review.state) for review in stored.reviews] == [("alice", "APPROVED")]


def analysed(newcomer: Newcomer, number: int) -> PullRequest | None:
    """The stored pull request once it has an analysis and its repository was compared with GitHub."""
    database = Database(f"sqlite:///{newcomer.home}/.local/share/mergecast/mergecast.sqlite3")
    try:
        with database.reading() as session:
            row = repositories.find(session, NAME)
            found = None if row is None else pull_requests.get(session, row, number)
            compared = None if row is None else reconciliations.get(session, row)
            if found is None or compared is None or compared.checked_at is None:
                return None
            return found.pull_request if analyses.latest(session, found.id) else None
    finally:
        database.dispose()


def is_what_the_page_shows(newcomer: Newcomer, answer: str, shown: Block) -> None:
    """Doctor is content, and its lines are those of the page, in their order."""
    assert shown.language == "text"
    assert answer.startswith("0\n"), answer
    printed = newcomer.shown(answer)
    for line in newcomer.shown(shown.text):
        assert line in printed, f"{line!r} is not in {printed}"
        del printed[: printed.index(line) + 1]


def assert_told(answer: str, told: str, mend: str) -> None:
    """Doctor complains in words that the page explains."""
    assert answer.startswith("1\n"), answer
    assert told in answer
    assert mend in answer
    assert f"`{told}`" in PAGE or told.startswith("failed: ")
