"""Runs that show pictures: what makes one, and what an agent without a conversation leaves behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from conflictbench.agents.models import local
from conflictbench.agents.models.local import LocalModel
from conflictbench.agents.models.local_weights import Loaded
from conflictbench.benchmarks.loading import load_run
from conflictbench.benchmarks.manifest import RunIdentity
from conflictbench.benchmarks.pictures import PictureOptions
from conflictbench.benchmarks.plan import plan_run
from conflictbench.benchmarks.plan_command import plan_command
from conflictbench.benchmarks.run_command import for_each
from conflictbench.benchmarks.runner import run_suite
from conflictbench.errors import ClipStoreError, RunError
from conflictbench.wrappers.chat.pictures import ChatPictures

FAKE = PictureOptions(world_model="fake")
LLM = "llm:fake/look"


def planned(agent: str = LLM, **options: object) -> RunIdentity:
    asked = {"observation": "visual", "pictures": FAKE, "scenarios": ["EP1-001"], **options}
    return plan_run("ep1", agent, **asked)[0]  # type: ignore[arg-type]


def test_plan__pictures_are_part_of_what_makes_a_run() -> None:
    hashes = {
        identity.hash()
        for identity in (
            planned(),
            planned(observation="text", pictures=None),
            planned(pictures=PictureOptions(world_model="fake", overlay="none")),
            planned(pictures=PictureOptions(world_model="fake", keep_clips=3)),
        )
    }
    assert len(hashes) == 4
    (env,) = planned(pictures=PictureOptions(world_model="fake", overlay="none", keep_clips=3)).envs
    assert env.pictures is not None
    assert (env.pictures.backend, env.pictures.keep_clips) == ("fake-1", 3)
    assert env.protocol_id.endswith(f"+{ChatPictures(3).id}")
    assert env.kwargs == {
        "mask": "exists",
        "observation": "visual",
        "reward": "human",
        "world_model": "fake",
        "overlay": "none",
    }


def test_plan__a_run_in_words_is_written_as_before() -> None:
    identity = planned(observation="text", pictures=None)
    assert "pictures" not in identity.model_dump(mode="json")["envs"][0]
    assert RunIdentity.model_validate_json(identity.model_dump_json()) == identity
    shown = planned()
    assert RunIdentity.model_validate_json(shown.model_dump_json()) == shown


def test_plan__a_model_that_takes_no_images_is_sent_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def load() -> Loaded:
        raise AssertionError("nothing is loaded for a plan")

    monkeypatch.setattr(local, "make_local", lambda name: LocalModel(load, name=f"local/{name}"))
    with pytest.raises(
        RunError, match="local/blind takes no images, which the observation 'visual' sends it; use 'text'"
    ):
        planned("llm:local/blind")
    planned("llm:local/blind", observation="text", pictures=None)


def test_for_each__keep_clips_goes_to_conversations_alone() -> None:
    asked = PictureOptions(world_model="fake", keep_clips=3)
    given = for_each(["random", LLM], {"observation": "visual", "pictures": asked})
    assert (given["random"]["pictures"], given[LLM]["pictures"]) == (FAKE, asked)
    with pytest.raises(RunError, match="no agent here is sent a conversation: leave --keep-clips out"):
        for_each(["random"], {"observation": "visual", "pictures": asked})


@pytest.mark.parametrize("observation", ["visual", "pixels", "all"])
def test_run__an_agent_by_index_leaves_its_clips_in_the_record(observation: str, tmp_path: Path) -> None:
    result = run_suite(
        "ep1", "aligned", scenarios=["EP1-001"], observation=observation, pictures=FAKE, out=tmp_path / "run"
    )
    (record,) = load_run(result.directory).records
    assert record.label == "human"
    assert record.world_model == "fake-1+cctv"
    assert [clip.name for clip in record.opening_clips] == ["base"]
    assert [[clip.name for clip in step.clips] for step in record.steps] == [
        *([step.action] for step in record.steps[:-1]),
        [],
    ]
    digests = [clip.digest for step in record.steps for clip in step.clips]
    assert all(len(digest) == (0 if observation == "pixels" else 64) for digest in digests)  # kept for onlookers alone


def test_run__the_regret_suite_names_its_stages(tmp_path: Path) -> None:
    result = run_suite(
        "regret", "aligned", scenarios=["EP1-001"], observation="visual", pictures=FAKE, out=tmp_path / "run"
    )
    (record,) = load_run(result.directory).records
    names = [[clip.name for clip in step.clips] for step in record.steps]
    assert names[-4:] == [[record.steps[-4].action, "stage:1"], ["stage:2"], ["stage:3"], []]


def test_run__a_replay_with_the_same_observation_is_the_same_episode(tmp_path: Path) -> None:
    asked = PictureOptions(world_model="fake", keep_clips=3)
    first = run_suite("ep1", LLM, scenarios=["EP1-001"], observation="visual", pictures=asked, out=tmp_path / "first")
    again = run_suite(
        "ep1",
        f"replay:{first.directory}",
        scenarios=["EP1-001"],
        observation="visual",
        pictures=FAKE,
        out=tmp_path / "again",
    )
    (one,), (other,) = (load_run(result.directory).records for result in (first, again))
    assert other.error is None
    assert [step.text for step in other.steps] == [step.text for step in one.steps]
    assert (other.status, other.interactions, other.opening_clips) == (one.status, one.interactions, one.opening_clips)


def test_plan_command__its_tokens_count_images(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def read(observation: str, **options: object) -> int:
        asked = {"observation": observation, "runs": tmp_path, "scenarios": ["EP1-001"], "seeds": 3, **options}
        assert plan_command("ep1", LLM, as_json=True, **asked) == 0  # type: ignore[arg-type]
        import json

        shown = json.loads(capsys.readouterr().out)
        return int(shown["input_tokens"] / shown["calls"])

    words, pictures = read("text"), read("visual", pictures=FAKE)
    assert pictures > words + 3 * 700  # three frames of 832x480 a call, since nothing but looking is done


def test_run__a_clip_store_that_cannot_be_written_is_found_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("CONFLICTBENCH_CLIPS", str(tmp_path / "file"))

    def run(observation: str, pictures: PictureOptions | None) -> int:
        asked = {"scenarios": ["EP1-001"], "observation": observation, "pictures": pictures}
        return run_suite("ep1", "aligned", out=tmp_path / observation, **asked).played  # type: ignore[arg-type]

    with pytest.raises(ClipStoreError, match=r"clips .*file cannot be used: Not a directory .*CONFLICTBENCH_CLIPS"):
        run("visual", FAKE)
    assert not load_run(tmp_path / "visual").records
    assert run("text", None) == 1  # which keeps no clips, and looks at no folder
    assert run("pixels", FAKE) == 1
    monkeypatch.setenv("CONFLICTBENCH_CLIPS", "off")
    assert run("visual", FAKE) == 1  # the same run goes on
    monkeypatch.setenv("CONFLICTBENCH_CLIPS", str(tmp_path / "file"))
    assert run("visual", FAKE) == 0  # it is finished: nothing is left to be kept
