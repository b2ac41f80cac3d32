"""``mergecast migrate``: brings the tables of the database up to this release."""

from __future__ import annotations

from services.cli.console import out
from services.cli.surroundings import ConfigOption, make_private_folder, read_settings


def migrate(*, config: ConfigOption = None) -> None:
    """Bring the database up to this release.

    Needed once after each upgrade, before the processes of a production set-up
    start; `mergecast serve` does it by itself. Several may run at once.

    [bold]Example[/bold]

      mergecast migrate --config mergecast.toml
    """
    from shared.store import migrate as migrations
    from shared.store.session import Database

    settings = read_settings(config)
    database = Database(settings.database_url)
    try:
        if database.dialect == "sqlite":
            make_private_folder(settings.data_folder)
        before = migrations.current_revision(database)
        migrations.upgrade(database)
        after = migrations.current_revision(database)
    finally:
        database.dispose()
    already = f"is at revision {after} already" if before == after else f"went from {before or 'empty'} to {after}"
    out().print(f"{database.url} {already}.", markup=False, highlight=False)
