"""What a run says of its pictures: who makes them, and how a model is sent them. Own design."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from conflictbench.benchmarks.manifest import PictureEntry
from conflictbench.envs.visual.registry import DEFAULT_WORLD_MODEL, make_world_model
from conflictbench.envs.visual.settings import IMAGE_OBSERVATIONS, KEPT_OBSERVATIONS
from conflictbench.errors import RunError
from conflictbench.wrappers.chat.pictures import KEEP_CLIPS, ChatPictures


@dataclass(frozen=True, kw_only=True)
class PictureOptions:
    """What was asked for; None where nothing was."""

    world_model: str | None = None  # a name of `WORLD_MODELS`
    overlay: str | None = None  # "none", "cctv" or "telemetry"; the scenario's own by default
    keep_clips: int | None = None  # clips whose frames stay in a model's conversation

    def env_kwargs(self) -> dict[str, Any]:
        """Those of an env, as far as they were given."""
        given = {"world_model": self.world_model, "overlay": self.overlay}
        return {name: value for name, value in given.items() if value is not None}


def plan_pictures(observation: str, options: PictureOptions | None, *, in_chat: bool) -> PictureEntry | None:
    """How a run shows its worlds; None where it shows no pictures.

    Args:
        in_chat: a model is sent them, in a conversation.
    Raises:
        RunError: options of what the run does not have.  UnknownName, NotYetAvailable: as `make_world_model`.
    """
    options = options if options is not None else PictureOptions()
    if observation not in IMAGE_OBSERVATIONS:
        if options != PictureOptions():
            raise RunError(
                f"observation {observation!r} has no pictures: leave --world-model, --overlay, --keep-clips out"
            )
        return None
    if not in_chat and options.keep_clips is not None:
        raise RunError("no agent here is sent its pictures in a conversation: leave --keep-clips out")
    sent = ChatPictures(KEEP_CLIPS if options.keep_clips is None else options.keep_clips) if in_chat else None
    return PictureEntry(
        backend=make_world_model(options.world_model or DEFAULT_WORLD_MODEL).backend,
        keep_clips=None if sent is None else sent.keep_clips,
        sent_as="" if sent is None else sent.id,
    )


def check_pictures_can_be_kept(observation: str) -> None:
    """Find a clip store that cannot be written before an episode is played; where none is written, nothing is done.

    Raises:
        ClipStoreFull, ClipStoreError: as `check_writable`.
    """
    if observation in KEPT_OBSERVATIONS:
        from conflictbench.envs.visual.store import check_clip_folder

        check_clip_folder()
