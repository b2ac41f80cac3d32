"""The digest of one week of a stored repository."""

from __future__ import annotations

from services.cli.surroundings import chosen_languages, opened_database, stored_repository
from services.cli.weeks import Wish, chosen_week
from services.digest.build import compose
from services.digest.narrate import narrate
from shared.domain.digest import Digest
from shared.settings import Settings
from shared.store.convention_files import settings_in_force


def digest_of_store(settings: Settings, wish: Wish) -> tuple[Digest, tuple[str, ...]]:
    """Return the digest and its languages; nothing is stored or published by this.

    InvalidInput when the repository is not stored, or the week is not over and that was not asked for.
    """
    database = opened_database(settings)
    repository_id, ref = stored_repository(database, wish.repository)
    with database.reading() as session:
        listed = settings_in_force(session, settings, repository_id, ref.full_name)
    timezone = wish.timezone or listed.timezone or settings.digest.timezone
    languages = chosen_languages(list(wish.languages), listed.languages or settings.digest.languages)
    present = database.now()
    period = chosen_week(wish.week, timezone, present, so_far=wish.so_far)
    return narrate(compose(database, settings, repository_id, period, present), languages), languages
