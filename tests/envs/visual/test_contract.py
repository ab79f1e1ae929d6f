"""Every world model of the package keeps the contract."""

from __future__ import annotations

import tempfile

import pytest
from tests.contract.world_model_contract import WorldModelContract

from conflictbench.envs.visual.clip import Geometry
from conflictbench.envs.visual.fake import FakeWorldModel
from conflictbench.envs.visual.model import WorldModel
from conflictbench.envs.visual.registry import make_world_model
from conflictbench.envs.visual.store import ClipStore, StoredWorldModel


class TestFake(WorldModelContract):
    def make(self) -> WorldModel:
        return FakeWorldModel()


class TestStored(WorldModelContract):
    @pytest.fixture(autouse=True)
    def _directory(self) -> object:
        with tempfile.TemporaryDirectory() as self.directory:
            yield

    def make(self) -> WorldModel:
        return StoredWorldModel(FakeWorldModel(), ClipStore(self.directory))


class TestStoredWhole(TestStored):
    def make(self) -> WorldModel:
        return StoredWorldModel(FakeWorldModel(), ClipStore(self.directory), whole=True)


class TestProcedural(WorldModelContract):
    geometry = Geometry(104, 60, 9, 4)
    jump = 6.0  # lights and dust go on moving

    def make(self) -> WorldModel:
        return make_world_model("procedural")
