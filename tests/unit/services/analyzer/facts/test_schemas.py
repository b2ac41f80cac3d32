"""Migrations with what they take away, messages and services, and the numbers of formats."""

from __future__ import annotations

import pytest

from services.analyzer.facts import schemas
from shared.domain.facts import Reach
from tests.unit.services.analyzer.facts.written import both, facts_of

ADDED, REMOVED, CHANGED, RENAMED = "added", "removed", "changed", "renamed"

MIGRATIONS = {
    "SQL": (
        "db/migrations/0007_drop.sql",
        (
            "ALTER TABLE kites DROP COLUMN tail;\nDROP TABLE IF EXISTS strings;\nALTER TABLE kites ALTER COLUMN size TYPE bigint;\n"
            "ALTER TABLE kites RENAME COLUMN hue TO colour;\n"
        ),
        {
            (ADDED, "0007_drop.sql", None, None),
            (REMOVED, "kites.tail", None, None),
            (REMOVED, "strings", None, None),
            (CHANGED, "kites.size", None, "bigint"),
            (RENAMED, "kites.hue", "kites.hue", "colour"),
        },
    ),
    "SQL over two lines": (
        "migrations/2.sql",
        'ALTER TABLE "public"."kites"\n  DROP COLUMN "tail";\n',
        {(ADDED, "2.sql", None, None), (REMOVED, "kites.tail", None, None)},
    ),
    "a way back is none": (
        "migrations/3.sql",
        "-- +goose Up\nCREATE TABLE kites (id int);\n-- +goose Down\nDROP TABLE kites;\n",
        {(ADDED, "3.sql", None, None)},
    ),
    "alembic": (
        "kite/migrations/versions/0003_x.py",
        (
            'def upgrade():\n    op.drop_column("kites", "tail")\n    op.alter_column(\n        "kites", "hue", new_column_name="colour"\n    )\n\n\n'
            'def downgrade():\n    op.drop_table("kites")\n'
        ),
        {
            (ADDED, "0003_x.py", None, None),
            (REMOVED, "kites.tail", None, None),
            (RENAMED, "kites.hue", "kites.hue", "colour"),
        },
    ),
    "Django": (
        "shop/migrations/0004_auto.py",
        (
            'class Migration:\n    operations = [\n        migrations.RemoveField(\n            model_name="kite",\n            name="tail",\n        ),\n'
            '        migrations.DeleteModel(\n            name="String",\n        ),\n    ]\n'
        ),
        {(ADDED, "0004_auto.py", None, None), (REMOVED, "kite.tail", None, None), (REMOVED, "String", None, None)},
    ),
    "Rails": (
        "db/migrate/20260101_drop_tail.rb",
        "class DropTail < ActiveRecord::Migration[7.1]\n  def up\n    remove_column :kites, :tail\n  end\n\n  def down\n    drop_table :kites\n  end\nend\n",
        {(ADDED, "20260101_drop_tail.rb", None, None), (REMOVED, "kites.tail", None, None)},
    ),
}


@pytest.mark.parametrize("case", MIGRATIONS)
def test_migrations(case: str) -> None:
    path, text, expected = MIGRATIONS[case]
    assert both({path: (None, text)}, schemas) == {(kind, "schema", *rest) for kind, *rest in expected}


def test_a_migration_that_takes_data_away_says_so() -> None:
    step, gone = facts_of({"migrations/9.sql": (None, "DROP TABLE kites;\n")}, schemas)
    assert (step.note, step.reach, gone.after and gone.after.quote) == (
        "takes data away",
        Reach.BUILDERS,
        "DROP TABLE kites;",
    )


PROTO = 'syntax = "proto3";\n\nmessage Kite {{\n{}\n}}\n'
SERVICE = "service Sky {{\n{}\n}}\n"

INTERFACES = {
    "a field goes": (
        "api/kite.proto",
        PROTO.format("  string name = 1;\n  int32 size = 2;"),
        PROTO.format("  string name = 1;\n  reserved 2;"),
        {(REMOVED, "Kite.size", "int32 = 2", None)},
    ),
    "another type": (
        "api/kite.proto",
        PROTO.format("  int32 size = 2;"),
        PROTO.format("  int64 size = 2;"),
        {(CHANGED, "Kite.size", "int32 = 2", "int64 = 2")},
    ),
    "another number": (
        "api/kite.proto",
        PROTO.format("  repeated string tails = 2;"),
        PROTO.format("  repeated string tails = 3;"),
        {(CHANGED, "Kite.tails", "repeated string = 2", "repeated string = 3")},
    ),
    "another name": (
        "api/kite.proto",
        PROTO.format("  string hue = 2;"),
        PROTO.format("  string colour = 2;"),
        {(RENAMED, "Kite.hue", "Kite.hue", "Kite.colour")},
    ),
    "a method goes": (
        "api/sky.proto",
        SERVICE.format("  rpc Fly(FlyRequest) returns (FlyReply);\n  rpc Land(LandRequest) returns (LandReply) {}"),
        SERVICE.format("  rpc Fly(FlyRequest) returns (FlyReply);"),
        {(REMOVED, "Sky.Land", "(LandRequest) returns (LandReply)", None)},
    ),
    "a method comes": (
        "api/sky.proto",
        SERVICE.format("  rpc Fly(FlyRequest) returns (FlyReply);"),
        SERVICE.format("  rpc Fly(FlyRequest) returns (FlyReply);\n  rpc Watch(Q) returns (stream R);"),
        {(ADDED, "Sky.Watch", None, "(Q) returns (stream R)")},
    ),
    "a whole message goes": (
        "api/kite.proto",
        PROTO.format("  string name = 1;") + "message Old {\n  string a = 1;\n  string b = 2;\n}\n",
        PROTO.format("  string name = 1;"),
        {(REMOVED, "Old", None, None)},
    ),
    "a value of an enum": (
        "api/kite.proto",
        "enum Hue {\n  HUE_UNKNOWN = 0;\n  HUE_RED   = 1;\n}\n",
        "enum Hue {\n  HUE_UNKNOWN = 0;\n  HUE_RED   = 2;\n}\n",
        {(CHANGED, "Hue.HUE_RED", "= 1", "= 2")},
    ),
    "thrift": (
        "api/kite.thrift",
        "struct Kite {\n  1: required string name,\n  2: optional i32 size\n}\n",
        "struct Kite {\n  1: required string name,\n}\n",
        {(REMOVED, "Kite.size", "optional i32 = 2", None)},
    ),
    "GraphQL": (
        "schema.graphql",
        "type Kite {\n  name: String!\n  size: Int\n}\n",
        "type Kite {\n  name: String\n}\n",
        {(CHANGED, "Kite.name", "String!", "String"), (REMOVED, "Kite.size", "Int", None)},
    ),
}


@pytest.mark.parametrize("case", INTERFACES)
def test_interfaces(case: str) -> None:
    path, before, after, expected = INTERFACES[case]
    assert both({path: (before, after)}, schemas) == {(kind, "protocol", *rest) for kind, *rest in expected}


def test_a_number_that_is_used_again_is_named() -> None:
    files = {
        "a.proto": (
            PROTO.format("  string name = 1;\n  int32 b = 2;"),
            PROTO.format("  string name = 1;\n  bool other = 2;"),
        )
    }
    (fact,) = facts_of(files, schemas)
    assert (fact.kind, fact.name, fact.note, fact.reach) == (
        REMOVED,
        "Kite.b",
        "its number 2 is other now",
        Reach.PUBLIC,
    )


FORMATS = [
    ("kite/store.py", "FORMAT_VERSION = 2\n", "FORMAT_VERSION = 3\n", "format", "FORMAT_VERSION", "2", "3"),
    (
        "kite/wire.py",
        "SKY_CONNECTOR_VERSION: int = 2\n",
        "SKY_CONNECTOR_VERSION: int = 3\n",
        "protocol",
        "SKY_CONNECTOR_VERSION",
        "2",
        "3",
    ),
    (
        "src/a.rs",
        "pub const SCHEMA_VERSION: u32 = 4;\n",
        "pub const SCHEMA_VERSION: u32 = 5;\n",
        "format",
        "SCHEMA_VERSION",
        "4",
        "5",
    ),
    (
        "src/a.rs",
        'const MAGIC: &[u8; 4] = b"KIT1";\n',
        'const MAGIC: &[u8; 4] = b"KIT2";\n',
        "format",
        "MAGIC",
        'b"KIT1"',
        'b"KIT2"',
    ),
    ("a/b.go", "const ProtocolVersion = 7\n", "const ProtocolVersion = 8\n", "protocol", "ProtocolVersion", "7", "8"),
    (
        "src/a.h",
        "#define CHECKPOINT_VERSION 0x10\n",
        "#define CHECKPOINT_VERSION 0x11\n",
        "format",
        "CHECKPOINT_VERSION",
        "0x10",
        "0x11",
    ),
    (
        "src/a.cpp",
        "static constexpr int kCacheVersion = 1;\n",
        "static constexpr int kCacheVersion = 2;\n",
        "format",
        "kCacheVersion",
        "1",
        "2",
    ),
    (
        "src/a.ts",
        "export const SNAPSHOT_VERSION = 'v1';\n",
        "export const SNAPSHOT_VERSION = 'v2';\n",
        "format",
        "SNAPSHOT_VERSION",
        "'v1'",
        "'v2'",
    ),
    (
        "src/A.java",
        "    public static final int STATE_VERSION = 1;\n",
        "    public static final int STATE_VERSION = 2;\n",
        "format",
        "STATE_VERSION",
        "1",
        "2",
    ),
]


@pytest.mark.parametrize(("path", "before", "after", "subject", "name", "old", "new"), FORMATS)
def test_formats(path: str, before: str, after: str, subject: str, name: str, old: str, new: str) -> None:
    assert both({path: (before, after)}, schemas) == {(CHANGED, subject, name, old, new)}
