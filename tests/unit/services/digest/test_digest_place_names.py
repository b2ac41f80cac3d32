"""Folders are named by what says something, in any ecosystem."""

from __future__ import annotations

import pytest

from services.digest.place_names import best_names, comparable, meaningful, short_names, telling_name


@pytest.mark.parametrize(
    ("folder", "pieces"),
    [
        ("crates/finch_syntax/src/types", ("finch_syntax", "types")),
        ("crates", ()),
        ("src", ()),
        ("finch/crates/store/src", ("store",)),
        ("packages/editor/lib/panels", ("editor", "panels")),
        ("internal/pkg/v2/relay", ("relay",)),
        ("broker/src/main/java/org/acme/broker/log", ("broker", "log")),
        ("src/main/kotlin/com/acme/finch/cart", ("cart",)),
        ("core/src/main/scala/wing/server", ("core", "wing", "server")),
        ("", ()),
    ],
)
def test_only_pieces_that_mean_something_are_kept(folder: str, pieces: tuple[str, ...]) -> None:
    assert meaningful(folder, "finch") == pieces


def test_a_name_does_not_begin_with_a_folder_that_every_part_has() -> None:
    names = short_names(["syntax/types/call", "syntax/types", "web/forms/fields", "utils"])

    assert names == {
        "syntax/types/call": "syntax/types/call",
        "syntax/types": "syntax/types",
        "web/forms/fields": "forms/fields",
        "utils": "utils",
    }


@pytest.mark.parametrize("name", ["server", "Server", "servers", "finch-server", "server-finch", "finch_server"])
def test_names_of_one_area_are_comparable(name: str) -> None:
    assert comparable(name, "finch") == "server"


def test_a_repository_named_by_a_common_word_names_no_part() -> None:
    assert telling_name("acme/Finch") == "finch"
    assert telling_name("acme/core") == ""
    assert meaningful("packages/core/src/panels", telling_name("acme/core")) == ("core", "panels")
    assert comparable("compiler-core", telling_name("acme/core")) == "compiler-core"


def test_different_areas_stay_apart() -> None:
    assert comparable("web/server", "finch") != comparable("server", "finch")
    assert comparable("finch", "finch") == "finch"


def test_the_most_used_spelling_stands_for_all() -> None:
    assert best_names({"finch-server": 2, "server": 5, "client": 1}, "finch") == {
        "server": "server",
        "client": "client",
    }
