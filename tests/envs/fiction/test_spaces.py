"""Spaces: a part that is not shown is not made."""

from __future__ import annotations

import pytest

from conflictbench.envs.fiction import spaces


@pytest.mark.parametrize("observation", ["text", "features"])
def test_observation_space__without_images_makes_no_box_of_images(
    observation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, ...]] = []
    make = spaces.image_box

    def image_box(shape: tuple[int, ...]) -> spaces.spaces.Box:
        asked.append(shape)
        return make(shape)

    monkeypatch.setattr(spaces, "image_box", image_box)
    assert set(spaces.observation_space(observation, "float32")) == {"action_mask", observation}
    assert asked == []  # its bounds are two whole frames, half a millisecond for each env made
    assert set(spaces.observation_space("visual", "float32", (4, 5, 3))) == {"action_mask", "image", "text"}
    assert asked == [(4, 5, 3)]
