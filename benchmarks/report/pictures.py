"""The pictures of a report's episodes, as files beside the page: the frames that were kept, or whole clips. Own design.

A record names its clips; what they show is in the clip store of whoever writes the report. A clip that is not there any
more is said to be missing, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from conflictbench.benchmarks.report.model import Episode
from conflictbench.errors import ClipStoreError, ConflictBenchError, NotYetAvailable
from conflictbench.types import ClipRecord

if TYPE_CHECKING:
    from conflictbench.envs.visual.clip import Frame
    from conflictbench.envs.visual.store import ClipStore, Entry
    from conflictbench.envs.visual.store.listing import Held

FOLDER = "report-pictures"  # beside the page
_NAME = 20  # digits of a key in a file's name
_WIDTH = 416  # of one frame in a strip, in pixels


@dataclass(frozen=True, kw_only=True)
class ClipPicture:
    """One clip of the page; paths are relative to it."""

    name: str  # id of the action, "base", "stage:1"
    strip: str = ""  # the kept frames side by side, "" for none
    frames: tuple[int, ...] = ()  # their indices
    video: str = ""  # the whole clip, "" for none
    why: str = ""  # why something is not there


@dataclass(frozen=True, kw_only=True)
class ReportPictures:
    """What the page is told: clips, and for every episode those of its opening and of its steps."""

    clips: tuple[ClipPicture, ...]
    episodes: tuple[tuple[tuple[int, ...], tuple[tuple[int, tuple[int, ...]], ...]] | None, ...]

    def plain(self) -> dict[str, Any]:
        """As JSON takes it."""
        return {"clips": [asdict(clip) for clip in self.clips], "episodes": self.episodes}


def write_pictures(episodes: Sequence[Episode], folder: Path, *, videos: bool = False) -> ReportPictures | None:
    """Write the pictures of every clip that episodes have shown; None if they have shown none.

    Args:
        folder: of the page.
        videos: write whole clips too; frames that were not kept are drawn again, about a second of work a clip.
    Raises:
        OSError: a file cannot be written.
    """
    shown = {clip.key: clip for episode in episodes for clip in _clips(episode)}
    if not shown:
        return None
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    writer = _Writer(folder, videos=videos)
    places = {key: place for place, key in enumerate(shown)}
    return ReportPictures(
        clips=tuple(writer.write(clip) for clip in shown.values()),
        episodes=tuple(_places(episode, places) for episode in episodes),
    )


def _clips(episode: Episode) -> Iterable[ClipRecord]:
    yield from episode.record.opening_clips
    for step in episode.record.steps:
        yield from step.clips


def _places(
    episode: Episode, places: dict[str, int]
) -> tuple[tuple[int, ...], tuple[tuple[int, tuple[int, ...]], ...]] | None:
    record = episode.record
    opening = tuple(places[clip.key] for clip in record.opening_clips)
    steps = tuple(
        (place, tuple(places[c.key] for c in step.clips)) for place, step in enumerate(record.steps) if step.clips
    )
    return (opening, steps) if opening or steps else None


class _Writer:
    """Writes clips of the clip store as files; one that is there already is left as it is."""

    def __init__(self, folder: Path, *, videos: bool) -> None:
        from conflictbench.envs.visual.store import ClipStore, clip_folder

        self._folder, self._videos = folder, videos
        found = clip_folder()
        self._store: ClipStore | None = None if found is None else ClipStore(found)

    def write(self, clip: ClipRecord) -> ClipPicture:
        if clip.missing:
            return ClipPicture(name=clip.name, why="it could not be made: the disk of the clips was full")
        try:
            entry = self._entry(clip)
            strip = f"{FOLDER}/{clip.key[:_NAME]}.jpg"
            self._keep(strip, lambda path: _write_strip(entry, path))
            picture = ClipPicture(name=clip.name, strip=strip, frames=tuple(sorted(entry.files)))
        except (ClipStoreError, NotYetAvailable) as error:
            return ClipPicture(name=clip.name, why=self._words(error))
        return self._with_video(picture, clip, entry) if self._videos else picture

    def _with_video(self, picture: ClipPicture, clip: ClipRecord, entry: Entry) -> ClipPicture:
        from conflictbench.envs.visual.export import export_mp4
        from conflictbench.envs.visual.store.rebuild import clip_of

        assert self._store is not None
        video = f"{FOLDER}/{clip.key[:_NAME]}.mp4"
        try:
            again = clip_of(self._store, _held(clip.key, entry))
            self._keep(video, lambda path: export_mp4(again.frames(), path, again.geometry.fps))
        except ConflictBenchError as error:
            return replace(picture, why=self._words(error))
        return replace(picture, video=video)

    def _words(self, error: ConflictBenchError) -> str:
        """Why, without a path of this machine: reports are passed on."""
        if isinstance(error, NotYetAvailable):
            return "pictures need the extra 'visual', which is not installed here"
        return str(error) if self._store is None else str(error).replace(str(self._store.root), "the store")

    def _entry(self, clip: ClipRecord) -> Entry:
        """The kept frames of a clip.

        Raises:
            ClipStoreError: they are not in the store, or not those that were shown.
        """
        from conflictbench.envs.visual.store.entry import MANIFEST_NAME
        from conflictbench.envs.visual.store.manifest import read_manifest

        if self._store is None:
            raise ClipStoreError("no clips are kept here")
        try:
            manifest = read_manifest((self._store.folder(clip.key) / MANIFEST_NAME).read_bytes())
        except (OSError, ValueError) as error:
            raise ClipStoreError("it is not kept any more") from error
        entry = self._store.find(manifest.node)
        if entry is None or manifest.node.key != clip.key:
            raise ClipStoreError("what is kept of it is damaged")
        if clip.digest and entry.manifest.digest != clip.digest:
            raise ClipStoreError("what is kept of it is not what was shown")
        return entry

    def _keep(self, name: str, write: Callable[[Path], object]) -> None:
        """Write a file whole or not at all. Names follow from what is shown: one that is there is right."""
        path = self._folder / name
        if path.exists():
            return
        fresh = path.with_name(f"{path.name}.new")
        write(fresh)
        fresh.replace(path)


def _held(key: str, entry: Entry) -> Held:
    from conflictbench.envs.visual.store.listing import Held

    return Held(key=key, folder=entry.folder, bytes=0, used=0.0, manifest=entry.manifest)


def _write_strip(entry: Entry, path: Path) -> None:
    """The kept frames side by side, smaller."""
    from conflictbench.envs.visual.encode import encode_frame

    frames = [frame for index in sorted(entry.files) if (frame := entry.still(index)) is not None]
    path.write_bytes(encode_frame(np.concatenate([_small(frame) for frame in frames], axis=1), "jpeg"))


def _small(frame: Frame) -> Frame:
    from PIL import Image

    height, width, _ = frame.shape
    scale = min(1.0, _WIDTH / width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return np.array(Image.fromarray(frame).resize(size, Image.Resampling.LANCZOS))
