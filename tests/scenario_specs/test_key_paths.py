"""Key paths: an id where a list's element has one of its own, a number otherwise."""

from __future__ import annotations

from conflictbench.scenario_specs.key_paths import element_names, key_paths, nearest_line


def test_element_names__a_repeated_or_missing_id_becomes_the_number() -> None:
    items = [{"id": "a"}, {"id": "a"}, {"x": 1}, "word", {"id": 7}, {"id": "b"}]
    assert element_names(items) == ["a", "2", "3", "4", "5", "b"]


def test_key_paths__cover_every_place_of_nested_data() -> None:
    data = {"actions": [{"id": "go", "needs": [{"when": "x"}]}], "window": 5}
    assert key_paths(data) == {
        (): "",
        ("actions",): "actions",
        ("actions", 0): "actions.go",
        ("actions", 0, "id"): "actions.go.id",
        ("actions", 0, "needs"): "actions.go.needs",
        ("actions", 0, "needs", 0): "actions.go.needs.1",
        ("actions", 0, "needs", 0, "when"): "actions.go.needs.1.when",
        ("window",): "window",
    }


def test_nearest_line__falls_back_to_the_block_around() -> None:
    lines = {"": 1, "actions": 4, "actions.go": 5}
    assert nearest_line(lines, "actions.go.says.2.text") == 5
    assert nearest_line(lines, "outcomes.end") == 1
    assert nearest_line({}, "actions.go") is None
